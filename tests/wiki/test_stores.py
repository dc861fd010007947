"""A wiki is scored alike, path by path, whichever store it lies in and whichever view is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from wayword.graph.store import Store
from wayword.search.substitutability import Substitutability
from wayword.search.transitions import Parameters
from wayword.search.view import Weighted

from ..contract.stores import STORES
from .asked import live, load, projection
from .oracle_base import Base
from .oracle_search import random_pairs

pytestmark = [pytest.mark.slow, pytest.mark.server, pytest.mark.xdist_group("neo4j")]

NAMES = ("memory", "embedded", "neo4j")


@pytest.fixture(scope="module")
def stores(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """The invented wiki of the checks in every store."""
    with ExitStack() as stack:
        found = {name: stack.enter_context(STORES[name](tmp_path_factory.mktemp(name))) for name in NAMES}
        for store in found.values():
            load(store, data / "wiki" / "checks" / "invented.xml")
        yield found


def test_ten_thousand_pairs_have_the_same_scores_and_paths(
    stores: dict[str, Store], invented: Base, stop_words: frozenset[str]
) -> None:
    asked = [
        Substitutability(Weighted(projection(store, "synthetic"), Parameters()), stop_words=stop_words)
        for store in stores.values()
    ]
    scored = 0
    for pair in random_pairs(invented, 3, 10_000):
        first, *others = (question.match(*pair) for question in asked)
        assert all(match == first for match in others)
        scored += first.score > 0.0
    assert scored > 1_000


def test_live_views_of_every_store_give_the_same_paths(
    stores: dict[str, Store], invented: Base, stop_words: frozenset[str]
) -> None:
    asked = [
        Substitutability(Weighted(view, Parameters(bracketed=True)), stop_words=stop_words)
        for store in stores.values()
        for view in (live(store, "synthetic"), projection(store, "synthetic"))
    ]
    for pair in random_pairs(invented, 4, 300):
        first, *others = (question.match(*pair) for question in asked)
        assert all(match == first for match in others), pair
