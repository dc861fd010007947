"""Which columns of a file of pairs are the phrases: those that the user or the header names, or the first two.

A first row is a header if it holds a known pair of names, if ``--columns`` names one of its cells, or if the user says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.atomic_files import FileError

KNOWN = (
    ("substitute", "substitutee"),
    ("word1", "word2"),
    ("source", "target"),
    ("phrase1", "phrase2"),
    ("a", "b"),
)
"""Names by which a header tells its columns of phrases, in any case."""

SCORE, UNKNOWN = "score", "unknown"
"""What is added to a row; no column of the input may be called so."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user says of the columns: whether there is a header (None: see for yourself), and which two are the phrases."""

    header: bool | None = None
    columns: tuple[str, str] | None = None

    @property
    def named(self) -> bool:
        """Whether a column is given by its name, so that there must be a header."""
        return any(not column.isdecimal() for column in self.columns or ())


def folded(cell: str) -> str:
    """A name as it is compared.

    >>> folded(" WORD1 ")
    'word1'
    """
    return cell.strip().lower()


def known_places(cells: Sequence[str]) -> tuple[int, int] | None:
    """Where a known pair of names stands in a row.

    >>> known_places(["id", "WORD1", "WORD2"]), known_places(["cat", "dog"])
    ((1, 2), None)
    """
    names = [folded(cell) for cell in cells]
    for first, second in KNOWN:
        if first in names and second in names:
            return names.index(first), names.index(second)
    return None


def doubled(names: Sequence[str]) -> str | None:
    """The first name that stands in a header twice.

    >>> doubled(["id", "word1", "id"]), doubled(["word1", "word2"])
    ('id', None)
    """
    return next((name for place, name in enumerate(names) if name in names[:place]), None)


def is_header(cells: Sequence[str], wanted: Wanted) -> bool:
    """Whether the first row of a file is its header."""
    if wanted.header is not None:
        return wanted.header
    return wanted.named or known_places(cells) is not None


def places(header: Sequence[str] | None, wanted: Wanted, where: str) -> tuple[int, int]:
    """The two columns of phrases, counted from 0.

    >>> places(["WORD1", "WORD2"], Wanted(columns=("word2", "1")), "pairs.csv")
    (1, 0)
    """
    if wanted.columns is not None:
        first, second = (_place(column, header, where) for column in wanted.columns)
        return first, second
    found = known_places(header) if header is not None else None
    if header is not None and found is not None:
        for place in found:
            _refuse_doubled(header[place], header, where)
    return found or (0, 1)


def _refuse_doubled(column: str, header: Sequence[str], where: str) -> None:
    if [folded(cell) for cell in header].count(folded(column)) > 1:
        raise FileError(f"{where}: there are several columns {column!r}; give --columns with their numbers: 1, 2, ...")


def _place(column: str, header: Sequence[str] | None, where: str) -> int:
    names = [folded(cell) for cell in header or ()]
    if folded(column) in names:
        _refuse_doubled(column, header or (), where)
        return names.index(folded(column))
    if not column.isdecimal():
        if header is None:
            raise FileError(f"{where}: without a header there is no column {column!r}; number the columns: 1, 2, ...")
        raise FileError(f"{where}: there is no column {column!r}; name two of {', '.join(map(repr, header))}, or number them")
    return int(column) - 1
