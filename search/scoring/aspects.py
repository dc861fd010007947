"""Split a phrase into aspects with target sets: Algorithms 1 (FINDTARGETS) and 2 (FINDASPECTS) of the thesis.

The whole phrase is looked up first. If it does not match, stop words are dropped and the rest is split into as few aspects as
possible, from left to right; the first split in which every part matches is used. Scripts without blanks, such as Japanese and
Thai, need one more step (``word_cuts``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Generic, NamedTuple

from ...core.messages import quote_value
from ...core.normalisation import is_encodable, normalise
from ..bases.view import N, TargetLabel
from ..errors import PhraseError
from .sense_weights import Senses
from .word_cuts import Words, cut_word, find_fewest_parts

MAX_LENGTH = 256
"""The greatest number of characters of a normalised phrase."""


class Aspect(NamedTuple, Generic[N]):
    """A part of a phrase that matches.

    - ``text``: the part
    - ``targets``: its target set
    - ``labels``: for each target the label that leads to it
    - ``senses``: for each target the senses that lead to it, see ``TargetLabel``
    - ``opposites``: the antonyms of the targets, each with the first of its targets
    - ``weights``: the weights of the targets; None if each is 1
    """

    text: str
    targets: tuple[N, ...]
    labels: tuple[str, ...]
    senses: tuple[Senses, ...]
    opposites: Mapping[N, N] = MappingProxyType({})
    weights: tuple[float, ...] | None = None

    @classmethod
    def of(cls, text: str, found: Mapping[N, TargetLabel]) -> Aspect[N]:
        """Return the aspect of a text that matches these targets."""
        labels, senses, _ = zip(*found.values(), strict=True)
        opposites: dict[N, N] = {}
        for node, label in found.items():
            for other in label.opposites:
                opposites.setdefault(other, node)
        return cls(text, tuple(found), labels, senses, opposites)

    def weight_of(self, target: N) -> float:
        """Return the weight of a target; 1 for an entity that is none."""
        return 1.0 if self.weights is None else dict(zip(self.targets, self.weights, strict=True)).get(target, 1.0)

    def find_antonyms(self, other: Aspect[N]) -> tuple[N, N] | None:
        """Return a target of this aspect and its antonym in the other aspect, of several the most used; None if there is none.

        Aspects that share a target are not antonyms.
        """
        if self.opposites.keys().isdisjoint(other.targets) or not set(self.targets).isdisjoint(other.targets):
            return None
        return next((self.opposites[target], target) for target in other.targets if target in self.opposites)


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


def is_valid(normalised: str) -> bool:
    """Whether a normalised text, such as the title of an article, is a phrase: it is not empty, too long, or not valid text."""
    return 0 < len(normalised) <= MAX_LENGTH and is_encodable(normalised) and "\0" not in normalised


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
    words: Words, match: Callable[[Words], Mapping[N, TargetLabel]], stop_words: frozenset[str] = frozenset()
) -> tuple[Aspect[N], ...]:
    """Return the aspects of a phrase with their target sets, none if no split matches (Algorithm 1).

    Words in scripts without blanks are first looked up whole. Only if no split matches, they are cut at the ends of labels and
    stop words, see ``cut_word``, and the phrase is split once more.

    Args:
        words: The words of the normalised phrase.
        match: Returns the target set of words as a whole, each entity with the label that leads to it (MATCHTARGETS).
        stop_words: Dropped before the phrase is split, unless it has no other words.

    >>> known = {(each,): {each: TargetLabel(each)} for each in ("smelly", "博物館")}
    >>> known["public", "toilet"] = {"public toilet": TargetLabel("public toilet")}
    >>> [aspect.text for aspect in find_targets(("smelly", "public", "toilet"), lambda part: known.get(part, {}))]
    ['smelly', 'public toilet']
    >>> [aspect.text for aspect in find_targets(("博物館の博物館",), lambda part: known.get(part, {}), frozenset("の"))]
    ['博物館', '博物館']
    """
    targets = match(words)
    if targets:
        return (Aspect.of(" ".join(words), targets),)
    tokens = _with_blanks((word,) for word in words)
    aspects = _split(tokens, match, stop_words)
    if aspects:
        return aspects
    cut = _with_blanks(cut_word(word, lambda part: part in stop_words or bool(match((part,)))) for word in words)
    return () if cut == tokens else _split(cut, match, stop_words)


def _with_blanks(words: Iterable[Words]) -> Words:
    """Return the parts of all words as tokens that can be joined: the first part of each word begins with a blank."""
    return tuple(part if index else f" {part}" for parts in words for index, part in enumerate(parts))


def _split(
    tokens: Words, match: Callable[[Words], Mapping[N, TargetLabel]], stop_words: frozenset[str]
) -> tuple[Aspect[N], ...]:
    """Drop stop words, and return the first of the shortest splits in which every part matches.

    Algorithm 2 tries 1, 2, ... aspects, and short aspects first from left to right. A breadth-first search that tries short
    parts first finds the same split, and looks each part up once.
    """
    content = tuple(token for token in tokens if token.strip() not in stop_words) or tokens

    def part(start: int, end: int) -> str:
        return "".join(content[start:end]).strip()

    def is_known(start: int, end: int) -> bool:
        return bool(match(tuple(part(start, end).split(" "))))

    ends = find_fewest_parts(len(content), is_known, lambda start: range(start + 1, len(content) + 1))
    texts = [part(start, end) for start, end in pairwise(ends)]
    found = [match(tuple(text.split(" "))) for text in texts]
    return tuple(Aspect.of(text, each) for text, each in zip(texts, found, strict=True))
