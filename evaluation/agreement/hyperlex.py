"""Graded judgements of "to what degree is X a type of Y?", and how well a matcher agrees with them.

The gold standard is HyperLex (Vulić, Gerz, Kiela, Hill and Korhonen, 2016). Its second word is the more general one and can
replace the first, so the second is the substitute and the first the substitutee.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import GoldError
from .correlation import spearman
from .gold_files import read_text

if TYPE_CHECKING:
    from ...search.results import Match

HEADER = ["WORD1", "WORD2", "POS", "TYPE", "AVG_SCORE"]
MAX_SCORE = 6.0


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two words and the mean judgement, from 0 to 6, of the degree to which ``specific`` is a type of ``general``."""

    specific: str
    general: str
    pos: str
    relation: str
    score: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well scores agree with judgements.

    - ``spearman``: the rank correlation, with unknown pairs at score 0
    - ``pairs``: the number of pairs
    - ``unknown``: how many of them the matcher does not know
    """

    spearman: float
    pairs: int
    unknown: int


def read_hyperlex(file: str | os.PathLike[str]) -> list[GradedPair]:
    """Read a HyperLex file, such as ``hyperlex_dev_all_random.txt``.

    Args:
        file: The path of the file: a header, then a pair in each line, in UTF-8.

    Returns:
        The pairs in the order of the file; ``pos`` is ``n`` or ``v``.

    Raises:
        GoldError: The file cannot be read, or a line is not a pair.
    """
    return parse_hyperlex(Path(file), read_text(file, "a HyperLex file"))


def is_hyperlex(text: str) -> bool:
    """Return whether a text begins with the header of HyperLex."""
    return text.partition("\n")[0].split()[: len(HEADER)] == HEADER


def parse_hyperlex(path: Path, text: str) -> list[GradedPair]:
    """Parse the text of a HyperLex file; see ``read_hyperlex``."""
    if not is_hyperlex(text):
        raise GoldError(f"{path}: the first line is not {' '.join(HEADER)} ...; give a HyperLex file")
    lines = text.splitlines()
    pairs = [_parse_pair(path, number, line) for number, line in enumerate(lines[1:], start=2) if line.strip()]
    if not pairs:
        raise GoldError(f"{path}: there are no pairs below the header; download it again")
    return pairs


def _parse_pair(path: Path, number: int, line: str) -> GradedPair:
    words = line.split()
    try:
        specific, general, pos, relation, mean = words[: len(HEADER)]
        score = float(mean)
    except ValueError:
        raise GoldError(
            f"{path}:{number}: {line[:60]!r} is not two words, POS, TYPE and a score; download the file again"
        ) from None
    if pos not in ("N", "V") or not 0.0 <= score <= MAX_SCORE:
        raise GoldError(
            f"{path}:{number}: POS is {pos!r} and the score {mean}; expected N or V and 0 to 6; download the file again"
        )
    return GradedPair(specific, general, pos.lower(), relation, score)


def measure_agreement(pairs: Iterable[GradedPair], matcher: Callable[[str, str], float | None]) -> Agreement:
    """Measure how well a matcher agrees with judgements.

    Args:
        pairs: The judged pairs.
        matcher: Called with the general word as substitute and the specific one as substitutee.

    Returns:
        The rank correlation and the number of unknown pairs.

    >>> pairs = [GradedPair("dog", "animal", "n", "hyp-3", 5.9), GradedPair("dog", "cat", "n", "cohyp", 0.4)]
    >>> measure_agreement(pairs, lambda general, specific: {"animal": 0.7}.get(general))
    Agreement(spearman=1.0, pairs=2, unknown=1)
    """
    pairs = list(pairs)
    return score_agreement(pairs, (matcher(pair.general, pair.specific) for pair in pairs))


def score_agreement(pairs: Iterable[GradedPair], scores: Iterable[float | None]) -> Agreement:
    """Measure how well scores, one for each pair and None for an unknown one, agree with the judgements."""
    pairs, scores = list(pairs), list(scores)
    return Agreement(
        spearman=spearman([score or 0.0 for score in scores], [pair.score for pair in pairs]),
        pairs=len(pairs),
        unknown=sum(score is None for score in scores),
    )


def known_score(match: Match) -> float | None:
    """Return the score of a match, None if a phrase is unknown; with it a graph becomes a matcher.

    >>> from wayword.search.results import Match
    >>> known_score(Match("xyzzy", "dog", 0.0, ("wordnet",), "thesis", 0.08, "word", unknown=("xyzzy",))) is None
    True
    """
    return None if match.unknown else match.score
