"""How similar words are to the target in WordNet: the best path between their noun senses.

The strategy ``wordnet`` follows "the shortest concept relationship path to the target" (section 4 of the paper). The path
similarity of two synsets is 1 / (1 + d), where d is the fewest hypernym steps that lead from both up to a synset that they
share. For one target d is computed for all synsets at once: first up from the target's senses, then down from every synset
reached. A word's similarity is the mean over its noun senses; that of a title is the mean over its words (section 5).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ..bases.wordnet.morphology import find_base_forms
from ..errors import TargetUnknown
from ..scoring.transitions import GENERALISATIONS, SPECIALISATIONS
from .title_similarity import title_words

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ..bases.wordnet.projection import WordNetProjection
    from ..scoring.transitions import TransitionKind

NOUN = "n"


class NounSimilarity:
    """The similarity of nouns to one target.

    Args:
        lexicon: A WordNet.
        target: A title.
        first_sense: Use the most frequent sense of each word only.

    Raises:
        TargetUnknown: No word of the target is a noun of the lexicon.
    """

    def __init__(self, lexicon: WordNetProjection, target: str, *, first_sense: bool = False) -> None:
        self._lexicon, self._first_sense = lexicon, first_sense
        self._cache: dict[str, float] = {}
        target_senses = self._target_senses(target)
        if not target_senses:
            raise TargetUnknown(
                f"WordNet has no noun for the target {target!r}; choose another target, or another strategy than wordnet"
            )
        self._distances = _distances(lexicon, target_senses)

    def similarity(self, word: str) -> float:
        """Return the mean over the noun senses of a word; 0 if it has none."""
        if word not in self._cache:
            senses = self._senses(word)
            scores = [1.0 / (1 + self._distances[sense]) for sense in senses if sense in self._distances]
            self._cache[word] = sum(scores) / len(senses) if senses else 0.0
        return self._cache[word]

    def is_known(self, word: str) -> bool:
        """Return whether a word has a noun sense."""
        return bool(self._senses(word))

    def title_similarity(self, title: str) -> float:
        """Return the mean over the words of a title; an unknown word counts 0."""
        words = title_words(title)
        return sum(map(self.similarity, words)) / len(words) if words else 0.0

    def _senses(self, word: str) -> list[int]:
        senses = {
            node: None
            for entry, pos in find_base_forms(self._lexicon, word)
            if pos == NOUN
            for node, sense_pos in entry.senses
            if sense_pos == pos
        }
        return list(senses)[: 1 if self._first_sense else None]

    def _target_senses(self, title: str) -> list[int]:
        """Return the noun senses of the whole title; if it has none, those of its words."""
        words = title_words(title)
        return self._senses(" ".join(words)) or [sense for word in words for sense in self._senses(word)]


def _distances(lexicon: WordNetProjection, senses: Sequence[int]) -> dict[int, int]:
    """Return for each synset the length of the shortest path to one of these senses, by way of a shared hypernym."""
    up = _shortest_distances(lexicon, dict.fromkeys(senses, 0), "out", GENERALISATIONS)
    return _shortest_distances(lexicon, up, "out", SPECIALISATIONS)


def _shortest_distances(
    lexicon: WordNetProjection, start: dict[int, int], direction: Direction, kinds: Collection[TransitionKind]
) -> dict[int, int]:
    """Search breadth-first from several nodes that begin at given distances.

    All steps cost 1, so a queue for each distance takes the place of Dijkstra's heap.
    """
    distances = dict(sorted(start.items(), key=lambda each: each[1]))
    queues: dict[int, deque[int]] = {}
    for node, distance in distances.items():
        queues.setdefault(distance, deque()).append(node)
    level = 0
    while queues:
        for node in queues.pop(level, ()):
            if distances[node] < level:  # a shorter path was found after it was queued
                continue
            for neighbour in _neighbours(lexicon, node, direction, kinds):
                if distances.get(neighbour, level + 2) > level + 1:
                    distances[neighbour] = level + 1
                    queues.setdefault(level + 1, deque()).append(neighbour)
        level += 1
    return distances


def _neighbours(
    lexicon: WordNetProjection, node: int, direction: Direction, kinds: Collection[TransitionKind]
) -> Iterable[int]:
    return (other for other, transition in lexicon.transitions(node, direction) if transition.kind in kinds)
