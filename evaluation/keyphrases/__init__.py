"""Keyphrases: precision, recall and F of extractors, consistency of human indexers, and which matcher agrees with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .extraction import evaluate_extraction
    from .indexers import evaluate_indexers
    from .keyphrase_lists import read_indexers, read_keyphrases
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "extraction": ("evaluate_extraction",),
            "indexers": ("evaluate_indexers",),
            "keyphrase_lists": ("read_indexers", "read_keyphrases"),
        },
    )

__all__ = ["evaluate_extraction", "evaluate_indexers", "read_indexers", "read_keyphrases"]
