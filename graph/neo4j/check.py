"""Check what loads have stored on a server: it can have been changed there, or a load can have been interrupted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .consistent_reads import read_states
from .markers import LIVE, find_missing_indexes

if TYPE_CHECKING:
    from .connection import Connection

_RECORDED = f"MATCH (b:Base:{LIVE}) RETURN b.id, b.relationships"
_ORPHANS = f"""MATCH (n:{LIVE}) WHERE n.base IS NOT NULL
WITH n.base AS base, count(*) AS nodes WHERE NOT EXISTS {{ MATCH (:Base:{LIVE} {{id: base}}) }}
RETURN coalesce(sum(nodes), 0)"""


def find_problems(connection: Connection, counts: Callable[[], Mapping[str, Mapping[str, int]]]) -> dict[str, int]:
    """Return counts of what differs from what loads have written, by code.

    Args:
        connection: The server.
        counts: Returns the counts of what is stored, by base.
    """
    unfinished = sum(state != "ready" for _, state, _, _ in read_states(connection))
    if unfinished:  # counts would wait for it
        return {"unfinished_base": unfinished}
    problems: Counter[str] = Counter()
    problems["missing_index"] = sum(1 for _ in find_missing_indexes(connection))
    ((problems["orphan_node"],),) = connection.read(_ORPHANS)
    present = counts()
    for base, recorded in connection.read(_RECORDED):
        for type, number in json.loads(recorded or "{}").items():  # an import of exported files records nothing
            difference = present.get(base, {}).get(type, 0) - number
            problems["missing_relationship"] += max(0, -difference)
            problems["added_relationship"] += max(0, difference)
    return dict(problems)
