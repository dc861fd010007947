"""A load on a server: stage, retire, promote, sweep, each step of it safe to repeat after a crash.

``Base.state`` says how far a load came, and each change of it is a transaction of its own:

1. *stage* in batches: nodes under a loading label alone, with their relationships. Readers see nothing of it.
2. ``retiring``: the old nodes of the base lose their labels. From here on a load that died is finished by the next one.
3. ``promoting``: the staged nodes get their labels. Never mixed with 2: going on after a crash would retire what is new.
4. ``ready``. Then the retired nodes are deleted.

``revision`` changes with ``promoting``, so that the step to ``ready`` changes one property alone: a reader cannot see half of
it. Relationships are not marked: a relationship of one of our types between two of our nodes belongs to the base, and the
base keeps how many there are.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import replace as changed
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..schema import NODES
from ..validation import check_base
from .foreign_data import refuse_foreign_data
from .load_lock import HeldLock, load_lock
from .markers import LIVE, RETIRED, STEM, create_indexes, loaded_labels, marker_label, staging_label
from .staging import Staging

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ..records import Base, Batch
    from .connection import Connection

AT_ONCE = 5_000
"""Nodes that change their labels, or go, in one transaction."""

Announce = Callable[[str], None]
"""Told before each change of state; tests end a load here."""


def replace_base(
    connection: Connection, base: Base, batches: Iterable[Batch], progress: Progress, announce: Announce = lambda _: None
) -> Base:
    """Put these rows in the place of everything the base had."""
    check_base(base)
    create_indexes(connection)
    with load_lock(connection, base.id) as held:
        _recover(held, progress)
        staging = Staging(held, base.id, progress)
        try:
            with closing(staging):
                for batch in batches:
                    staging.add(batch)
                staging.finish()
            refuse_foreign_data(connection, base.id, staging.counts, staging.relationships)
            announce("staged")
        except BaseException:
            with suppress(StoreError):  # what is left here the next load sweeps; the first error is the one to tell
                _sweep(held)
            raise
        new = changed(base, revision=_next_revision(held), left_out=dict(base.left_out))
        rows = sum(staging.counts.values())
        progress("switching", rows, None)
        try:
            _begin(held, new, staging.relationships, announce)
            _finish(held, new.id, announce)
        except KeyboardInterrupt:
            _finish(held, new.id, announce)
            raise
        progress("sweeping", rows, None)
        with suppress(StoreError):  # the new base is in; the next load sweeps what is left
            _sweep(held)
    return new


def recover(connection: Connection, progress: Progress) -> bool:
    """Finish, or clean up after, a load that died; whether there was anything to do."""
    create_indexes(connection)
    with load_lock(connection, "every base") as held:
        return _recover(held, progress)


def _recover(held: HeldLock, progress: Progress) -> bool:
    died = held.run(f"MATCH (b:Base:{LIVE}) WHERE b.state <> 'ready' RETURN b.id ORDER BY b.id")
    for (base,) in died:
        progress(f"finishing the load of {base} that was interrupted", 0, None)
        _finish(held, base, lambda _: None)
    return _sweep(held) or bool(died)


def _next_revision(held: HeldLock) -> int:
    ((newest,),) = held.run(f"MATCH (b:Base:{LIVE}) RETURN max(b.revision)")
    return max((newest or 0) + 1, time.time_ns() // 1000)


def _begin(held: HeldLock, new: Base, relationships: Mapping[str, int], announce: Announce) -> None:
    announce("retiring")
    facts = {"kind": new.kind, "source": new.source, "revision": new.revision, "language": new.language}
    facts["left_out"] = json.dumps(dict(new.left_out))
    facts["load_options"] = json.dumps(dict(new.options))
    facts["relationships"] = json.dumps(dict(relationships))  # what is more by the next load, somebody else added
    held.run(
        f"MERGE (b:Base:{LIVE} {{id: $id}}) SET b.state = 'retiring', b.loading = $facts",
        {"id": new.id, "facts": json.dumps(facts)},
    )


def _finish(held: HeldLock, base: str, announce: Announce) -> None:
    found = held.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) RETURN b.state, b.loading", {"id": base})
    state, facts = found[0] if found else ("ready", None)
    if state == "retiring":
        _retire(held, base)
        announce("promoting")
        held.run(
            f"MATCH (b:Base:{LIVE} {{id: $id}}) SET b.state = 'promoting', b += $facts",
            {"id": base, "facts": json.loads(facts)},
        )
        state = "promoting"
    if state == "promoting":
        _promote(held, base)
        announce("ready")
        held.run(f"MATCH (b:Base:{LIVE} {{id: $id}}) SET b.state = 'ready', b.loading = null", {"id": base})


def _retire(held: HeldLock, base: str) -> None:
    labels = "".join(f":{label}" for label in loaded_labels() if not NODES[label].shared)
    for beginning in (f"{base}:", f"{base}/"):
        held.run(
            f"""MATCH (n:{LIVE}) WHERE n.id STARTS WITH $beginning AND n.base = $base
CALL (n) {{ REMOVE n{labels}:{LIVE} SET n:{RETIRED} }} IN TRANSACTIONS OF {AT_ONCE} ROWS""",
            {"beginning": beginning, "base": base},
        )
    # A stem that only these labels had goes with them, unless somebody hung something of his own on it.
    held.run(
        f"""MATCH (s:{STEM}) WHERE NOT EXISTS {{ MATCH (s)--(other) WHERE NOT other:{RETIRED} }}
AND size(labels(s)) = 2 AND size(keys(s)) = 1
CALL (s) {{ REMOVE s:Stem:{STEM} SET s:{RETIRED} }} IN TRANSACTIONS OF {AT_ONCE} ROWS"""
    )


def _promote(held: HeldLock, base: str) -> None:
    names = {staging_label(label): label for label in loaded_labels()}
    for label in _present(held, names):
        name = names[label]
        of_base = "" if NODES[name].shared else "WHERE n.base = $base"
        held.run(
            f"""MATCH (n:{label}) {of_base}
CALL (n) {{ SET n:{name}:{marker_label(name)} REMOVE n:{label} }} IN TRANSACTIONS OF {AT_ONCE} ROWS""",
            {"base": base},
        )


def _sweep(held: HeldLock) -> bool:
    """Delete what is staged and what is retired, whosesoever base it was: we hold the lock, so nobody needs it.

    A retired node on which somebody hung a relationship in the last moment is kept, unseen, rather than cut off.
    """
    found = _present(held, [*map(staging_label, loaded_labels()), RETIRED])
    ours = "|".join([RETIRED, STEM, *map(staging_label, loaded_labels())])
    for label in found:
        held.run(
            f"""MATCH (n:{label}) WHERE NOT EXISTS {{ MATCH (n)--(other) WHERE NOT (other:{ours}) }}
CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF {AT_ONCE} ROWS"""
        )
    return bool(found)


def _present(held: HeldLock, labels: Iterable[str]) -> list[str]:
    names = list(labels)
    ((counts),) = held.run(f"RETURN {', '.join(f'COUNT {{ (:{name}) }}' for name in names)}")
    return [name for name, count in zip(names, counts, strict=True) if count]
