"""Real dumps and an invented one, compared with the results of an independent implementation of the same rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wayword import loaders
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders.wikipedia.options import Options

from ...support.wiki_dumps import edges, nodes

DUMPS = {
    "invented": "checks/invented.xml",
    "ltgwiki": "ltgwiki-pages-articles.xml.bz2",
}
KNOWN = {
    "schoolswiki": {"LINKS_TO": 69_616, "LINKS_IN_PARENTHESES": 3_917},
    "ltgwiki": {
        "articles": 903, "redirects": 141, "categories": 536, "subcategory edges": 604, "membership edges": 820,
        "labels": 1_672, "central articles": 143,
    },
}  # fmt: skip

REDIRECTS = {"redirect_loop", "redirect_to_no_article", "redirect_to_disambiguation"}


def load_dump(data: Path, name: str, folder: Path, options: Options | None = None) -> EmbeddedStore:
    store = EmbeddedStore(folder / "graph")
    with loaders.open_wikipedia(data / "wiki" / DUMPS[name], name, options, bundle=folder / "bundle", workers=2) as loader:
        ingest(store, loader)
    return store


def count_contents(store: EmbeddedStore, name: str) -> dict[str, int]:
    """Return the figures of the checks from the contents of the store."""
    articles = nodes(store, "Article")
    keeps_disambiguation = store.bases()[0].options.get("keep_disambiguation", False)
    disambiguation = 0 if keeps_disambiguation else sum(row["disambiguation"] for row in articles)
    central = edges(store, "CENTRAL_TO")
    senses = Counter(edge[0] for edge in edges(store, "SENSE"))
    counts = store.counts()[name]
    return {
        "articles": len(articles) - disambiguation,
        "disambiguation pages left out": disambiguation,
        "redirects": counts.get("Redirect", 0),
        "categories": counts["Category"],
        "subcategory edges": counts["SUBCATEGORY_OF"],
        "membership edges": counts["IN_CATEGORY"] + counts["CENTRAL_TO"],
        "kept category edges": counts["SUBCATEGORY_OF"] + counts["IN_CATEGORY"] + counts["CENTRAL_TO"],
        "labels": counts["Label"],
        "stem keys": len({stem for batch in store.stream_edges("FORM") for stem in batch["from"].to_pylist()}),
        "uses": sum(row["uses"] for row in nodes(store, "Label")),
        "senses before cut-off": counts["SENSE"],
        "labels with more than one sense": sum(count > 1 for count in senses.values()),
        "central pairs (category, article)": len(central),
        "central articles": len({edge[0] for edge in central}),
        "categories with a central article": len({edge[1] for edge in central}),
    }


@pytest.mark.parametrize("name", ["invented", pytest.param("schoolswiki", marks=pytest.mark.slow)])
def test_counts_senses_and_priors_match_the_independent_implementation(
    data: Path, tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    shared = EmbeddedStore(request.getfixturevalue("schoolswiki_store")) if name == "schoolswiki" else None
    with shared or load_dump(data, name, tmp_path) as store:
        expected = json.loads((data / "wiki" / "checks" / f"{name}_counts.json").read_text())
        found = count_contents(store, name)
        assert found == {figure: expected[figure] for figure in found}
        base = store.bases()[0]
        assert found["uses"] - found["articles"] - found["redirects"] == expected["links kept"]
        assert base.left_out.get("hidden_category", 0) == expected["hidden categories left out"]
        assert sum(count for reason, count in base.left_out.items() if reason in REDIRECTS) == expected["redirects dropped"]
        assert_senses(store, name, json.loads((data / "wiki" / "checks" / f"{name}_senses.json").read_text()))


def assert_senses(store: EmbeddedStore, base: str, expected: Mapping[str, Mapping[str, Any]]) -> None:
    entries = store.labels(base, list(expected))
    for label, reference in expected.items():
        entry = entries[label]
        assert entry.uses == reference["uses"]
        assert [(sense.entity, sense.uses) for sense in entry.senses] == [
            (f"{base}:{sense['article']}", sense["uses"]) for sense in reference["senses"]
        ]
        assert [sense.prior for sense in entry.senses] == pytest.approx(
            [sense["prior"] for sense in reference["senses"]], abs=1e-9
        )
        assert [sense.rank for sense in entry.senses] == list(range(1, len(reference["senses"]) + 1))
        assert label in {found.name for found in store.labels_by_stem(base, [reference["stem"]])[reference["stem"]]}


@pytest.mark.slow
def test_first_links_match_the_independent_implementation(data: Path, schoolswiki_store: Path) -> None:
    with EmbeddedStore(schoolswiki_store) as store:
        found: dict[str, list[tuple[int, int, str]]] = {}
        for start, end, rank, place, _ in edges(store, "LINKS_TO"):
            found.setdefault(start, []).append((rank, place, end))
        in_parentheses: dict[str, list[tuple[int, str]]] = {}
        for start, end, place, _ in edges(store, "LINKS_IN_PARENTHESES"):
            in_parentheses.setdefault(start, []).append((place, end))
        lines = (data / "wiki" / "checks" / "schoolswiki_links.jsonl").read_text().splitlines()
        assert len(lines) == 150
        for reference in map(json.loads, lines):
            links, between = sorted(found.get(reference["title"], [])), in_parentheses.get(reference["title"], [])
            assert [end for _, _, end in links] == reference["links"]
            with_parentheses = sorted([(place, end) for _, place, end in links] + between)
            assert [end for _, end in with_parentheses][:20] == reference["links_with_parentheses"]


@pytest.mark.slow
def test_counts_of_a_small_real_wiki_are_reproduced(data: Path, tmp_path: Path) -> None:
    with load_dump(data, "ltgwiki", tmp_path) as store:
        found = count_contents(store, "ltgwiki")
        assert {figure: found[figure] for figure in KNOWN["ltgwiki"]} == KNOWN["ltgwiki"]
        (base,) = store.bases()
        assert base.language == "ltg"
        assert base.left_out["hidden_category"] == 3
