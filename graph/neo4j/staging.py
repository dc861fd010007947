"""Stage the rows of a load on a server.

Nodes are created under a loading label alone, so no reader sees them and no index is updated. Relationships find their ends by
the element id that the server assigned to each node, which needs no index either; the mapping from our ids to element ids is
all that is held in memory. It also reveals errors of the load at once: a duplicate id, or a relationship whose end is missing.

A background thread sends the batches, so that the next batch is prepared while the server stores the last one. At most one
batch is in flight (``_wait`` is called before each ``submit``), which bounds memory and reports errors close to their rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import LoadError
from ..schema import NODES, RELATIONSHIPS
from ..validation import conform
from .markers import LIVE, STEM, loaded_labels, staging_label

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ..records import Batch
    from .load_lock import HeldLock

TRANSACTION_SIZE = 10_000
"""Rows in one transaction."""

Rows = list[list[Any]]
Table = tuple[str, tuple[str, str] | None]


class Staging:
    """The staged rows of one load."""

    def __init__(self, lock: HeldLock, base: str, progress: Progress) -> None:
        self._lock = lock
        self._base = base
        self._progress = progress
        self._element_ids: dict[str, dict[str, str]] = {label: {} for label in loaded_labels()}
        """Element ids by label and our id; empty if the server has not assigned one yet."""
        self._unsent: dict[Table, Rows] = {}
        self._stems_with_labels: set[str] = set()
        self.relationship_counts: Counter[str] = Counter()
        self._sender = ThreadPoolExecutor(1, "wayword-load")
        self._sending: Future[None] | None = None
        self._sending_nodes = False
        self._count = 0

    @property
    def node_counts(self) -> dict[str, int]:
        """The number of nodes by label, without labels that have none."""
        return {label: len(ids) for label, ids in self._element_ids.items() if ids}

    def add(self, batch: Batch) -> None:
        """Stage a batch; it is on the server after ``finish`` at the latest."""
        rows = conform(batch, self._base)
        if batch.ends is not None:
            self._send_all_nodes()
            self.relationship_counts[batch.type] += rows.num_rows
        for start in range(0, rows.num_rows, TRANSACTION_SIZE):
            columns = [column.to_pylist() for column in rows.slice(start, TRANSACTION_SIZE).columns]
            self._queue(batch.type, batch.ends, [list(row) for row in zip(*columns, strict=True)])
        self._count += rows.num_rows
        self._progress("staging", self._count, None)

    def finish(self) -> None:
        """Send all remaining rows, and wait until they are on the server."""
        for table in list(self._unsent):
            self._send(table)
        self._wait()
        self._stage_stems_without_labels()

    def close(self) -> None:
        """Wait for the batch in flight, and send nothing more."""
        self._sender.shutdown(wait=True, cancel_futures=True)

    def _queue(self, type: str, ends: tuple[str, str] | None, rows: Rows) -> None:
        if ends is None:
            rows = self._register(type, rows)
        else:
            self._resolve_ends(type, ends, rows)
        unsent = self._unsent.setdefault((type, ends), [])
        unsent += rows
        if len(unsent) >= TRANSACTION_SIZE:
            self._send((type, ends))

    def _register(self, label: str, rows: Rows) -> Rows:
        """Return the rows of new nodes; a stem may be repeated, any other id may not."""
        element_ids = self._element_ids[label]
        shared = NODES[label].shared
        other_labels = [] if shared else [name for name in self._element_ids if name != label and not NODES[name].shared]
        others = [ids for name in other_labels if (ids := self._element_ids[name])]
        new = []
        for row in rows:
            id_ = row[0]
            if id_ not in element_ids and not any(id_ in ids for ids in others):
                element_ids[id_] = ""
                new.append(row)
            elif not shared:
                raise LoadError(f"two rows have the id {id_!r}, the second is a {label}; give each node its own id")
        return new

    def _resolve_ends(self, type: str, ends: tuple[str, str], rows: Rows) -> None:
        """Replace our ids in relationship rows by element ids."""
        sources, targets = (self._element_ids[label] for label in ends)
        from_stems = NODES[ends[0]].shared
        for row in rows:
            source, target = sources.get(row[0]), targets.get(row[1])
            if source is None or target is None:
                missing = row[0] if source is None else row[1]
                raise LoadError(f"a {type} leads from or to {missing!r}, which is not a node of this load")
            if from_stems:
                self._stems_with_labels.add(row[0])
            row[0], row[1] = source, target

    def _send_all_nodes(self) -> None:
        """Send all nodes, so that each has an element id before relationships are resolved."""
        for table in [table for table in self._unsent if table[1] is None]:
            self._send(table)
        if self._sending_nodes:
            self._wait()
            self._sending_nodes = False

    def _send(self, table: Table) -> None:
        rows = self._unsent.pop(table, [])
        if not rows:
            return
        type_, ends = table
        self._wait()
        self._sending_nodes = self._sending_nodes or ends is None
        create = self._create_nodes if ends is None else self._create_relationships
        self._sending = self._sender.submit(create, type_, rows)

    def _wait(self) -> None:
        """Wait for the batch in flight, and raise its error."""
        if self._sending is not None:
            sending, self._sending = self._sending, None
            sending.result()

    def _create_nodes(self, label: str, rows: Rows) -> None:
        element_ids = self._element_ids[label]
        if NODES[label].shared and self._has_live_stems:
            # Stems that another base has already stored are used as they are.
            ids = [row[0] for row in rows]
            element_ids.update(
                self._lock.run(f"UNWIND $ids AS id MATCH (n:{STEM} {{id: id}}) RETURN id, elementId(n)", {"ids": ids})
            )
            rows = [row for row in rows if not element_ids[row[0]]]
        element_ids.update(self._lock.run(_create_node(label), {"rows": rows}))

    @cached_property
    def _has_live_stems(self) -> bool:
        """Whether earlier loads stored stems; this cannot change during the load, which holds the lock."""
        ((exists,),) = self._lock.run(f"RETURN EXISTS {{ (:{STEM}) }}")
        return bool(exists)

    def _create_relationships(self, type: str, rows: Rows) -> None:
        self._lock.run(_create_relationship(type), {"rows": rows})

    def _stage_stems_without_labels(self) -> None:
        """Stage again the stems of this load that no label of it uses and that are stored only for the old base.

        Retiring the old base would retire them, although the new base contains them.
        """
        unused = [id_ for id_ in self._element_ids["Stem"] if id_ not in self._stems_with_labels]
        for start in range(0, len(unused), TRANSACTION_SIZE):
            self._lock.run(
                f"""UNWIND $ids AS id MATCH (s:{STEM} {{id: id}}) WHERE size(labels(s)) = 2 AND size(keys(s)) = 1
AND NOT EXISTS {{ MATCH (s)--(other) WHERE NOT (other:{LIVE} AND other.base = $base) }}
CREATE (:{staging_label("Stem")} {{id: id}})""",
                {"ids": unused[start : start + TRANSACTION_SIZE], "base": self._base},
            )


def _assignments(names: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{name}: row[{position}]" for position, name in names)


def _create_node(label: str) -> str:
    properties = _assignments(enumerate(NODES[label].properties))
    return f"UNWIND $rows AS row CREATE (n:{staging_label(label)} {{{properties}}}) RETURN row[0], elementId(n)"


def _create_relationship(type: str) -> str:
    properties = _assignments(enumerate(RELATIONSHIPS[type].properties, start=2))
    return (
        "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row[0] MATCH (b) WHERE elementId(b) = row[1]"
        f" CREATE (a)-[:{type} {{{properties}}}]->(b)"
    )
