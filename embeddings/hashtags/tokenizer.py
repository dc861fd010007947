"""The tokens of a tweet, just as NLTK's ``TweetTokenizer`` makes them, and what each of them is.

The tokenizer is asked about pieces between blanks and not about whole tweets, since most pieces have been seen before. Its
tokens hold blanks in phone numbers and in dots with blanks between them only, so that text stays together wherever digits or
dots might go on behind a blank. Time grows with the square of a piece in some of its patterns: ``LONGEST_PIECE`` bounds it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...core.normalization import FUNCTION_WORDS, replace_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable

    from nltk.tokenize import TweetTokenizer

LONGEST = 25_000
"""Characters of the longest tweet that Twitter takes."""

LONGEST_PIECE = 500
"""Characters without a blank between them, those of URLs left out; words of English tweets are never as long."""

REMEMBERED, REMEMBERED_LENGTH = 1 << 15, 40
"""Pieces whose tokens are kept at hand, and how long these may be."""


class Tokens(NamedTuple):
    """What is in a text: its words with the hashtags, the hashtags, and what may tell its language."""

    words: tuple[str, ...]
    hashtags: tuple[str, ...]
    telling: tuple[str, ...]


def tokenize(text: str) -> Tokens | None:
    """The tokens of a tweet; None if it is longer than any tweet, or has a piece that no tweet would have.

    URLs, mentions, punctuation and stop words are left out of ``words``; emoji and other pictures are no punctuation and stay.
    In ``telling`` stop words are still there, and hashtags without their #.

    >>> tokenize("RT @WHO: Why are 5 kids sick? #Flu, ##flu ＃MMR http://t.co/x 🤒 :-)").words
    ('rt', '5', 'kids', 'sick', '#flu', '#flu', '#mmr', '🤒')
    >>> tokenize("Why the #Flu?").telling
    ('why', 'the', 'flu')
    """
    if len(text) > LONGEST or _UNBROKEN.search(text := prepare(text)):
        return None
    found = list(_parts(text))
    words, hashtags, telling = ([each for part in found for each in part[kind]] for kind in range(3))
    return Tokens(tuple(words), tuple(hashtags), tuple(telling))


def prepare(text: str) -> str:
    """A text as it goes to the tokenizer: in lower case, without URLs, full-width # and @ made plain.

    >>> prepare("Ill? ＃Flu https://t.co/x")
    'ill? #flu  '
    """
    if not text.isascii():
        text = replace_surrogates(text).replace("＃", "#").replace("＠", "@")
    return _URL.sub(" ", text.lower())


def _parts(text: str) -> Iterator[Tokens]:
    for piece in _pieces(text):
        yield _remembered(piece) if len(piece) <= REMEMBERED_LENGTH else _part(piece)


def _pieces(text: str) -> list[str]:
    """The pieces of a text that can be tokenized alone."""
    from nltk.tokenize.casual import ENT_RE, HANDLES_RE

    if "&" in text and ENT_RE.search(text):
        return [text]  # entities come before all else, and may become anything
    if "@" in text:
        text = HANDLES_RE.sub(" ", text)
    return [piece for piece in _BLANKS.split(text) if piece]


_UNBROKEN = re.compile(rf"\S{{{LONGEST_PIECE + 1}}}")
_URL = re.compile(r"https?:\S*|(?<!\w)www\.\S*")
_BLANKS = re.compile(r"(?<![\d*\-.)\s]) +| +(?![\d*\-.()\s])")
_ADDRESS = re.compile(r"[a-z0-9.\-]+\.(?:[a-z]{2,13}/\S*|(?:com|org|net|gov|edu|int|mil|info|biz|co|ly|tv|io)/?)")
_SIMPLE = re.compile(r"(#?[a-z]{3,})([,.!?:;]?)")
"""Pieces of which the tokens are known without asking, most of those that are new; of two letters "do:" is an emoticon."""

_RUN = re.compile(r"(.)\1\1+")


def _part(piece: str) -> Tokens:
    """What each token of a piece is."""
    words, hashtags, telling = [], [], []
    hashtag = _hashtag()
    for token in _plain(piece):
        if hashtag(token) and any(map(str.isalnum, token)):
            name = token.lstrip("#")
            words.append(f"#{name}")
            hashtags.append(f"#{name}")
            telling.append(name)
        elif (token[0] == "@" and len(token) > 1) or _ADDRESS.fullmatch(token):
            continue
        elif any(map(str.isalnum, token)):
            telling.append(token)
            if token not in FUNCTION_WORDS:
                words.append(token)
        elif any(unicodedata.category(character) == "So" for character in token):
            words.append(token)
    return Tokens(tuple(words), tuple(hashtags), tuple(telling))


_remembered = lru_cache(REMEMBERED)(_part)


def _plain(piece: str) -> list[str]:
    if simple := _SIMPLE.fullmatch(piece):
        word, behind = simple.groups()
        return [_RUN.sub(r"\1\1\1", word), behind] if behind else [_RUN.sub(r"\1\1\1", word)]
    found: list[str] = _tokenizer().tokenize(piece)
    if "&" in piece:  # an entity may have become a capital letter, or half a character
        return [replace_surrogates(token) for token in found]
    return found


@cache
def _tokenizer() -> TweetTokenizer:
    from nltk.tokenize import TweetTokenizer

    return TweetTokenizer(preserve_case=False, strip_handles=True, reduce_len=True)


@cache
def _hashtag() -> Callable[[str], object]:
    """The tokenizer's own pattern of a hashtag; what a letter is in other scripts, ``re`` sees differently."""
    import regex

    found: Callable[[str], object] = regex.compile(r"#+[\w_]+[\w'_\-]*[\w_]+").fullmatch
    return found
