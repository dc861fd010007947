"""Loads are atomic however they end, and exclude each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from wayword.graph.errors import LoadError, StoreBusy, StoreError, StoreUnreadable
from wayword.graph.neo4j import consistent_reads, load
from wayword.graph.neo4j.load_lock import HeldLock
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.records import Batch

from ...support.graphs import animals, base, edges, nodes, wiki, words
from ...support.neo4j_servers import NEO4J, run
from ...support.neo4j_views import count_owned_nodes, read_everything, recover


class KilledError(BaseException):
    """Ends a load like a kill: no further statement reaches the server."""


def run_with_kill(monkeypatch: pytest.MonkeyPatch, after: int, change: Callable[[], object]) -> bool:
    """Load or remove a base, but stop after some statements; return whether the change finished before."""
    left = after
    run_statement = HeldLock.run

    def run_or_die(self: HeldLock, *arguments: Any) -> Any:
        nonlocal left
        if left <= 0:
            raise KilledError
        left -= 1
        return run_statement(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(HeldLock, "run", run_or_die)
        try:
            change()
        except KilledError:
            return False
    return True


@NEO4J
@pytest.mark.slow
def test_a_load_that_dies_at_any_statement_is_finished_or_rolled_back(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED_AFTER", 0.0)
    old, new = animals(), [*words("wordnet", "dog", "mice"), nodes("Synset", {"id": "wordnet:2-n", "name": "new"})]
    store.replace_base(base("wiki", "wikipedia"), wiki())
    store.replace_base(base(), old)
    before = {**read_everything(store), "bases": None}
    store.replace_base(base(), new)
    after = {**read_everything(store), "bases": None}
    outcomes = []
    for statements in range(200):
        store.replace_base(base(), old)
        revision = store.revision()
        ended = run_with_kill(monkeypatch, statements, lambda: store.replace_base(base(), new))
        try:
            seen = read_everything(store)
        except StoreUnreadable:
            recover(store)
            seen = read_everything(store)
            assert {**seen, "bases": None} == after
            outcomes.append("finished")
        else:
            moved = store.revision() > revision
            assert {**seen, "bases": None} == (after if moved else before)
            outcomes.append("new" if moved else "old")
        recover(store)
        assert {**read_everything(store), "bases": None} == (before if outcomes[-1] == "old" else after)
        assert not [labels for labels, _ in count_owned_nodes(address) if "Retired" in str(labels) or "Loading" in str(labels)]
        if ended:
            break
    assert ended
    assert list(dict.fromkeys(outcomes)) == ["old", "finished", "new"]


@NEO4J
@pytest.mark.slow
def test_a_removal_that_dies_at_any_statement_is_finished_or_rolled_back(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED_AFTER", 0.0)
    store.replace_base(base("wiki", "wikipedia"), wiki())
    after = read_everything(store)
    outcomes = []
    for statements in range(100):
        store.replace_base(base(), animals())
        before = read_everything(store)
        ended = run_with_kill(monkeypatch, statements, lambda: store.remove_base("wordnet"))
        try:
            seen = read_everything(store)
        except StoreUnreadable:
            assert store.remove_base("wordnet").id == "wordnet"
            seen = read_everything(store)
            assert seen == after
            outcomes.append("finished")
        else:
            assert seen in (before, after)
            outcomes.append("old" if seen == before else "new")
        recover(store)
        assert not [labels for labels, _ in count_owned_nodes(address) if "Retired" in str(labels)]
        if ended:
            break
    assert ended
    assert list(dict.fromkeys(outcomes)) == ["old", "finished", "new"]


@NEO4J
@pytest.mark.parametrize("state", ["retiring", "promoting", "ready"])
def test_the_next_load_of_any_base_finishes_an_interrupted_one(
    store: ServerStore, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED_AFTER", 0.0)
    old = store.replace_base(base(), words("wordnet", "dog"))

    def die(phase: str) -> None:
        if phase == state:
            raise KilledError

    with pytest.raises(KilledError):
        load.replace_base(store._connection, base(left=2), words("wordnet", "mice"), lambda *_: None, die)
    if state == "retiring":
        assert store.bases() == [old]
    else:
        with pytest.raises(StoreUnreadable, match="interrupted"):
            store.labels("wordnet", ["dog"])
    store.replace_base(base("other"), words("other", "cat"))
    stored = {each.id: each for each in store.bases()}
    assert store.labels("wordnet", ["dog", "mice"]).keys() == ({"dog"} if state == "retiring" else {"mice"})
    assert stored["wordnet"].left_out == ({} if state == "retiring" else {"left": 2})
    assert (stored["wordnet"] == old) == (state == "retiring")


@NEO4J
def test_ctrl_c_during_a_switch_is_raised_after_the_switch(store: ServerStore, address: str) -> None:
    store.replace_base(base(), words("wordnet", "dog"))

    phases: list[str] = []

    def interrupt(phase: str) -> None:
        phases.append(phase)
        if phases.count("promoting") == 1 and phase == "promoting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load.replace_base(store._connection, base(), words("wordnet", "mice"), lambda *_: None, interrupt)
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"mice"}


@NEO4J
def test_ctrl_c_during_staging_leaves_no_nodes(store: ServerStore, address: str) -> None:
    old_base = store.replace_base(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.replace_base(base(), batches())
    assert store.bases() == [old_base]
    assert [labels for labels, _ in count_owned_nodes(address)] == [
        ["Base", "Wayword"],
        ["Label", "Wayword"],
        ["Stem", "WaywordStem"],
    ]


@NEO4J
def test_a_second_load_is_refused_while_one_is_running(store: ServerStore, address: str) -> None:
    refused: list[str] = []

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "dog")
        with ServerStore(address) as other, pytest.raises(StoreBusy) as caught:
            other.replace_base(base("other"), words("other", "cat"))
        refused.append(str(caught.value))

    old_base = store.replace_base(base(), batches())
    assert store.bases() == [old_base]
    (message,) = refused
    assert f"process {os.getpid()}" in message
    assert "wordnet" in message
    store.replace_base(base("other"), words("other", "cat"))


@NEO4J
def test_a_load_that_loses_its_lock_stops(store: ServerStore, address: str) -> None:
    old_base = store.replace_base(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        ended = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.wayword = 'lock' RETURN transactionId"
        run(address, "TERMINATE TRANSACTIONS $ids", ids=[row[0] for row in run(address, ended)])
        yield edges("SIMILAR")

    with pytest.raises(StoreError, match="lost its lock"):
        store.replace_base(base(), batches())
    assert store.bases() == [old_base]
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"dog"}
    assert ["WaywordLoadingLabel"] in [labels for labels, _ in count_owned_nodes(address)]
    recover(store)
    assert not [labels for labels, _ in count_owned_nodes(address) if "Loading" in str(labels)]


@NEO4J
def test_a_base_of_another_schema_is_refused_until_it_is_loaded_again(store: ServerStore, address: str) -> None:
    old_base = store.replace_base(base("wiki", "wikipedia"), wiki())
    other = store.replace_base(base(), animals())
    run(
        address,
        "MATCH (b:Base {id: 'wiki'}) SET b.schema = 'old', b.relationships = replace(b.relationships, $new, $old)",
        new="LINKS_IN_PARENTHESES",
        old="LINKS_ASIDE",
    )
    run(address, "MATCH (a)-[r:LINKS_IN_PARENTHESES]->(b) CREATE (a)-[s:LINKS_ASIDE]->(b) SET s = properties(r) DELETE r")
    article = "wiki:Dog"
    assert store.bases() == [old_base, other]  # or no load could replace it by name
    for read in (
        store.revision,
        store.counts,
        lambda: store.links([article]),
        lambda: list(store.stream_edges("LINKS_TO")),
        lambda: store.cypher("RETURN 1"),
    ):
        with pytest.raises(StoreUnreadable, match=r"base wiki in .* another version of wayword; load it again") as caught:
            read()
        assert "\n" not in str(caught.value)
    assert store.labels("wordnet", ["dog"]).keys() == {"dog"}
    again = store.replace_base(base("wiki", "wikipedia"), wiki())
    assert store.bases() == [again, other]
    assert again.revision > old_base.revision
    assert [link.other for link in store.links([article])[article]] == ["wiki:Wolf (band)", "wiki:Wolf"]
    assert run(address, "MATCH ()-[r:LINKS_ASIDE]->() RETURN count(r)") == [[0]]


@NEO4J
def test_what_users_attached_to_a_base_of_another_schema_is_never_deleted(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    run(address, "MATCH (b:Base {id: 'wordnet'}) SET b.schema = 'old'")
    run(address, "MATCH (s:Synset {id: 'wordnet:1-n'}) CREATE (:Person)-[:LIKES]->(s)")
    with pytest.raises(LoadError, match=r"wordnet:1-n.*a relationship"):
        store.replace_base(base(), animals())
    assert run(address, "MATCH (:Person)-[:LIKES]->(s) RETURN s.id") == [["wordnet:1-n"]]
