"""Where the entities of a path stand: on a grid in which specialisation leads down, generalisation up, all else to the right.

A path never comes back to a column it has left, so its places and its lines cannot meet. A path too wide for a page goes on
in a further band, which begins with the entity that the band before ended with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Route = Literal["flat", "straight", "bent"]

COLUMNS = 5
DOWNWARDS = {"specialisation": 1, "generalisation": -1}


@dataclass(frozen=True, slots=True)
class Place:
    """An entity of the path on the grid, and how the line to it runs (None: it begins a band)."""

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


def bands(kinds: Sequence[str | None]) -> list[Band]:
    """The places of a path whose steps are of these kinds (the first, of the entity it starts from, is not looked at).

    >>> [(place.column, place.row) for place in bands([None, "derivation", "specialisation"])[0].places]
    [(0, 0), (1, 0), (1, 1)]
    """
    done: list[Band] = []
    band, used = Band([Place(0, 0, 0, None)]), {0}
    for index, kind in enumerate(kinds[1:], start=1):
        last, down = band.places[-1], DOWNWARDS.get(kind or "", 0)
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
