"""Find the two columns of a file of pairs that have the phrases.

They are those that the user names, those that a header names, or the first two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.atomic_files import FileError
from ..core.errors import hint

PHRASE_COLUMNS = (("substitute", "substitutee"), ("word1", "word2"), ("source", "target"), ("phrase1", "phrase2"), ("a", "b"))
"""Pairs of names, in any case, by which a header or a JSON object marks the phrases."""

SCORE, UNKNOWN = "score", "unknown"
"""Names of the columns or fields that ``writer`` adds; the input must not have them."""


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Whether there is a header (None: detect it) and which two columns, by name or by number from 1, have the phrases."""

    header: bool | None = None
    columns: tuple[str, str] | None = None


def fold_name(name: str) -> str:
    """Return the form in which names of columns are compared."""
    return name.strip().lower()


def first_duplicate(names: Sequence[str]) -> str | None:
    """Return the first name that occurs twice, if any.

    >>> first_duplicate(["id", "word1", "id"]), first_duplicate(["word1", "word2"])
    ('id', None)
    """
    return next((name for position, name in enumerate(names) if name in names[:position]), None)


def phrase_positions(cells: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of a known pair of names in a row, if it has one.

    >>> phrase_positions(["id", "WORD1", "WORD2"]), phrase_positions(["cat", "dog"])
    ((1, 2), None)
    """
    names = [fold_name(cell) for cell in cells]
    return next(((names.index(a), names.index(b)) for a, b in PHRASE_COLUMNS if a in names and b in names), None)


def find_columns(header: list[str] | None, columns: tuple[str, str] | None, where: str) -> tuple[int, int]:
    """Return the positions of the two phrases: in the columns chosen, in those that the header names, or in the first two."""
    if columns is None:
        positions = phrase_positions(header or ())
        if positions is None:
            return 0, 1
        columns = header[positions[0]], header[positions[1]]  # type: ignore[index]
    first, second = (_find_column(column, header, where) for column in columns)
    return first, second


def _find_column(column: str, header: list[str] | None, where: str) -> int:
    names = [fold_name(name) for name in header or ()]
    count = names.count(fold_name(column))
    if count == 1:
        return names.index(fold_name(column))
    numbers = hint("set", option="columns", what="two columns by number (from 1)")
    if count:
        raise FileError(f"{where}: there are several columns {column!r}", numbers)
    if column.isdecimal():
        return int(column) - 1
    if header is None:
        raise FileError(f"{where}: without a header there is no column {column!r}", numbers)
    choice = hint("set", option="columns", what=f"two of {', '.join(map(repr, header))}")
    raise FileError(f"{where}: there is no column {column!r}", choice)
