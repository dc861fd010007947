"""How a file of pairs is read and written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How a file of pairs is read and written; what is None is detected.

    - ``header``: whether the first row is a header
    - ``columns``: the columns of the two phrases, by name or by number from 1
    - ``delimiter``: the character between two cells of csv
    - ``encoding``: that of the input, UTF-8 by default
    - ``score_column``: the name of the column that is added
    - ``matcher_columns``: the names of matchers, each of which adds a column of its name instead
    """

    header: bool | None = None
    columns: tuple[str, str] | None = None
    delimiter: str | None = None
    encoding: str | None = None
    score_column: str = "score"
    matcher_columns: tuple[str, ...] = ()

    @property
    def added_columns(self) -> tuple[str, ...]:
        """The names of the columns that are added."""
        return self.matcher_columns or (self.score_column,)
