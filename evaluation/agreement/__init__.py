"""How well scores agree with human judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .comparisons import evaluate_comparisons
    from .correlation import spearman
    from .graded_files import read_judged_pairs
    from .graded_measures import evaluate_graded
    from .hyperlex import GradedPair, read_hyperlex
    from .judgements import read_judgements
    from .pair_scores import score_both_directions, score_pairs
    from .question_measures import evaluate_questions
    from .questions import read_questions
    from .substitute_files import read_swords
    from .substitute_measures import evaluate_substitutes
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "comparisons": ("evaluate_comparisons",),
            "correlation": ("spearman",),
            "graded_files": ("read_judged_pairs",),
            "graded_measures": ("evaluate_graded",),
            "hyperlex": ("GradedPair", "read_hyperlex"),
            "judgements": ("read_judgements",),
            "pair_scores": ("score_both_directions", "score_pairs"),
            "question_measures": ("evaluate_questions",),
            "questions": ("read_questions",),
            "substitute_files": ("read_swords",),
            "substitute_measures": ("evaluate_substitutes",),
        },
    )

__all__ = [
    "GradedPair",
    "evaluate_comparisons",
    "evaluate_graded",
    "evaluate_questions",
    "evaluate_substitutes",
    "read_hyperlex",
    "read_judged_pairs",
    "read_judgements",
    "read_questions",
    "read_swords",
    "score_both_directions",
    "score_pairs",
    "spearman",
]
