"""All searches over the arrays of a projection, which must give the results of ``best_first``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from wayword.core.native_code import load_native
from wayword.search.bases.projection import PhraseProjection, Projection
from wayword.search.paths.best_first import BestPath, Weights
from wayword.search.paths.native_search import NativeSearch
from wayword.search.paths.single_source import SingleSourceSearch
from wayword.search.paths.target_sets import TargetSets
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters


class ArraySearches:
    """The searches in C and the single-source search in numpy, over one projection."""

    def __init__(self, projection: Projection, parameters: Parameters) -> None:
        native = load_native("search")
        assert native is not None, "build the C code: pip install --editable ."
        self.native = NativeSearch(native, projection, parameters)
        self._view: WeightedView[int] = WeightedView(cast("PhraseProjection", projection), parameters)
        self._single_source = SingleSourceSearch(projection, parameters)

    def check(
        self,
        sources: Sequence[int],
        target_sets: Sequence[Sequence[int]],
        expected: Sequence[BestPath[int] | None],
        source_weights: Weights = None,
        target_weights: Sequence[Weights] | None = None,
    ) -> None:
        """Assert that all searches find the expected paths, or their scores."""
        weighted = list(zip(target_sets, target_weights or [None] * len(target_sets), strict=True))
        found = [self.native.search(sources, targets, source_weights, weights) for targets, weights in weighted]
        assert [path and path._replace(numbers=()) for path in found] == expected
        for path in filter(None, found):
            self._check_classes(path)
        scores = [path.score if path else 0.0 for path in expected]
        sets = TargetSets()
        for each in weighted:
            sets.append(*each)
        assert list(self.native.scores(sources, sets, range(len(sets)), source_weights)) == scores
        for _ in range(2):  # the second time nothing is left of the first
            assert list(self.native.scores(sources, sets, source_weights=source_weights)) == scores
            assert list(self._single_source.scores(sources, sets, source_weights)) == scores

    def _check_classes(self, path: BestPath[int]) -> None:
        """Assert that a path in C has the same transitions as one in Python, whose transitions are looked up."""
        for place in range(1, len(path.nodes)):
            if path.nodes[place] not in self._view.equivalents(path.nodes[place - 1]):
                described = self._view.describe_transition(path._replace(numbers=()), place)
                assert self._view.describe_transition(path, place) == described
