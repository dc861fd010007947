"""METEOR, adapted to phrases: (2.13) to (2.18) of the thesis.

Words are mapped in three passes, if they are equal, have one stem, or are synonyms. An alignment has as many equal words as
possible, then as many stems, then as many synonyms; of those that have, it is one with the fewest chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.stemming import Stemmer
from ...search.bases.wordnet.morphology import find_base_forms
from .phrases import CACHE_SIZE, PhraseMatcher, Words

if TYPE_CHECKING:
    from ...search.bases.view import Lexicon

ALPHA, BETA, GAMMA = 0.81, 0.83, 0.28
"""The values tuned for English by Lavie and Agarwal (2007)."""

SYNONYM, STEM, EQUAL = 1 << 10, 1 << 20, 1 << 30
"""The value of a mapping of each pass. A phrase has fewer than 1,024 words, so that no number of mappings of one pass reaches
the value of a single one of the pass before, and no number of mappings that continue a chunk, of value 1, that of a mapping."""

MAX_STATES = 256
"""The most partial alignments that are pursued. Finding the fewest chunks is NP-hard, but only phrases that repeat their words
many times have so many partial alignments; of these the best are pursued, and the result may have more chunks than need be."""

UNLINKED = -2
"""The position before a word that cannot continue a chunk."""

FindSynsets = Callable[[str], frozenset[Any]]


class Word(NamedTuple):
    """A word, its stem, and the synsets that it finds."""

    text: str
    stem: str
    synsets: frozenset[Any]


class MeteorPhrase(NamedTuple):
    """The words of a phrase, and all their stems and synsets."""

    words: tuple[Word, ...]
    stems: frozenset[str]
    synsets: frozenset[Any]


class Alignment(NamedTuple):
    """How many words are mapped, and in how many chunks: runs of words that follow one another in both phrases."""

    matches: int
    chunks: int


def make_meteor(lexicon: Lexicon[Any]) -> PhraseMatcher[MeteorPhrase]:
    """Make the matcher of METEOR; two words are synonyms if both find one synset of the lexicon, in any part of speech."""

    def find_synsets(word: str) -> frozenset[Any]:
        return frozenset(
            node for entry, pos in find_base_forms(lexicon, word) for node, sense_pos in entry.senses if sense_pos == pos
        )

    return make_meteor_with(find_synsets)


def make_meteor_with(find_synsets: FindSynsets) -> PhraseMatcher[MeteorPhrase]:
    """Make the matcher of METEOR with another source of synonyms.

    >>> meteor = make_meteor_with(lambda word: frozenset({"car.n.01"} if word in ("car", "auto") else ()))
    >>> round(meteor("car repairs", "auto repair"), 4), meteor("car", "repair")
    (0.8425, 0.0)
    """
    stem = Stemmer()
    describe = lru_cache(CACHE_SIZE)(lambda word: Word(word, stem(word), find_synsets(word)))

    def prepare(words: Words) -> MeteorPhrase:
        described = tuple(map(describe, words))
        synsets = frozenset[Any]().union(*(word.synsets for word in described))
        return MeteorPhrase(described, frozenset(word.stem for word in described), synsets)

    return PhraseMatcher(prepare, _compare, lambda phrase: phrase.stems | phrase.synsets)


def align(x: Sequence[Word], y: Sequence[Word]) -> Alignment:
    """Return the size of the best alignment of two phrases.

    >>> words = {letter: Word(letter, letter, frozenset()) for letter in "ABCXY"}
    >>> align([words[letter] for letter in "ABXY"], [words[letter] for letter in "ABCXY"])
    Alignment(matches=4, chunks=2)
    """
    options = [_find_options(word, y) for word in x]
    matches = chunks = taken = 0
    before = UNLINKED
    for each in options:
        if not each:
            before = UNLINKED
            continue
        place = each[0][0]
        if len(each) > 1 or taken >> place & 1:  # there is a choice, as in few phrases
            break
        matches += 1
        chunks += place != before + 1
        taken |= 1 << place
        before = place
    else:
        return Alignment(matches, chunks)
    value = _best_value(options)
    matches = (value // EQUAL) + (value % EQUAL // STEM) + (value % STEM // SYNONYM)
    return Alignment(matches, matches - value % SYNONYM)


def _find_options(word: Word, y: Sequence[Word]) -> list[tuple[int, int]]:
    """Return the places in y to which a word can be mapped, with the value of each mapping."""
    text, stem, synsets = word
    options = []
    for place, (other, other_stem, other_synsets) in enumerate(y):
        if stem == other_stem:
            options.append((place, EQUAL if text == other else STEM))
        elif not synsets.isdisjoint(other_synsets):
            options.append((place, SYNONYM))
    return options


def _best_value(options: Sequence[Sequence[tuple[int, int]]]) -> int:
    """Return the greatest value of an alignment, given the places to which each word of x can be mapped, with their values.

    Dynamic programming over the words of x. A state is what matters to the words after: the place of the word before, if the
    next may continue its chunk, and the places that are taken of those that later words can be mapped to.
    """
    reachable = [sum(1 << place for place, _ in each) for each in options]
    states = {(UNLINKED, 0): 0}
    for index, each in enumerate(options):
        later = 0
        for mask in reachable[index + 1 :]:
            later |= mask
        following = reachable[index + 1] if index + 1 < len(options) else 0
        found: dict[tuple[int, int], int] = {}
        for (before, taken), value in states.items():
            key = UNLINKED, taken & later
            found[key] = max(found.get(key, 0), value)
            for place, gain in each:
                if taken >> place & 1:
                    continue
                key = place if following >> place + 1 & 1 else UNLINKED, (taken | 1 << place) & later
                found[key] = max(found.get(key, 0), value + gain + (place == before + 1))
        states = found if len(found) <= MAX_STATES else dict(nlargest(MAX_STATES, found.items(), key=lambda state: state[1]))
    return max(states.values())


@lru_cache(1 << 12)
def score_alignment(alignment: Alignment, shorter: int, longer: int) -> float:
    """Return the score of an alignment of two phrases with these numbers of words.

    >>> round(score_alignment(Alignment(1, 1), 1, 1), 2)
    0.72
    """
    matches, chunks = alignment
    if not matches:
        return 0.0
    precision, recall = matches / shorter, matches / longer  # (2.13), (2.14)
    f = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)  # (2.15)
    penalty: float = GAMMA * (chunks / matches) ** BETA  # (2.16), (2.17)
    return (1 - penalty) * f  # (2.18)


def _compare(substitute: MeteorPhrase, substitutee: MeteorPhrase) -> float:
    if substitute.stems.isdisjoint(substitutee.stems) and substitute.synsets.isdisjoint(substitutee.synsets):
        return 0.0
    x, y = substitute.words, substitutee.words
    if len(x) > len(y):
        x, y = y, x
    return score_alignment(align(x, y), len(x), len(y))
