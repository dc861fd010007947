"""How the factors of a score that are not steps of its path are shown: the weights of rare senses, and that of antonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.text import clean, format_score

if TYPE_CHECKING:
    from ..results import AspectMatch, MissingPath

RARE_SENSE = "rare sense"
"""The words beside a weight below 1."""

ANTONYMS = "antonyms"
"""The words beside the factor of antonyms."""


def score_line(match: AspectMatch, index: int) -> str:
    """Return the score at an entity of a path, with the factors beside its steps if the path begins or ends there.

    >>> from wayword.search.results import AspectMatch, Step
    >>> path = (Step("b:1", "dog", score=0.8), Step("b:2", "cad", None, "similar", None, 0.5, 0.4))
    >>> match = AspectMatch("dog", "cad", 0.05, path, 0.8, 0.25, 0.5)
    >>> score_line(match, 0), score_line(match, 1)
    ('rare sense: 0.80', '0.40 · rare sense × 0.25 · antonyms × 0.50 = 0.05')
    """
    score = format_score(match.path[index].score)
    if index == 0 and match.substitute_weight != 1.0:
        score = f"{RARE_SENSE}: {score}"
    if index == len(match.path) - 1:
        named = ((RARE_SENSE, match.substitutee_weight), (ANTONYMS, match.antonym))
        factors = [f" · {name} × {format_score(factor)}" for name, factor in named if factor != 1.0]
        score += "".join(factors) + (f" = {format_score(match.score)}" if factors else "")
    return score


def antonyms_text(match: AspectMatch | MissingPath) -> str:
    """Return the two senses that are antonyms.

    >>> from wayword.search.results import AspectMatch, Step
    >>> antonyms_text(AspectMatch("hot", "cold", 0.05, antonym=0.5, antonyms=(Step("b:1", "hot"), Step("b:2", "cold"))))
    'hot and cold'
    """
    return " and ".join(clean(each.title) for each in match.antonyms)
