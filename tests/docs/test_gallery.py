"""The Cypher gallery: every statement of docs/cypher.md returns the rows shown, and the same rows on both engines."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tools import refresh_docs

import wayword
from wayword import Answer, Graph
from wayword.answer_text import answer_table
from wayword.graph.cypher.values import to_json_value
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.schema import NODES, RELATIONSHIPS
from wayword.graph.store import Store
from wayword.loaders import open_hashtags, open_wikipedia, open_wordnet
from wayword.search.bases.projector import project
from wayword.search.presentation.match_cypher import to_cypher

from ..support import ROOT
from ..support.examples import EVERY
from ..support.gallery_wordnet import write_gallery
from ..support.neo4j_servers import NEO4J, neo4j_address, use_empty_server
from ..support.sharing import build_once
from ..support.wordsub_answers import compare_answers

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop

NOTEBOOKS = [pytest.param(path, id=path.name) for path in refresh_docs.NOTEBOOKS]
PAGE = (ROOT / "docs/cypher.md").read_text(encoding="utf-8")
GALLERY = refresh_docs.parse_statements(PAGE)
BOTH = [pytest.param(each, id=f"line {each.line}") for each in GALLERY if not each.engine]
WRITTEN = [pytest.param(each, id=f"line {each.line}") for each in GALLERY if each.table is not None]
ONE = {engine: [each for each in GALLERY if each.engine == engine] for engine in ("neo4j", "ladybugdb")}
PAIRS = [pytest.param(*pair, id=f"line {pair[0].line}") for pair in zip(ONE["neo4j"], ONE["ladybugdb"], strict=True)]
SOURCES = ["small", pytest.param("real", marks=pytest.mark.slow)]


def _source(name: str, request: pytest.FixtureRequest, folder: Path) -> Path:
    if name == "small":
        return write_gallery(folder / "gallery.xml")
    data: Path = request.getfixturevalue("data")
    return data / "wordnet" / "wordnet31_nltk_dict.tar.gz"


@pytest.fixture(scope="module", params=SOURCES)
def source(request: pytest.FixtureRequest) -> str:
    """The WordNet that the statements run on."""
    name: str = request.param
    return name


def _add_examples(store: Store, folder: Path) -> None:
    """Add the small wiki and the thesaurus in examples/ to a store."""
    ingest(store, open_hashtags(refresh_docs.THESAURUS))
    with (
        ThreadPoolExecutor(1) as executor,
        open_wikipedia(refresh_docs.WIKI, bundle=folder / "bundle", executor=executor) as loader,
    ):
        ingest(store, loader)


@pytest.fixture(scope="module")
def stored(source: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An embedded store with a WordNet, the small wiki and the thesaurus."""

    def make(path: Path) -> None:
        if source == "real":
            shutil.copy(request.getfixturevalue("wordnet31"), path)
        with EmbeddedStore(path) as store:
            if source == "small":
                ingest(store, open_wordnet(_source(source, request, path.parent)))
            _add_examples(store, path.parent)

    return build_once(tmp_path_factory, f"gallery-{source}", make)


@pytest.fixture(scope="module")
def embedded(stored: Path) -> Iterator[Graph]:
    with wayword.open(stored) as graph:
        yield graph


@pytest.fixture(scope="module")
def server(source: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("gallery")
    with use_empty_server(neo4j_address()) as address, wayword.open(address) as graph:
        ingest(graph.store, open_wordnet(_source(source, request, folder)))
        _add_examples(graph.store, folder)
        yield graph


def answer(graph: Graph, statement: Any) -> Answer:
    """Run the statement of a block with its -p options."""
    parameters = [each.partition("=") for each in statement.options if each != "-p"]
    return graph.cypher(statement.text, **{name: _parse_value(text) for name, _, text in parameters})


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def comparable(found: Answer, statement: Any) -> tuple[tuple[str, ...], list[str]]:
    """Return columns and rows in a form that is equal for both engines.

    Without ORDER BY the rows are sorted. Floats are rounded, since engines may differ in the last bit.
    """
    rows = [json.dumps(_round_floats(to_json_value(row)), sort_keys=True) for row in found.rows]
    return found.columns, rows if "ORDER BY" in statement.text else sorted(rows)


def _round_floats(value: Any) -> Any:
    match value:
        case float():
            return float(f"{value:.12g}")
        case list():
            return [_round_floats(each) for each in value]
        case dict():
            return {key: _round_floats(each) for key, each in value.items()}
    return value


def test_every_block_of_the_page_is_parsed() -> None:
    assert len(GALLERY) == PAGE.count("\n```cypher")
    assert len(WRITTEN) == PAGE.count("\n```text")


def test_page_documents_every_node_and_relationship_type() -> None:
    documented = {
        name: {each.partition(" ")[0] for each in properties.split(", ") if each}
        for names, properties in re.findall(r"^\| ([A-Z][A-Za-z_, ]+) \| .* \| (.*?) ?\|$", PAGE, re.MULTILINE)
        for name in names.split(", ")
    }
    labels = {"Base", "Stem", "Label", "Synset", "Article", "Redirect", "Category", "Hashtag"}
    nodes = {name: {*NODES[name].properties} - {"id"} for name in labels}
    relationships = {each.name: {*each.properties} for each in RELATIONSHIPS.values() if labels.issuperset(each.ends[0])}
    assert documented == nodes | relationships


@pytest.mark.parametrize("statement", BOTH)
def test_every_statement_returns_rows(statement: Any, embedded: Graph) -> None:
    found = answer(embedded, statement)
    assert found.rows
    assert not found.truncated


@pytest.mark.slow
@pytest.mark.parametrize("source", ["real"], indirect=True)
@pytest.mark.parametrize("statement", WRITTEN)
def test_statements_return_the_rows_shown(statement: Any, embedded: Graph) -> None:
    found = answer(embedded, statement)
    printed = answer_table(found) + "\n"
    assert refresh_docs.matches_output(statement.table, printed), f"run `make docs`:\n{printed}"


@NEO4J
@pytest.mark.parametrize("statement", BOTH)
def test_both_engines_return_the_same_rows(statement: Any, embedded: Graph, server: Graph) -> None:
    from_embedded, from_server = (comparable(answer(graph, statement), statement) for graph in (embedded, server))
    assert from_embedded == from_server


@NEO4J
@pytest.mark.parametrize(("neo4j", "ladybugdb"), PAIRS)
def test_statements_for_a_single_engine_are_equivalent(neo4j: Any, ladybugdb: Any, embedded: Graph, server: Graph) -> None:
    found = comparable(answer(server, neo4j), neo4j)
    assert found[1]
    assert found == comparable(answer(embedded, ladybugdb), ladybugdb)


@NEO4J
@pytest.mark.parametrize("source", ["small"], indirect=True)
def test_both_engines_show_the_same_path_over_two_bases(stored: Path, server: Graph) -> None:
    found = []
    for address in (stored, server.store.address):
        with wayword.open(address, base=["wordnet", "orchardwiki"]) as graph:
            match = graph.score("citrus", "blood orange")
            found.append((match.path, to_json_value(graph.cypher(to_cypher(match)).rows)))
    assert found[0] == found[1]
    assert [step.step for step in found[0][0]] == [None, "specialisation", "crossing", "central", "specialisation"]
    assert len(found[0][1]) == 1


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_notebooks_run(path: Path, embedded: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYWORD_STORE", embedded.store.address)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], len({cell["id"] for cell in notebook["cells"]})) == (4, len(notebook["cells"]))
    for saved, cell in zip(notebook["cells"], refresh_docs.execute_notebook(notebook)["cells"], strict=True):
        assert cell.keys() == saved.keys()
        assert _output_types(cell) == _output_types(saved)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_saved_notebook_outputs_are_current(path: Path, wordnet31: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYWORD_STORE", str(wordnet31))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert refresh_docs.execute_notebook(notebook) == notebook, "run `make docs`"


def _output_types(cell: dict[str, Any]) -> list[list[str]]:
    return [[each["output_type"], *each.get("data", {})] for each in cell.get("outputs", [])]


@NEO4J
@pytest.mark.slow
@pytest.mark.parametrize("source", ["real"], indirect=True)
def test_the_projection_of_the_server_is_that_of_the_file(wordnet31: Path, server: Graph) -> None:
    """In this module because its server has the real WordNet."""
    with EmbeddedStore(wordnet31) as store:
        (_, ours), (_, theirs) = (project(each, "wordnet") for each in (store, server.store))
    assert {name: bool((array == theirs[name]).all()) for name, array in ours.items()} == dict.fromkeys(theirs, True)


@NEO4J
@pytest.mark.slow
@pytest.mark.parametrize("source", ["real"], indirect=True)
@pytest.mark.parametrize(("profile", "derivation"), [("people", "word"), ("thesis", "synset")])
def test_wordsub_finds_the_same_paths_on_the_server(
    data: Path, wordnet31: Path, server: Graph, profile: str, derivation: str
) -> None:
    with (
        wayword.open(server.store.address, profile=profile, derivation=derivation, view="live") as theirs,
        wayword.open(wordnet31, profile=profile, derivation=derivation) as embedded,
    ):
        ours = [match for _, match in compare_answers(data, embedded, EVERY)]
        assert [match for _, match in compare_answers(data, theirs, EVERY)] == ours
