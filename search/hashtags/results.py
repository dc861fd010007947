"""The synonyms of a hashtag as a person asks for them, and how those of several hashtags and thesauri compare (table 5).

Plain frozen records that know how to show themselves; where the synonyms come from is in ``synonyms``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from os import PathLike

    import networkx as nx

Form = Literal["text", "csv", "latex"]


@dataclass(frozen=True, slots=True)
class SimilarHashtag:
    """A synonym of a hashtag.

    - ``hashtag``: its name
    - ``rank``: its place among the synonyms, from 1 on
    - ``distance``: the cosine distance, from 0 to 2; None where the thesaurus does not tell it
    - ``tweets``: how many tweets it was learnt from; None where the thesaurus does not tell it
    """

    hashtag: str
    rank: int
    distance: float | None = None
    tweets: int | None = None


@dataclass(frozen=True, slots=True)
class SynonymEdge:
    """That one hashtag has another among its synonyms, on which place and how near."""

    hashtag: str
    synonym: str
    rank: int
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class Similar:
    """A hashtag and its nearest synonyms, which can be walked through and counted.

    - ``hashtag``: as it is compared, in lower case and with its #
    - ``thesaurus``: the base or the file that was asked
    - ``synonyms``: nearest first
    - ``ties``: which of the first of them have the hashtag, or one another, among as many of their own; for the picture
    - ``tweets``: how many tweets the hashtag was learnt from, where that is known

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
        """The same as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["synonyms"], plain["ties"] = list(plain["synonyms"]), list(plain["ties"])
        return plain

    def to_networkx(self) -> nx.DiGraph:
        """The hashtag and its synonyms as a directed graph; each edge leads from a hashtag to one of its synonyms."""
        from .graph import to_networkx

        return to_networkx(self)

    def draw(self, file: str | PathLike[str]) -> None:
        """Draw them to a file; its ending says how: .svg, .png, .dot or .graphml."""
        from .graph import draw_similar

        draw_similar(self, file)

    def shown(self, form: Form = "text") -> str:
        """The synonyms by rank, as text, CSV or LaTeX."""
        from .tables import similar_table

        return similar_table(self, form)

    def __str__(self) -> str:
        return self.shown()

    def _repr_html_(self) -> str:
        from .tables import similar_in_html

        return similar_in_html(self)

    def _repr_svg_(self) -> str:
        from ...rendering.svg import to_svg_document
        from .picture import similar_picture

        return to_svg_document(similar_picture(self), style="max-width:100%;height:auto")


@dataclass(frozen=True, slots=True)
class ThesauriComparison:
    """What several thesauri say of several hashtags: the nearest synonyms of each in each.

    - ``hashtags``: the rows
    - ``thesauri``: the columns
    - ``rows``: for each hashtag what each thesaurus has of it; None where it does not know it
    """

    hashtags: tuple[str, ...]
    thesauri: tuple[str, ...]
    rows: tuple[tuple[Similar | None, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        rows = [[None if each is None else each.to_dict() for each in row] for row in self.rows]
        return {"hashtags": list(self.hashtags), "thesauri": list(self.thesauri), "rows": rows}

    def shown(self, form: Form = "text") -> str:
        """The table, as text, CSV or LaTeX."""
        from .tables import comparison_table

        return comparison_table(self, form)

    def __str__(self) -> str:
        return self.shown()
