"""What the reading of a dump leaves for the joins: for each piece of it three Parquet files, of pages, links and categories.

A page's ``place`` is its place in the dump; links and category links name their page by it. What no join needs is not written:
of a link ``label`` is null where it counts as no use of a label, ``region`` is null where HOP does not walk it (and the anchor
with it), and where both are null there is no row.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...graph.phrases import normalise, unbracketed
from .options import LONGEST_LABEL
from .regions import Link, Region, Scan

if TYPE_CHECKING:
    from .dump import Page
    from .titles import Title

LONGEST_ANCHOR = 1_000
"""Characters of the longest anchor that is kept for people to read."""

_PLAIN = r"\A[!-^`-~]+(?: [!-^`-~]+)*\z"
"""ASCII without underscores, with single blanks between words."""

Numbers = npt.NDArray[np.int64]

PAGES = pa.schema(
    [
        ("place", pa.int64()),
        ("namespace", pa.int32()),
        ("name", pa.string()),
        ("id", pa.int64()),
        ("redirect", pa.bool_()),
        ("target_namespace", pa.int32()),
        ("target", pa.string()),
        ("disambiguation", pa.bool_()),
        ("hidden", pa.bool_()),
        ("gloss", pa.string()),
        ("label", pa.string()),
        ("bare", pa.string()),
        ("links_elsewhere", pa.int32()),
        ("links_wordless", pa.int32()),
        ("links_long", pa.int32()),
        ("links_set_apart", pa.int32()),
    ]
)
"""One row a page of an article or a category. ``label`` is its normalised title; ``bare`` that of the title without its
bracketed end, null where it has none. The last four count links that no row tells of, and why."""

LINKS = pa.schema(
    [
        ("page", pa.int64()),
        ("nth", pa.int32()),
        ("target", pa.string()),
        ("label", pa.string()),
        ("anchor", pa.string()),
        ("region", pa.int16()),
    ]
)
"""One row a link of an article, ``nth`` in its reading order."""

CATEGORIES = pa.schema([("page", pa.int64()), ("name", pa.string())])
"""One row a category link of an article or a category."""


class Shard:
    """The rows of one piece of a dump; to be filled page by page, and written once.

    Links come as the scanner gives them, and become columns all at once: there are too many to be handled one by one.
    """

    def __init__(self, count_all_links: bool = False, longest_label: int = LONGEST_LABEL) -> None:
        self._every, self._longest = count_all_links, longest_label
        self._pages: list[tuple[Any, ...]] = []
        self._scanned: list[int] = []
        self._counts: list[int] = []
        self._links: list[Link] = []
        self._category_pages: list[int] = []
        self._categories: list[str] = []

    def add(self, page: Page, target: Title | None, scan: Scan | None, disambiguation: bool, gloss: str | None) -> None:
        """Take a page: where it redirects to, if that is a title, or what its scan says; links count of articles only."""
        namespace, name = page.title
        bare, label = unbracketed(name), self._label(name)
        there, led = target or (None, None)
        if scan is not None and scan.links and not namespace:
            self._scanned.append(len(self._pages))
            self._counts.append(len(scan.links))
            self._links += scan.links
        if scan is not None and scan.categories:
            self._category_pages += [page.place] * len(scan.categories)
            self._categories += scan.categories
        hidden = scan is not None and scan.hidden
        facts = page.place, namespace, name, page.id, page.redirect is not None, there, led, disambiguation, hidden, gloss
        self._pages.append((*facts, label or None, (self._label(bare) if bare else None) or None))

    def write(self, folder: Path, name: str) -> None:
        """Put the rows into files of this name; a file is whole or is called otherwise."""
        links, apart = self._link_rows()
        columns = [pa.array(column) for column in zip(*self._pages, strict=True)] or [pa.nulls(0)] * (len(PAGES) - len(apart))
        pages = pa.table([*columns, *apart], names=PAGES.names).cast(PAGES)
        categories = pa.table([self._category_pages, self._categories], schema=CATEGORIES)
        for kind, table in (("pages", pages), ("links", links), ("categories", categories)):
            place = folder / f"{kind}-{name}.parquet"
            partial = place.with_suffix(".partial")
            pq.write_table(table, partial, compression="lz4", write_statistics=False)
            partial.rename(place)

    def _label(self, text: str) -> str | None:
        """The label of a text; empty if nothing is left of it, None if it is longer than a label may be."""
        label = normalise(text)
        return label if len(label) <= self._longest else None

    def _link_rows(self) -> tuple[pa.Table, list[Numbers]]:
        """The rows of the links, and for each reason and page how many links are not among them."""
        if not self._links:
            return LINKS.empty_table(), [np.zeros(len(self._pages), np.int64)] * 4
        titles, anchors, regions = zip(*self._links, strict=True)
        namespaces, names = zip(*titles, strict=True)
        counts = np.array(self._counts)
        index = np.repeat(np.array(self._scanned), counts)
        nth = np.arange(len(regions)) - np.repeat(np.cumsum(counts) - counts, counts)
        region, elsewhere = np.array(regions, np.int16), np.array(namespaces, np.int32) != 0
        walked = ((region & ~int(Region.PARENTHESES)) == 0) & ~elsewhere
        apart = np.zeros(len(region), bool) if self._every else (region & int(Region.HIDDEN)) != 0
        elsewhere &= ~apart
        anchor = pa.array(anchors, pa.string(), mask=apart | elsewhere).dictionary_encode()
        written = anchor.dictionary
        labels = _labels(written)
        length = np.append(pc.utf8_length(labels).to_numpy(), 1)
        code = anchor.indices.fill_null(-1).to_numpy()
        wordless, long = (length == 0)[code], (length > self._longest)[code]
        unlabelled = apart | elsewhere | wordless | long
        kept = np.flatnonzero((walked & ~apart) | ~unlabelled)
        places = np.array([page[0] for page in self._pages])
        code, unwalked, unlabelled = code[kept], ~walked[kept], unlabelled[kept]
        short = pc.utf8_slice_codeunits(written, 0, LONGEST_ANCHOR)
        rows = {
            "page": places[index[kept]],
            "nth": nth[kept],
            "target": pa.array(names, pa.string()).take(kept),
            "label": pa.DictionaryArray.from_arrays(pa.array(code, mask=unlabelled), labels),
            "anchor": pa.DictionaryArray.from_arrays(pa.array(code, mask=unwalked), short),
            "region": pa.array(region[kept], mask=unwalked),
        }
        left_out = [np.bincount(index[which], minlength=len(places)) for which in (elsewhere, wordless, long, apart)]
        return pa.table(rows), left_out


def _labels(texts: pa.Array) -> pa.Array:
    """The labels of texts; most are plain, and need no more than small letters."""
    odd = pc.invert(pc.match_substring_regex(texts, _PLAIN))
    labels = pa.array(map(normalise, texts.filter(odd).to_pylist()), pa.string())
    return pc.replace_with_mask(pc.ascii_lower(texts), odd, labels)
