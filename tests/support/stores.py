"""Every store, and how a test gets an empty one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from wayword.graph.store import Store

Opened = AbstractContextManager[Store]


@contextmanager
def _memory(folder: Path) -> Iterator[Store]:
    from wayword.graph.memory import MemoryStore

    with MemoryStore() as store:
        yield store


@contextmanager
def _embedded(folder: Path) -> Iterator[Store]:
    from wayword.graph.ladybug.store import EmbeddedStore

    with EmbeddedStore(folder / "graph.wayword") as store:
        yield store


@contextmanager
def _server(folder: Path) -> Iterator[Store]:
    from wayword.graph.neo4j.store import ServerStore

    from .neo4j_servers import neo4j_address, use_empty_server

    with use_empty_server(neo4j_address()) as address, ServerStore(address) as store:
        yield store


STORES: Mapping[str, Callable[[Path], Opened]] = {"memory": _memory, "embedded": _embedded, "neo4j": _server}
"""By name; each creates an empty store and removes it afterwards."""

CLASSES = {"MemoryStore": "memory", "EmbeddedStore": "embedded", "ServerStore": "neo4j"}

WITH_CYPHER = ("embedded", "neo4j")
