"""The results of looking up synonyms of hashtags: of one hashtag, and of several in several thesauri (table 5 of the paper).

The records are frozen; ``lookup`` creates them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...rendering.tabular import Rows, Tabular

if TYPE_CHECKING:
    from os import PathLike

    import networkx as nx

TableFormat = Literal["table", "csv", "latex"]


@dataclass(frozen=True, slots=True)
class SimilarHashtag:
    """A synonym of a hashtag.

    - ``hashtag``: its name
    - ``rank``: its position among the synonyms, from 1, nearest first
    - ``distance``: the cosine distance, from 0 to 2; None if the thesaurus does not record it
    - ``tweets``: the number of tweets it was trained on; None if the thesaurus does not record it
    """

    hashtag: str
    rank: int
    distance: float | None = None
    tweets: int | None = None


@dataclass(frozen=True, slots=True)
class SynonymEdge:
    """One hashtag has another among its synonyms.

    - ``hashtag``, ``synonym``: the names of the two
    - ``rank``: the position among the synonyms, from 1
    - ``distance``: the cosine distance, from 0 to 2; None if the thesaurus does not record it
    """

    hashtag: str
    synonym: str
    rank: int
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class Similar(Tabular):
    """A hashtag and its nearest synonyms. Supports iteration and ``len``.

    - ``hashtag``: its name, normalised: in lower case and with #
    - ``thesaurus``: the name of the base, or of the file
    - ``synonyms``: nearest first
    - ``ties``: which of the synonyms have the hashtag, or one another, among their own k nearest; drawn in the picture
    - ``tweets``: the number of tweets the hashtag was trained on; None if the thesaurus does not record it

    >>> print(Similar("#flu", "hashtags", (SimilarHashtag("#grippe", 1, 0.125, 40), SimilarHashtag("#cold", 2, 0.25, 12))))
    rank  hashtag  distance  tweets
       1  #grippe    0.1250      40
       2  #cold      0.2500      12
    """

    hashtag: str
    thesaurus: str
    synonyms: tuple[SimilarHashtag, ...] = ()
    ties: tuple[SynonymEdge, ...] = ()
    tweets: int | None = None

    def __iter__(self) -> Iterator[SimilarHashtag]:
        return iter(self.synonyms)

    def __len__(self) -> int:
        return len(self.synonyms)

    def to_dict(self) -> dict[str, Any]:
        """Return the synonyms as dictionaries and lists for JSON."""
        plain = asdict(self)
        plain["synonyms"], plain["ties"] = list(plain["synonyms"]), list(plain["ties"])
        return plain

    def to_networkx(self) -> nx.DiGraph:
        """Return the hashtag and its synonyms as a directed graph; each edge leads from a hashtag to one of its synonyms."""
        from .graph import to_networkx

        return to_networkx(self)

    def draw(self, file: str | PathLike[str]) -> None:
        """Draw the hashtag and its synonyms to a file in the format of its suffix: .svg, .png, .pdf, .dot or .graphml."""
        from .graph import draw_similar

        draw_similar(self, file)

    def to_table(self, format: TableFormat = "table") -> str:
        """Return the synonyms by rank as aligned text, CSV or LaTeX."""
        from .tables import similar_table

        return similar_table(self, format)

    def _rows(self) -> Rows:
        names = ("hashtag", "synonym", "rank", "distance", "tweets")
        return names, [(self.hashtag, each.hashtag, each.rank, each.distance, each.tweets) for each in self.synonyms]

    def __str__(self) -> str:
        return self.to_table()

    def _repr_html_(self) -> str:
        from .tables import similar_html

        return similar_html(self)

    def _repr_svg_(self) -> str:
        from ...rendering.svg import to_svg_document
        from .picture import similar_picture

        return to_svg_document(similar_picture(self), style="max-width:100%;height:auto")


@dataclass(frozen=True, slots=True)
class ThesauriComparison:
    """The nearest synonyms of several hashtags in several thesauri.

    - ``hashtags``: the rows
    - ``thesauri``: the columns
    - ``rows``: for each hashtag its synonyms in each thesaurus, None if the thesaurus does not have it
    """

    hashtags: tuple[str, ...]
    thesauri: tuple[str, ...]
    rows: tuple[tuple[Similar | None, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as dictionaries and lists for JSON."""
        rows = [[None if each is None else each.to_dict() for each in row] for row in self.rows]
        return {"hashtags": list(self.hashtags), "thesauri": list(self.thesauri), "rows": rows}

    def to_table(self, format: TableFormat = "table") -> str:
        """Return the table as aligned text, CSV or LaTeX."""
        from .tables import comparison_table

        return comparison_table(self, format)

    def __str__(self) -> str:
        return self.to_table()
