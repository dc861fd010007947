"""The matcher ``wayword``: the score of a graph, None if it does not know a phrase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .resources import ScoringGraph

FIRST_CHUNK, LARGEST_CHUNK = 64, 16_384
"""Pairs in the first chunk, small so that the first scores come soon, and in the largest; each chunk is twice the last."""


class Substitutability:
    """Scores pairs in a graph, over its bases and with its profile.

    >>> scores = Substitutability(graph)
    >>> round(scores("enclose", "birdcage"), 2), scores("xyzzy", "birdcage")
    (0.29, None)
    """

    def __init__(self, graph: ScoringGraph) -> None:
        self._graph = graph

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        """Return the score; None if the graph does not know one of the phrases."""
        (score,) = self._score([(substitute, substitutee)])
        return score

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        """Yield the scores of many pairs, in order and lazily: at most one chunk of pairs is read ahead."""
        remaining, size = iter(pairs), FIRST_CHUNK
        while chunk := list(islice(remaining, size)):
            yield from self._score(chunk)
            size = min(2 * size, LARGEST_CHUNK)

    def _score(self, pairs: list[tuple[str, str]]) -> Iterator[float | None]:
        scores = list(self._graph.scores(pairs))
        # An unknown phrase scores 0 with every other.
        unknown = self._graph.unknown(
            {phrase for pair, score in zip(pairs, scores, strict=True) if not score for phrase in pair}
        )
        return (
            None if score == 0.0 and not unknown.isdisjoint(pair) else score for pair, score in zip(pairs, scores, strict=True)
        )
