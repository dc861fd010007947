"""Each read during loads sees one load."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from wayword.graph.neo4j import load
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.records import Batch

from ...support.graphs import base, edges, nodes, wiki, words
from ...support.neo4j_servers import NEO4J


@NEO4J
@pytest.mark.slow
def test_every_read_during_loads_sees_one_generation(store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "TRANSACTION_SIZE", 40)
    store.replace_base(base("wiki", "wikipedia"), wiki())

    def generation(number: int) -> list[Batch]:
        names = [f"word {each}" for each in range(400 + number)]
        synsets = ({"id": f"wordnet:{each}", "gloss": str(number)} for each in range(len(names)))
        senses = ((f"wordnet/{name}", f"wordnet:{each}", {"rank": number}) for each, name in enumerate(names))
        up = ((f"wordnet:{each}", f"wordnet:{each - 1}") for each in range(1, len(names)))
        return [*words("wordnet", *names), nodes("Synset", *synsets), edges("SENSE", *senses), edges("HYPERNYM", *up)]

    # Each of these reads in one way and returns the generations that it saw.
    def by_counts(reader: ServerStore) -> set[int]:
        counts = reader.counts()
        assert counts["wiki"]["Article"] == 4
        of_base = counts["wordnet"]
        assert counts[""]["Stem"] == of_base["Label"] + 2
        return {of_base[name] - 400 for name in ("Label", "Synset", "FORM", "SENSE")} | {of_base["HYPERNYM"] - 399}

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
        return {sum(map(len, reader.edges(ids, ["HYPERNYM"], "out").values())) - 399}

    ended = threading.Event()
    seen: dict[str, list[set[int]]] = {}
    failures: list[BaseException] = []

    def read_repeatedly(read: Any) -> None:
        results = seen.setdefault(read.__name__, [])
        try:
            with ServerStore(address) as reader:
                while not ended.is_set():
                    results.append(read(reader))
        except BaseException as error:
            failures.append(error)

    store.replace_base(base(), generation(1))
    readers = [
        threading.Thread(target=read_repeatedly, args=(read,))
        for read in (by_counts, by_labels, by_stream, by_cypher, by_edges)
    ]
    for reader in readers:
        reader.start()
    try:
        for number in range(2, 6):
            store.replace_base(base(), generation(number))
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert not failures
    for name, results in seen.items():
        assert results, name
        assert all(len(each) == 1 for each in results), (name, results)
        numbers = [next(iter(each)) for each in results]
        assert numbers == sorted(numbers), name
        assert set(numbers) <= set(range(1, 6)), name
