"""The store protocol: a property graph of named bases, each of which is replaced atomically.

Search, evaluation and the front ends use this protocol alone and never an engine. The embedded engine (``ladybug``), the server
(``neo4j``) and the in-memory store (``memory``) implement it; ``tests/graph/contract`` runs the same tests on all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, Self

from ..core.progress import Progress, no_progress
from .records import Answer, Base, Batch, BodyLink, CheckedPart, Direction, Edge, LabelEntry, Neighbour

if TYPE_CHECKING:
    import pyarrow as pa


class Store(AbstractContextManager["Store"], Protocol):
    """A property graph of named bases."""

    address: str
    """Path or URL, without credentials."""

    batch_size: int
    """Number of nodes to pass to one call of ``edges``; 1 if batches are no faster."""

    persistent: bool
    """Whether the content survives closing the store, so that files derived from it are worth caching."""

    cheap_state_id: bool
    """Whether ``state_id`` needs no access to the engine."""

    def bases(self) -> list[Base]:
        """Return the bases, ordered by id."""

    def revision(self) -> int:
        """Return the newest revision of all bases, 0 in an empty store. Every load increases it; a removal may lower it."""

    def state_id(self) -> tuple[int, ...]:
        """Return a cache key of the stored state: if two calls return the same key, the store did not change in between."""

    def engine(self) -> str:
        """Return the name and version of the engine."""

    def check_load(self, base: Base) -> None:
        """Raise the error with which ``replace_base`` would refuse a base before it reads a batch.

        Call it before long work; ``replace_base`` checks again while no other load can run.

        Raises:
            LoadError: The name of the base is invalid, or a base of another kind has it.
            StoreBusy: Another load is running.
            StoreFull: The store cannot be written.
        """

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Replace a base, or add it, atomically: readers see either the old base or the new one.

        If ``batches`` raises, or the process dies, the old base remains. Only a base of the same kind is replaced.

        Args:
            base: The base to write. ``revision`` is ignored; ``left_out`` is read after the last batch.
            batches: The rows of the base, nodes before the relationships that join them.
            progress: Called with the number of rows done.

        Returns:
            The base with its new revision, and that of the base it replaced.

        Raises:
            LoadError: A base of another kind has the name, a row does not fit the schema, an id occurs twice, or an end of a
                relationship is neither a node of this load nor a stem. The store is unchanged.
            StoreBusy: Another load is running.
            StoreFull: The store cannot be written.
        """

    def remove_base(self, name: str, progress: Progress = no_progress) -> Base:
        """Remove a base atomically, with the stems that no other base has: readers see either all of it or nothing.

        Args:
            name: The name of the base.
            progress: Called with the number of rows done.

        Returns:
            The base that was removed.

        Raises:
            BaseMissing: The store has no such base.
            UnloadError: The base cannot be removed; the store is unchanged.
            StoreBusy: A load is running.
            StoreFull: The store cannot be written.
        """

    def check(self) -> CheckedPart:
        """Find damage: whether what is stored is as loads have written it, as far as the engine lets that be known."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each base the number of nodes of each label and of relationships of each type.

        Stems belong to no base and are counted under the empty name. FORM and FOLDS are counted for the base of the label.
        """

    def size(self) -> int | None:
        """Return the size on disk in bytes, None if unknown."""

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the properties of nodes, and their ``label``, by id; unknown ids are omitted."""

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """Return labels of a base by name, each with its senses ordered by rank and entity; unknown names are omitted."""

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """Return for each stem the labels of a base that have it, ordered by name; stems without labels are omitted.

        With ``folded``: the labels whose accent-free form has the stem although their own form has another.
        """

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """Return for each stem the articles whose title is a phrase of that stem followed by a bracketed qualifier.

        Articles are (id, name), ordered by id; stems without articles are omitted. "Orange (fruit)" is found by the stem of
        "orange". With ``folded``: the articles whose accent-free title has the stem although their own title has another.
        """

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """Return for each article its stored links (LINKS_TO, LINKS_IN_PARENTHESES) in reading order."""

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """Return for each hashtag its stored synonyms, ordered by rank."""

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """Return for each id its relationships of some types in one direction, ordered by type, other end and lemmas."""

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all nodes of a label, or those of one base, with the columns of the schema."""

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all relationships of a type, or those into one base: ``from``, ``to`` and the columns of the schema."""

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """Run one read-only statement.

        Args:
            statement: Cypher that begins with MATCH, OPTIONAL, UNWIND, WITH or RETURN.
            parameters: Values of the statement's parameters; others are ignored.
            limit: Maximum number of rows.
            timeout: Seconds.

        Raises:
            CypherRefused: The statement is not read-only, or a parameter or limit is invalid.
            CypherSyntax: The engine cannot parse the statement.
            CypherTimeout: The statement did not finish in time.
            CypherFailed: The statement failed while it ran.
        """

    def close(self) -> None:
        """Release files, processes and connections."""

    def __enter__(self) -> Self: ...
