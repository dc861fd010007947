"""The articles of a wiki and the first links of each, as arrays: the graph on which HOP walks.

It is built once for each revision of a base and cached like a projection. Articles are numbered in the order of their ids.
Disambiguation pages describe no single topic, so they are no articles here unless the load kept them as articles.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...graph.schema import entity_id
from ..bases.projection_cache import build_projection, load_cached
from ..bases.selection import choose_base_of_kind
from ..bases.string_table import StringTable
from ..bases.wikipedia.kind import WIKIPEDIA
from ..errors import LinksMissing

if TYPE_CHECKING:
    import numpy as np

    from ...graph.store import Store
    from ..bases.array_file import Arrays

FORMAT = 5
"""The version of the array layout; cached link graphs of another version are rebuilt."""

TABLES = 3
"""The tables that are read, for the progress."""


class LinkGraph:
    """The articles and links of one wiki, as compressed sparse rows.

    The links of article ``a`` are ``offsets[a]`` to ``offsets[a + 1]``, in reading order. Link ``l`` leads to the article
    ``destinations[l]``; ``in_parentheses[l]`` is 1 if it is within parentheses.
    """

    def __init__(self, arrays: Arrays) -> None:
        import numpy as np

        self.base: str = arrays.about["wiki"]
        self.size: int = arrays.about["articles"]
        self._stored_links: int | None = arrays.about["stored links"]
        self._titles = StringTable(arrays["title"], arrays["title offsets"])
        self._anchors = StringTable(arrays["anchor"], arrays["anchor offsets"])
        self.offsets: np.ndarray = np.asarray(arrays.whole("link offsets"))
        self.destinations: np.ndarray = np.asarray(arrays.whole("destination"))
        self.in_parentheses: np.ndarray = np.asarray(arrays.whole("in parentheses"))

    def title(self, article: int) -> str:
        """Return the title of an article."""
        return self._titles.read(article)

    def id(self, article: int) -> str:
        """Return the id of an article in the store."""
        return entity_id(self.base, self.title(article))

    def anchor(self, link: int) -> str:
        """Return the text of a link that a reader clicks."""
        return self._anchors.read(link)

    def find(self, title: str) -> int | None:
        """Return the article with exactly this title, or None."""
        position = self._position(title)
        return position if position < self.size and self.title(position) == title else None

    def _position(self, title: str) -> int:
        """Return the first article whose title is not before this one; they are sorted by id, and so by their bytes."""
        return bisect_left(range(self.size), title.encode("utf-8", "surrogatepass"), key=self._titles.bytes)

    def titles_near(self, title: str, count: int = 2_000) -> list[str]:
        """Return titles before and after the position that a title would have in their order."""
        at = self._position(title[:1].upper() + title[1:])
        return [self.title(article) for article in range(max(0, at - count), min(self.size, at + count))]

    def first_links(self, articles: np.ndarray, first: int, *, keep_parentheses: bool) -> np.ndarray:
        """Return the first links of these articles.

        Args:
            articles: The numbers of the articles.
            first: The number of links per article; at most as many as are stored.
            keep_parentheses: Count links within parentheses too.

        Returns:
            A row of ``first`` links for each article, padded with -1.
        """
        import numpy as np

        self._check_stored(first)
        starts, ends = self.offsets[articles], self.offsets[articles + 1]
        if keep_parentheses or not len(self.in_parentheses):
            links = starts[:, None] + np.arange(first)
            return np.where(links < ends[:, None], links, -1)
        counts = ends - starts
        row = np.repeat(np.arange(len(articles)), counts)
        link = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
        outside = self.in_parentheses[link] == 0
        row, link = row[outside], link[outside]
        rank = np.arange(len(row)) - np.searchsorted(row, row)  # rows ascend, so this counts within each row
        found = np.full((len(articles), first), -1, np.int64)
        within = rank < first
        found[row[within], rank[within]] = link[within]
        return found

    def follow(self, links: np.ndarray) -> np.ndarray:
        """Return the articles that links lead to, -1 for the padding -1."""
        import numpy as np

        return np.where(links >= 0, self.destinations[links], -1) if len(self.destinations) else np.full(links.shape, -1)

    def _check_stored(self, first: int) -> None:
        if self._stored_links is not None and first > self._stored_links:
            raise LinksMissing(
                f"the base {self.base!r} holds the first {self._stored_links} links of each article, not {first}",
                hint("lower", option="first_links"),
                hint("load", kind="wikipedia", option="first_links", value=first),
            )


def build_link_graph(store: Store, base: str, progress: Progress = no_progress) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Build the metadata and the arrays of a base's link graph."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..bases.array_builder import column_texts, positions_in
    from ..bases.projector import TableReader

    info = next(each for each in store.bases() if each.id == base)
    reader = TableReader(store, base, TABLES, progress)
    articles = reader.table("Article", "id", "name", "disambiguation")
    if not info.options.get("keep_disambiguation"):
        articles = articles.filter(pc.invert(pc.fill_null(articles["disambiguation"], False)))
    articles = articles.take(pc.sort_indices(articles["id"]))
    ids = articles["id"].combine_chunks()
    outside = reader.table("LINKS_TO", "from", "to", "place", "anchor")
    inside = reader.table("LINKS_IN_PARENTHESES", "from", "to", "place", "anchor")
    links = pa.concat_tables([outside, inside])
    start, end = positions_in(links["from"], ids), positions_in(links["to"], ids)
    in_parentheses = np.repeat(np.array([0, 1], np.uint8), [outside.num_rows, inside.num_rows])
    order = np.lexsort((in_parentheses, links["place"].to_numpy(), start))
    order = order[(start[order] >= 0) & (end[order] >= 0)]  # only links between articles
    arrays = {
        **column_texts("title", articles["name"]),
        **column_texts("anchor", links["anchor"].take(pa.array(order))),
        "link offsets": np.searchsorted(start[order], np.arange(len(ids) + 1)).astype(np.int64),
        "destination": end[order],
        "in parentheses": in_parentheses[order],
    }
    about = {
        "format": FORMAT,
        "base": link_graph_name(base),
        "kind": "link graph",
        "wiki": base,
        "revisions": [[base, info.revision]],
        "stored links": info.options.get("first_links"),
        "articles": len(ids),
    }
    return about, arrays


def link_graph_name(base: str) -> str:
    """Return the name under which a base's link graph is cached; no base can have it."""
    return f"{base}~links"


def open_link_graph(store: Store, bases: Sequence[str] = (), progress: Progress = no_progress) -> LinkGraph:
    """Open the link graph of a wiki, from the cache or newly built.

    Args:
        store: The store that holds the wiki.
        bases: The names of bases, of which one is a wiki; by default the only wiki in the store.
        progress: Receives the progress of building.

    Raises:
        BaseUnknown: There is no wiki, or more than one.
    """
    wiki = choose_base_of_kind(store, WIKIPEDIA, bases)
    name = link_graph_name(wiki.id)
    arrays = load_cached(store, name, revisions=[[wiki.id, wiki.revision]], format=FORMAT)
    return LinkGraph(arrays or build_projection(store, name, partial(build_link_graph, store, wiki.id, progress)))
