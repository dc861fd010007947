"""How the weights of rare senses at the ends of a path are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.text import format_score

if TYPE_CHECKING:
    from ..results import AspectMatch

RARE_SENSE = "rare sense"
"""The words beside a weight below 1."""


def score_line(match: AspectMatch, index: int) -> str:
    """Return the score at an entity of a path, with the weight of a rare sense if the path begins or ends there.

    >>> from wayword.search.results import AspectMatch, Step
    >>> path = (Step("b:1", "dog", score=0.8), Step("b:2", "cad", None, "similar", None, 0.5, 0.4))
    >>> match = AspectMatch("dog", "cad", 0.1, path, 0.8, 0.25)
    >>> score_line(match, 0), score_line(match, 1)
    ('rare sense: 0.80', '0.40 · rare sense × 0.25 = 0.10')
    """
    score = format_score(match.path[index].score)
    if index == 0 and match.substitute_weight != 1.0:
        score = f"{RARE_SENSE}: {score}"
    if index == len(match.path) - 1 and match.substitutee_weight != 1.0:
        score += f" · {RARE_SENSE} × {format_score(match.substitutee_weight)} = {format_score(match.score)}"
    return score
