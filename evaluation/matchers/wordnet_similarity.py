"""Similarities over the hypernyms of a WordNet: ``path``, ``wup`` and ``lch``, as NLTK defines them.

The similarity of two words is the greatest one over all pairs of their synsets of the same part of speech. The matchers compute
it in the WordNet of a graph; ``best_over_senses`` asks NLTK, to compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import product
from math import inf, log
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ...search.bases.wordnet.morphology import find_base_forms
from ...search.scoring.transitions import GENERALISATIONS
from .phrases import CACHE_SIZE, PhraseMatcher, Words

if TYPE_CHECKING:
    from ...search.bases.wordnet.projection import WordNetProjection

Measure = Literal["path", "wup", "lch"]

NOUN = "n"
ROOT = -1
"""The root above all synsets of a part of speech, which only the nouns have themselves."""

Distances = Mapping[int, int]
"""The fewest steps up to each hypernym of a synset, itself included."""


def make_wordnet_similarity(lexicon: WordNetProjection, measure: Measure) -> PhraseMatcher[Any]:
    """Make the matcher of one similarity; it knows the words that the lexicon has after reduction to base forms.

    Args:
        lexicon: A WordNet.
        measure: ``path``, 1 / (1 + steps); ``wup``, how deep the lowest shared hypernym is, relative to the synsets (Wu and
            Palmer); ``lch``, -log((1 + steps) / (2 * depth of the part of speech)), which is not limited to 1 (Leacock and
            Chodorow).
    """
    taxonomy = Taxonomy(lexicon)

    def find_senses(words: Words) -> dict[str, list[int]]:
        senses: dict[str, list[int]] = {}
        for entry, pos in find_base_forms(lexicon, " ".join(words)):
            senses.setdefault(pos, []).extend(node for node, sense_pos in entry.senses if sense_pos == pos)
        return senses

    if measure == "wup":
        return PhraseMatcher(find_senses, _best_by_pos(taxonomy.wup))

    def find_distances(words: Words) -> dict[str, Distances]:
        return {pos: taxonomy.nearest(nodes, pos) for pos, nodes in find_senses(words).items()}

    return PhraseMatcher(find_distances, _best_by_pos(taxonomy.path if measure == "path" else taxonomy.lch))


def _best_by_pos(compare: Callable[[Any, Any, str], float]) -> Callable[[Mapping[str, Any], Mapping[str, Any]], float | None]:
    """Compare what two words have in each part of speech; None if one of them has nothing."""

    def best(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> float | None:
        if not ours or not theirs:
            return None
        return max((compare(ours[pos], theirs[pos], pos) for pos in ours if pos in theirs), default=0.0)

    return best


class Taxonomy:
    """The hypernyms of a WordNet, with what the similarities need to know about them."""

    def __init__(self, lexicon: WordNetProjection) -> None:
        self._lexicon = lexicon
        self._distances = lru_cache(CACHE_SIZE)(self._find_distances)
        self._max_depths: dict[int, int] = {}
        self._depth = cache(self._find_depth)

    def nearest(self, nodes: Iterable[int], pos: str) -> Distances:
        """Return the fewest steps from one of these synsets up to each hypernym."""
        nearest: dict[int, int] = {}
        for node in nodes:
            for hypernym, distance in self._with_root(node, pos).items():
                if distance < nearest.get(hypernym, inf):
                    nearest[hypernym] = distance
        return nearest

    def path(self, ours: Distances, theirs: Distances, _pos: str) -> float:
        """Return the path similarity of the two nearest synsets; 0 if nothing joins them."""
        return 1.0 / (_fewest_steps(ours, theirs) + 1)

    def lch(self, ours: Distances, theirs: Distances, pos: str) -> float:
        """Return the similarity of Leacock and Chodorow of the two nearest synsets; 0 if nothing joins them."""
        depth = self._depth(pos)
        steps = _fewest_steps(ours, theirs)
        return max(0.0, -log((steps + 1) / (2.0 * depth))) if depth and steps < inf else 0.0

    def wup(self, ours: Iterable[int], theirs: Iterable[int], pos: str) -> float:
        """Return the similarity of Wu and Palmer of the two most similar synsets."""
        return max(self._wup(one, other, pos) for one, other in product(ours, theirs))

    def _wup(self, one: int, other: int, pos: str) -> float:
        ours, theirs = self._with_root(one, pos), self._with_root(other, pos)
        shared = ours.keys() & theirs.keys()
        if not shared:
            return 0.0
        lowest = max(map(self._min_depth, shared))
        subsumers = [node for node in shared if self._min_depth(node) == lowest]
        subsumer = one if one in subsumers else min(subsumers, key=self._name)
        depth = self._max_depth(subsumer) + 1
        # Between two different synsets there may be a shorter way by another hypernym, or by the root.
        up = [_fewest_steps(each, self._with_root(subsumer, pos)) for each in (ours, theirs)]
        return 2.0 * depth / (sum(up) + 2 * depth)

    def _with_root(self, node: int, pos: str) -> Distances:
        if node == ROOT:
            return {ROOT: 0}
        distances = self._distances(node)
        # NLTK puts the root above the hypernym that is farthest away, not above the nearest one without hypernyms.
        return distances if pos == NOUN else {**distances, ROOT: max(distances.values()) + 1}

    def _find_distances(self, node: int) -> Distances:
        distances, level = {node: 0}, [node]
        while level:
            found = {above: distances[each] + 1 for each in level for above in self._hypernyms(each) if above not in distances}
            distances.update(found)
            level = list(found)
        return distances

    def _hypernyms(self, node: int) -> list[int]:
        return [other for other, each in self._lexicon.transitions(node, "out") if each.kind in GENERALISATIONS]

    def _min_depth(self, node: int) -> int:
        """Return the fewest steps up to a synset without hypernyms."""
        if node == ROOT:
            return 0
        return min((steps for above, steps in self._distances(node).items() if not self._hypernyms(above)), default=0)

    def _max_depth(self, node: int) -> int:
        """Return the most steps up to a synset without hypernyms. WordNet 3.0 has two verbs above each other."""
        if node == ROOT:
            return 0
        if node not in self._max_depths:
            self._max_depths[node] = 0  # what a cycle counts
            self._max_depths[node] = max((1 + self._max_depth(above) for above in self._hypernyms(node)), default=0)
        return self._max_depths[node]

    def _find_depth(self, pos: str) -> int:
        """Return the depth of a part of speech, with its root if it has none itself."""
        return max(map(self._max_depth, self._lexicon.synsets(pos)), default=0) + (pos != NOUN)

    def _name(self, node: int) -> str:
        """Return the name by which NLTK orders synsets of the same depth, without the number of the sense."""
        if node == ROOT:
            return "*ROOT*"
        (entity,) = self._lexicon.entities([node])
        return entity.name.replace(" ", "_").lower()


def _fewest_steps(ours: Distances, theirs: Distances) -> float:
    """Return the smallest number of steps between two synsets by way of a shared hypernym; infinity if they share none."""
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    return min([steps + theirs[node] for node, steps in ours.items() if node in theirs], default=inf)


class Similarity(Protocol):
    """Returns the similarity of two words; None if one of them is unknown."""

    def __call__(self, one: str, other: str, pos: str | None = None, /) -> float | None:
        """Compare two words in one part of speech, or in all of them."""


def best_over_senses(wordnet: Any, measure: Measure) -> Similarity:
    """Return a function that compares two words by their most similar synsets in NLTK.

    Args:
        wordnet: A corpus reader of NLTK, such as ``nltk.corpus.wordnet31``.
        measure: NLTK's ``path_similarity``, ``wup_similarity`` or ``lch_similarity``, with its defaults.

    Returns:
        A function of two words and a part of speech (``n``, ``v``, ``a``, ``r``; by default all). Only synsets of the same part
        of speech are compared. It returns None if a word has no synset there, and 0 if no pair has a similarity.
    """
    name = f"{measure}_similarity"

    def similarity(one: str, other: str, pos: str | None = None, /) -> float | None:
        ours, theirs = _synsets(wordnet, one, pos), _synsets(wordnet, other, pos)
        if not ours or not theirs:
            return None
        best = 0.0
        for our_synset, their_synset in product(ours, theirs):
            parts = our_synset.pos(), their_synset.pos()
            if measure == "lch" and parts[0] != parts[1]:  # an error in NLTK, also for an adjective and a satellite
                continue
            if parts[0].replace("s", "a") == parts[1].replace("s", "a"):  # s: satellite adjective
                best = max(best, getattr(our_synset, name)(their_synset) or 0.0)
        return best

    return similarity


def _synsets(wordnet: Any, word: str, pos: str | None) -> list[Any]:
    found: list[Any] = wordnet.synsets(word.replace(" ", "_"), pos=pos)
    return found
