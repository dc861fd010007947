"""The contract of a store, and the plain records that cross it.

A store keeps the graph of ``schema`` and can replace one base of it atomically. Everything above this room works with this
protocol alone; the embedded engine, the server and the store in memory are told apart nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, Self

from ..core.progress import Progress, no_progress
from .records import Answer, Base, Batch, BodyLink, Direction, Edge, LabelEntry, Neighbour

if TYPE_CHECKING:
    import pyarrow as pa


class Store(AbstractContextManager["Store"], Protocol):
    """A property graph of named bases."""

    address: str
    """Where it is, without credentials."""

    batch_size: int
    """How many nodes one call of ``edges`` should ask for at best."""

    persistent: bool
    """Whether it outlives its handle, so that what is computed from it may be cached in files."""

    cheap_state_id: bool
    """Whether ``state_id`` is to be had without opening or asking an engine."""

    def bases(self) -> list[Base]:
        """The bases that can be read, by id."""

    def revision(self) -> int:
        """A number that changes with every load: the newest revision of all bases, 0 for an empty store."""

    def state_id(self) -> tuple[int, ...]:
        """What tells this state of the store from any other; it changes at the latest with the revision."""

    def engine(self) -> str:
        """The engine and its version, as people read it."""

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
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

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """For each stem the entries of the base's labels that have it, by name; stems without any are left out.

        ``folded`` asks for the labels whose folded form has the stem, of those that have another stem themselves.
        """

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """For each stem the articles (id, name) whose title has it before a bracketed end, by id; others are left out.

        ``folded`` asks for the titles whose folded form has the stem, of those that have another stem themselves.
        """

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """For each article the links that are stored of it (LINKS_TO, LINKS_IN_PARENTHESES), in reading order."""

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """For each hashtag those that are stored as its synonyms, by rank."""

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
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
