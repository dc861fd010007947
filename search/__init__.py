"""Questions over the stored graph: scores and their paths, senses, traversals, hashtag synonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .bases.registry import BaseKind, register
    from .bases.selection import open_view
    from .scoring.parameters import PROFILES, Parameters, profile
    from .scoring.scorer import Substitutability
    from .scoring.transitions import Kind
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "bases.registry": (
                "BaseKind",
                "register",
            ),
            "bases.selection": ("open_view",),
            "scoring.parameters": (
                "PROFILES",
                "Parameters",
                "profile",
            ),
            "scoring.scorer": ("Substitutability",),
            "scoring.transitions": ("Kind",),
        },
    )

__all__ = ["PROFILES", "BaseKind", "Kind", "Parameters", "Substitutability", "open_view", "profile", "register"]
