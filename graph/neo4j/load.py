"""Load a base into a server: stage, retire, promote, sweep; or remove one: retire, sweep.

No transaction can hold a whole base, so a load proceeds in phases. Each phase consists of transactions that can be repeated.
``Base.state`` records the phase, each time in a separate transaction:

=============  ==============================================  =========================================================
state          the load ...                                    if it dies here ...
=============  ==============================================  =========================================================
``ready``      stages the new nodes under loading labels,      the old base is complete; the next load sweeps the staged
               with their relationships                        nodes
``retiring``   removes the labels of the old nodes             the next load finishes this one first
``promoting``  gives the staged nodes their labels             the next load finishes this one first
``ready``      deletes the old nodes (*sweeping*)              the new base is complete; the next load sweeps the old nodes
=============  ==============================================  =========================================================

A base is removed in the state ``removing``: its nodes are retired, then its ``Base`` node is deleted, then the retired nodes
are swept. If the process dies before its ``Base`` node is deleted, the next load or removal finishes this one first.

Readers see marked, live nodes only (``markers``), so staging and sweeping are invisible to them. Between ``retiring`` and the
last ``ready`` the visible graph is incomplete; readers notice the state and wait (``consistent_reads``). Therefore:

- Retiring is complete before promoting begins; otherwise retiring, repeated after a crash, would retire promoted nodes.
- The facts of the new base (revision, left out, ...) are stored when ``retiring`` begins, so that a later load can finish this
  one, and take effect when ``promoting`` begins. The step to ``ready`` changes one property, so no reader can see half of it.
- Relationships need no marker: one of our types between two live nodes belongs to the base of its target. The base records the
  number of each type, so that ``foreign_data`` detects relationships that others added.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..records import Base
from ..schema import NODES
from ..validation import check_base, check_kind, missing_base
from .foreign_data import refuse_foreign_data
from .load_lock import HeldLock, load_lock
from .markers import LIVE, RETIRED, STEM, create_indexes, loaded_labels, marker_label, staging_label
from .staging import Staging

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ..records import Batch
    from .connection import Connection

TRANSACTION_SIZE = 5_000
"""Nodes that change labels, or are deleted, in one transaction."""

OnPhase = Callable[[str], None]
"""Called before each phase; tests interrupt loads here."""


def replace_base(
    connection: Connection, base: Base, batches: Iterable[Batch], progress: Progress, on_phase: OnPhase = lambda _: None
) -> Base:
    """Replace a base on the server; see ``Store.replace_base``."""
    check_base(base)
    create_indexes(connection)
    with load_lock(connection, base.id) as lock:
        _recover(lock, progress)
        old = _find_ready(connection, base.id)
        check_kind(base, old)
        staging = Staging(lock, base.id, progress)
        try:
            with closing(staging):
                for batch in batches:
                    staging.add(batch)
                staging.finish()
            progress("checking for other data", 0, None)
            refuse_foreign_data(connection, base.id, staging.node_counts, staging.relationship_counts)
            on_phase("staged")
        except BaseException:
            with suppress(StoreError):  # the first error is the one to report, and the next load sweeps as well
                _sweep(lock)
            raise
        new = replace(
            base, revision=_next_revision(lock), left_out=dict(base.left_out), replaced_revision=old.revision if old else None
        )
        progress("switching", 0, None)
        with _finish_on_interrupt(lock, new.id, on_phase):
            _begin_switch(lock, new, staging.relationship_counts, on_phase)
            _finish_switch(lock, new.id, on_phase)
        progress("deleting the old nodes", 0, None)
        with suppress(StoreError):  # the new base is complete, and the next load sweeps as well
            _sweep(lock)
    return new


def remove_base(connection: Connection, name: str, progress: Progress, on_phase: OnPhase = lambda _: None) -> Base:
    """Remove a base from the server; see ``Store.remove_base``."""
    names = [id_ for (id_,) in connection.read(f"MATCH (b:Base:{LIVE}) RETURN b.id ORDER BY b.id")]
    if name not in names:  # before the lock, which writes
        raise missing_base(connection.address, name, names)
    with load_lock(connection, name) as lock:
        interrupted = read_bases(connection, "b.state = 'removing'")
        _recover(lock, progress)
        stored = {base.id: base for base in read_bases(connection)}
        if name not in stored:
            removed = next((base for base in interrupted if base.id == name), None)
            if removed is None:
                raise missing_base(connection.address, name, stored)
            return removed
        progress("checking for other data", 0, None)
        refuse_foreign_data(connection, name, {}, {}, removing=True)
        on_phase("removing")
        progress(f"removing {name}", 0, None)
        with _finish_on_interrupt(lock, name, on_phase):
            lock.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) SET b.state = 'removing'", {"id": name})
            _finish_switch(lock, name, on_phase)
        progress("deleting the old nodes", 0, None)
        with suppress(StoreError):  # the base is removed, and the next load sweeps as well
            _sweep(lock)
    return stored[name]


def read_bases(connection: Connection, condition: str = "true") -> list[Base]:
    """Return the bases that meet a condition on ``b``, ordered by id."""
    names = list(NODES["Base"].properties)
    columns = ", ".join(f"b.{name}" for name in names)
    rows = connection.read(f"MATCH (b:Base:{LIVE}) WHERE {condition} RETURN {columns} ORDER BY b.id")
    return [Base.from_row(dict(zip(names, row, strict=True))) for row in rows]


def check_load(connection: Connection, base: Base) -> None:
    """Raise the error with which ``replace_base`` would refuse a base at once; see ``Store.check_load``."""
    check_base(base)
    check_kind(base, _find_ready(connection, base.id))


def _find_ready(connection: Connection, name: str) -> Base | None:
    """Return the base of this name that a load would replace, or None."""
    return next((base for base in read_bases(connection, "b.state = 'ready'") if base.id == name), None)


@contextmanager
def _finish_on_interrupt(lock: HeldLock, name: str, on_phase: OnPhase) -> Iterator[None]:
    """Finish a switch before passing Ctrl-C on: readers wait until it is over, and it is short."""
    try:
        yield
    except KeyboardInterrupt:
        _finish_switch(lock, name, on_phase)
        raise


def _recover(lock: HeldLock, progress: Progress) -> None:
    """Finish loads that crashed while they switched, and delete what crashed loads left behind."""
    interrupted = lock.run(f"MATCH (b:Base:{LIVE}) WHERE b.state <> 'ready' RETURN b.id ORDER BY b.id")
    for (base,) in interrupted:
        progress(f"finishing the interrupted change of {base}", 0, None)
        _finish_switch(lock, base, lambda _: None)
    _sweep(lock)


def _next_revision(lock: HeldLock) -> int:
    """Return a revision: unique across stores by the clock, and higher than all others even if the clock is set back."""
    ((newest,),) = lock.run(f"MATCH (b:Base:{LIVE}) RETURN max(b.revision)")
    return max((newest or 0) + 1, time.time_ns() // 1000)


def _begin_switch(lock: HeldLock, new: Base, relationships: Mapping[str, int], on_phase: OnPhase) -> None:
    """Enter ``retiring``: from here on the load will be finished, by this process or by the next load."""
    on_phase("retiring")
    facts = {name: value for name, value in new.to_row().items() if name not in ("id", "state")}
    facts["relationships"] = json.dumps(dict(relationships))
    lock.run(
        f"MERGE (b:Base:{LIVE} {{id: $id}}) SET b.state = 'retiring', b.loading = $facts",
        {"id": new.id, "facts": json.dumps(facts)},
    )


def _finish_switch(lock: HeldLock, base: str, on_phase: OnPhase) -> None:
    """Bring the base from its current state to ``ready``."""
    rows = lock.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) RETURN b.state, b.loading", {"id": base})
    state, facts = rows[0] if rows else ("ready", None)
    if state == "retiring":
        _retire(lock, base)
        on_phase("promoting")
        lock.run(
            f"MATCH (b:Base:{LIVE} {{id: $id}}) SET b.state = 'promoting', b += $facts",
            {"id": base, "facts": json.loads(facts)},
        )
        state = "promoting"
    if state == "removing":
        _retire(lock, base)
        on_phase("removed")
        lock.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) DETACH DELETE b", {"id": base})
    if state == "promoting":
        _promote(lock, base)
        on_phase("ready")
        lock.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) SET b.state = 'ready', b.loading = null", {"id": base})


def _retire(lock: HeldLock, base: str) -> None:
    """Make the old nodes of a base invisible. Repeating it finds those that are still live."""
    labels = "".join(f":{label}" for label in loaded_labels() if not NODES[label].shared)
    for start in (f"{base}:", f"{base}/"):
        lock.run(
            f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $start AND n.base = $base
CALL (n) {{ REMOVE n{labels}:{LIVE} SET n:{RETIRED} }} IN TRANSACTIONS OF {TRANSACTION_SIZE} ROWS""",
            {"start": start, "base": base},
        )
    # A stem that only these nodes used is retired too, unless a user has attached data to it.
    lock.run(
        f"""MATCH (s:{STEM}) WHERE NOT EXISTS {{ MATCH (s)--(other) WHERE NOT other:{RETIRED} }}
AND size(labels(s)) = 2 AND size(keys(s)) = 1
CALL (s) {{ REMOVE s:Stem:{STEM} SET s:{RETIRED} }} IN TRANSACTIONS OF {TRANSACTION_SIZE} ROWS"""
    )


def _promote(lock: HeldLock, base: str) -> None:
    """Make the staged nodes visible. Repeating it finds those that are still staged."""
    names = {staging_label(label): label for label in loaded_labels()}
    for label in _labels_in_use(lock, names):
        name = names[label]
        of_base = "" if NODES[name].shared else "WHERE n.base = $base"
        lock.run(
            f"""MATCH (n:{label}) {of_base}
CALL (n) {{ SET n:{name}:{marker_label(name)} REMOVE n:{label} }} IN TRANSACTIONS OF {TRANSACTION_SIZE} ROWS""",
            {"base": base},
        )


def _sweep(lock: HeldLock) -> None:
    """Delete all staged and retired nodes, of any base: the caller holds the lock, so no load is using them.

    A retired node remains, invisible to readers, if a user attached a relationship to it after ``refuse_foreign_data``.
    """
    staged = [staging_label(label) for label in loaded_labels()]
    ours = "|".join([RETIRED, STEM, *staged])
    for label in _labels_in_use(lock, [*staged, RETIRED]):
        lock.run(
            f"""MATCH (n:{label}) WHERE NOT EXISTS {{ MATCH (n)--(other) WHERE NOT (other:{ours}) }}
CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF {TRANSACTION_SIZE} ROWS"""
        )


def _labels_in_use(lock: HeldLock, labels: Iterable[str]) -> list[str]:
    names = list(labels)
    ((counts),) = lock.run(f"RETURN {', '.join(f'COUNT {{ (:{name}) }}' for name in names)}")
    return [name for name, count in zip(names, counts, strict=True) if count]
