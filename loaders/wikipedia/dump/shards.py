"""What the reading of a dump leaves for the joins: for each piece of it three Parquet files, of pages, links and categories.

A page's ``place`` is its place in the dump; links and category links name their page by it. What no join needs is not written:
of a link ``label`` is null where it counts as no use of a label, ``region`` is null where HOP does not walk it (and the anchor
with it), and where both are null there is no row.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ....core.normalization import normalise, strip_brackets
from ..options import LONGEST_LABEL
from ..site import MAIN
from ..wikitext import link_text
from ..wikitext.masking import COMMENT
from ..wikitext.raw_links import Numbers, RawLinks, join_links
from ..wikitext.regions import Region
from ..wikitext.targets import FILED, NOWHERE, Targets, default_anchor

if TYPE_CHECKING:
    from ..wikitext.titles import Title
    from .dump_file import Page

LONGEST_ANCHOR = 1_000
"""Characters of the longest anchor that is kept for people to read."""

_PLAIN = r"\A[!-^`-~]+(?: [!-^`-~]+)*\z"
"""ASCII without underscores, with single blanks between words."""

_SEEN = r"\A[!-%(-.0-;=-~]+(?:[ '/][!-%(-.0-;=-~]+)*\z"
"""What readers see as it is written: ASCII without tags, character references, quote marks, addresses, and stray blanks."""

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
        ("opening", pa.string()),
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

    Links come as they are written, and become columns all at once: there are too many to be handled one by one.
    """

    def __init__(self, targets: Targets, count_all_links: bool = False, longest_label: int = LONGEST_LABEL) -> None:
        self._targets, self._every, self._longest = targets, count_all_links, longest_label
        self._pages: list[tuple[Any, ...]] = []
        self._links: list[RawLinks] = []

    def add(
        self,
        page: Page,
        target: Title | None,
        disambiguation: bool,
        hidden: bool,
        gloss: str | None,
        opening: str | None = None,
    ) -> int:
        """Take a page, with where it redirects to, if that is a title, and what it says of itself; its number."""
        namespace, name = page.title
        bare, label = strip_brackets(name), self._label(name)
        there, led = target or (None, None)
        facts = (
            page.place,
            namespace,
            name,
            page.id,
            page.redirect is not None,
            there,
            led,
            disambiguation,
            hidden,
            gloss,
            opening,
        )
        self._pages.append((*facts, label or None, (self._label(bare) if bare else None) or None))
        return len(self._pages) - 1

    def add_links(self, links: RawLinks) -> None:
        """Take links of pages by their numbers, which follow those of the links before; they count of articles only."""
        self._links.append(links)

    def write(self, folder: Path, name: str) -> None:
        """Put the rows into files of this name; a file is whole or is called otherwise."""
        columns = [pa.array(column) for column in zip(*self._pages, strict=True)] or [pa.nulls(0)] * (len(PAGES) - 4)
        links, categories, apart = self._link_rows()
        pages = pa.table([*columns, *apart], names=PAGES.names).cast(PAGES)
        for kind, table in (("pages", pages), ("links", links), ("categories", categories)):
            place = folder / f"{kind}-{name}.parquet"
            partial = place.with_suffix(".partial")
            pq.write_table(table, partial, compression="lz4", write_statistics=False)
            partial.rename(place)

    def _label(self, text: str) -> str | None:
        """The label of a text; empty if nothing is left of it, None if it is longer than a label may be."""
        label = normalise(text)
        return label if len(label) <= self._longest else None

    def _link_rows(self) -> tuple[pa.Table, pa.Table, list[Numbers]]:
        """The rows of links and of categories, and for each reason and page how many links are not among them."""
        if not sum(len(each.page) for each in self._links):
            return LINKS.empty_table(), CATEGORIES.empty_table(), [np.zeros(len(self._pages), np.int64)] * 4
        index, regions, targets, written, trails = join_links(self._links)
        namespace, name, shown = _led(targets.dictionary_encode(), self._targets)
        places, of = (np.array([page[column] for page in self._pages]) for column in (0, 1))
        named = pc.fill_null(pc.not_equal(pc.utf8_trim(written, COMMENT), ""), True).to_numpy(zero_copy_only=False)
        filed = np.flatnonzero(named & (namespace == FILED))
        categories = pa.table([places[index[filed]], name.take(filed)], schema=CATEGORIES)

        links = np.flatnonzero(named & (namespace > NOWHERE) & (of[index] == MAIN))
        index, namespace, region = index[links], namespace[links], regions[links]
        first = np.searchsorted(index, index)  # its page's first link
        elsewhere = namespace != MAIN
        walked = ((region & ~int(Region.PARENTHESES)) == 0) & ~elsewhere
        apart = np.zeros(len(region), bool) if self._every else (region & int(Region.HIDDEN)) != 0
        elsewhere &= ~apart
        counted = np.flatnonzero(~(apart | elsewhere))
        anchor = _anchors(targets, written, trails, shown, links[counted])
        texts = anchor.dictionary
        label = _labels(texts)
        length = np.append(pc.utf8_length(label).to_numpy(), 1)
        code = np.full(len(links), -1)
        code[counted] = anchor.indices.to_numpy()
        wordless, long = (length == 0)[code], (length > self._longest)[code]
        unlabelled = apart | elsewhere | wordless | long
        kept = np.flatnonzero((walked & ~apart) | ~unlabelled)
        code, unwalked, unlabelled = code[kept], ~walked[kept], unlabelled[kept]
        rows = {
            "page": places[index[kept]],
            "nth": (np.arange(len(links)) - first)[kept],
            "target": name.take(links[kept]),
            "label": pa.DictionaryArray.from_arrays(pa.array(code, mask=unlabelled), label),
            "anchor": pa.DictionaryArray.from_arrays(
                pa.array(code, mask=unwalked), pc.utf8_slice_codeunits(texts, 0, LONGEST_ANCHOR)
            ),
            "region": pa.array(region[kept], mask=unwalked),
        }
        left_out = [np.bincount(index[which], minlength=len(places)) for which in (elsewhere, wordless, long, apart)]
        return pa.table(rows), categories, left_out


def _led(targets: pa.DictionaryArray, known: Targets) -> tuple[Numbers, pa.Array, pa.Array]:
    """For each target its namespace, its name, and what readers see of it; each different one is worked out once."""
    written, rows = targets.dictionary, targets.indices
    name, simple = known.simple(written)
    others = pc.invert(simple)
    namespaces, names, shown = (
        list(column) for column in zip(("", "", ""), *map(known.__getitem__, written.filter(others).to_pylist()), strict=True)
    )
    namespace = np.full(len(written), MAIN, np.int32)
    namespace[others.to_numpy(zero_copy_only=False)] = namespaces[1:]
    name = pc.replace_with_mask(name, others, pa.array(names[1:], pa.string()))
    seen = pc.replace_with_mask(written, others, pa.array(shown[1:], pa.string()))
    return namespace[rows.to_numpy()], name.take(rows), seen.take(rows)


def _anchors(targets: pa.Array, labels: pa.Array, trails: pa.Array, shown: pa.Array, rows: Numbers) -> pa.DictionaryArray:
    """What readers see of the links in these rows: the label, or else the target, with the letters behind."""
    glued = pc.not_equal(trails, "")
    labelled = pc.binary_join_element_wise(labels, trails, "").take(rows).dictionary_encode()
    written = labelled.dictionary
    odd = pc.invert(pc.match_substring_regex(written, _SEEN))
    seen = pc.replace_with_mask(
        written, odd, pa.array(map(link_text.visible_text, written.filter(odd).to_pylist()), pa.string())
    )
    found = pc.coalesce(seen.take(labelled.indices), shown.take(rows))
    bare = pc.and_(pc.is_null(labels), glued).take(rows)
    glued = rows[bare.to_numpy(zero_copy_only=False)]
    mended = map(default_anchor, targets.take(glued).to_pylist(), trails.take(glued).to_pylist())
    return pc.replace_with_mask(found, bare, pa.array(mended, pa.string())).dictionary_encode()


def _labels(texts: pa.Array) -> pa.Array:
    """The labels of texts; most are plain, and need no more than small letters."""
    odd = pc.invert(pc.match_substring_regex(texts, _PLAIN))
    labels = pa.array(map(normalise, texts.filter(odd).to_pylist()), pa.string())
    return pc.replace_with_mask(pc.ascii_lower(texts), odd, labels)
