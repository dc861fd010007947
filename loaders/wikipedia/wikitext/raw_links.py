"""Links as their writers wrote them, of many pages, as columns: there are too many to be handled one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

if TYPE_CHECKING:
    from .scanner import ScannedPage

Numbers = npt.NDArray[np.int64]


class RawLinks(NamedTuple):
    """A row a link, in reading order: the number of its page, what it stands in, its target, label (perhaps null) and trail."""

    page: Numbers
    region: npt.NDArray[np.int16]
    target: pa.Array
    label: pa.Array
    trail: pa.Array

    def of_pages(self, numbers: Sequence[int]) -> RawLinks:
        """The same with other numbers for its pages, given in their order."""
        return self._replace(page=np.array(numbers, np.int64)[self.page])


def link_columns(readings: Iterable[tuple[int, ScannedPage]]) -> RawLinks:
    """The links of some pages, each given with its number."""
    kept = [(number, each) for number, each in readings if each.links]
    page = np.repeat(np.array([number for number, _ in kept], np.int64), [len(each.links) for _, each in kept])
    region = np.fromiter(chain.from_iterable(each.regions for _, each in kept), np.int16, len(page))
    written = list(zip(*chain.from_iterable(each.links for _, each in kept), strict=True)) or [()] * 3
    return RawLinks(page, region, *(pa.array(column, pa.string()) for column in written))


def join_links(parts: Sequence[RawLinks]) -> RawLinks:
    """The links of several parts, in the order of their pages."""
    if len(parts) == 1:
        return parts[0]
    page = np.concatenate([part.page for part in parts])
    order = np.argsort(page, kind="stable")
    texts = (pa.concat_arrays(list(column)).take(pa.array(order)) for column in zip(*(part[2:] for part in parts), strict=True))
    return RawLinks(page[order], np.concatenate([part.region for part in parts])[order], *texts)
