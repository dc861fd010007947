"""Graded judgements of "to what degree is X a type of Y?", and how well a matcher agrees with them.

The gold standard is HyperLex (Vulić, Gerz, Kiela, Hill and Korhonen, 2016). Its second word is the general one: it can be
said in place of the first, so it is the substitute and the first word the substitutee.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import GoldError
from .statistics import spearman

if TYPE_CHECKING:
    from ...search.results import Match

Matcher = Callable[[str, str], "float | None"]
"""How well the first phrase stands in for the second; None where it knows nothing of one of them."""

HEADER = ["WORD1", "WORD2", "POS", "TYPE", "AVG_SCORE"]
GREATEST = 6.0


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two words with the mean judgement, 0 to 6, of the degree to which ``special`` is a type of ``general``."""

    special: str
    general: str
    pos: str
    relation: str
    score: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the scores of a matcher are ordered like the judgements; unknown pairs count among the pairs, with score 0."""

    spearman: float
    pairs: int
    unknown: int


def read_hyperlex(file: str | os.PathLike[str]) -> list[GradedPair]:
    """The pairs of a HyperLex file, in its order; ``pos`` is ``n`` or ``v``."""
    path = Path(file)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GoldError(f"{path}: cannot be read ({reason}); give a file of HyperLex") from error
    if not lines or lines[0].split()[: len(HEADER)] != HEADER:
        raise GoldError(f"{path}: the first line is not {' '.join(HEADER)} ...; give a file of HyperLex")
    pairs = [_pair(path, number, line) for number, line in enumerate(lines[1:], start=2) if line.strip()]
    if not pairs:
        raise GoldError(f"{path}: there are no pairs below its first line; fetch it again")
    return pairs


def _pair(path: Path, number: int, line: str) -> GradedPair:
    words = line.split()
    try:
        special, general, pos, relation, mean = words[: len(HEADER)]
        score = float(mean)
    except ValueError:
        raise GoldError(
            f"{path}:{number}: {line[:60]!r} is not two words, POS, TYPE and a score; fetch the file again"
        ) from None
    if pos not in ("N", "V") or not 0.0 <= score <= GREATEST:
        raise GoldError(
            f"{path}:{number}: POS is {pos!r} and the score {mean}; expected N or V and 0 to 6; fetch the file again"
        )
    return GradedPair(special, general, pos.lower(), relation, score)


def agreement(pairs: Iterable[GradedPair], matcher: Matcher) -> Agreement:
    """How well a matcher agrees with the judgements, the general word being asked for as substitute of the special one.

    >>> pairs = [GradedPair("dog", "animal", "n", "hyp-3", 5.9), GradedPair("dog", "cat", "n", "cohyp", 0.4)]
    >>> agreement(pairs, lambda general, special: {"animal": 0.7}.get(general))
    Agreement(spearman=1.0, pairs=2, unknown=1)
    """
    pairs = list(pairs)
    return judge_scores(pairs, (matcher(pair.general, pair.special) for pair in pairs))


def judge_scores(pairs: Iterable[GradedPair], scores: Iterable[float | None]) -> Agreement:
    """How well scores, one for each pair and None for an unknown one, agree with the judgements."""
    pairs, scores = list(pairs), list(scores)
    return Agreement(
        spearman=spearman([score or 0.0 for score in scores], [pair.score for pair in pairs]),
        pairs=len(pairs),
        unknown=sum(score is None for score in scores),
    )


def known_score(match: Match) -> float | None:
    """The score of a match, None where a phrase is unknown; so that a graph becomes a matcher.

    >>> from wayword.search.results import Match
    >>> known_score(Match("xyzzy", "dog", 0.0, ("wordnet",), "thesis", 0.08, "word", unknown=("xyzzy",))) is None
    True
    """
    return None if match.unknown else match.score
