"""Every way to score a pair, which must give the same results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest

from wayword.evaluation.tuning.pair_searches import PairSearches
from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import open_wordnet
from wayword.search.bases.projection import Projection
from wayword.search.paths.native_search import open_native_search
from wayword.search.paths.single_source import SingleSourceSearch
from wayword.search.paths.weighted import WeightedView
from wayword.search.results import Match
from wayword.search.scoring.batches import PairScorer
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from .loaded_wikis import views
from .mini_wordnet import EXCEPTIONS, MiniSynset, write_files


@contextmanager
def tiny_wordnet(synsets: Sequence[MiniSynset], exceptions: Mapping[str, Sequence[str]] = EXCEPTIONS) -> Iterator[MemoryStore]:
    """Open a store in memory with a small WordNet."""
    with TemporaryDirectory() as folder, MemoryStore() as store:
        ingest(store, open_wordnet(write_files(Path(folder) / "dict", synsets, exceptions)))
        yield store


def all_scorers(store: Store, bases: Sequence[str], parameters: Parameters) -> list[Scorer[Any]]:
    """Return scorers over a projection, searched in C and in Python, and over the live view."""
    mapped, live = views(store, bases, parameters)
    native = open_native_search(cast("Projection", mapped), parameters)
    assert native is not None
    return [
        Scorer(WeightedView(mapped, parameters), find_path=native.search),
        Scorer(WeightedView(mapped, parameters)),
        Scorer(WeightedView(live, parameters)),
    ]


def score_batches(scorer: Scorer[int], pairs: Sequence[tuple[str, str]]) -> Iterator[list[float]]:
    """Yield the scores of a batch in C and in Python, by single searches and by full ones."""
    for is_native in (True, False):
        batches = PairScorer(scorer)
        if not is_native:
            batches._native = None
            batches._full_search = SingleSourceSearch(cast("Projection", scorer.view.view), scorer.view.parameters)
        yield list(batches.scores(pairs))
        batches._single_searches.update(dict.fromkeys(range(len(batches._sets)), 1000))
        scores = list(batches.scores(pairs))
        assert batches._rows or not any(scores)
        yield scores


def check_all_searches(
    store: Store, bases: Sequence[str], parameters: Parameters, pairs: Sequence[tuple[str, str]]
) -> list[Match]:
    """Assert that all searches agree, and that their paths prove their scores; return the matches."""
    scorers = all_scorers(store, bases, parameters)
    matches = [scorers[0].match(*pair) for pair in pairs]
    for scorer in scorers:
        for pair, expected in zip(pairs, matches, strict=True):
            match = scorer.match(*pair)
            assert match == expected
            assert scorer.score(*pair) == match.score
            assert len(match.missing_paths) == sum(not each.path for each in match.matches)
            assert len(bases) > 1 or match.missing_paths == expected.missing_paths  # a live union knows no last steps
            for each in filter(lambda one: one.path, match.matches):
                factors = (step.factor for step in each.path)
                product = each.substitute_weight * prod(factors) * each.substitutee_weight * each.antonym
                assert each.score == pytest.approx(product, rel=1e-12)
                assert each.path[0].score == each.substitute_weight
                assert each.path[-1].score * each.substitutee_weight * each.antonym == each.score
                assert len(each.antonyms) == (0 if each.antonym == 1.0 else 2)
    scores = [match.score for match in matches]
    for found in score_batches(scorers[0], pairs):
        assert found == scores
    searches = PairSearches(scorers[0], pairs)
    assert searches.scores([Parameters(), parameters])[1][searches.find(pairs)].tolist() == scores
    return matches
