"""The in-memory store as users reach it, at the address ``memory:``; the contract tests cover the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

import wayword
from wayword.graph import open_store
from wayword.graph.errors import CypherRefused
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.memory import MemoryStore
from wayword.loaders import open_wordnet

from ..support.command_line import wayword as command
from ..support.graphs import animals, base
from ..support.mini_wordnet import MiniSynset, write_files

WORDS = [
    MiniSynset("n", ["enclosure"], "a structure that has been enclosed", [("~", 1, 0, 0)]),
    MiniSynset("n", ["cage", "coop"], "an enclosure of wire or wood", [("@", 0, 0, 0)]),
]


def test_each_in_memory_store_starts_empty() -> None:
    with open_store("memory:") as first, open_store("memory:") as second:
        first.replace_base(base(), animals())
        assert first.counts()["wordnet"]["Synset"] == 4
        assert second.bases() == []


def test_closing_an_in_memory_store_discards_its_content() -> None:
    with open_store("memory:") as store:
        store.replace_base(base(), animals())
    assert store.bases() == []


def test_a_path_named_like_the_address_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in (Path("memory:"), "./memory:"):
        assert isinstance(open_store(address), EmbeddedStore)
    assert isinstance(open_store("memory:"), MemoryStore)


def test_an_in_memory_graph_scores_like_an_embedded_one_without_writing_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "dict", WORDS)
    cache = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    with EmbeddedStore(tmp_path / "graph") as store:
        ingest(store, open_wordnet(tmp_path / "dict"))
    with wayword.open(tmp_path / "graph") as stored, wayword.open("memory:") as graph:
        ingest(graph.store, open_wordnet(tmp_path / "dict"))
        assert graph.score("enclosure", "coop").to_dict() == stored.score("enclosure", "coop").to_dict()
        assert graph.score("enclosure", "coop").score > 0
        assert graph.senses("cage") == stored.senses("cage")
        assert list(graph.scores([("cage", "enclosure")])) == list(stored.scores([("cage", "enclosure")]))
        assert graph.info().address == "memory:"
    assert not cache.exists()


def test_a_load_changes_the_answers_of_an_open_graph(tmp_path: Path) -> None:
    write_files(tmp_path / "some", [MiniSynset("n", ["enclosure"])])
    write_files(tmp_path / "all", WORDS)
    with wayword.open("memory:") as graph:
        ingest(graph.store, open_wordnet(tmp_path / "some"))
        assert graph.unknown(["coop"]) == {"coop"}
        ingest(graph.store, open_wordnet(tmp_path / "all"))
        assert graph.unknown(["coop"]) == set()


def test_cypher_is_refused() -> None:
    with (
        wayword.open("memory:") as graph,
        pytest.raises(CypherRefused, match="has no Cypher; open a path or a bolt:// URL"),
    ):
        graph.cypher("RETURN 1")


def test_the_command_line_refuses_an_in_memory_store(capsys: pytest.CaptureFixture[str]) -> None:
    ran = command(capsys, "--store", "memory:", "info")
    assert ran.code == 2
    assert "a store in memory is lost when the command ends; give --store a path" in ran.err
