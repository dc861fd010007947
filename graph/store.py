"""The contract of a store, and the plain records that cross it.

A store keeps the graph of ``schema`` and can replace one base of it atomically. Everything above this room works with this
protocol alone; the embedded engine, the server and the oracle in memory are told apart nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

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
    """What one load made. ``revision`` grows with every load and does not repeat in another store."""

    id: str
    kind: str
    source: str
    revision: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Sense:
    """One entity that a label can mean."""

    entity: str
    uses: int
    prior: float
    rank: int
    lemma: str | None = None


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
    place: int
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
    return link.place, link.rank or 0, link.other, link.anchor


def by_rank(neighbour: Neighbour) -> tuple[int, str]:
    """What puts the synonyms of a hashtag in order."""
    return neighbour.rank, neighbour.other


Progress = Callable[[str, int, float | None], None]
"""Told what is being done, how many rows of it are done, and which share of the whole that is (None: nobody can tell)."""


def silent(doing: str, rows: int, share: float | None) -> None:
    """A progress that nobody watches."""


class Store(AbstractContextManager["Store"], Protocol):
    """A property graph of named bases."""

    address: str
    """Where it is, without credentials."""

    fetch: int
    """How many nodes one call of ``expand`` should ask for at best."""

    cheap_stamp: bool
    """Whether ``stamp`` is to be had without opening or asking an engine."""

    def bases(self) -> list[Base]:
        """The bases that can be read, by id."""

    def revision(self) -> int:
        """A number that changes with every load: the newest revision of all bases, 0 for an empty store."""

    def stamp(self) -> tuple[int, ...]:
        """What tells this state of the store from any other; it changes at the latest with the revision."""

    def engine(self) -> str:
        """The engine and its version, as people read it."""

    def replace(self, base: Base, batches: Iterable[Batch], progress: Progress = silent) -> Base:
        """Put these rows in the place of everything the base had, atomically.

        Readers see the old base or the new one. If ``batches`` raises, or this process dies, the old one stays. Nodes come
        before the relationships that join them; a relationship whose ends are not of this base (or are no stems) is refused
        with a ``LoadError``. The base's ``revision`` is chosen here; ``left_out`` is read after the last batch.
        """

    def counts(self) -> dict[str, dict[str, int]]:
        """For each base the number of its nodes by label and of its relationships by type.

        Stems are shared: they are counted once, under the empty name. FORM counts for the label's base.
        """

    def size(self) -> int | None:
        """Bytes on disk, where that can be told."""

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The properties of these nodes, ``label`` among them; ids that are not stored are left out."""

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """The entries of these labels of a base, senses by rank and entity; names that are not stored are left out."""

    def stems(self, base: str, stems: Sequence[str]) -> dict[str, list[LabelEntry]]:
        """For each stem the entries of the base's labels that have it, by name; stems without any are left out."""

    def bracketed(self, base: str, stems: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """For each stem the articles (id, name) whose title has it before a bracketed end, by id; others are left out."""

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """For each article the links that are stored of it (LINKS_TO, LINKS_ASIDE), in reading order."""

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """For each hashtag those that are stored as its synonyms, by rank."""

    def expand(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """For each id its relationships of these types in one direction, ordered by type, other end and lemmas."""

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All nodes of a label (of one base), with the columns of the schema."""

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All relationships of a type (whose target is of one base): ``from``, ``to`` and the columns of the schema."""

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """The rows of one read-only statement."""

    def close(self) -> None:
        """Let go of everything; a store is closed once."""

    def __enter__(self) -> Self: ...
