"""Lay out the boxes of a path on a grid: each link leads down, up or to the right.

A path never returns to a column that it has left, so neither boxes nor lines can overlap. A path that is too wide for a page
continues in another band, which begins with the last box of the previous band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Route = Literal["flat", "straight", "bent"]

COLUMNS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """The grid cell of a box of the path, and the route of the line to it, None at the beginning of a band."""

    index: int
    column: int
    row: int
    route: Route | None


@dataclass(slots=True)
class Band:
    """A part of the path that fits on a page."""

    cells: list[Cell] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return 1 + max(cell.column for cell in self.cells)

    @property
    def rows(self) -> int:
        """The number of rows; the top row is row 0."""
        return 1 + max(cell.row for cell in self.cells)


def lay_out_path(rows_down: Sequence[int], columns: int = COLUMNS) -> list[Band]:
    """Lay out a path in bands of this many columns, given the number of rows that each link leads down: 1, 0, or -1 for up.

    >>> [(cell.column, cell.row) for cell in lay_out_path([0, 1])[0].cells]
    [(0, 0), (1, 0), (1, 1)]
    """
    bands: list[Band] = []
    # ``used`` are the occupied rows of the last column.
    band, used = Band([Cell(0, 0, 0, None)]), {0}
    for index, down in enumerate(rows_down, start=1):
        last = band.cells[-1]
        row = last.row + down
        stays_in_column = bool(down) and row not in used
        if not stays_in_column and last.column + 1 == columns:
            bands.append(band)
            last = Cell(index - 1, 0, 0, None)
            band, used, row, stays_in_column = Band([last]), {0}, down, bool(down)
        if stays_in_column:
            used.add(row)
            band.cells.append(Cell(index, last.column, row, "straight"))
        else:
            # A bent line also occupies the corner above or below its end.
            used = {row, last.row}
            band.cells.append(Cell(index, last.column + 1, row, "bent" if down else "flat"))
    return [_start_at_row_0(part) for part in (*bands, band)]


def _start_at_row_0(band: Band) -> Band:
    top = min(cell.row for cell in band.cells)
    return Band([Cell(cell.index, cell.column, cell.row - top, cell.route) for cell in band.cells])
