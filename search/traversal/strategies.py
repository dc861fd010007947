"""Which of an article's first links is followed: the first, the second, any, or the one that is nearest to the target.

A strategy is asked for many articles at once. ``links`` has a row for each, with the places of its links in the world's
``next`` and -1 behind the last; of those that are ``allowed`` it picks one, and tells its column, -1 where there is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .link_graph import LinkGraph

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]

DIGITS = 12
"""Scores that are equal to so many digits are equal, and the earliest link wins: sums differ in the last by their order."""


class Strategy(Protocol):
    """A way to choose a link. One that is ``fixed`` chooses the same link of an article whenever it comes there."""

    name: str
    fixed: bool

    def pick(self, links: Whole, allowed: Truth, starters: Whole, hop: int) -> Whole:
        """The column of the link that is followed, in each row; ``starters`` and ``hop`` tell where the traversals are."""

    def scores(self, links: Whole) -> Real | None:
        """How near each link is to the target; None if that is not what this strategy goes by."""

    def lost(self) -> dict[str, int]:
        """What could not be judged because it is damaged, by reason."""


class LinkScores(Protocol):
    """What tells of links, given by their places, how near they are to the target, and whether it knows them at all."""

    def score(self, links: Whole) -> Real:
        """How near each link is."""

    def knows(self, links: Whole) -> Truth:
        """Whether anything is known of each link."""

    def lost(self) -> dict[str, int]:
        """What could not be judged because it is damaged, by reason."""


class NthLink:
    """Takes the link at a place: of those that may be followed the first, or the second, wherever they stand."""

    fixed = True

    def __init__(self, name: str, place: int) -> None:
        self.name, self._place = name, place

    def pick(self, links: Whole, allowed: Truth, starters: Whole, hop: int) -> Whole:  # noqa: ARG002
        """The column of the link at this place."""
        return nth_link(allowed, np.full(len(links), self._place))

    def scores(self, links: Whole) -> None:
        """None: meaning is not looked at."""

    def lost(self) -> dict[str, int]:
        """Nothing: nothing is judged."""
        return {}


class RandomLink:
    """Takes any link, the same ones for the same seed and starter, in whatever order and company starters are asked for."""

    name, fixed = "random", False

    def __init__(self, world: LinkGraph, seed: int) -> None:
        self._world, self._seed = world, seed
        self._hashes: dict[int, int] = {}

    def pick(self, links: Whole, allowed: Truth, starters: Whole, hop: int) -> Whole:  # noqa: ARG002
        """The column of one of the links that are allowed."""
        chance = mix_bits(self._hash(starters.tolist()) + np.uint64((hop * _GOLDEN) % (1 << 64)))
        counts = allowed.sum(axis=1)
        return nth_link(allowed, ((chance >> np.uint64(11)).astype(np.float64) * 2.0**-53 * counts).astype(np.int64))

    def scores(self, links: Whole) -> None:
        """None: meaning is not looked at."""

    def lost(self) -> dict[str, int]:
        """Nothing: nothing is judged."""
        return {}

    def _hash(self, starters: Sequence[int]) -> npt.NDArray[np.uint64]:
        known = self._hashes
        for each in starters:
            if each not in known:
                said = f"{self._seed}:{self._world.title(each)}".encode("utf-8", "surrogatepass")
                known[each] = int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "big")
        return np.array([known[each] for each in starters], np.uint64)


class NearestLink:
    """Takes the link that is nearest to the target, of equals the earliest; ``asking`` tells how near links are."""

    fixed = True

    def __init__(self, name: str, asking: LinkScores) -> None:
        self.name, self._asking = name, asking

    def pick(self, links: Whole, allowed: Truth, starters: Whole, hop: int) -> Whole:  # noqa: ARG002
        """The column of the best link."""
        best = np.where(allowed, np.round(self.scores(links), DIGITS), -np.inf).argmax(axis=1)
        return np.where(allowed.any(axis=1), best, -1)

    def scores(self, links: Whole) -> Real:
        """How near each link is to the target; 0 where there is none."""
        found = np.zeros(links.shape)
        there = links >= 0
        found[there] = self._asking.score(links[there])
        return found

    def knows(self, links: Whole) -> Truth:
        """Whether anything is known of each link."""
        found = np.zeros(links.shape, bool)
        there = links >= 0
        found[there] = self._asking.knows(links[there])
        return found

    def lost(self) -> dict[str, int]:
        """What could not be judged because it is damaged, by reason."""
        return self._asking.lost()


class SharedVocabulary:
    """Another strategy that may follow only links of which all of some vocabularies know something (section 8 of the paper)."""

    def __init__(self, strategy: Strategy, vocabularies: Sequence[NearestLink]) -> None:
        self.name, self.fixed = strategy.name, strategy.fixed
        self._strategy, self._vocabularies = strategy, vocabularies

    def pick(self, links: Whole, allowed: Truth, starters: Whole, hop: int) -> Whole:
        """The column that the other strategy picks of the links that all know."""
        known = allowed.copy()
        for vocabulary in self._vocabularies:
            known &= vocabulary.knows(links)
        return self._strategy.pick(links, known, starters, hop)

    def scores(self, links: Whole) -> Real | None:
        """How near each link is to the target, known to all or not."""
        return self._strategy.scores(links)

    def lost(self) -> dict[str, int]:
        """What the other strategy could not judge."""
        return self._strategy.lost()


_GOLDEN = 0x9E3779B97F4A7C15


def mix_bits(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers that look as drawn by chance, one for each given one (the mixing function of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def nth_link(allowed: Truth, wanted: Whole) -> Whole:
    """In each row the column of the wanted one (from 0) of those that are allowed; -1 where there are not so many.

    >>> nth_link(np.array([[True, False, True], [False, True, False]]), np.array([1, 1])).tolist()
    [2, -1]
    """
    hit = allowed & (np.cumsum(allowed, axis=1) == (wanted + 1)[:, None])
    return np.where(hit.any(axis=1), hit.argmax(axis=1), -1)


STRATEGIES = ("random", "first", "second", "wordnet", "vectors", "contextual")
