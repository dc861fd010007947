"""Score very many pairs: a source set with many target sets is searched once in full, and its scores are looked up.

Pairs are scored in chunks. The first few targets of a source are searched one by one, from both ends. Then the source gets a
full search, and its scores for all target sets seen so far are cached: the same phrases tend to be scored again.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING

from ..paths.native_search import open_native_search
from ..paths.single_source import SingleSourceSearch
from ..paths.target_sets import TargetSet, TargetSets
from .scorer import Scorer, combine_aspects

if TYPE_CHECKING:
    from ..bases.projection import Projection
    from .aspects import Aspect

FIRST_CHUNK, LARGEST_CHUNK = 64, 65_536
"""Pairs in the first chunk, small so that the first scores come soon, and in the largest; each chunk is twice the last."""

MAX_SINGLE_SEARCHES = 24
"""How many targets of one source are searched one by one before the source gets a full search."""

MAX_TARGET_SETS = 20_000
"""The number of target sets beyond which all caches are emptied."""

MAX_SCORES = 8_000_000
"""The greatest number of cached scores, 8 bytes each."""


class PairScorer:
    """Scores batches of pairs like a ``Scorer`` over a projection, faster. Thread-safe."""

    def __init__(self, scorer: Scorer[int]) -> None:
        self._scorer = scorer
        projection: Projection = scorer.view.view  # type: ignore[assignment]
        self._native = open_native_search(projection, scorer.view.parameters)
        self._full_search = self._native or SingleSourceSearch(projection, scorer.view.parameters)
        self._lock = RLock()
        self._discard()

    def _discard(self) -> None:
        """Empty the caches. A row holds the scores of one source for all target sets numbered so far."""
        self._numbers: dict[TargetSet, int] = {}
        self._aspects: list[Aspect[int]] = []
        self._sets = TargetSets()
        self._rows: OrderedDict[int, Sequence[float]] = OrderedDict()
        self._cached_scores = 0
        self._single_searches: Counter[int] = Counter()

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """Yield the scores of pairs, in order and lazily: at most one chunk of pairs is read ahead."""
        remaining = iter(pairs)
        size = FIRST_CHUNK
        while chunk := list(islice(remaining, size)):
            with self._lock:
                scores = self._score(chunk)
            yield from scores
            size = min(size * 2, LARGEST_CHUNK)

    def _score(self, pairs: list[tuple[str, str]]) -> list[float]:
        """Score a chunk: number its target sets, fill in the scores that it needs, and combine them by pair."""
        if len(self._numbers) > MAX_TARGET_SETS:
            self._discard()
        phrases: dict[str, tuple[int, ...]] = {}
        scores: dict[int, dict[int, float]] = {}  # by the numbers of source and target set
        for pair in pairs:
            for phrase in pair:
                if phrase not in phrases:
                    phrases[phrase] = tuple(map(self._number, self._scorer.aspects(phrase)))
            for source in phrases[pair[0]]:
                scores.setdefault(source, {}).update(dict.fromkeys(phrases[pair[1]], 0.0))
        for aspect in self._aspects[len(self._sets) :]:
            self._sets.append(aspect.targets, aspect.weights)
        for source, of_source in scores.items():
            self._fill(source, of_source)
            ours = self._aspects[source]
            if ours.opposites:
                for target in of_source:
                    of_source[target] *= self._scorer.antonym_factor(ours, self._aspects[target])
        return [
            combine_aspects([[scores[each][other] for other in phrases[substitutee]] for each in phrases[substitute]])
            for substitute, substitutee in pairs
        ]

    def _number(self, aspect: Aspect[int]) -> int:
        """Return the number of an aspect's target set."""
        number = self._numbers.setdefault((aspect.targets, aspect.weights), len(self._numbers))
        if number == len(self._aspects):
            self._aspects.append(aspect)
        return number

    def _fill(self, source: int, scores: dict[int, float]) -> None:
        """Fill in the scores of one source for the targets in ``scores``."""
        ours = self._aspects[source]
        row = self._rows.get(source, ())
        single = sum(target >= len(row) for target in scores)
        if self._single_searches[source] + single > MAX_SINGLE_SEARCHES:
            self._cached_scores += len(self._sets) - len(row)
            row = self._rows[source] = self._full_search.scores(ours.targets, self._sets, source_weights=ours.weights)
            self._rows.move_to_end(source)
            self._single_searches[source] = 0
            while self._cached_scores > MAX_SCORES and len(self._rows) > 1:
                self._cached_scores -= len(self._rows.popitem(last=False)[1])
        else:
            self._single_searches[source] += single
        missing = [target for target in scores if target >= len(row)]
        if self._native:
            found: Iterable[float] = self._native.scores(ours.targets, self._sets, missing, ours.weights)
        else:
            others = (self._aspects[target] for target in missing)
            paths = (self._scorer.find_path(ours.targets, each.targets, ours.weights, each.weights) for each in others)
            found = (path.score if path else 0.0 for path in paths)
        for target in scores:
            if target < len(row):
                scores[target] = row[target]
        scores.update(zip(missing, found, strict=True))
