"""Place the boxes of a path on a grid: each link leads down, up or to the right.

A path never returns to a column it has left, so neither boxes nor lines can meet. A path too wide for a page continues in a
further band, which begins with the last box of the band before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Route = Literal["flat", "straight", "bent"]

COLUMNS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A box of the path on the grid, and how the line to it runs (None: it begins a band)."""

    index: int
    column: int
    row: int
    route: Route | None


@dataclass(slots=True)
class Band:
    """A part of the path that fits a page."""

    places: list[Place] = field(default_factory=list)

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return 1 + max(place.column for place in self.places)

    @property
    def rows(self) -> int:
        """How many rows it has; the uppermost is row 0."""
        return 1 + max(place.row for place in self.places)


def lay_out_path(falls: Sequence[int]) -> list[Band]:
    """Place a path, given for each link how many rows it leads down: 1, 0, or -1 for up.

    >>> [(place.column, place.row) for place in lay_out_path([0, 1])[0].places]
    [(0, 0), (1, 0), (1, 1)]
    """
    done: list[Band] = []
    band, used = Band([Place(0, 0, 0, None)]), {0}
    for index, down in enumerate(falls, start=1):
        last = band.places[-1]
        row = last.row + down
        stays = bool(down) and row not in used
        if not stays and last.column + 1 == COLUMNS:
            done.append(band)
            last = Place(index - 1, 0, 0, None)
            band, used, row, stays = Band([last]), {0}, down, bool(down)
        if stays:
            used.add(row)
            band.places.append(Place(index, last.column, row, "straight"))
        else:
            # A bent line takes the corner below or above its end as well.
            used = {row, last.row}
            band.places.append(Place(index, last.column + 1, row, "bent" if down else "flat"))
    return [_from_row_0(each) for each in (*done, band)]


def _from_row_0(band: Band) -> Band:
    top = min(place.row for place in band.places)
    return Band([Place(place.index, place.column, place.row - top, place.route) for place in band.places])
