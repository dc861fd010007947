"""Fixtures: an empty server, and a store on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wayword.graph.neo4j.store import ServerStore

from ...support.neo4j_servers import neo4j_address, use_empty_server


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty server."""
    with use_empty_server(neo4j_address()) as empty:
        yield empty


@pytest.fixture
def store(address: str) -> Iterator[ServerStore]:
    """A store on an empty server."""
    with ServerStore(address) as opened:
        yield opened
