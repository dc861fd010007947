"""Connections to a server: addresses, credentials, versions, and servers that do not answer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from wayword.graph.errors import (
    StoreError,
    StoreUnreachable,
    StoreUnreadable,
)
from wayword.graph.neo4j import connection
from wayword.graph.neo4j.store import ServerStore

from ...support.graphs import animals, base
from ...support.neo4j_servers import NEO4J


@NEO4J
def test_wrong_credentials_are_reported_and_not_shown(store: ServerStore, address: str) -> None:
    if os.environ.get("NEO4J_PASSWORD") is None:
        pytest.skip("the server asks for no password")
    with ServerStore(address, "somebody", "opensesame") as wrong, pytest.raises(StoreUnreachable) as caught:
        wrong.bases()
    shown = f"{caught.value} {wrong!r} {wrong.address} {vars(wrong)}"
    assert "NEO4J_PASSWORD" in shown
    assert "somebody" not in shown
    assert "opensesame" not in shown


@NEO4J
def test_a_missing_database_is_named(address: str) -> None:
    with ServerStore(address, database="nowhere") as store, pytest.raises(StoreUnreachable, match=r"nowhere.*NEO4J_DATABASE"):
        store.bases()


@NEO4J
def test_an_old_server_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import neo4j

    monkeypatch.setattr(neo4j.ServerInfo, "agent", property(lambda _: "Neo4j/4.4.12"))
    with ServerStore(address) as store, pytest.raises(StoreUnreadable, match=r"4\.4\.12.*5\.26"):
        store.bases()


@pytest.mark.parametrize("agent", ["Neo4j/5.25.1", "Neo4j/4.4.0", "Neo4j/v5.11.0 compatible", "Memgraph/3"])
def test_unsupported_servers_are_refused(agent: str) -> None:
    with pytest.raises(StoreUnreadable, match=r"5\.26"):
        connection.check_version(agent, "bolt://localhost")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/5.26.12", "Neo4j/5.27-aura", "Neo4j/2025.08.0"])
def test_supported_versions_are_accepted(agent: str) -> None:
    connection.check_version(agent, "bolt://localhost")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+ssc"])
def test_a_server_that_is_down_is_unreachable(scheme: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{scheme}://127.0.0.1:{closed.getsockname()[1]}"
        with ServerStore(f"{scheme}://ann:secret@{address.partition('//')[2]}") as store:
            assert store.address == address
            with pytest.raises(StoreUnreachable) as caught:
                store.bases()
            with pytest.raises(StoreUnreachable):
                store.replace_base(base(), animals())
    assert address in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_silent_server_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECTION_TIMEOUT", 0.3)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        ServerStore(f"bolt://127.0.0.1:{silent.getsockname()[1]}", "a", "b") as store,
        pytest.raises(StoreUnreachable),
    ):
        store.bases()


@pytest.mark.parametrize(
    "address", ["http://localhost:7474", "bolt://", "bolt://host:port", "bolt://ann:secret@[", "localhost:7687"]
)
def test_an_invalid_url_is_refused_without_showing_credentials(address: str) -> None:
    with pytest.raises(StoreUnreachable, match="bolt://localhost:7687") as caught:
        ServerStore(address)
    assert "secret" not in str(caught.value)


def test_using_a_closed_store_is_an_error() -> None:
    store = ServerStore("bolt://localhost:7687")
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.bases()


@NEO4J
def test_closing_leaves_the_driver_to_the_last_session(address: str) -> None:
    opened = connection.Connection(address)
    with opened.session() as first:
        with opened.session() as second:
            opened.close()
            with pytest.raises(StoreError, match="closed"), opened.session():
                pass
            assert second.run("RETURN 1").single() is not None
        assert first.run("RETURN 1").single() is not None
        assert opened._driver is not None
    assert opened._driver is None


class HalfClosingSession:
    """A session that stays open if its first attempt to close fails, as the driver's do."""

    def __init__(self) -> None:
        self.is_open = True
        self.attempts = 0

    def close(self) -> None:
        self.attempts += 1
        if self.attempts == 1:
            raise OSError("the server has gone")
        self.is_open = False


def test_a_session_is_closed_though_the_server_has_gone() -> None:
    session = HalfClosingSession()
    with pytest.raises(OSError, match="gone"):
        connection._close(session)  # type: ignore[arg-type]
    assert not session.is_open


# Connects to the server through a proxy that is shut down while a statement runs.
BREAK = """
import socket, sys, threading
from urllib.parse import urlsplit
from wayword.graph.errors import StoreError
from wayword.graph.neo4j.store import ServerStore

server = urlsplit(sys.argv[1])
proxy = socket.create_server(("127.0.0.1", 0))
ends = []

def forward(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass

def serve():
    while True:
        try:
            client, _ = proxy.accept()
        except OSError:
            return
        upstream = socket.create_connection((server.hostname, server.port))
        ends.extend((client, upstream))
        for pair in ((client, upstream), (upstream, client)):
            threading.Thread(target=forward, args=pair, daemon=True).start()

def shut_down():
    proxy.shutdown(socket.SHUT_RDWR)
    for end in ends:
        end.shutdown(socket.SHUT_RDWR)

threading.Thread(target=serve, daemon=True).start()
with ServerStore(f"bolt://127.0.0.1:{proxy.getsockname()[1]}") as store:
    store.bases()
    threading.Timer(0.5, shut_down).start()
    try:
        store.cypher("UNWIND range(1, 1000000000000) AS x RETURN count(x)")
    except StoreError as error:
        print(error)
"""


@NEO4J
def test_a_broken_connection_is_reported_once_and_in_one_line(address: str) -> None:
    run = subprocess.run([sys.executable, "-c", BREAK, address], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.startswith("no Neo4j answers at bolt://127.0.0.1:")
    assert run.stdout.count("\n") == 1
    assert run.stderr == ""
