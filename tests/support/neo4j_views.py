"""Views of a server for tests: through the store, and directly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wayword.core.progress import no_progress
from wayword.graph.neo4j.load import _recover
from wayword.graph.neo4j.load_lock import load_lock
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.schema import NODES

from .neo4j_servers import run


def read_everything(store: ServerStore) -> dict[str, Any]:
    """Everything that a reader can see of a store."""
    return {
        "bases": store.bases(),
        "counts": store.counts(),
        "labels": store.labels("wordnet", ["dog", "canine", "geese", "mine"]),
        "nodes": store.nodes(["wordnet:1-n", "dog", "mine", "x", "wordnet/mine"]),
        "edges": store.edges(["wordnet:1-n", "dog", "wordnet:2-n"], ["HYPERNYM", "FORM", "DERIVATION", "SIMILAR"], "out"),
        "streams": {label: sorted_rows(store.stream_nodes(label)) for label in NODES if label != "Base"},
        "forms": sorted_rows(store.stream_edges("FORM")),
    }


def recover(store: ServerStore) -> None:
    """Finish, or clean up after, a load that died, as the next load does."""
    with load_lock(store._connection, "every base") as lock:
        _recover(lock, no_progress)


def sorted_rows(batches: Iterator[Any]) -> list[str]:
    return sorted(str(row) for batch in batches for row in batch.to_pylist())


def count_owned_nodes(address: str) -> list[list[Any]]:
    """The label sets that contain a marker, with their numbers of nodes."""
    return run(
        address,
        "MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Wayword') AND NOT n:WaywordLock"
        " RETURN labels(n) AS labels, count(*) ORDER BY labels",
    )


# Users' statements that are not being terminated.
RUNNING = (
    "SHOW TRANSACTIONS YIELD metaData, status WHERE metaData.wayword = 'statement' AND NOT status STARTS WITH 'Terminated'"
    " RETURN count(*)"
)


def drop_our_indexes(address: str) -> None:
    """Drop the store's indexes and constraints."""
    for kind in ("CONSTRAINT", "INDEX"):
        for (name,) in run(address, f"SHOW {kind} YIELD name WHERE name STARTS WITH 'wayword_' RETURN name"):
            run(address, f"DROP {kind} {name} IF EXISTS")
