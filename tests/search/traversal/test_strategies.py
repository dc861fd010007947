"""The registry of strategies: what a registration is used for, and that a new strategy needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from wayword.evaluation.hop.presentation.tables import strategy_label
from wayword.evaluation.hop.results import Summary
from wayword.graph.memory import MemoryStore
from wayword.search.errors import RulesInvalid, StrategyUnknown
from wayword.search.traversal.presentation.trail_text import strategy_phrase
from wayword.search.traversal.strategies import STRATEGIES, NthLink, RegisteredStrategy, register_strategy
from wayword.search.traversal.strategy_options import StrategyOptions, open_strategy
from wayword.search.traversal.walk import WalkRules, walk

from ...support.link_graphs import make_link_graph


class LastLink(NthLink):
    """Picks the last allowed link."""

    def pick(self, links: np.ndarray, allowed: np.ndarray, starters: np.ndarray, hop: int) -> np.ndarray:
        last = allowed.shape[1] - 1 - allowed[:, ::-1].argmax(axis=1)
        return np.where(allowed.any(axis=1), last, -1)


@pytest.fixture
def seventh() -> Iterator[str]:
    register_strategy(RegisteredStrategy("last", "Last link", "the last link", lambda *_: LastLink("last", -1), ("seed",)))
    yield "last"
    del STRATEGIES["last"]


def test_a_registered_strategy_can_be_walked_labelled_and_recorded(seventh: str) -> None:
    graph, options = make_link_graph([[], [2, 0], [1]]), StrategyOptions(seventh, seed=5)
    with MemoryStore() as store:
        strategy = open_strategy(options, (), store, graph, "0000")
    assert walk(graph, strategy, 1, 0, WalkRules())[0].ending == "reached"
    assert options.to_dict() == {"seed": 5}
    assert strategy_phrase(seventh) == "the last link"
    assert strategy_label(Summary(seventh, "0000", "w", 1, 1, 0, 0, 0, 1.0, 1.0, None, 1, 1)) == "Last link"


def test_options_are_validated_by_the_registration(seventh: str) -> None:
    StrategyOptions(seventh, seed=5).validate()
    with pytest.raises(
        RulesInvalid, match=r"the strategy last has no option first-sense; leave first_sense= out, or .* wordnet "
    ):
        StrategyOptions(seventh, first_sense=True).validate()
    with pytest.raises(RulesInvalid, match=r"the strategy first has no option words; .* choose one of wordnet, vectors as"):
        StrategyOptions("first", words="anchor").validate()


def test_unknown_strategy_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(StrategyUnknown, match="there is no strategy 'last'; choose one of random, first, second, wordnet"):
        StrategyOptions("last").validate()


def test_options_of_every_strategy_are_fields_of_strategy_options() -> None:
    for each in STRATEGIES.values():
        assert {*each.files, *each.bases} <= set(each.options) <= set(StrategyOptions.__slots__)
