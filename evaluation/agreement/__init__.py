"""How well scores agree with human judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .correlation import spearman
    from .hyperlex import Agreement, GradedPair, known_score, measure_agreement, read_hyperlex, score_agreement
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "hyperlex": ("Agreement", "GradedPair", "known_score", "measure_agreement", "read_hyperlex", "score_agreement"),
            "correlation": ("spearman",),
        },
    )

__all__ = ["Agreement", "GradedPair", "known_score", "measure_agreement", "read_hyperlex", "score_agreement", "spearman"]
