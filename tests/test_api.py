"""The Python API: an open graph, a closed graph, values that are not phrases, and loading."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword.core.native_code import load_native
from wayword.graph.errors import CypherRefused
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.memory import MemoryStore
from wayword.loaders import open_wordnet
from wayword.search.errors import PhraseError
from wayword.search.paths.native_search import NativeSearch

from .support.mini_wordnet import MiniSynset, write_files

WORDS = [
    MiniSynset("n", ["enclosure"], "a structure that has been enclosed", [("~", 1, 0, 0)]),
    MiniSynset("n", ["cage", "coop"], "an enclosure of wire <and> wood", [("@", 0, 0, 0)]),
    MiniSynset("n", ["thing"], "something else"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("session")
    write_files(folder / "dict", WORDS)
    with EmbeddedStore(folder / "graph.lbug") as store:
        ingest(store, open_wordnet(str(folder / "dict")))
    return folder / "graph.lbug"


@pytest.fixture
def graph(path: Path) -> Iterator[wayword.Graph]:
    with wayword.open(path) as graph:
        yield graph


def test_the_repr_of_a_graph_has_its_address(path: Path) -> None:
    graph = wayword.open(path, base="wordnet")
    assert repr(graph) == f"<wayword.Graph {str(path)!r}, base='wordnet'>"
    graph.close()
    assert repr(graph).endswith(", closed>")


@pytest.mark.parametrize(
    "ask",
    [
        lambda graph: graph.score("cage", "coop"),
        lambda graph: graph.scores([("cage", "coop")]),
        lambda graph: graph.senses("cage"),
        lambda graph: graph.unknown(["cage"]),
        lambda graph: graph.cypher("RETURN 1"),
        lambda graph: graph.info(),
    ],
)
def test_a_closed_graph_cannot_be_queried(path: Path, ask: Any) -> None:
    graph = wayword.open(path)
    ask(graph)
    graph.close()
    graph.close()
    with pytest.raises(wayword.WaywordError, match=r"is closed; open it again with wayword\.open"):
        ask(graph)


@pytest.mark.parametrize("value", [None, 7, float("nan"), b"cage", ["cage"]])
def test_a_phrase_that_is_not_a_string_is_an_error(graph: wayword.Graph, value: Any) -> None:
    for ask in (
        graph.senses,
        lambda each: graph.unknown([each]),
        lambda each: graph.score("cage", each),
        lambda each: graph.score(each, "cage"),
    ):
        with pytest.raises(PhraseError, match="is not text") as raised:
            ask(value)
        assert repr(value) in str(raised.value)
    with pytest.raises(PhraseError, match=r"in the pair at index 1, .* is not text"):
        list(graph.scores([("cage", "coop"), ("cage", value)]))


@pytest.mark.parametrize("pair", ["ab", ("cage",), ("cage", "coop", "pen"), float("nan"), None])
def test_an_invalid_pair_is_an_error_with_its_index(graph: wayword.Graph, pair: Any) -> None:
    with pytest.raises(PhraseError, match=r"the pair at index 2 is .*: give two phrases"):
        list(graph.scores(iter([("cage", "coop")] * 2 + [pair])))


def test_unknown_phrases_are_those_without_senses(graph: wayword.Graph) -> None:
    phrases = ["Cage", "xyzzy", "thing", "plugh"]
    assert graph.unknown(phrases) == {each for each in phrases if graph.senses(each).unknown} == {"xyzzy", "plugh"}
    assert graph.unknown("xyzzy") == {"xyzzy"}


def test_a_missing_parameter_is_an_error_with_python_advice(graph: wayword.Graph) -> None:
    with pytest.raises(CypherRefused, match=r"parameter \$id; pass it as an argument: cypher\(\.\.\., id=\.\.\.\)$"):
        graph.cypher("MATCH (n:Synset {id: $id}) RETURN n")


def test_an_answer_can_be_iterated_counted_and_printed(graph: wayword.Graph) -> None:
    answer = graph.cypher("MATCH (s:Synset) RETURN s.name AS name, s.gloss AS gloss ORDER BY name")
    assert isinstance(answer, wayword.Answer)
    assert len(answer) == 3
    assert [name for name, _ in answer] == ["cage", "enclosure", "thing"]
    assert str(answer).splitlines()[:2] == ["name       gloss", "cage       an enclosure of wire <and> wood"]
    assert ">an enclosure of wire &lt;and&gt; wood</td>" in answer._repr_html_()
    assert answer.to_dicts()[2]["name"] == "thing"


def test_senses_are_printed_as_text_and_html(graph: wayword.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    senses = graph.senses("cage")
    assert str(senses).splitlines()[0] == "cage"
    assert "an enclosure of wire <and> wood" in str(senses)
    assert "&lt;and&gt;" in senses._repr_html_()
    for text in (str(graph.senses("xyzzy")), graph.senses("xyzzy")._repr_html_()):
        assert '"xyzzy" is not in wordnet.' in text


@pytest.mark.parametrize("native", ["1", "0"])
def test_the_search_in_c_and_that_in_python_give_the_same_answers(
    path: Path, monkeypatch: pytest.MonkeyPatch, native: str
) -> None:
    monkeypatch.setenv("WAYWORD_NATIVE", native)
    load_native.cache_clear()
    with wayword.open(path) as graph, wayword.open(path, view="live") as live:
        assert isinstance(getattr(graph._scorer().find_path, "__self__", None), NativeSearch) == (native == "1")
        assert graph.score("enclosure", "coop") == live.score("enclosure", "coop")
        assert list(graph.scores([("coop", "cage")] * 3)) == [1.0] * 3
    load_native.cache_clear()


@pytest.mark.parametrize("package", ["", "graph", "loaders", "search", "embeddings", "evaluation"])
def test_every_exported_name_exists(package: str) -> None:
    module = importlib.import_module(f"wayword.{package}".rstrip("."))
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_load_wordnet_opens_the_store_at_an_address(tmp_path: Path) -> None:
    write_files(tmp_path / "dict", [MiniSynset("n", ["animal"]), MiniSynset("n", ["dog"], points=[("@", 0, 0, 0)])])
    seen: list[str] = []
    path = tmp_path / "graph"
    loaded = wayword.load_wordnet(tmp_path / "dict", store=path, name="zoo", progress=lambda doing, *_: seen.append(doing))
    assert (loaded.id, loaded.kind, loaded.nodes["Synset"], loaded.relationships["HYPERNYM"]) == ("zoo", "wordnet", 2, 1)
    assert list(dict.fromkeys(seen)) == ["parsing zoo", "stemming labels", "reading zoo", "storing"]
    with wayword.open(path, profile="thesis") as graph:
        assert graph.score("dog", "animal").score > 0.9
        assert graph.info().bases[0].nodes["Synset"] == 2


def test_sources_are_loaded_into_an_open_store(tmp_path: Path) -> None:
    wiki = Path(__file__).parents[1] / "examples" / "orchardwiki.xml"
    tags = Path(__file__).parents[1] / "examples" / "healthtags.csv"
    with MemoryStore() as store:
        loaded = wayword.load_wikipedia(wiki, store=store, workers=1, bundle=tmp_path / "bundle")
        assert (loaded.id, loaded.nodes["Article"], loaded.options) == ("orchardwiki", 40, {"first_links": 20})
        assert wayword.load_hashtags(tags, store=store).nodes["Hashtag"] > 0
        assert [base.id for base in store.bases()] == ["hashtags", "orchardwiki"]
