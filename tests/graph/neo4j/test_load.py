"""A load is atomic whatever becomes of it, and there is one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from wayword.graph.errors import (
    StoreBusy,
    StoreError,
    StoreUnreadable,
)
from wayword.graph.neo4j import consistent_reads, load
from wayword.graph.neo4j.load_lock import HeldLock
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.records import Batch

from ...support.graphs import animals, base, edges, nodes, wiki, words
from ...support.neo4j_servers import NEO4J, run
from ...support.neo4j_views import everything, marked


class KilledError(BaseException):
    """Ends a load as a kill does: nothing of it runs any more."""


def killed(store: ServerStore, monkeypatch: pytest.MonkeyPatch, after: int, batches: Sequence[Batch]) -> bool:
    """Whether a load came to its end before its connection was cut after some statements."""
    left = after
    whole = HeldLock.run

    def cut(self: HeldLock, *arguments: Any) -> Any:
        nonlocal left
        if left <= 0:
            raise KilledError
        left -= 1
        return whole(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(HeldLock, "run", cut)
        try:
            store.replace_base(base(), batches)
        except KilledError:
            return False
    return True


@NEO4J
@pytest.mark.slow
def test_a_load_that_dies_at_any_statement_is_finished_or_forgotten(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistent_reads, "INTERRUPTED", 0.0)
    old, new = animals(), [*words("wordnet", "dog", "mice"), nodes("Synset", {"id": "wordnet:2-n", "name": "new"})]
    store.replace_base(base("wiki", "wikipedia"), wiki())
    store.replace_base(base(), old)
    before = {**everything(store), "bases": None}
    store.replace_base(base(), new)
    after = {**everything(store), "bases": None}
    outcomes = []
    for statements in range(200):
        store.replace_base(base(), old)
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
    monkeypatch.setattr(consistent_reads, "INTERRUPTED", 0.0)
    old = store.replace_base(base(), words("wordnet", "dog"))

    def die(reached: str) -> None:
        if reached == state:
            raise KilledError

    with pytest.raises(KilledError):
        load.replace_base(store._connection, base(left=2), words("wordnet", "mice"), lambda *_: None, die)
    if state == "retiring":
        assert store.bases() == [old]
    else:
        with pytest.raises(StoreUnreadable, match="interrupted"):
            store.labels("wordnet", ["dog"])
    store.replace_base(base("other"), words("other", "cat"))
    found = {each.id: each for each in store.bases()}
    assert store.labels("wordnet", ["dog", "mice"]).keys() == ({"dog"} if state == "retiring" else {"mice"})
    assert found["wordnet"].left_out == ({} if state == "retiring" else {"left": 2})
    assert (found["wordnet"] == old) == (state == "retiring")


@NEO4J
def test_an_interrupted_switch_is_finished_before_the_interrupt_goes_on(store: ServerStore, address: str) -> None:
    store.replace_base(base(), words("wordnet", "dog"))

    def interrupt(reached: str, once: list[str] = []) -> None:  # noqa: B006
        if reached == "promoting" and not once:
            once.append(reached)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load.replace_base(store._connection, base(), words("wordnet", "mice"), lambda *_: None, interrupt)
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"mice"}


@NEO4J
def test_an_interrupted_staging_leaves_nothing(store: ServerStore, address: str) -> None:
    made = store.replace_base(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.replace_base(base(), batches())
    assert store.bases() == [made]
    assert [labels for labels, _ in marked(address)] == [["Base", "Wayword"], ["Label", "Wayword"], ["Stem", "WaywordStem"]]


@NEO4J
def test_one_load_at_a_time(store: ServerStore, address: str) -> None:
    refused: list[str] = []

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "dog")
        with ServerStore(address) as other, pytest.raises(StoreBusy) as caught:
            other.replace_base(base("other"), words("other", "cat"))
        refused.append(str(caught.value))

    made = store.replace_base(base(), batches())
    assert store.bases() == [made]
    (message,) = refused
    assert f"process {os.getpid()}" in message
    assert "wordnet" in message
    store.replace_base(base("other"), words("other", "cat"))


@NEO4J
def test_a_load_whose_lock_was_ended_stops(store: ServerStore, address: str) -> None:
    made = store.replace_base(base(), words("wordnet", "dog"))

    def batches() -> Iterator[Batch]:
        yield from words("wordnet", "mice")
        ended = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.wayword = 'lock' RETURN transactionId"
        run(address, "TERMINATE TRANSACTIONS $ids", ids=[row[0] for row in run(address, ended)])
        yield edges("SIMILAR")

    with pytest.raises(StoreError, match="lost its lock"):
        store.replace_base(base(), batches())
    assert store.bases() == [made]
    assert store.labels("wordnet", ["dog", "mice"]).keys() == {"dog"}
    assert store.recover()
