"""How tests look at a server: as a reader of the store sees it, and as a stranger does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wayword.graph.neo4j.store import ServerStore
from wayword.graph.schema import NODES

from .neo4j_servers import run


def everything(store: ServerStore) -> dict[str, Any]:
    """What a reader can see of a store."""
    return {
        "bases": store.bases(),
        "counts": store.counts(),
        "labels": store.labels("wordnet", ["dog", "canine", "geese", "mine"]),
        "nodes": store.nodes(["wordnet:1-n", "dog", "mine", "x", "wordnet/mine"]),
        "edges": store.edges(["wordnet:1-n", "dog", "wordnet:2-n"], ["HYPERNYM", "FORM", "DERIVATION", "SIMILAR"], "out"),
        "streams": {label: rows(store.stream_nodes(label)) for label in NODES if label != "Base"},
        "forms": rows(store.stream_edges("FORM")),
    }


def rows(batches: Iterator[Any]) -> list[str]:
    return sorted(str(row) for batch in batches for row in batch.to_pylist())


def marked(address: str) -> list[list[Any]]:
    """How many nodes there are with each set of labels that carries a mark of ours."""
    return run(
        address,
        "MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Wayword') AND NOT n:WaywordLock"
        " RETURN labels(n) AS labels, count(*) ORDER BY labels",
    )


# Users' statements that the server has not been told to end.
RUNNING = (
    "SHOW TRANSACTIONS YIELD metaData, status WHERE metaData.wayword = 'statement' AND NOT status STARTS WITH 'Terminated'"
    " RETURN count(*)"
)


def drop_our_indexes(address: str) -> None:
    """Make room for a stranger's."""
    for kind in ("CONSTRAINT", "INDEX"):
        for (name,) in run(address, f"SHOW {kind} YIELD name WHERE name STARTS WITH 'wayword_' RETURN name"):
            run(address, f"DROP {kind} {name} IF EXISTS")
