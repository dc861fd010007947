"""Shards: three Parquet files for each block of a dump, the pages, links and category links for the joins.

A page's ``place`` is its position in the dump, by which links and category links refer to the page. The ``label`` of a link is
null if the link is not counted as a use of a label; its ``region`` and ``anchor`` are null if it is not a body link. A link for
which all three are null has no row.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ....core.normalisation import normalise, strip_brackets
from ..options import LONGEST_LABEL
from ..site import MAIN
from ..wikitext import link_text
from ..wikitext.raw_links import Numbers, RawLinks, join_links
from ..wikitext.regions import Region
from ..wikitext.targets import CATEGORY_LINK, NO_LINK, OTHER_WIKI_LINK, Targets, default_anchor, mask_labels

if TYPE_CHECKING:
    from ..wikitext.titles import Title
    from .dump_file import Page

LONGEST_ANCHOR = 1_000
"""Characters of the longest stored anchor."""

_PLAIN_LABEL = r"\A[!-^`-~]+(?: [!-^`-~]+)*\z"
"""ASCII without underscores, with single spaces between words; its label only needs lower case."""

_PLAIN_TEXT = r"\A[!-%(-.0-;=-~]+(?:[ '/][!-%(-.0-;=-~]+)*\z"
"""ASCII without tags, character references, quote marks, URLs and extra spaces: its visible text is itself."""

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
        ("links_other_namespace", pa.int32()),
        ("links_without_text", pa.int32()),
        ("links_long_text", pa.int32()),
        ("links_outside_text", pa.int32()),
    ]
)
"""One row for each page of the article and category namespaces. ``label`` is the normalised title, ``bare`` the same without
its trailing bracket (null if it has none). The last four columns count the links that have no row, by reason."""

LINKS = pa.schema(
    [
        ("page", pa.int64()),
        ("nth", pa.int32()),
        ("target", pa.string()),
        ("label", pa.string()),
        ("anchor", pa.string()),
        ("region", pa.int16()),
        ("other_wiki", pa.bool_()),
    ]
)
"""One row for each link of an article; ``nth`` is its index in reading order. ``other_wiki`` tells that the target begins with
the prefix of another wiki, so that it is a link of this wiki only if there is a page of that title."""

CATEGORIES = pa.schema([("page", pa.int64()), ("name", pa.string())])
"""One row for each category link of an article or a category."""


class Shard:
    """The rows of one block; filled with pages and their links, then labels once.

    Links are processed as columns, because there are too many of them to be processed one by one.
    """

    def __init__(self, targets: Targets, count_all_links: bool = False, longest_label: int = LONGEST_LABEL) -> None:
        self._targets, self._counts_all, self._longest_label = targets, count_all_links, longest_label
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
        """Add a page with the target of its redirect and the facts of its text; return its number."""
        namespace, name = page.title
        bare, label = strip_brackets(name), self._label(name)
        target_namespace, target_name = target or (None, None)
        facts = (
            page.place,
            namespace,
            name,
            page.id,
            page.redirect is not None,
            target_namespace,
            target_name,
            disambiguation,
            hidden,
            gloss,
            opening,
        )
        self._pages.append((*facts, label or None, (self._label(bare) if bare else None) or None))
        return len(self._pages) - 1

    def add_links(self, links: RawLinks) -> None:
        """Add links with the numbers of their pages, which must not precede earlier ones; only links of articles are used."""
        self._links.append(links)

    def write(self, folder: Path, name: str) -> None:
        """Write the rows to files of this name, which appear under it only when they are complete."""
        columns = [pa.array(column) for column in zip(*self._pages, strict=True)] or [pa.nulls(0)] * (len(PAGES) - 4)
        links, categories, outside_text = self._link_rows()
        pages = pa.table([*columns, *outside_text], names=PAGES.names).cast(PAGES)
        for kind, table in (("pages", pages), ("links", links), ("categories", categories)):
            path = folder / f"{kind}-{name}.parquet"
            partial = path.with_suffix(".partial")
            pq.write_table(table, partial, compression="lz4", write_statistics=False)
            partial.rename(path)

    def _label(self, text: str) -> str | None:
        """Return the label of a text: empty if nothing remains of it, None if it is too long."""
        label = normalise(text)
        return label if len(label) <= self._longest_label else None

    def _link_rows(self) -> tuple[pa.Table, pa.Table, list[Numbers]]:
        """Return the rows of links and of categories, and for each reason the number of links without a row on each page."""
        if not sum(len(links.page) for links in self._links):
            return LINKS.empty_table(), CATEGORIES.empty_table(), [np.zeros(len(self._pages), np.int64)] * 4
        index, regions, targets, labels, trails = join_links(self._links)
        namespace, name, target_text = _resolve_targets(targets.dictionary_encode(), self._targets)
        places, namespaces = (np.array([page[column] for page in self._pages]) for column in (0, 1))
        has_text, has_sort_key = (mask.to_numpy(zero_copy_only=False) for mask in mask_labels(labels))
        in_category = np.flatnonzero(has_sort_key & (namespace == CATEGORY_LINK))
        categories = pa.table([places[index[in_category]], name.take(in_category)], schema=CATEGORIES)

        other_wiki = namespace == OTHER_WIKI_LINK
        namespace[other_wiki] = MAIN
        links = np.flatnonzero(has_text & (namespace > NO_LINK) & (namespaces[index] == MAIN))
        other_wiki = other_wiki[links]
        index, namespace, region = index[links], namespace[links], regions[links]
        first = np.searchsorted(index, index)  # the index of the first link of its page
        other_namespace = namespace != MAIN
        is_body = ((region & ~int(Region.PARENTHESES)) == 0) & ~other_namespace
        outside_text = np.zeros(len(region), bool) if self._counts_all else (region & int(Region.HIDDEN)) != 0
        other_namespace &= ~outside_text
        counted = np.flatnonzero(~(outside_text | other_namespace))
        anchor = _anchors(targets, labels, trails, target_text, links[counted])
        texts = anchor.dictionary
        label = _labels(texts)
        length = np.append(pc.utf8_length(label).to_numpy(), 1)
        code = np.full(len(links), -1)
        code[counted] = anchor.indices.to_numpy()
        no_text, too_long = (length == 0)[code], (length > self._longest_label)[code]
        unlabelled = outside_text | other_namespace | no_text | too_long
        stored = np.flatnonzero((is_body & ~outside_text) | ~unlabelled)
        code, not_body, unlabelled = code[stored], ~is_body[stored], unlabelled[stored]
        rows = {
            "page": places[index[stored]],
            "nth": (np.arange(len(links)) - first)[stored],
            "target": name.take(links[stored]),
            "label": pa.DictionaryArray.from_arrays(pa.array(code, mask=unlabelled), label),
            "anchor": pa.DictionaryArray.from_arrays(
                pa.array(code, mask=not_body), pc.utf8_slice_codeunits(texts, 0, LONGEST_ANCHOR)
            ),
            "region": pa.array(region[stored], mask=not_body),
            "other_wiki": other_wiki[stored],
        }
        reasons = (other_namespace, no_text, too_long, outside_text)
        left_out = [np.bincount(index[which & ~other_wiki], minlength=len(places)) for which in reasons]
        return pa.table(rows), categories, left_out


def _resolve_targets(targets: pa.DictionaryArray, cache: Targets) -> tuple[Numbers, pa.Array, pa.Array]:
    """Return the namespace, the name and the visible text of each target; each distinct target is resolved once."""
    distinct, rows = targets.dictionary, targets.indices
    name, simple = cache.parse_simple(distinct)
    others = pc.invert(simple)
    # The first element gives every column at least one value; it is dropped below.
    namespaces, names, texts = (
        list(column) for column in zip(("", "", ""), *map(cache.__getitem__, distinct.filter(others).to_pylist()), strict=True)
    )
    namespace = np.full(len(distinct), MAIN, np.int32)
    namespace[others.to_numpy(zero_copy_only=False)] = namespaces[1:]
    name = pc.replace_with_mask(name, others, pa.array(names[1:], pa.string()))
    text = pc.replace_with_mask(distinct, others, pa.array(texts[1:], pa.string()))
    return namespace[rows.to_numpy()], name.take(rows), text.take(rows)


def _anchors(targets: pa.Array, labels: pa.Array, trails: pa.Array, target_text: pa.Array, rows: Numbers) -> pa.DictionaryArray:
    """Return the visible text of the links in these rows: the label, or else the target, with the trail."""
    has_trail = pc.not_equal(trails, "")
    joined = pc.binary_join_element_wise(labels, trails, "").take(rows).dictionary_encode()
    distinct = joined.dictionary
    has_markup = pc.invert(pc.match_substring_regex(distinct, _PLAIN_TEXT))
    plain = pa.array(map(link_text.visible_text, distinct.filter(has_markup).to_pylist()), pa.string())
    visible = pc.replace_with_mask(distinct, has_markup, plain)
    anchors = pc.coalesce(visible.take(joined.indices), target_text.take(rows))
    only_trail = pc.and_(pc.is_null(labels), has_trail).take(rows)  # no label, so the target is the label
    selected = rows[only_trail.to_numpy(zero_copy_only=False)]
    with_trail = map(default_anchor, targets.take(selected).to_pylist(), trails.take(selected).to_pylist())
    return pc.replace_with_mask(anchors, only_trail, pa.array(with_trail, pa.string())).dictionary_encode()


def _labels(texts: pa.Array) -> pa.Array:
    """Return the labels of texts; most are plain and only need lower case."""
    others = pc.invert(pc.match_substring_regex(texts, _PLAIN_LABEL))
    labels = pa.array(map(normalise, texts.filter(others).to_pylist()), pa.string())
    return pc.replace_with_mask(pc.ascii_lower(texts), others, labels)
