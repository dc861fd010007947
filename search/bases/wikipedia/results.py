"""The links of an article as a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link of an article's running text.

    - ``rank``: its place among them
    - ``anchor``: what a reader clicks
    - ``title``: of the article that it leads to, redirects followed
    """

    rank: int
    anchor: str
    title: str

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dictionary, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Links:
    """The links of an article in reading order; they can be walked through and counted.

    - ``article``: its title
    - ``base``: its wiki
    - ``links``: as far as they are stored

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
        """The same as plain dictionaries and lists, ready for JSON."""
        return {**asdict(self), "links": [link.to_dict() for link in self.links]}

    def __str__(self) -> str:
        from ....rendering.tables import align_columns

        if not self.links:
            return f"No links of {self.article} are stored in {self.base}."
        return align_columns(("rank", "anchor", "title"), [(link.rank, link.anchor, link.title) for link in self.links])

    def _repr_html_(self) -> str:
        from ....rendering.tables import format_html

        return format_html(("rank", "anchor", "title"), [(link.rank, link.anchor, link.title) for link in self.links])
