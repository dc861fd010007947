"""Stages the rows of a load on a server: whole batches, nodes found again by the id that the server gave them.

The one thing kept here is which node has which id. It also tells at once what is wrong with a load: an id that comes twice,
a relationship whose end is not there.
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

AT_ONCE = 10_000
"""Rows in one transaction."""

Rows = list[list[Any]]


class Staging:
    """What one load has staged so far. While the server takes one batch the next is being prepared."""

    def __init__(self, held: HeldLock, base: str, progress: Progress) -> None:
        self._held = held
        self._base = base
        self._progress = progress
        self._ids: dict[str, dict[str, str]] = {label: {} for label in loaded_labels()}
        self._waiting: dict[tuple[str, tuple[str, str] | None], Rows] = {}
        self._formed: set[str] = set()
        self.relationships: Counter[str] = Counter()
        self._sender = ThreadPoolExecutor(1, "wayword-load")
        self._sent: Future[None] | None = None
        self._nodes_sent = False
        self._taken = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes of each label there are, of those labels that have any."""
        return {label: len(ids) for label, ids in self._ids.items() if ids}

    def add(self, batch: Batch) -> None:
        """Take a batch; it is on the server after ``finish`` at the latest."""
        rows = conform(batch, self._base)
        if batch.ends is not None:
            self._send_nodes()
            self.relationships[batch.type] += rows.num_rows
        for start in range(0, rows.num_rows, AT_ONCE):
            columns = [column.to_pylist() for column in rows.slice(start, AT_ONCE).columns]
            self._queue(batch.type, batch.ends, [list(row) for row in zip(*columns, strict=True)])
        self._taken += rows.num_rows
        self._progress("staging", self._taken, None)

    def finish(self) -> None:
        """Send what is waiting and see that all of it arrived."""
        for key in list(self._waiting):
            self._send(key)
        self._settle()
        self._keep_lonely_stems()

    def close(self) -> None:
        """Wait for what is under way; nothing is sent any more."""
        self._sender.shutdown(wait=True, cancel_futures=True)

    def _queue(self, type: str, ends: tuple[str, str] | None, rows: Rows) -> None:
        if ends is None:
            rows = self._new(type, rows)
        else:
            self._resolve(type, ends, rows)
        waiting = self._waiting.setdefault((type, ends), [])
        waiting += rows
        if len(waiting) >= AT_ONCE:
            self._send((type, ends))

    def _new(self, label: str, rows: Rows) -> Rows:
        """The rows of nodes that have not come before; only a stem may come twice."""
        known = self._ids[label]
        shared = NODES[label].shared
        others = [] if shared else [ids for name, ids in self._ids.items() if ids and name != label and not NODES[name].shared]
        fresh = []
        for row in rows:
            id_ = row[0]
            if id_ not in known and not any(id_ in ids for ids in others):
                known[id_] = ""
                fresh.append(row)
            elif not shared:
                raise LoadError(f"two rows of {label} have the id {id_!r}; an id names one node")
        return fresh

    def _resolve(self, type: str, ends: tuple[str, str], rows: Rows) -> None:
        """Put the server's ids into the place of ours."""
        starts, targets = (self._ids[label] for label in ends)
        stems = NODES[ends[0]].shared
        for row in rows:
            start, target = starts.get(row[0]), targets.get(row[1])
            if start is None or target is None:
                missing = row[0] if start is None else row[1]
                raise LoadError(f"a {type} leads from or to {missing!r}, which is no node of this load")
            if stems:
                self._formed.add(row[0])
            row[0], row[1] = start, target

    def _send_nodes(self) -> None:
        for key in [key for key in self._waiting if key[1] is None]:
            self._send(key)
        if self._nodes_sent:
            self._settle()
            self._nodes_sent = False

    def _send(self, key: tuple[str, tuple[str, str] | None]) -> None:
        rows = self._waiting.pop(key, [])
        if not rows:
            return
        type_, ends = key
        self._settle()
        self._nodes_sent = self._nodes_sent or ends is None
        work = self._create_nodes if ends is None else self._create_relationships
        self._sent = self._sender.submit(work, type_, rows)

    def _settle(self) -> None:
        if self._sent is not None:
            sent, self._sent = self._sent, None
            sent.result()

    def _create_nodes(self, label: str, rows: Rows) -> None:
        known = self._ids[label]
        if NODES[label].shared and self._stems_there:
            ids = [row[0] for row in rows]
            there = self._held.run(f"UNWIND $ids AS id MATCH (n:{STEM} {{id: id}}) RETURN id, elementId(n)", {"ids": ids})
            known.update(there)
            rows = [row for row in rows if not known[row[0]]]
        known.update(self._held.run(_create_node(label), {"rows": rows}))

    @cached_property
    def _stems_there(self) -> bool:
        """Whether an earlier load left stems; loads wait for each other, so none comes in between."""
        ((found,),) = self._held.run(f"RETURN EXISTS {{ (:{STEM}) }}")
        return bool(found)

    def _create_relationships(self, type: str, rows: Rows) -> None:
        self._held.run(_create_relationship(type), {"rows": rows})

    def _keep_lonely_stems(self) -> None:
        """Stage again a stem without a label that is here because of the old rows alone and would go with them."""
        lonely = [id_ for id_ in self._ids["Stem"] if id_ not in self._formed]
        for start in range(0, len(lonely), AT_ONCE):
            self._held.run(
                f"""UNWIND $ids AS id MATCH (s:{STEM} {{id: id}}) WHERE size(labels(s)) = 2 AND size(keys(s)) = 1
AND NOT EXISTS {{ MATCH (s)--(other) WHERE NOT (other:{LIVE} AND other.base = $base) }}
CREATE (:{staging_label("Stem")} {{id: id}})""",
                {"ids": lonely[start : start + AT_ONCE], "base": self._base},
            )


def _values(names: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{name}: row[{place}]" for place, name in names)


def _create_node(label: str) -> str:
    values = _values(enumerate(NODES[label].properties))
    return f"UNWIND $rows AS row CREATE (n:{staging_label(label)} {{{values}}}) RETURN row[0], elementId(n)"


def _create_relationship(type: str) -> str:
    values = _values(enumerate(RELATIONSHIPS[type].properties, start=2))
    return (
        "UNWIND $rows AS row MATCH (a) WHERE elementId(a) = row[0] MATCH (b) WHERE elementId(b) = row[1]"
        f" CREATE (a)-[:{type} {{{values}}}]->(b)"
    )
