"""The searches in C (``native.c``) over one projection, weighted by one set of parameters."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.native_code import load_native
from .best_first import BestPath, Weights

if TYPE_CHECKING:
    from ..bases.projection import Projection
    from ..scoring.parameters import Parameters
    from .target_sets import TargetSets


class NativeSearch:
    """Searches a projection like ``search_both_ends`` and ``SingleSourceSearch``. Threads run side by side."""

    def __init__(self, native: Any, projection: Projection, parameters: Parameters) -> None:
        self._arrays = projection.arrays
        weighting = projection.weigh(parameters)
        self._column = weighting.column
        self._damaged: type[Exception] = native.Damaged
        self._searcher = native.Searcher(
            **self._arrays.raw_content(),
            nodes=projection.size,
            out=self._rows("out"),
            into=self._rows("in"),
            weights=array("d", weighting.weights),
            lengths=array("i", weighting.lengths),
            central=-1 if weighting.central is None else weighting.central,
            threshold=parameters.threshold,
            dense=projection.has_word_derivations and parameters.uses_word_derivation,
        )

    def _rows(self, direction: str) -> tuple[int, int, int, int]:
        """Return the positions of the arrays of the transitions in one direction, and their number."""
        places = [self._arrays.place(f"{direction} {name}") for name in ("offsets", "next", self._column)]
        return places[0][0], places[1][0], places[2][0], min(places[1][1], places[2][1]) // 4

    def search(
        self,
        sources: Sequence[int],
        targets: Sequence[int],
        source_weights: Weights = None,
        target_weights: Weights = None,
    ) -> BestPath[int] | None:
        """Return the best path from the sources to the targets, or None; both have preferred nodes first."""
        weights = [None if each is None else tuple(each) for each in (source_weights, target_weights)]
        try:
            found = self._searcher.search(tuple(sources), tuple(targets), *weights)
        except self._damaged:
            raise self._arrays.damage() from None
        return None if found is None else BestPath(*found)

    def scores(
        self,
        sources: Sequence[int],
        sets: TargetSets,
        numbers: Sequence[int] | None = None,
        source_weights: Weights = None,
    ) -> memoryview[float]:
        """Return the best score from the sources to each target set, 0 where no path leads.

        Args:
            sources: The source set.
            sets: The target sets.
            numbers: Those that are scored, each by a search of its own; by default one search scores them all.
            source_weights: The weights of the sources.
        """
        chosen = None if numbers is None else array("i", numbers)
        weights = None if source_weights is None else tuple(source_weights)
        try:
            found: bytes = self._searcher.scores(tuple(sources), sets.nodes, sets.weights, sets.starts, chosen, weights)
        except self._damaged:
            raise self._arrays.damage() from None
        return memoryview(found).cast("d")


def open_native_search(projection: Projection, parameters: Parameters) -> NativeSearch | None:
    """Return the searches of a projection in C, or None if Python does their work."""
    native = load_native("search")
    return None if native is None else NativeSearch(native, projection, parameters)
