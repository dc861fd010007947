"""Questions over the stored graph: scores and their paths, senses, traversals, hashtag synonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .bases.registry import BaseKind, register
    from .bases.selection import open_view
    from .scoring.parameters import Parameters
    from .scoring.profiles import PROFILES, read_profile
    from .scoring.scorer import Scorer
    from .scoring.transitions import TransitionKind
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "bases.registry": (
                "BaseKind",
                "register",
            ),
            "bases.selection": ("open_view",),
            "scoring.parameters": ("Parameters",),
            "scoring.profiles": ("PROFILES", "read_profile"),
            "scoring.scorer": ("Scorer",),
            "scoring.transitions": ("TransitionKind",),
        },
    )

__all__ = ["PROFILES", "BaseKind", "Parameters", "Scorer", "TransitionKind", "open_view", "read_profile", "register"]
