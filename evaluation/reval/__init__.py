"""#REval (Alsini, Huynh and Datta, 2023): how good hashtag recommendations are when synonyms count as hits.

``measures`` has the equations of the paper for one recommendation, ``batch_measures`` the same for millions, and
``hashtag_lists`` reads them from files. ``experiment`` repeats the experiment of section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .batch_measures import evaluate
    from .evaluation_result import Evaluation
    from .measures import hit_ratio, reval_hit_ratio
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "batch_measures": ("evaluate",),
            "evaluation_result": ("Evaluation",),
            "measures": ("hit_ratio", "reval_hit_ratio"),
        },
    )

__all__ = ["KS", "WEIGHTS", "Evaluation", "evaluate", "hit_ratio", "reval_hit_ratio"]

WEIGHTS = ("none", "reciprocal", "logarithmic", "linear")
"""The weights of synonyms (see ``measures.Weights``)."""

KS = (0, 5, 10, 20, 30, 40, 50, 60, 70)
"""The numbers of synonyms k in figure 3 of the paper."""
