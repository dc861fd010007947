"""How well a phrase stands in for another: Algorithm 3 over a weighted view, with what comes again remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from threading import RLock
from time import perf_counter
from typing import Any, Generic

from ...core.normalization import split_at_hyphens
from ..bases.view import CacheInfo, Entity, N
from ..paths.best_first import BestPath, best_first
from ..paths.bidirectional import search_both_ends
from ..paths.weighted import WeightedView
from ..results import AspectMatch, Match, Step
from .aspects import Aspect, Words, find_targets, split_words
from .cover import greedy_cover, harmonic_mean
from .stop_words import ENGLISH
from .transitions import TransitionKind

REMEMBERED = 100_000
"""How many phrases, and target sets, are kept."""


WORTH_IT = 1.0
"""Seconds of searching after which a faster way, which takes about as long to get ready, is tried."""

Find = Callable[[Sequence[N], Sequence[N]], BestPath[N] | None]
"""The best path from sources to targets, None where there is none."""


class Scorer(Generic[N]):
    """Scores and paths between phrases in one base under one set of parameters.

    ``faster`` gives a quicker way to search with equal results, if there is one; it is asked for when it will pay.
    """

    def __init__(
        self,
        view: WeightedView[N],
        profile: str = "thesis",
        stop_words: frozenset[str] = ENGLISH,
        faster: Callable[[], Find[N] | None] | None = None,
    ) -> None:
        self.view = view
        self._faster = faster
        self._spent = 0.0
        self.profile = profile
        self.stop_words = stop_words
        self.find: Find[N] = partial(_forwards if view.view.forward_only else search_both_ends, view)
        self._searching = RLock()
        self._match = lru_cache(REMEMBERED)(lambda words: view.view.targets(words, view.parameters))
        self._aspects = lru_cache(REMEMBERED)(self._find_aspects)

    def aspects(self, phrase: str) -> tuple[Aspect[N], ...]:
        """The aspects of a phrase; nothing for one that is not known."""
        return self._aspects(phrase)

    def _find_aspects(self, phrase: str) -> tuple[Aspect[N], ...]:
        def match(words: Words) -> dict[N, str]:
            return self._match(words)

        words = split_words(phrase)
        found = find_targets(words, match, self.stop_words)
        if found:
            return found
        parted = split_at_hyphens(" ".join(words))
        return find_targets(tuple(parted.split()), match, self.stop_words) if parted else ()

    def match(self, substitute: str, substitutee: str) -> Match:
        """The score of a pair, with the paths that prove it."""
        ours, theirs = self.aspects(substitute), self.aspects(substitutee)
        found = [[self._search(each.targets, other.targets) for other in theirs] for each in ours]
        scores = [[each.score if each else 0.0 for each in line] for line in found]
        parameters = self.view.parameters
        return Match(
            substitute=substitute,
            substitutee=substitutee,
            score=combine_aspects(scores),
            bases=self.view.view.bases,
            profile=self.profile,
            threshold=parameters.threshold,
            derivation=parameters.derivation if self.view.view.has_word_derivations else None,
            parameters=parameters.settings(),
            unknown=tuple(
                dict.fromkeys(phrase for phrase, aspects in ((substitute, ours), (substitutee, theirs)) if not aspects)
            ),
            matches=tuple(self._explain(ours[row], theirs[column], found[row][column]) for row, column in greedy_cover(scores)),
        )

    def _explain(self, ours: Aspect[N], theirs: Aspect[N], found: BestPath[N] | None) -> AspectMatch:
        if found is None:
            return AspectMatch(ours.text, theirs.text, 0.0)
        entities = self.view.view.entities(found.nodes)
        rename = self.view.view.rename_to_label
        entities[-1] = rename(entities[-1], theirs.labels[theirs.targets.index(found.nodes[-1])])
        entities[0] = rename(entities[0], ours.labels[ours.targets.index(found.nodes[0])])
        steps = [_step(entities[0])]
        for place, entity in enumerate(entities[1:], start=1):
            before, node = found.nodes[place - 1 : place + 1]
            if found.scores[place] == found.scores[place - 1] and node in self.view.equivalents(before):
                kind, breadth, factor = int(TransitionKind.CENTRAL), 0, 1.0
            else:
                _, kind, breadth = self.view.best_transition(before, node)
                factor = self.view.parameters.weight(kind, breadth)
            word = self.view.view.linking_word(before, node) if TransitionKind(kind).step == "derivation" else None
            known = breadth or None
            steps.append(_step(entity, TransitionKind(kind).step, known, factor, found.scores[place], word))
        return AspectMatch(ours.text, theirs.text, found.score, tuple(steps))

    def score(self, substitute: str, substitutee: str) -> float:
        """The score alone, equal to that of ``match``."""
        ours, theirs = self._aspects(substitute), self._aspects(substitutee)
        return combine_aspects([[self.search(each.targets, other.targets) for other in theirs] for each in ours])

    def search(self, sources: Sequence[N], targets: Sequence[N]) -> float:
        """The score of the best path from the sources to the targets."""
        found = self._search(sources, targets)
        return found.score if found else 0.0

    def _search(self, sources: Sequence[N], targets: Sequence[N]) -> BestPath[N] | None:
        with self._searching:
            if self._faster is None:
                return self.find(sources, targets)
            begun = perf_counter()
            found = self.find(sources, targets)
            self._spent += perf_counter() - begun
            if self._spent > WORTH_IT:
                self.find, self._faster = self._faster() or self.find, None
            return found

    def cache_info(self) -> dict[str, CacheInfo]:
        """All bounded caches between a phrase and its score."""
        return {
            "phrases": CacheInfo(*self._aspects.cache_info()),
            "target sets": CacheInfo(*self._match.cache_info()),
            **self.view.cache_info(),
        }


def _step(entity: Entity, *how: Any) -> Step:
    return replace(Step(entity.id, entity.name, entity.gloss, *how), label=entity.label)


def _forwards(view: WeightedView[N], sources: Sequence[N], targets: Sequence[N]) -> BestPath[N] | None:
    """What ``search_both_ends`` finds, for a view that knows no transitions into a node."""
    (found,) = best_first(view, sources, [targets])
    return found


def combine_aspects(scores: Sequence[Sequence[float]]) -> float:
    """One score from those of all pairs of aspects; 0 where a phrase has none.

    >>> round(combine_aspects([[0.10, 0.60], [1.00, 0.35], [0.85, 0.80]]), 2), combine_aspects([])
    (0.79, 0.0)
    """
    return harmonic_mean([scores[row][column] for row, column in greedy_cover(scores)])
