"""Graded judgements of "to what degree is X a type of Y?".

The gold standard is HyperLex (Vulić, Gerz, Kiela, Hill and Korhonen, 2016). Its second word is the more general one and can
replace the first, so the second is the substitute and the first the substitutee.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..errors import GoldError
from .gold_files import read_text

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
