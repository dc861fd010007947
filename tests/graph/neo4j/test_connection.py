"""The way to a server: addresses, credentials, versions, and a server that is not there."""

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
def test_a_wrong_password_is_told_and_not_shown(store: ServerStore, address: str) -> None:
    if os.environ.get("NEO4J_PASSWORD") is None:
        pytest.skip("the server asks for no password")
    with ServerStore(address, "somebody", "opensesame") as wrong, pytest.raises(StoreUnreachable) as caught:
        wrong.bases()
    shown = f"{caught.value} {wrong!r} {wrong.address} {vars(wrong)}"
    assert "NEO4J_PASSWORD" in shown
    assert "somebody" not in shown
    assert "opensesame" not in shown


@NEO4J
def test_a_database_that_is_not_there_is_named(address: str) -> None:
    with ServerStore(address, database="nowhere") as store, pytest.raises(StoreUnreachable, match=r"nowhere.*NEO4J_DATABASE"):
        store.bases()


@NEO4J
def test_an_old_server_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import neo4j

    monkeypatch.setattr(neo4j.ServerInfo, "agent", property(lambda _: "Neo4j/4.4.12"))
    with ServerStore(address) as store, pytest.raises(StoreUnreadable, match=r"4\.4\.12.*5\.26"):
        store.bases()


@pytest.mark.parametrize("agent", ["Neo4j/5.25.1", "Neo4j/4.4.0", "Neo4j/v5.11.0 compatible", "Memgraph/3"])
def test_other_servers_are_refused(agent: str) -> None:
    with pytest.raises(StoreUnreadable, match=r"5\.26"):
        connection.check_version(agent, "bolt://localhost")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/5.26.12", "Neo4j/5.27-aura", "Neo4j/2025.08.0"])
def test_newer_servers_are_taken(agent: str) -> None:
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


def test_a_server_that_says_nothing_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PATIENCE", 0.3)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        ServerStore(f"bolt://127.0.0.1:{silent.getsockname()[1]}", "a", "b") as store,
        pytest.raises(StoreUnreachable),
    ):
        store.bases()


@pytest.mark.parametrize(
    "address", ["http://localhost:7474", "bolt://", "bolt://host:port", "bolt://ann:secret@[", "localhost:7687"]
)
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(StoreUnreachable, match="bolt://localhost:7687") as caught:
        ServerStore(address)
    assert "secret" not in str(caught.value)


def test_a_closed_store_says_so() -> None:
    store = ServerStore("bolt://localhost:7687")
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.bases()


# Goes to the server through a gate that is shut while a statement runs.
BREAK = """
import socket, sys, threading
from urllib.parse import urlsplit
from wayword.graph.errors import StoreError
from wayword.graph.neo4j.store import ServerStore

goal = urlsplit(sys.argv[1])
gate = socket.create_server(("127.0.0.1", 0))
ends = []

def carry(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass

def serve():
    while True:
        try:
            here, _ = gate.accept()
        except OSError:
            return
        there = socket.create_connection((goal.hostname, goal.port))
        ends.extend((here, there))
        for pair in ((here, there), (there, here)):
            threading.Thread(target=carry, args=pair, daemon=True).start()

def shut():
    gate.shutdown(socket.SHUT_RDWR)
    for end in ends:
        end.shutdown(socket.SHUT_RDWR)

threading.Thread(target=serve, daemon=True).start()
with ServerStore(f"bolt://127.0.0.1:{gate.getsockname()[1]}") as store:
    store.bases()
    threading.Timer(0.5, shut).start()
    try:
        store.cypher("UNWIND range(1, 1000000000000) AS x RETURN count(x)")
    except StoreError as error:
        print(error)
"""


@NEO4J
def test_a_connection_that_breaks_is_told_once_and_by_us(address: str) -> None:
    run = subprocess.run([sys.executable, "-c", BREAK, address], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.startswith("no Neo4j answers at bolt://127.0.0.1:")
    assert run.stdout.count("\n") == 1
    assert run.stderr == ""
