"""A wiki has the same scores, paths and traversals in every store and every view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from wayword.evaluation.hop.experiment import Experiment, run_experiment
from wayword.evaluation.runs.ledger import Ledger
from wayword.graph.ingestion import ingest
from wayword.graph.store import Store
from wayword.loaders import open_wikipedia
from wayword.loaders.wikipedia.options import Options
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer
from wayword.search.traversal.link_graph import open_link_graph
from wayword.search.traversal.strategy_options import StrategyOptions
from wayword.search.traversal.walk import WalkRules

from ...oracles.wiki_base import Base
from ...oracles.wiki_search import random_pairs
from ...support.loaded_wikis import live, load, projection
from ...support.stores import STORES

pytestmark = [pytest.mark.slow, pytest.mark.server, pytest.mark.xdist_group("neo4j")]

NAMES = ("memory", "embedded", "neo4j")


@pytest.fixture(scope="module")
def stores(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """Load the invented wiki of the checks into every store."""
    with ExitStack() as stack:
        found = {name: stack.enter_context(STORES[name](tmp_path_factory.mktemp(name))) for name in NAMES}
        for store in found.values():
            load(store, data / "wiki" / "checks" / "invented.xml")
        yield found


def test_ten_thousand_pairs_have_the_same_scores_and_paths(
    stores: dict[str, Store], invented: Base, stop_words: frozenset[str]
) -> None:
    scorers = [
        Scorer(WeightedView(projection(store, "synthetic"), Parameters()), stop_words=stop_words) for store in stores.values()
    ]
    scored = 0
    for pair in random_pairs(invented, 3, 10_000):
        first, *others = (scorer.match(*pair) for scorer in scorers)
        assert all(match == first for match in others)
        scored += first.score > 0.0
    assert scored > 1_000


def test_live_views_of_every_store_give_the_same_paths(
    stores: dict[str, Store], invented: Base, stop_words: frozenset[str]
) -> None:
    scorers = [
        Scorer(WeightedView(view, Parameters(bracketed=True)), stop_words=stop_words)
        for store in stores.values()
        for view in (live(store, "synthetic"), projection(store, "synthetic"))
    ]
    for pair in random_pairs(invented, 4, 300):
        first, *others = (scorer.match(*pair) for scorer in scorers)
        assert all(match == first for match in others), pair


def test_traversals_end_alike_in_every_store(stores: dict[str, Store], tmp_path: Path) -> None:
    with Ledger.open(str(tmp_path / "runs.sqlite")) as ledger:
        for store in stores.values():
            graph = open_link_graph(store, ["synthetic"])
            target = graph.title(int(np.bincount(graph.destinations).argmax()))
            for strategy in ("first", "second", "random"):
                for rules in (WalkRules(), WalkRules(first_links=3, keep_parentheses=True, limit=7)):
                    run_experiment(store, graph, Experiment(StrategyOptions(strategy), rules, target), ledger)
        traversals = [list(ledger.traversals(each.id)) for each in reversed(ledger.runs())]
    each = len(traversals) // len(stores)
    found = [traversals[start : start + each] for start in range(0, len(traversals), each)]
    assert found[0] == found[1] == found[2]
    assert all(rows for rows in found[0])
    assert {row.ending for rows in found[0] for row in rows} == {"reached", "cycle", "dead-end", "limit"}


def test_openings_are_read_alike_from_every_store(stores: dict[str, Store], data: Path) -> None:
    dump = data / "wiki" / "checks" / "invented.xml"
    openings = []
    for store in stores.values():
        with open_wikipedia(dump, "opened", Options(openings=300), workers=1) as loader:
            ingest(store, loader)
        graph = open_link_graph(store, ["opened"])
        nodes = store.nodes([graph.id(article) for article in range(graph.size)])
        openings.append({key: node.get("opening") for key, node in nodes.items()})
    assert openings[0] == openings[1] == openings[2]
    assert sum("[[" in (text or "") for text in openings[0].values()) > 10
    assert max(len(text or "") for text in openings[0].values()) > 100
