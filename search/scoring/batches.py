"""Scores of very many pairs: a source that comes with many targets is searched once in full, and the rest is look-ups.

Pairs are taken in chunks. The first few targets of a source are searched from both ends. Then it gets a full search, and its
scores for all target sets that have come so far are kept: phrases that are scored against each other keep coming.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import RLock

from ..paths.single_source import SingleSourceSearch
from .scorer import Scorer, combine_aspects

FIRST, LARGEST = 64, 65_536
"""Pairs of the first chunk, so that the first scores come at once, and of the largest; each chunk is twice the last."""

FEW = 24
"""So many targets of one source are searched one by one, from both ends, before it gets a full search."""

MOST = 20_000
"""Target sets that are kept; when there are more, all are forgotten."""

KEPT = 8_000_000
"""Scores that are kept, 8 bytes each."""


class PairScorer:
    """What has been found out about many pairs so far."""

    def __init__(self, question: Scorer[int]) -> None:
        self._question = question
        self._bulk = SingleSourceSearch(question.view.view, question.view.parameters)  # type: ignore[arg-type]
        self._lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}
        self._rows: OrderedDict[int, Sequence[float]] = OrderedDict()
        self._kept = 0
        self._single: Counter[int] = Counter()

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """The scores of pairs, in order; no more than a chunk is taken ahead."""
        waiting = iter(pairs)
        size = FIRST
        while chunk := list(islice(waiting, size)):
            with self._lock:
                found = self._score(chunk)
            yield from found
            size = min(size * 2, LARGEST)

    def _score(self, pairs: list[tuple[str, str]]) -> list[float]:
        if len(self._numbers) > MOST:
            self._forget()
        numbers = self._numbers
        phrases: dict[str, tuple[int, ...]] = {}
        wanted: dict[int, dict[int, float]] = {}
        for pair in pairs:
            for phrase in pair:
                if phrase not in phrases:
                    aspects = self._question.aspects(phrase)
                    phrases[phrase] = tuple([numbers.setdefault(each.targets, len(numbers)) for each in aspects])
            for source in phrases[pair[0]]:
                wanted.setdefault(source, {}).update(dict.fromkeys(phrases[pair[1]], 0.0))
        sets = list(numbers)
        for source, found in wanted.items():
            self._fill(source, found, sets)
        return [
            combine_aspects([[wanted[each][other] for other in phrases[substitutee]] for each in phrases[substitute]])
            for substitute, substitutee in pairs
        ]

    def _fill(self, source: int, found: dict[int, float], sets: list[tuple[int, ...]]) -> None:
        """Find the scores of one source for the targets in ``found``."""
        row = self._rows.get(source, ())
        single = sum(target >= len(row) for target in found)
        if self._single[source] + single > FEW:
            self._kept += len(sets) - len(row)
            self._bulk.search(sets[source])
            row = self._rows[source] = self._bulk.scores(sets)
            self._rows.move_to_end(source)
            self._single[source] = 0
            while self._kept > KEPT and len(self._rows) > 1:
                self._kept -= len(self._rows.popitem(last=False)[1])
        else:
            self._single[source] += single
        for target in found:
            found[target] = row[target] if target < len(row) else self._question.search(sets[source], sets[target])
