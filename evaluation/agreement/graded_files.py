"""Read files of graded judgements, two phrases and a score a row, in the formats of the known data sets and similar ones."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from ...core.messages import quote_value
from ..errors import GoldError
from .gold_files import read_text
from .hyperlex import is_hyperlex, parse_hyperlex

WHAT = "a file with two phrases and a score a row, or HyperLex, SimLex-999, SimVerb-3500, WordSim-353 or MEN"

SCORE_NAMES = ("score", "simlex999", "human (mean)", "rating", "gold", "similarity", "relatedness", "avg_score", "mean")
"""Names of the column of scores, in lower case, in files with a header and more than three columns."""

PHRASE_NAMES = ("substitute", "substitutee")
"""Names of the columns of phrases that decide their roles; others are taken in their order."""

DELIMITERS = ("\t", ";", ",")

POS_SUFFIX = re.compile(r"-[nvjar]")
"""The part of speech behind each word of the lemmatised MEN."""


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two phrases, and how far people judge them similar or the first to stand for the second."""

    substitute: str
    substitutee: str
    score: float

    def reverse(self) -> JudgedPair:
        """Return the pair with the phrases exchanged."""
        return JudgedPair(self.substitutee, self.substitute, self.score)


def read_judged_pairs(file: str | os.PathLike[str]) -> list[JudgedPair]:
    """Read a file of graded judgements, whose format is recognised.

    - HyperLex: the header ``WORD1 WORD2 POS TYPE AVG_SCORE``. Its second word is the more general one and the substitute.
    - SimLex-999, WordSim-353 and others with a header: the columns substitute and substitutee, or else the first two, are the
      phrases, and the third of three columns, or else the one with a name such as score, is the score.
    - SimVerb-3500: no header and five columns, of which the fourth is the score.
    - MEN and others without a header: two phrases and a score. A part of speech behind every word (``sun-n``) is dropped.

    Columns are separated by tabs, semicolons or commas, whichever the first line has, else by blanks. The first phrase is the
    substitute.

    Args:
        file: The path of the file, in UTF-8 and possibly compressed with gzip.

    Raises:
        GoldError: The file cannot be read, the columns are not recognised, or a row is invalid.
    """
    path = Path(file)
    text = read_text(path, WHAT)
    if is_hyperlex(text):
        return [JudgedPair(each.general, each.specific, each.score) for each in parse_hyperlex(path, text)]
    rows = _split_rows(text)
    if not rows:
        raise GoldError(f"{path}: there are no rows; give {WHAT}")
    columns = _find_columns(path, rows[0][1])
    if not any(_is_number(cell) for cell in rows[0][1]):
        rows = rows[1:]
    pairs = [_parse_pair(f"{path}:{number}", row, columns) for number, row in rows]
    if not pairs:
        raise GoldError(f"{path}: there are no pairs below the header; give {WHAT}")
    if all(POS_SUFFIX.fullmatch(phrase[-2:]) for pair in pairs for phrase in (pair.substitute, pair.substitutee)):
        return [JudgedPair(pair.substitute[:-2], pair.substitutee[:-2], pair.score) for pair in pairs]
    return pairs


def _split_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each row that is not blank, with the number of its line."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = next((each for each in DELIMITERS if each in first), None)
    if delimiter is None:
        return [(number, line.split()) for number, line in enumerate(lines, start=1) if line.strip()]
    reader = csv.reader(lines, delimiter=delimiter)
    return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(cell.strip() for cell in row)]


def _find_columns(path: Path, first: Sequence[str]) -> tuple[int, int, int]:
    """Return the positions of the substitute, the substitutee and the score."""
    names = [cell.lower() for cell in first]
    if any(map(_is_number, first)):
        score = {3: 2, 5: 3}.get(len(first))
        if score is not None and _is_number(first[score]):
            return 0, 1, score
    else:
        substitute, substitutee = map(names.index, PHRASE_NAMES) if set(PHRASE_NAMES) <= set(names) else (0, 1)
        others = [position for position in range(len(names)) if position not in (substitute, substitutee)]
        found = others if len(names) == 3 else [position for position in others if names[position] in SCORE_NAMES]
        if found:
            return substitute, substitutee, found[0]
    raise GoldError(f"{path}: the columns of {quote_value(' | '.join(first), 90)} are not recognised; give {WHAT}")


def _parse_pair(place: str, row: Sequence[str], columns: tuple[int, int, int]) -> JudgedPair:
    if len(row) <= max(columns):
        raise GoldError(f"{place}: {quote_value(' | '.join(row))} has {len(row)} columns; give two phrases and a score")
    substitute, substitutee, score = (row[column] for column in columns)
    if not substitute or not substitutee:
        raise GoldError(f"{place}: a phrase is empty; give two phrases and a score")
    if not _is_number(score) or not isfinite(float(score)):
        raise GoldError(f"{place}: the score is {quote_value(score)}; give a number")
    return JudgedPair(substitute, substitutee, float(score))


def _is_number(text: str) -> bool:
    """Return whether a cell is a number, including NaN and infinity: these are invalid scores, not a header."""
    try:
        float(text)
    except ValueError:
        return False
    return True
