"""Judgements of people that one substitution is better than another (6.2 of the thesis), read from CSV.

A judgement says whether A for B is better than C for D, worse, or as good.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ...core.messages import quote_value
from ...core.normalisation import normalise
from ...loaders.archives import is_folder
from ...search.scoring.aspects import MAX_LENGTH
from ..errors import GoldError
from .gold_files import read_text

Substitution = tuple[str, str]
"""A substitute and a substitutee, both normalised."""

Verdict = Literal["first", "second", "same"]
VERDICTS: tuple[Verdict, ...] = ("first", "second", "same")
PHRASES = ("first_substitute", "first_substitutee", "second_substitute", "second_substitutee")
SUBSTITUTION = ("substitute", "substitutee")
COLUMNS = ("sheet", "question", *PHRASES, "verdict", "judge")
"""The columns of a sheet; ``sheet``, ``question`` and ``judge`` may be missing."""

WHAT = "CSV in UTF-8"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of a judge about two substitutions.

    - ``verdict``: which is better, or that they are as good
    - ``judge``: the judge's name, or the number of the sheet; empty if neither is known
    """

    first: Substitution
    second: Substitution
    verdict: Verdict
    judge: str = ""

    @property
    def pair(self) -> tuple[Substitution, Substitution]:
        """The substitutions in alphabetical order, whichever was shown first."""
        return (self.first, self.second) if self.first < self.second else (self.second, self.first)

    @property
    def sign(self) -> int:
        """1 if the first of ``pair`` is better, -1 if it is worse, 0 if they are as good."""
        sign = {"first": 1, "same": 0, "second": -1}[self.verdict]
        return sign if self.first < self.second else -sign


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of a file.

    - ``left_out``: how many questions were not answered (``unanswered``), or have phrases that the judge does not know
      (``unknown_to_judge``)
    """

    answered: tuple[Judgement, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_judgements(source: str | os.PathLike[str]) -> Judgements:
    """Read judgements.

    Args:
        source: A CSV file, in UTF-8 and with a header, or a folder of such files. Columns: ``first_substitute``,
            ``first_substitutee``, ``second_substitute``, ``second_substitutee``; ``verdict``, which is ``first``, ``second``
            or ``same``, ``unknown`` if the judge does not know the phrases, or blank; and, if the judges matter, ``judge`` or
            ``sheet``. Other columns are ignored.

    Raises:
        GoldError: A file cannot be read, a row is not a judgement, or nothing was answered.
    """
    path = Path(source)
    answered: list[Judgement] = []
    left_out = Counter[str]()
    for file in sorted(path.glob("*.csv")) if is_folder(path) else [path]:
        for where, row in read_rows(file, (*PHRASES, "verdict")):
            judgement = _parse_row(where, row)
            if isinstance(judgement, Judgement):
                answered.append(judgement)
            else:
                left_out[judgement] += 1
    if not answered:
        raise GoldError(f"{path} has no judgements; write first, second or same in the column verdict")
    _check_judges(path, answered)
    return Judgements(tuple(answered), dict(left_out))


def _check_judges(path: Path, answered: Sequence[Judgement]) -> None:
    """Raise if a judge answered a question twice: one person would count as two who agree."""
    seen = set()
    for judgement in answered:
        if judgement.judge and (judgement.judge, judgement.pair) in seen:
            first, second = (" for ".join(each) for each in judgement.pair)
            raise GoldError(f"{path}: {judgement.judge} compared {first!r} and {second!r} twice; remove one of the rows")
        seen.add((judgement.judge, judgement.pair))


def read_substitutions(source: str | os.PathLike[str]) -> list[Substitution]:
    """Read the substitutions that people are asked about.

    Args:
        source: A CSV file, in UTF-8, with a header and the columns ``substitute`` and ``substitutee``; others are ignored.

    Returns:
        The substitutions as they are written, in the order of the file.

    Raises:
        GoldError: The file cannot be read, or a row lacks a phrase.
    """
    found = []
    for where, row in read_rows(Path(source), SUBSTITUTION):
        for name in SUBSTITUTION:
            parse_phrase(where, name, row.get(name, ""))
        substitute, substitutee = (" ".join(row[name].split()) for name in SUBSTITUTION)
        found.append((substitute, substitutee))
    return found


def has_column(source: str | os.PathLike[str], name: str) -> bool:
    """Return whether the header of a sheet has a column.

    Raises:
        GoldError: The file cannot be read.
    """
    header = read_text(source, WHAT).partition("\n")[0]
    return name in (cell.strip(' "\r').lower() for cell in re.split(r"[,;\t]", header))


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where each row of a sheet is, and its cells by column; blank rows are skipped.

    Raises:
        GoldError: The file cannot be read, or its header lacks one of the columns.
    """
    lines = read_text(path, WHAT).splitlines(keepends=True)
    first = lines[0] if lines else ""
    # Spreadsheets write semicolons or tabs in some languages.
    reader = csv.reader(lines, delimiter=max(",;\t", key=first.count), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if header is None:
                header = _check_header(path, cells, columns)
            elif any(map(str.strip, cells)):
                yield f"{path}:{reader.line_num}", dict(zip(header, cells, strict=False))
    except csv.Error as error:
        raise GoldError(f"{path}:{reader.line_num}: {error}; quote cells that contain quotes, and double these") from None
    if header is None:
        raise GoldError(f"{path} is empty; give a CSV file with the columns {', '.join(columns)}")


def _check_header(path: Path, cells: Sequence[str], columns: Sequence[str]) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    missing = [name for name in columns if name not in header]
    if missing:
        raise GoldError(f"{path}: the header {quote_value(','.join(cells))} lacks {', '.join(missing)}; add what is missing")
    return header


def _parse_row(where: str, row: Mapping[str, str]) -> Judgement | str:
    """Return a judgement, or the code of a question without one."""
    phrases = [parse_phrase(where, name, row.get(name, "")) for name in PHRASES]
    first, second = (phrases[0], phrases[1]), (phrases[2], phrases[3])
    if first == second:
        raise GoldError(f"{where}: both substitutions are {' for '.join(first)!r}; compare two different ones")
    verdict = row.get("verdict", "").strip().lower()
    if verdict in ("", "unknown"):
        return "unknown_to_judge" if verdict else "unanswered"
    for known in VERDICTS:
        if verdict == known:
            return Judgement(first, second, known, find_judge(row))
    raise GoldError(f"{where}: the verdict {quote_value(verdict)} is not first, second, same or unknown; correct it")


def parse_phrase(where: str, name: str, text: str) -> str:
    """Return a normalised phrase, or raise if it is empty or too long."""
    phrase = normalise(text)
    if not phrase or len(phrase) > MAX_LENGTH:
        fault = f"has more than {MAX_LENGTH} characters" if phrase else "is empty"
        raise GoldError(f"{where}: {name} {fault}; write a word or phrase")
    return phrase


def find_judge(row: Mapping[str, str]) -> str:
    """Return the judge; people who do not write their name are known by their sheet."""
    judge, sheet = (row.get(name, "").strip() for name in ("judge", "sheet"))
    return judge or (f"sheet {sheet}" if sheet else "")
