"""From a phrase to the entities it may mean: Algorithms 1 and 2 of the thesis.

The whole phrase is tried first; then stop words are dropped and the rest is split into as few aspects as possible, from left
to right, the first split whose every part matches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Generic, NamedTuple

from ...core.messages import quote_value
from ...core.normalization import is_encodable, normalise
from ..bases.view import N
from ..errors import PhraseError

LONGEST = 256
"""Characters of a phrase, once it is normalised."""

Words = tuple[str, ...]


class Aspect(NamedTuple, Generic[N]):
    """A part of a phrase that matched, the entities that it may mean, and the labels that led to them."""

    text: str
    targets: tuple[N, ...]
    labels: tuple[str, ...]


def split_words(phrase: str) -> Words:
    """The words of a normalised phrase; a ``PhraseError`` where there is nothing to look up.

    >>> split_words("PUBLIC  toilet")
    ('public', 'toilet')
    """
    check_text(phrase)
    if not is_encodable(phrase):
        raise PhraseError(f"{quote_value(phrase)} holds half of a character (a lone surrogate): give whole text")
    if "\0" in phrase:
        raise PhraseError(f"{quote_value(phrase)} holds a NUL character: give plain text")
    normal = normalise(phrase)
    if not normal:
        raise PhraseError(f"{quote_value(phrase)} is an empty phrase: give at least one word")
    if len(normal) > LONGEST:
        raise PhraseError(f"{quote_value(phrase)} has {len(normal)} characters: a phrase has at most {LONGEST}")
    return tuple(normal.split(" "))


def check_text(phrase: object, where: str = "") -> None:
    """Refuse what is no text, such as the NaN that stands for an empty cell in a data frame."""
    if not isinstance(phrase, str):
        raise PhraseError(f"{where}{quote_value(phrase)} is no text ({type(phrase).__name__}): give each phrase as a str")


def find_targets(
    words: Words, match: Callable[[Words], Mapping[N, str]], stop_words: frozenset[str] = frozenset()
) -> tuple[Aspect[N], ...]:
    """Algorithm 1: the aspects of a phrase with what they match; nothing where no split matches.

    ``match`` gives the entities of a phrase, each with the label that leads to it.

    >>> known = {("public", "toilet"): {1: "public toilet"}, ("smelly",): {2: "smelly"}}
    >>> [aspect.text for aspect in find_targets(("smelly", "public", "toilet"), lambda part: known.get(part, {}))]
    ['smelly', 'public toilet']
    """
    targets = match(words)
    if targets:
        return (_aspect(words, targets),)
    kept = tuple(word for word in words if word not in stop_words) or words
    matches = cache(lambda start, end: match(kept[start:end]))

    @cache
    def find_aspects(start: int, number: int) -> tuple[Aspect[N], ...]:
        """Algorithm 2, for the words from ``start`` on."""
        for end in [len(kept)] if number == 1 else range(start + 1, len(kept) - number + 2):
            found = matches(start, end)
            if not found:
                continue
            aspect = _aspect(kept[start:end], found)
            if number == 1:
                return (aspect,)
            rest = find_aspects(end, number - 1)
            if rest:
                return (aspect, *rest)
        return ()

    for number in range(1, len(kept) + 1):
        aspects = find_aspects(0, number)
        if aspects:
            return aspects
    return ()


def _aspect(words: Words, found: Mapping[N, str]) -> Aspect[N]:
    return Aspect(" ".join(words), tuple(found), tuple(found.values()))
