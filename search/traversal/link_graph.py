"""The articles of a wiki and the links that each begins with, as arrays: the world in which HOP walks.

It is made once for each revision of a base and kept as projections are. Articles are numbers in the order of their ids; pages
that only tell meanings apart are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

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

FORMAT = 3
"""Grows when the arrays change their meaning; worlds of another format are made anew."""

TABLES = 3


class LinkGraph:
    """The articles of one wiki. ``next`` has for each link, in reading order, the article that it leads to."""

    def __init__(self, arrays: Arrays) -> None:
        import numpy as np

        self.base: str = arrays.about["wiki"]
        self.revision: int = arrays.about["revision"]
        self.language: str = arrays.about["language"]
        self.size: int = arrays.about["articles"]
        self.stored: int | None = arrays.about["stored"]
        self._titles = StringTable(arrays["title"], arrays["title offsets"])
        self._anchors = StringTable(arrays["anchor"], arrays["anchor offsets"])
        self.offsets: np.ndarray = np.asarray(arrays["link offsets"])
        self.next: np.ndarray = np.asarray(arrays["link"])
        self.aside: np.ndarray = np.asarray(arrays["aside"])

    def title(self, article: int) -> str:
        """The title of an article."""
        return self._titles.read(article)

    def id(self, article: int) -> str:
        """The id of an article in the graph."""
        return entity_id(self.base, self.title(article))

    def anchor(self, link: int) -> str:
        """What a reader clicks."""
        return self._anchors.read(link)

    def find(self, title: str) -> int | None:
        """The article of this title, written as the wiki writes it; None where there is none."""
        wanted = title.encode("utf-8", "surrogatepass")
        low, high = 0, self.size
        while low < high:
            middle = (low + high) // 2
            if self._titles.bytes(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < self.size and self._titles.bytes(low) == wanted else None

    def first_links(self, articles: np.ndarray, first: int, *, keep_parentheses: bool) -> np.ndarray:
        """The places in ``next`` of the first links of these articles: a row each, -1 behind the last."""
        import numpy as np

        self.check(first)
        starts, ends = self.offsets[articles], self.offsets[articles + 1]
        if keep_parentheses or not len(self.aside):
            places = starts[:, None] + np.arange(first)
            return np.where(places < ends[:, None], places, -1)
        counts = ends - starts
        row = np.repeat(np.arange(len(articles)), counts)
        link = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)
        kept = self.aside[link] == 0
        row, link = row[kept], link[kept]
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        found = np.full((len(articles), first), -1, np.int64)
        within = rank < first
        found[row[within], rank[within]] = link[within]
        return found

    def follow(self, links: np.ndarray) -> np.ndarray:
        """The articles that links lead to, by their places in ``next``; -1 where there is no link."""
        import numpy as np

        return np.where(links >= 0, self.next[links], -1) if len(self.next) else np.full(links.shape, -1)

    def check(self, first: int) -> None:
        """Refuse to ask for more links than are stored."""
        if self.stored is not None and first > self.stored:
            raise LinksMissing(
                f"the base {self.base!r} holds the first {self.stored} links of each article, and {first} are asked for; "
                f"ask for fewer, or load its dump again with --first-links {first}"
            )


def build_link_graph(store: Store, base: str, progress: Progress = no_progress) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What is to be known about the world of a base, and its arrays."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..bases.array_builder import column_texts, positions_in
    from ..bases.projector import TableReader

    about = next(each for each in store.bases() if each.id == base)
    source = TableReader(store, base, TABLES, progress)
    articles = source.table("Article", "id", "name", "disambiguation")
    articles = articles.filter(pc.invert(pc.fill_null(articles["disambiguation"], False)))
    articles = articles.take(pc.sort_indices(articles["id"]))
    ids = articles["id"].combine_chunks()
    plain = source.table("LINKS_TO", "from", "to", "place", "anchor")
    beside = source.table("LINKS_IN_PARENTHESES", "from", "to", "place", "anchor")
    links = pa.concat_tables([plain, beside])
    start, end = positions_in(links["from"], ids), positions_in(links["to"], ids)
    aside = np.repeat(np.array([0, 1], np.uint8), [plain.num_rows, beside.num_rows])
    order = np.lexsort((aside, links["place"].to_numpy(), start))
    order = order[(start[order] >= 0) & (end[order] >= 0)]
    arrays = {
        **column_texts("title", articles["name"]),
        **column_texts("anchor", links["anchor"].take(pa.array(order))),
        "link offsets": np.searchsorted(start[order], np.arange(len(ids) + 1)).astype(np.int64),
        "link": end[order],
        "aside": aside[order],
    }
    facts = {
        "format": FORMAT,
        "base": link_graph_name(base),
        "kind": "world",
        "wiki": base,
        "revisions": [[base, about.revision]],
    }
    facts |= {"revision": about.revision, "language": about.language, "stored": about.options.get("first_links")}
    return {**facts, "articles": len(ids)}, arrays


def link_graph_name(base: str) -> str:
    """The name under which the world of a base is kept, which no base can have."""
    return f"{base}~links"


def open_link_graph(store: Store, bases: Sequence[str] = (), progress: Progress = no_progress) -> LinkGraph:
    """The articles and links of the wiki among these bases, or of the only one in the store."""
    wiki = choose_base_of_kind(store, WIKIPEDIA, bases)
    name = link_graph_name(wiki.id)
    arrays = load_cached(store, name, revisions=[[wiki.id, wiki.revision]], format=FORMAT)
    return LinkGraph(arrays or build_projection(store, name, partial(build_link_graph, store, wiki.id, progress)))
