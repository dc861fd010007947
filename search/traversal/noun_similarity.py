"""How near a word is to the target in WordNet: by the best path between their noun senses.

The path similarity of two synsets is 1 / (1 + d), d being the fewest hypernym steps that lead from both to a synset they share.
For one target this is worked out for all synsets at once: up from its senses, then down from everything that was reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..bases.wordnet.morphology import base_forms
from ..errors import TargetUnknown
from ..scoring.transitions import TransitionKind
from .title_similarity import title_words

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ..bases.wordnet.projection import WordNetProjection

NOUN = "n"


class NounSimilarity:
    """The nouns of a WordNet beside one target; ``first_sense`` takes a word's most used sense alone."""

    def __init__(self, lexicon: WordNetProjection, target: str, *, first_sense: bool = False) -> None:
        self._lexicon, self._first = lexicon, first_sense
        self._known: dict[str, float] = {}
        meant = self._target(target)
        if not meant:
            raise TargetUnknown(
                f"WordNet has no noun for the target {target!r}; choose another target, or another strategy than wordnet"
            )
        self._steps = _steps(lexicon, meant)

    def similarity(self, word: str) -> float:
        """The mean over the noun senses of a word; 0 if it has none."""
        if word not in self._known:
            senses = self._senses(word)
            near = [1.0 / (1 + self._steps[sense]) for sense in senses if sense in self._steps]
            self._known[word] = sum(near) / len(senses) if senses else 0.0
        return self._known[word]

    def knows(self, word: str) -> bool:
        """Whether a word has a noun sense."""
        return bool(self._senses(word))

    def title(self, title: str) -> float:
        """The mean over the words of a title, unknown ones at 0."""
        words = title_words(title)
        return sum(map(self.similarity, words)) / len(words) if words else 0.0

    def _senses(self, word: str) -> list[int]:
        found = {
            node: None
            for entry, pos in base_forms(self._lexicon, word)
            if pos == NOUN
            for node, of in entry.senses
            if of == pos
        }
        return list(found)[: 1 if self._first else None]

    def _target(self, title: str) -> list[int]:
        """The noun senses of the target: of its title as a whole, else of its words."""
        words = title_words(title)
        return self._senses(" ".join(words)) or [sense for word in words for sense in self._senses(word)]


def _steps(lexicon: WordNetProjection, meant: Sequence[int]) -> dict[int, int]:
    """The fewest steps between each synset and the nearest of those that are meant, up from both to one they share."""
    up = _spread(lexicon, dict.fromkeys(meant, 0), "out", TransitionKind.GENERALISATION)
    return _spread(lexicon, up, "out", TransitionKind.SPECIALISATION)


def _spread(lexicon: WordNetProjection, begin: dict[int, int], direction: Direction, kind: TransitionKind) -> dict[int, int]:
    """The fewest steps of a kind from nodes that begin with some steps already."""
    found = dict(sorted(begin.items(), key=lambda each: each[1]))
    waiting: dict[int, deque[int]] = {}
    for node, steps in found.items():
        waiting.setdefault(steps, deque()).append(node)
    level = 0
    while waiting:
        for node in waiting.pop(level, ()):
            if found[node] < level:
                continue
            for other in _ways(lexicon, node, direction, kind):
                if found.get(other, level + 2) > level + 1:
                    found[other] = level + 1
                    waiting.setdefault(level + 1, deque()).append(other)
        level += 1
    return found


def _ways(lexicon: WordNetProjection, node: int, direction: Direction, kind: TransitionKind) -> Iterable[int]:
    return (other for other, of, _ in lexicon.transitions(node, direction, word_derivations=False) if of == kind)
