"""Find the two columns of a file of pairs that have the phrases.

They are those that the user names, those that a header names, or the first two.
"""

from __future__ import annotations

from collections import Counter
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
    return next((name for name, count in Counter(names).items() if count > 1), None)


def phrase_names(names: Sequence[str]) -> tuple[str, str] | None:
    """Return a known pair of names that a row contains, if there is one.

    >>> phrase_names(["id", "WORD1", "WORD2"]), phrase_names(["cat", "dog"])
    (('word1', 'word2'), None)
    """
    folded = {fold_name(name) for name in names}
    return next((pair for pair in PHRASE_COLUMNS if folded.issuperset(pair)), None)


def find_columns(header: list[str] | None, columns: tuple[str, str] | None, where: str) -> tuple[int, int]:
    """Return the positions of the two phrases: in the columns chosen, in those that the header names, or in the first two."""
    columns = columns or phrase_names(header or ())
    if columns is None:
        return 0, 1
    return _find_column(columns[0], header, where), _find_column(columns[1], header, where)


def _find_column(column: str, header: list[str] | None, where: str) -> int:
    names = [fold_name(name) for name in header or ()]
    matches = names.count(fold_name(column))
    if matches == 1:
        return names.index(fold_name(column))
    if column.isdecimal() and not matches:
        return int(column) - 1
    what, problem = "two columns by number (from 1)", f"there are several columns {column!r}"
    if header is None:
        problem = f"without a header there is no column {column!r}"
    elif not matches:
        what, problem = f"two of {', '.join(map(repr, header))}", f"there is no column {column!r}"
    raise FileError(f"{where}: {problem}", hint("set", option="columns", what=what))
