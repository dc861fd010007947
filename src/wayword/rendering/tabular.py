"""Results that are also tables: for Arrow, pandas and notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import WaywordError

if TYPE_CHECKING:
    import pyarrow as pa

Rows = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""The names of columns, and the values of each row."""


class PackageMissing(WaywordError):
    """An optional package is not installed."""


class Tabular:
    """A result with rows, one for each of its parts."""

    __slots__ = ()

    def _rows(self) -> Rows:
        raise NotImplementedError

    def to_arrow(self) -> pa.Table:
        """Return the rows as an Arrow table; values that have no common type become JSON."""
        import pyarrow as pa

        names, rows = self._rows()
        columns = [_to_array([row[position] for row in rows]) for position in range(len(names))]
        return pa.Table.from_arrays(columns, names=list(names))

    def to_pandas(self) -> Any:
        """Return the rows as a data frame.

        Raises:
            PackageMissing: pandas is not installed.
        """
        try:
            return self.to_arrow().to_pandas()
        except ModuleNotFoundError:
            raise PackageMissing("to_pandas() needs pandas: pip install pandas") from None


class HtmlTable(Tabular):
    """A result that notebooks show as a table, because it has no picture."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from .tables import format_html

        return format_html(*self._rows())


def _to_array(values: list[Any]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([value if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in values])
