"""The records that stores take and give back: bases, batches, labels, edges, links and the rows of a statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow as pa


Direction = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows for one table of the graph.

    For nodes ``type`` is a label and ``ends`` is None; for relationships ``type`` is their type, ``ends`` the two labels they
    join, and the columns ``from`` and ``to`` hold the ids of the nodes.
    """

    type: str
    rows: pa.RecordBatch
    ends: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """What one load made.

    ``revision`` grows with every load and does not repeat in another store. ``options`` are the choices of the load that decide
    what is stored, by name, as values of JSON.
    """

    id: str
    kind: str
    source: str
    revision: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    language: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sense:
    """One entity that a label can mean; ``pos`` is the entity's part of speech, None if it has none."""

    entity: str
    uses: int
    prior: float
    rank: int
    lemma: str | None = None
    pos: str | None = None


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """A label as it is stored: what it can mean, of which labels it is an irregular form (name, part of speech), its uses."""

    name: str
    senses: tuple[Sense, ...] = ()
    inflections: tuple[tuple[str, str], ...] = ()
    uses: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship seen from one of its ends. ``breadth`` belongs to its general end, whichever that is."""

    type: str
    other: str
    breadth: int | None = None
    from_lemma: str | None = None
    to_lemma: str | None = None


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link of an article's running text: its place among all of them, and its rank among those not in parentheses."""

    other: str
    anchor: str
    position: int
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a Cypher statement. ``truncated`` tells that the row limit cut them off.

    >>> answer = Answer(("n",), ((1,), (2,)))
    >>> len(answer), list(answer)
    (2, [(1,), (2,)])
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, one a row.

        >>> Answer(("n",), ((1,), (2,))).to_dicts()
        [{'n': 1}, {'n': 2}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A hashtag among the synonyms of another: its place there, from 1 on, how far it is, and how many tweets it has."""

    other: str
    rank: int
    distance: float | None = None
    tweets: int | None = None


def reading_order(link: BodyLink) -> tuple[int, int, str, str]:
    """What puts the links of an article in order."""
    return link.position, link.rank or 0, link.other, link.anchor


def by_rank(neighbour: Neighbour) -> tuple[int, str]:
    """What puts the synonyms of a hashtag in order."""
    return neighbour.rank, neighbour.other
