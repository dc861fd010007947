"""The result of asking for the links of an article."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ....rendering.tabular import HtmlTable, Rows


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link in the running text of an article.

    - ``rank``: its position among the links of the article, from 1
    - ``anchor``: the text that a reader clicks
    - ``title``: the title of the article that it leads to, redirects followed
    """

    rank: int
    anchor: str
    title: str

    def to_dict(self) -> dict[str, Any]:
        """Return the link as a dictionary for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Links(HtmlTable):
    """The links of an article in reading order. Supports iteration and ``len``.

    - ``article``: the title of the article
    - ``base``: the name of the wiki
    - ``links``: the stored links

    >>> print(Links("Dog", "simplewiki", (BodyLink(1, "wolves", "Wolf"),)))
    rank  anchor  title
       1  wolves  Wolf
    """

    article: str
    base: str
    links: tuple[BodyLink, ...] = ()

    def __iter__(self) -> Iterator[BodyLink]:
        return iter(self.links)

    def __len__(self) -> int:
        return len(self.links)

    def to_dict(self) -> dict[str, Any]:
        """Return the links as dictionaries and lists for JSON."""
        return {**asdict(self), "links": [link.to_dict() for link in self.links]}

    def __str__(self) -> str:
        from ....rendering.tables import align_columns

        if not self.links:
            return f"No links of {self.article} are stored in {self.base}."
        return align_columns(*self._rows())

    def _rows(self) -> Rows:
        return ("rank", "anchor", "title"), [(link.rank, link.anchor, link.title) for link in self.links]
