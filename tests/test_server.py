"""The store on a Neo4j server: what is a stranger's stays a stranger's, and a load is atomic whatever becomes of it."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from wayword.graph import server_connection, server_load, server_reading
from wayword.graph.errors import (
    CypherError,
    CypherFailed,
    CypherRefused,
    CypherTimeout,
    LoadError,
    StoreBusy,
    StoreError,
    StoreUnreachable,
    StoreUnreadable,
)
from wayword.graph.schema import NODES
from wayword.graph.server import ServerStore
from wayword.graph.server_lock import Held
from wayword.graph.server_statement import run_statement
from wayword.graph.store import Batch

from .graphs import animals, base, edges, nodes, wiki, words
from .servers import NEO4J, emptied, neo4j_address, run

SEEN = "MATCH (n) WHERE n.mine RETURN labels(n), properties(n), COUNT { (n)--() } ORDER BY n.number"


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty server."""
    with emptied(neo4j_address()) as given:
        yield given


@pytest.fixture
def store(address: str) -> Iterator[ServerStore]:
    """A store on an empty server."""
    with ServerStore(address) as opened:
        yield opened


def everything(store: ServerStore) -> dict[str, Any]:
    """What a reader can see of a store."""
    return {
        "bases": store.bases(),
        "counts": store.counts(),
        "labels": store.labels("wordnet", ["dog", "canine", "geese", "mine"]),
        "nodes": store.nodes(["wordnet:1-n", "dog", "mine", "x", "wordnet/mine"]),
        "edges": store.expand(["wordnet:1-n", "dog", "wordnet:2-n"], ["HYPERNYM", "FORM", "DERIVATION", "SIMILAR"], "out"),
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


# A stranger's own data, under our labels and types, with ids that are and are not of our form.
STRANGERS = """
CREATE (:Base {id: 'x', mine: true, number: 1}), (:Base {mine: true, number: 2}),
 (a:Synset {name: 'mine', mine: true, number: 3}),
 (b:Synset {id: 'x', name: 'mine', mine: true, number: 4}),
 (:Synset {id: 'x', base: 'wordnet', mine: true, number: 5}),
 (:Synset {id: 'wordnet:mine', base: 'wordnet', mine: true, number: 6}),
 (s:Stem {id: 'dog', mine: true, number: 7}), (:Stem {id: 'mine', mine: true, number: 8}),
 (l:Label {id: 'wordnet/mine', base: 'wordnet', name: 'mine', mine: true, number: 9}),
 (:Label {id: 7, mine: true, number: 10}),
 (:Article:Category {id: 'wordnet:x', base: 'wordnet', mine: true, number: 11}),
 (:Person {id: 'wordnet', mine: true, number: 12}),
 (:Retired {base: 'wordnet', id: 'wordnet:1-n', mine: true, number: 13}),
 (:LoadingSynset {base: 'wordnet', mine: true, number: 14}),
 (a)-[:HYPERNYM {instance: false}]->(b), (s)-[:FORM]->(l), (l)-[:SENSE {rank: 1}]->(b), (a)-[:LIKES]->(b)
"""


@NEO4J
def test_a_strangers_data_is_not_read_not_changed_and_not_deleted(store: ServerStore, address: str) -> None:
    store.replace(base(), animals())
    store.replace(base("wiki", "wikipedia"), wiki())
    expected = everything(store)
    run(address, "MATCH (n) DETACH DELETE n")
    run(address, STRANGERS)
    before = run(address, SEEN)
    assert len(before) == 14
    assert store.bases() == []
    assert store.counts() == {}
    assert store.nodes(["wordnet:mine", "dog", "x", "wordnet/mine"]) == {}
    made = [store.replace(base(), animals()), store.replace(base("wiki", "wikipedia"), wiki())]
    found = everything(store)
    assert found.pop("bases") == sorted(made, key=lambda each: each.id)
    expected.pop("bases")
    assert found == expected
    assert run(address, SEEN) == before
    store.replace(base(), words("wordnet", "mouse"))
    store.replace(base("wiki", "wikipedia"), [])
    store.recover()
    assert run(address, SEEN) == before
    assert rows(store.stream_nodes("Stem")) == ["{'id': 'mouse'}"]


@NEO4J
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("CREATE (:Synset {id: 'wordnet:2-n', mine: true})", "wordnet:2-n"),
        ("CREATE (:Label {id: 'wordnet/dog', mine: true})", "wordnet/dog"),
        ("CREATE (:Base {id: 'wordnet', mine: true})", "wordnet"),
        ("CREATE (:Wayword {id: 'x', mine: true}), (:Wayword {id: 'x', mine: true})", None),
        ("CREATE CONSTRAINT mine FOR (s:Synset) REQUIRE s.name IS UNIQUE", "mine"),
        ("CREATE CONSTRAINT mine FOR ()-[r:HYPERNYM]-() REQUIRE r.instance IS UNIQUE", "mine"),
        ("CREATE INDEX wayword_synset_id FOR (p:Person) ON (p.name)", "wayword_synset_id"),
        ("CREATE CONSTRAINT wayword_id FOR (p:Person) REQUIRE p.name IS UNIQUE", "wayword_id"),
    ],
)
def test_what_would_be_mixed_up_with_a_strangers_is_refused(address: str, statement: str, named: str | None) -> None:
    with ServerStore(address) as store:
        store.replace(base("wiki", "wikipedia"), wiki())
        drop_our_indexes(address)
        run(address, statement)
        rules = "SHOW CONSTRAINTS YIELD name WHERE NOT name STARTS WITH 'wayword_' RETURN name"
        before = everything(store), run(address, SEEN), run(address, rules)
        with pytest.raises(LoadError) as caught:
            store.replace(base(), animals())
        assert (named or address) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (everything(store), run(address, SEEN), run(address, rules)) == before
        assert not [labels for labels, _ in marked(address) if "Retired" in str(labels) or "Loading" in str(labels)]
    drop_our_indexes(address)


@NEO4J
def test_a_strangers_unique_ids_do_no_harm(store: ServerStore, address: str) -> None:
    drop_our_indexes(address)
    run(address, "CREATE CONSTRAINT theirs FOR (s:Stem) REQUIRE s.id IS UNIQUE")
    run(address, "CREATE (:Stem {id: 'mine', mine: true})")
    made = store.replace(base(), animals())
    assert store.bases() == [made]
    with pytest.raises(LoadError, match="mine"):
        store.replace(base("other"), words("other", "mine"))
    assert store.bases() == [made]


@NEO4J
@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) CREATE (:Person {mine: true})-[:LIKES]->(s)", "a relationship"),
        (
            "MATCH (s:Synset {id: 'wordnet:1-n'}) MATCH (t:Synset {id: 'wordnet:2-n'}) CREATE (s)-[:LIKES]->(t)",
            "a relationship",
        ),
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) SET s.mine = true", "a property"),
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) SET s:Favourite", "a label"),
    ],
)
def test_what_others_hung_on_our_nodes_is_never_deleted(store: ServerStore, address: str, statement: str, what: str) -> None:
    store.replace(base(), animals())
    run(address, statement)
    before = everything(store)
    with pytest.raises(LoadError, match=f"wordnet:1-n.*{what}"):
        store.replace(base(), animals())
    assert everything(store) == before
    assert run(address, "MATCH (n) WHERE n.mine OR n:Favourite OR EXISTS { (n)-[:LIKES]-() } RETURN count(n) > 0") == [[True]]
    store.replace(base("other"), animals("other"))
    assert store.counts()["wordnet"] == before["counts"]["wordnet"]


@NEO4J
def test_what_others_hung_on_a_stem_keeps_the_stem(store: ServerStore, address: str) -> None:
    store.replace(base(), words("wordnet", "dog", "cat"))
    run(address, "MATCH (s:Stem {id: 'dog'}) CREATE (:Person {mine: true})-[:LIKES]->(s)")
    store.replace(base(), words("wordnet", "mouse"))
    assert rows(store.stream_nodes("Stem")) == ["{'id': 'dog'}", "{'id': 'mouse'}"]
    assert run(address, "MATCH (:Person)-[:LIKES]->(s) RETURN s.id") == [["dog"]]


@NEO4J
def test_what_is_hung_on_a_node_in_the_last_moment_is_kept(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.replace(base(), animals())

    def late(state: str) -> None:
        if state == "promoting":
            run(address, "MATCH (n:WaywordRetired {id: 'wordnet:1-n'}) CREATE (:Person {mine: true})-[:LIKES]->(n)")

    server_load.replace(store._connection, base(), animals(), lambda *_: None, late)
    assert run(address, "MATCH (:Person)-[:LIKES]->(n) RETURN n.id") == [["wordnet:1-n"]]
    assert store.counts()["wordnet"]["Synset"] == 4


@NEO4J
def test_the_label_of_the_schema_comes_first(store: ServerStore) -> None:
    store.replace(base(), animals())
    assert store.cypher("MATCH (s:Synset {id: 'wordnet:1-n'}) RETURN labels(s)[0] AS label").rows == (("Synset",),)


class KilledError(BaseException):
    """Ends a load as a kill does: nothing of it runs any more."""


def killed(store: ServerStore, monkeypatch: pytest.MonkeyPatch, after: int, batches: Sequence[Batch]) -> bool:
    """Whether a load came to its end before its connection was cut after some statements."""
    left = after
    whole = Held.run

    def cut(self: Held, *arguments: Any) -> Any:
        nonlocal left
        if left <= 0:
            raise KilledError
        left -= 1
        return whole(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Held, "run", cut)
        try:
            store.replace(base(), batches)
        except KilledError:
            return False
    return True


@NEO4J
@pytest.mark.slow
def test_a_load_that_dies_at_any_statement_is_finished_or_forgotten(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_reading, "INTERRUPTED", 0.0)
    old, new = animals(), [*words("wordnet", "dog", "mice"), nodes("Synset", {"id": "wordnet:2-n", "name": "new"})]
    store.replace(base("wiki", "wikipedia"), wiki())
    store.replace(base(), old)
    before = {**everything(store), "bases": None}
    store.replace(base(), new)
    after = {**everything(store), "bases": None}
    outcomes = []
    for statements in range(200):
        store.replace(base(), old)
        revision = store.revision()
        ended = killed(store, monkeypatch, statements, new)
        try:
            seen = everything(store)
        except StoreUnreadable:
            store.recover()
            seen = everything(store)
            assert {**seen, "bases": None} == after
            outcomes.append("finished")
        else:
            moved = store.revision() > revision
            assert {**seen, "bases": None} == (after if moved else before)
            outcomes.append("new" if moved else "old")
        store.recover()
        assert {**everything(store), "bases": None} == (before if outcomes[-1] == "old" else after)
        assert not [labels for labels, _ in marked(address) if "Retired" in str(labels) or "Loading" in str(labels)]
        if ended:
            break
    assert ended
    assert list(dict.fromkeys(outcomes)) == ["old", "finished", "new"]


@NEO4J
@pytest.mark.parametrize("state", ["retiring", "promoting", "ready"])
def test_the_next_load_of_any_base_finishes_first(store: ServerStore, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setattr(server_reading, "INTERRUPTED", 0.0)
    old = store.replace(base(), words("wordnet", "dog"))

    def die(reached: str) -> None:
        if reached == state:
            raise KilledError

    with pytest.raises(KilledError):
        server_load.replace(store._connection, base(left=2), words("wordnet", "mice"), lambda *_: None, die)
    if state == "retiring":
        assert store.bases() == [old]
    else:
        with pytest.raises(StoreUnreadable, match="interrupted"):
            store.labels("wordnet", ["dog"])
    store.replace(base("other"), words("other", "cat"))
    found = {each.id: each for each in store.bases()}
    assert store.labels("wordnet", ["dog", "mice"]).keys() == ({"dog"} if state == "retiring" else {"mice"})
    assert found["wordnet"].left_out == ({} if state == "retiring" else {"left": 2})
    assert (found["wordnet"] == old) == (state == "retiring")


@NEO4J
def test_an_interrupted_switch_is_finished_before_the_interrupt_goes_on(store: ServerStore, address: str) -> None:
    store.replace(base(), words("wordnet", "dog"))

    def interrupt(reached: str, once: list[str] = []) -> None:  # noqa: B006
        if reached == "promoting" and not once:
            once.append(reached)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        server_load.replace(store._connection, base(), words("wordnet", "mice"), lambda *_: None, interrupt)
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"mice"}


@NEO4J
def test_an_interrupted_staging_leaves_nothing(store: ServerStore, address: str) -> None:
    made = store.replace(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.replace(base(), batches())
    assert store.bases() == [made]
    assert [labels for labels, _ in marked(address)] == [["Base", "Wayword"], ["Label", "Wayword"], ["Stem", "WaywordStem"]]


@NEO4J
def test_one_load_at_a_time(store: ServerStore, address: str) -> None:
    refused: list[str] = []

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "dog")
        with ServerStore(address) as other, pytest.raises(StoreBusy) as caught:
            other.replace(base("other"), words("other", "cat"))
        refused.append(str(caught.value))

    made = store.replace(base(), batches())
    assert store.bases() == [made]
    (message,) = refused
    assert f"process {os.getpid()}" in message
    assert "wordnet" in message
    store.replace(base("other"), words("other", "cat"))


@NEO4J
def test_a_load_whose_lock_was_ended_stops(store: ServerStore, address: str) -> None:
    made = store.replace(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        ended = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.wayword = 'lock' RETURN transactionId"
        run(address, "TERMINATE TRANSACTIONS $ids", ids=[row[0] for row in run(address, ended)])
        yield edges("SIMILAR")

    with pytest.raises(StoreError, match="lost its lock"):
        store.replace(base(), batches())
    assert store.bases() == [made]
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"dog"}
    assert store.recover()


@NEO4J
@pytest.mark.slow
def test_every_read_during_loads_is_of_one_load(store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_load, "AT_ONCE", 40)
    store.replace(base("wiki", "wikipedia"), wiki())

    def generation(number: int) -> list[Batch]:
        names = [f"word {each}" for each in range(400 + number)]
        synsets = ({"id": f"wordnet:{each}", "gloss": str(number)} for each in range(len(names)))
        senses = ((f"wordnet/{name}", f"wordnet:{each}", {"rank": number}) for each, name in enumerate(names))
        up = ((f"wordnet:{each}", f"wordnet:{each - 1}") for each in range(1, len(names)))
        return [*words("wordnet", *names), nodes("Synset", *synsets), edges("SENSE", *senses), edges("HYPERNYM", *up)]

    def by_counts(reader: ServerStore) -> set[int]:
        counts = reader.counts()
        assert counts["wiki"]["Article"] == 2
        found = counts["wordnet"]
        assert counts[""]["Stem"] == found["Label"] + 2
        return {found[name] - 400 for name in ("Label", "Synset", "FORM", "SENSE")} | {found["HYPERNYM"] - 399}

    def by_labels(reader: ServerStore) -> set[int]:
        entries = reader.labels("wordnet", [f"word {each}" for each in range(400)])
        assert len(entries) == 400
        return {sense.rank for entry in entries.values() for sense in entry.senses}

    def by_stream(reader: ServerStore) -> set[int]:
        glosses = [gloss for batch in reader.stream_nodes("Synset", "wordnet") for gloss in batch["gloss"].to_pylist()]
        return {int(gloss) for gloss in glosses} | {len(glosses) - 400}

    def by_cypher(reader: ServerStore) -> set[int]:
        answer = reader.cypher("MATCH (s:Synset) RETURN s.gloss, count(*)")
        return {int(gloss) for gloss, _ in answer.rows} | {count - 400 for _, count in answer.rows}

    def by_edges(reader: ServerStore) -> set[int]:
        ids = [f"wordnet:{each}" for each in range(1, 500)]
        return {sum(map(len, reader.expand(ids, ["HYPERNYM"], "out").values())) - 399}

    ended = threading.Event()
    accepted: dict[str, list[set[int]]] = {}
    failures: list[BaseException] = []

    def hammer(way: Any) -> None:
        seen = accepted.setdefault(way.__name__, [])
        try:
            with ServerStore(address) as reader:
                while not ended.is_set():
                    seen.append(way(reader))
        except BaseException as error:
            failures.append(error)

    store.replace(base(), generation(1))
    readers = [threading.Thread(target=hammer, args=(way,)) for way in (by_counts, by_labels, by_stream, by_cypher, by_edges)]
    for reader in readers:
        reader.start()
    try:
        for number in range(2, 6):
            store.replace(base(), generation(number))
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert not failures
    for way, seen in accepted.items():
        assert seen, way
        assert all(len(each) == 1 for each in seen), (way, seen)
        numbers = [next(iter(each)) for each in seen]
        assert numbers == sorted(numbers), way
        assert set(numbers) <= set(range(1, 6)), way


ATTACKS = [
    "MATCH (s:Synset) SET s.name = 'x' RETURN s",
    r"MATCH (s:Synset) \u0053ET s.name = 'x' RETURN s",
    "CREATE (:Person)",
    "MATCH (s:Synset) DETACH DELETE s",
    "CREATE INDEX attack FOR (p:Person) ON (p.name)",
    "DROP CONSTRAINT wayword_id",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "UNWIND [1] AS x CALL (x) { LOAD CSV FROM 'http://127.0.0.1:9/' AS line RETURN line } RETURN line",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW TRANSACTIONS",
    "SHOW SETTINGS",
    "SHOW USERS",
    "CALL dbms.killConnection('bolt-1')",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CALL db.labels()",
    "MATCH (s:Synset) CALL (s) { SET s.name = 'x' } IN TRANSACTIONS OF 1 ROWS RETURN s",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    "CREATE USER attacker SET PASSWORD 'attackers-password'",
    "USE system SHOW DATABASES",
    "CREATE DATABASE attack",
    "STOP DATABASE neo4j",
]


@NEO4J
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_server_side_refuses_alone_what_the_guard_would(store: ServerStore, address: str, attack: str) -> None:
    store.replace(base(), animals())
    before = everything(store)
    state = [run(address, f"SHOW {what} YIELD name RETURN name") for what in ("INDEXES", "CONSTRAINTS", "DATABASES")]
    with pytest.raises(CypherError) as caught:
        run_statement(store._connection, attack, {}, 10, 10.0)
    assert "\n" not in str(caught.value)
    with pytest.raises(CypherRefused):
        store.cypher(attack)
    assert everything(store) == before
    assert [run(address, f"SHOW {what} YIELD name RETURN name") for what in ("INDEXES", "CONSTRAINTS", "DATABASES")] == state
    assert len(run(address, "SHOW USERS")) == 1


@NEO4J
@pytest.mark.parametrize(
    "statement",
    [
        "UNWIND range(1, 1000000000) AS x RETURN count(x)",
        "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y WITH x, y WHERE x + y < 0 RETURN x",
    ],
)
def test_what_takes_too_long_is_ended(store: ServerStore, address: str, statement: str) -> None:
    with pytest.raises(CypherTimeout, match=r"than 0\.5 seconds"):
        store.cypher(statement, timeout=0.5)
    assert run(address, RUNNING) == [[0]]
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_what_the_server_cannot_end_is_left_behind(store: ServerStore) -> None:
    with pytest.raises(CypherTimeout):
        store.cypher("RETURN reduce(a = 0, x IN range(1, 100000000) | a + x)", timeout=0.5)
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_rows_beyond_the_limit_are_not_fetched(store: ServerStore) -> None:
    answer = store.cypher("UNWIND range(1, 1000000000) AS x RETURN x", limit=3)
    assert answer.rows == ((1,), (2,), (3,))
    assert answer.truncated


@NEO4J
def test_as_deep_as_the_guard_allows_is_answered_or_ended(store: ServerStore) -> None:
    deep = "[" * 49 + "1" + "]" * 49
    try:
        ((value,),) = store.cypher(f"RETURN {deep} AS deep", timeout=5).rows
    except (CypherTimeout, CypherFailed):
        pass
    else:
        assert str(value) == deep
    assert store.cypher("RETURN 1 AS one").rows == ((1,),)


@NEO4J
def test_ctrl_c_ends_the_statement_on_the_server(store: ServerStore, address: str) -> None:
    def interrupt() -> None:
        while run(address, RUNNING) == [[0]]:
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    watcher = threading.Thread(target=interrupt)
    try:
        watcher.start()
        with pytest.raises(KeyboardInterrupt):
            store.cypher("UNWIND range(1, 1000000000000) AS x RETURN count(x)", timeout=120)
    finally:
        watcher.join()
        signal.signal(signal.SIGINT, handler)
    assert run(address, RUNNING) == [[0]]


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
        server_connection.check_version(agent, "bolt://localhost")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/5.26.12", "Neo4j/5.27-aura", "Neo4j/2025.08.0"])
def test_newer_servers_are_taken(agent: str) -> None:
    server_connection.check_version(agent, "bolt://localhost")


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
                store.replace(base(), animals())
    assert address in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_server_that_says_nothing_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_connection, "PATIENCE", 0.3)
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
