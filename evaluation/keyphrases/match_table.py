"""Every indexer of a document against every other: true positives, F and consistency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum

from .keyphrase_lists import Keyphrases
from .measures import Pair, Scores, Tally, find_best, pair_forms


def pair_indexers(chosen: Mapping[str, Keyphrases]) -> Iterator[Pair]:
    """Yield every pair of phrases that a table of these indexers needs."""
    for indexer, candidates in chosen.items():
        for other, gold in chosen.items():
            if other != indexer:
                yield from pair_forms(candidates, gold)


class MatchTable:
    """The matches of each indexer's keyphrases among those of each other indexer of a document.

    >>> table = MatchTable({"ann": (("a",), ("b",)), "bob": (("b",),)}, {("a", "b"): 0.5, ("b", "b"): 1.0, ("b", "a"): 0.0})
    >>> table.count_matches("ann", "bob"), table.compute_consistency("ann", "bob")
    (Tally(tp=1.5, candidates=2, gold=1), 0.8333333333333334)
    """

    def __init__(self, chosen: Mapping[str, Keyphrases], scores: Scores) -> None:
        self.indexers = tuple(chosen)
        self._chosen = chosen
        self._best = {
            (indexer, other): [find_best(candidate, gold, scores) for candidate in candidates]
            for indexer, candidates in chosen.items()
            for other, gold in chosen.items()
            if other != indexer
        }
        """For each two indexers the best score of each keyphrase of the first among those of the second."""

    def count_matches(self, indexer: str, gold: str) -> Tally:
        """Compare an indexer's keyphrases, as candidates, with another's, as gold."""
        return Tally(fsum(self._best[indexer, gold]), len(self._chosen[indexer]), len(self._chosen[gold]))

    def compute_consistency(self, indexer: str, other: str) -> float:
        """Return 2C / (A + B), where A and B are the sizes of the sets and C is the mean of the true positives both ways.

        It is symmetric and at most 1 for every matcher, which F is not; if keyphrases match only when they are equal, it is
        Rolling's consistency.
        """
        both_ways = fsum(self._best[indexer, other]) + fsum(self._best[other, indexer])
        return both_ways / (len(self._chosen[indexer]) + len(self._chosen[other]))

    def average_consistency(self, indexer: str, excluding: str | None = None) -> float:
        """Return the mean consistency of an indexer with the others, without one of them if so chosen."""
        others = [other for other in self.indexers if other not in (indexer, excluding)]
        return fsum(self.compute_consistency(indexer, other) for other in others) / len(others)

    def count_pooled_matches(self, indexer: str) -> Tally:
        """Compare an indexer's keyphrases with those of all others, each counted once however many chose it."""
        others = [other for other in self.indexers if other != indexer]
        pool = {keyphrase[0] for other in others for keyphrase in self._chosen[other]}
        best = zip(*(self._best[indexer, other] for other in others), strict=True)
        return Tally(fsum(map(max, best)), len(self._chosen[indexer]), len(pool))
