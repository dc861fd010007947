"""Score pairs of phrases: Algorithm 3 of the thesis over a weighted view, with caches of phrases and target sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from threading import RLock
from typing import Generic, Protocol

from ...core.errors import WaywordError
from ...core.normalisation import split_at_hyphens
from ..bases.projection import Projection
from ..bases.view import CacheInfo, N, TargetLabel
from ..paths.best_first import BestPath, Weights, search_forwards
from ..paths.bidirectional import search_both_ends
from ..paths.weighted import WeightedView
from ..results import AspectMatch, Match, MissingPath, Step
from .aspects import Aspect, find_targets, split_words
from .cover import greedy_cover, harmonic_mean
from .human_scale import estimate_judgement, find_curve
from .missing_paths import find_missing_path
from .sense_weights import sense_powers, weigh_senses
from .stop_words import ENGLISH
from .transitions import ASIDE, TransitionClass, TransitionKind
from .word_cuts import Words

CACHE_SIZE = 100_000
"""How many phrases, and how many target sets, are cached."""


class FindPath(Protocol[N]):
    """A search for the best path from a source set to a target set, each with its weights; None if there is none."""

    def __call__(
        self, sources: Sequence[N], targets: Sequence[N], source_weights: Weights = None, target_weights: Weights = None, /
    ) -> BestPath[N] | None:
        """Return the best path."""


class Scorer(Generic[N]):
    """Scores pairs of phrases in one view under one set of parameters. Thread-safe.

    Args:
        view: The weighted view.
        profile: The name of the profile, for results.
        stop_words: Dropped before a phrase is split into aspects.
        find_path: A faster search with equal results, such as that in C; by default the searches in Python.
    """

    def __init__(
        self,
        view: WeightedView[N],
        profile: str = "thesis",
        stop_words: frozenset[str] = ENGLISH,
        find_path: FindPath[N] | None = None,
    ) -> None:
        self.view = view
        self.profile = profile
        self._parameters = view.parameters.without_derivation()
        self.stop_words = stop_words
        self._curve = find_curve(profile, view)
        self._sense_powers = sense_powers(view.parameters)
        self.find_path: FindPath[N] = find_path or _one_at_a_time(
            partial(search_forwards if view.view.forward_only else search_both_ends, view)
        )
        self._is_lasting = isinstance(view.view, Projection) and view.view.is_verified  # so a path can be described later
        self._match = lru_cache(CACHE_SIZE)(lambda words: view.view.targets(words, view.parameters))
        self._aspects = lru_cache(CACHE_SIZE)(self._find_aspects)

    def aspects(self, phrase: str) -> tuple[Aspect[N], ...]:
        """Return the aspects of a phrase with their target sets, none if the phrase is unknown.

        Raises:
            PhraseError: The phrase is empty, too long, or not valid text.
        """
        return self._aspects(phrase)

    def _find_aspects(self, phrase: str) -> tuple[Aspect[N], ...]:
        def match(words: Words) -> dict[N, TargetLabel]:
            return self._match(words)

        words = split_words(phrase)
        aspects = find_targets(words, match, self.stop_words)
        if not aspects and (without_hyphens := split_at_hyphens(" ".join(words))):
            aspects = find_targets(tuple(without_hyphens.split()), match, self.stop_words)
        if self._sense_powers is None:
            return aspects
        weights = [weigh_senses(aspect.senses, self._sense_powers) for aspect in aspects]
        return tuple(aspect._replace(weights=each) if each else aspect for aspect, each in zip(aspects, weights, strict=True))

    def match(self, substitute: str, substitutee: str) -> Match:
        """Score a pair of phrases, with the paths that prove the score.

        Raises:
            PhraseError: A phrase is empty, too long, or not valid text.
        """
        ours, theirs = self.aspects(substitute), self.aspects(substitutee)
        paths = [
            [self.find_path(each.targets, other.targets, each.weights, other.weights) for other in theirs] for each in ours
        ]
        scores = [
            [path.score * self.antonym_factor(each, other) if path else 0.0 for other, path in zip(theirs, row, strict=True)]
            for each, row in zip(ours, paths, strict=True)
        ]
        parameters, score = self.view.parameters, combine_aspects(scores)
        unknown = dict.fromkeys(phrase for phrase, aspects in ((substitute, ours), (substitutee, theirs)) if not aspects)

        def describe_matches() -> tuple[AspectMatch, ...]:
            cover = greedy_cover(scores)
            return tuple(self._describe_match(ours[row], theirs[column], paths[row][column]) for row, column in cover)

        return Match(
            substitute=substitute,
            substitutee=substitutee,
            score=score,
            bases=self.view.view.bases,
            profile=self.profile,
            threshold=parameters.threshold,
            derivation=parameters.derivation if self.view.view.has_word_derivations else None,
            parameters=dict(self._parameters),
            unknown=tuple(unknown),
            judgement=None if unknown or self._curve is None else estimate_judgement(score, self._curve),
            matches=() if self._is_lasting else describe_matches(),
            describe_matches=describe_matches if self._is_lasting else None,
            find_missing_paths=lambda: self._find_missing_paths(ours, theirs, scores),
        )

    def _find_missing_paths(
        self, ours: Sequence[Aspect[N]], theirs: Sequence[Aspect[N]], scores: Sequence[Sequence[float]]
    ) -> tuple[MissingPath, ...]:
        """Return why the chosen pairs of aspects without a path have none; empty if the store has been closed since."""
        pairs = [(ours[row], theirs[column]) for row, column in greedy_cover(scores) if not scores[row][column]]
        try:
            return tuple(find_missing_path(self, *pair) for pair in pairs)
        except WaywordError:
            return ()

    def _describe_match(self, ours: Aspect[N], theirs: Aspect[N], path: BestPath[N] | None) -> AspectMatch:
        if path is None:
            return AspectMatch(ours.text, theirs.text, 0.0)
        factor = self.antonym_factor(ours, theirs)
        return AspectMatch(
            substitute=ours.text,
            substitutee=theirs.text,
            score=path.score * factor,
            path=self.describe_steps(ours, theirs, path, self.view),
            substitute_weight=ours.weight_of(path.nodes[0]),
            substitutee_weight=theirs.weight_of(path.nodes[-1]),
            antonym=factor,
            antonyms=self.describe_antonyms(ours, theirs),
        )

    def antonym_factor(self, ours: Aspect[N], theirs: Aspect[N]) -> float:
        """Return by what the score of two aspects is multiplied."""
        return 1.0 if ours.find_antonyms(theirs) is None else self.view.parameters.antonym

    def describe_antonyms(self, ours: Aspect[N], theirs: Aspect[N]) -> tuple[Step, ...]:
        """Describe the senses of two aspects that are antonyms; empty if none are."""
        found = ours.find_antonyms(theirs)
        return () if found is None else tuple(map(self._describe_end, found, (ours, theirs)))

    def _describe_end(self, node: N, aspect: Aspect[N]) -> Step:
        """Describe a target of an aspect, under the label by which the phrase found it."""
        (entity,) = self.view.view.entities([node])
        entity = self.view.view.rename_to_label(entity, aspect.labels[aspect.targets.index(node)])
        return Step(entity.id, entity.name, entity.gloss, label=entity.label)

    def describe_steps(self, ours: Aspect[N], theirs: Aspect[N], path: BestPath[N], view: WeightedView[N]) -> tuple[Step, ...]:
        """Describe the steps of a path found in a weighted view. Two nodes determine the step between them but at the ends."""
        entities = self.view.view.entities(path.nodes)
        rename = self.view.view.rename_to_label
        for place, aspect in ((-1, theirs), (0, ours)):
            if path.nodes[place] in aspect.targets:
                label = aspect.labels[aspect.targets.index(path.nodes[place])]
                entities[place] = rename(entities[place], label)
        start = entities[0]
        steps = [Step(start.id, start.name, start.gloss, score=path.scores[0], label=start.label)]
        for index, entity in enumerate(entities[1:], start=1):
            before, node = path.nodes[index - 1 : index + 1]
            # A step at no cost between equivalents can only be the first or the last: elsewhere it would cost ``central``.
            if path.scores[index] == path.scores[index - 1] and node in view.equivalents(before):
                transition, factor = TransitionClass(TransitionKind.CENTRAL), 1.0
            else:
                transition = view.describe_transition(path, index)
                factor = self.view.parameters.weight(transition)
            kind = TransitionKind(transition.kind)
            step = kind.step
            word = self.view.view.linking_word(before, node) if step == "derivation" else None
            score = path.scores[index] if view is self.view else steps[-1].score * factor
            steps.append(
                Step(
                    entity.id,
                    entity.name,
                    entity.gloss,
                    step,
                    transition.breadth or None,
                    factor,
                    score,
                    word,
                    entity.label,
                    kind=kind.name.lower(),
                    changes_pos=transition.changes_pos,
                    share=transition.share if kind.has_breadth or (kind in ASIDE and self.view.parameters.ic_aside) else None,
                )
            )
        return tuple(steps)

    def score(self, substitute: str, substitutee: str) -> float:
        """Return the score of a pair without its paths, equal to that of ``match`` and faster."""
        ours, theirs = self._aspects(substitute), self._aspects(substitutee)
        return combine_aspects([[self.score_aspects(each, other) for other in theirs] for each in ours])

    def score_aspects(self, ours: Aspect[N], theirs: Aspect[N]) -> float:
        """Return the score of two aspects, 0 if no path leads from the one to the other."""
        path = self.find_path(ours.targets, theirs.targets, ours.weights, theirs.weights)
        return path.score * self.antonym_factor(ours, theirs) if path else 0.0

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return the statistics of all caches between a phrase and its score."""
        return {
            "phrases": CacheInfo(*self._aspects.cache_info()),
            "target sets": CacheInfo(*self._match.cache_info()),
            **self.view.cache_info(),
        }


def _one_at_a_time(find_path: FindPath[N]) -> FindPath[N]:
    """Return a search that threads wait for, because the searches in Python share the caches of the view."""
    lock = RLock()

    def find_alone(
        sources: Sequence[N], targets: Sequence[N], source_weights: Weights = None, target_weights: Weights = None, /
    ) -> BestPath[N] | None:
        with lock:
            return find_path(sources, targets, source_weights, target_weights)

    return find_alone


def combine_aspects(scores: Sequence[Sequence[float]]) -> float:
    """Combine the scores of all pairs of aspects into one (Algorithm 3); 0 if a phrase has no aspects.

    >>> round(combine_aspects([[0.10, 0.60], [1.00, 0.35], [0.85, 0.80]]), 2), combine_aspects([])
    (0.79, 0.0)
    """
    return harmonic_mean([scores[row][column] for row, column in greedy_cover(scores)])
