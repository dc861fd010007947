"""Split a phrase into aspects with target sets: Algorithms 1 (FINDTARGETS) and 2 (FINDASPECTS) of the thesis.

The whole phrase is looked up first. If it does not match, stop words are dropped and the rest is split into as few aspects as
possible, from left to right; the first split in which every part matches is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Generic, NamedTuple

from ...core.messages import quote_value
from ...core.normalisation import is_encodable, normalise
from ..bases.view import N
from ..errors import PhraseError

MAX_LENGTH = 256
"""The greatest number of characters of a normalised phrase."""

Words = tuple[str, ...]


class Aspect(NamedTuple, Generic[N]):
    """A part of a phrase that matches: its text, its target set, and for each target the label that leads to it."""

    text: str
    targets: tuple[N, ...]
    labels: tuple[str, ...]


def split_words(phrase: str) -> Words:
    """Split a phrase into the words of its normalised form.

    Raises:
        PhraseError: The phrase is empty, too long, or not valid text.

    >>> split_words("PUBLIC  toilet")
    ('public', 'toilet')
    """
    check_text(phrase)
    if not is_encodable(phrase):
        raise PhraseError(f"{quote_value(phrase)} contains a lone surrogate; give valid text")
    if "\0" in phrase:
        raise PhraseError(f"{quote_value(phrase)} contains a NUL character; give plain text")
    normal = normalise(phrase)
    if not normal:
        raise PhraseError(f"{quote_value(phrase)} is an empty phrase; give at least one word")
    if len(normal) > MAX_LENGTH:
        raise PhraseError(f"{quote_value(phrase)} has {len(normal)} characters; a phrase has at most {MAX_LENGTH}")
    return tuple(normal.split(" "))


def check_text(phrase: object, where: str = "") -> None:
    """Raise if a phrase is not a string, for example the NaN of an empty cell in a data frame.

    Args:
        phrase: The phrase.
        where: The start of the message, which says where the phrase comes from.

    Raises:
        PhraseError: It is not a string.
    """
    if not isinstance(phrase, str):
        raise PhraseError(f"{where}{quote_value(phrase)} is not text ({type(phrase).__name__}); give each phrase as a str")


def find_targets(
    words: Words, match: Callable[[Words], Mapping[N, str]], stop_words: frozenset[str] = frozenset()
) -> tuple[Aspect[N], ...]:
    """Return the aspects of a phrase with their target sets, none if no split matches (Algorithm 1).

    Args:
        words: The words of the normalised phrase.
        match: Returns the target set of words as a whole, each entity with the label that leads to it (MATCHTARGETS).
        stop_words: Dropped before the phrase is split, unless it has no other words.

    >>> known = {("public", "toilet"): {1: "public toilet"}, ("smelly",): {2: "smelly"}}
    >>> [aspect.text for aspect in find_targets(("smelly", "public", "toilet"), lambda part: known.get(part, {}))]
    ['smelly', 'public toilet']
    """
    targets = match(words)
    if targets:
        return (_aspect(words, targets),)
    content = tuple(word for word in words if word not in stop_words) or words
    matches = cache(lambda start, end: match(content[start:end]))

    @cache
    def find_aspects(start: int, number: int) -> tuple[Aspect[N], ...]:
        """Split the words from ``start`` on into this number of aspects (Algorithm 2); memoised."""
        for end in [len(content)] if number == 1 else range(start + 1, len(content) - number + 2):
            found = matches(start, end)
            if not found:
                continue
            aspect = _aspect(content[start:end], found)
            if number == 1:
                return (aspect,)
            rest = find_aspects(end, number - 1)
            if rest:
                return (aspect, *rest)
        return ()

    for number in range(1, len(content) + 1):
        aspects = find_aspects(0, number)
        if aspects:
            return aspects
    return ()


def _aspect(words: Words, found: Mapping[N, str]) -> Aspect[N]:
    return Aspect(" ".join(words), tuple(found), tuple(found.values()))
