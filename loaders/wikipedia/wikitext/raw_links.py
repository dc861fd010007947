"""Unresolved links of many pages as columns, because there are too many to be handled one by one."""

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
    """One row for each link, in reading order: the number of its page, its regions, target, label (null if none) and trail."""

    page: Numbers
    region: npt.NDArray[np.int16]
    target: pa.Array
    label: pa.Array
    trail: pa.Array

    def of_pages(self, numbers: Sequence[int]) -> RawLinks:
        """Renumber the pages; ``numbers`` has the new number of each."""
        return self._replace(page=np.array(numbers, np.int64)[self.page])


def link_columns(scanned: Iterable[tuple[int, ScannedPage]]) -> RawLinks:
    """Return the links of pages, each given with its number."""
    pages = [(number, scan) for number, scan in scanned if scan.links]
    page = np.repeat(np.array([number for number, _ in pages], np.int64), [len(scan.links) for _, scan in pages])
    region = np.fromiter(chain.from_iterable(scan.regions for _, scan in pages), np.int16, len(page))
    columns = list(zip(*chain.from_iterable(scan.links for _, scan in pages), strict=True)) or [()] * 3
    return RawLinks(page, region, *(pa.array(column, pa.string()) for column in columns))


def join_links(parts: Sequence[RawLinks]) -> RawLinks:
    """Merge the links of several parts, in the order of their pages."""
    if len(parts) == 1:
        return parts[0]
    page = np.concatenate([part.page for part in parts])
    order = np.argsort(page, kind="stable")
    texts = (pa.concat_arrays(list(column)).take(pa.array(order)) for column in zip(*(part[2:] for part in parts), strict=True))
    return RawLinks(page[order], np.concatenate([part.region for part in parts])[order], *texts)
