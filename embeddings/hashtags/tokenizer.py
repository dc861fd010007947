"""Tokenize tweets exactly as NLTK's ``TweetTokenizer`` does, but faster, and classify the tokens.

NLTK's tokenizer is called for pieces between blanks instead of whole tweets, so that the tokens of most pieces come from a
cache. Its only tokens with blanks inside are phone numbers and ellipses of separated dots, so text is not split at a blank next
to a digit, a dot or another character that may occur in them. Some of its patterns take quadratic time, so pieces are bounded
by ``LONGEST_PIECE``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...core.normalisation import FUNCTION_WORDS, replace_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable

    import regex
    from nltk.tokenize import TweetTokenizer

LONGEST = 25_000
"""The maximum number of characters in a tweet."""

LONGEST_PIECE = 500
"""The maximum number of characters without white space, not counting URLs; no word of an English tweet is as long."""

CACHE_SIZE, LONGEST_CACHED = 1 << 15, 40
"""The number of pieces whose tokens are cached, and their maximum length."""


class Tokens(NamedTuple):
    """The tokens of a text: its words including hashtags, the hashtags, and the words to detect its language by."""

    words: tuple[str, ...]
    hashtags: tuple[str, ...]
    language_words: tuple[str, ...]


def tokenize(text: str) -> Tokens | None:
    """Tokenize a tweet; None if the text, or a piece of it, is too long for a tweet.

    ``words`` has no URLs, mentions, punctuation and stop words, but has emoji and other symbols. ``language_words`` has stop
    words, and hashtags without their #. A hashtag right before an ellipsis may be cut off, so it does not count.

    >>> tokenize("RT @WHO: Why are 5 kids sick? #Flu, ##flu ＃MMR http://t.co/x 🤒 :-)").words
    ('rt', '5', 'kids', 'sick', '#flu', '#flu', '#mmr', '🤒')
    >>> tokenize("Why the #Flu?").language_words
    ('why', 'the', 'flu')
    >>> tokenize("RT @WHO: Wash your hands #Flu #WashYo… http://t.co/x").hashtags
    ('#flu',)
    """
    if len(text) > LONGEST or _LONG_PIECE.search(text := prepare(text)):
        return None
    pieces = list(_classify_pieces(text))
    words, hashtags, language_words = ([each for piece in pieces for each in piece[kind]] for kind in range(3))
    return Tokens(tuple(words), tuple(hashtags), tuple(language_words))


def prepare(text: str) -> str:
    """Return a text in lower case, without URLs and truncated hashtags, and with full-width # and @ as ASCII.

    >>> prepare("Ill? ＃Flu https://t.co/x")
    'ill? #flu  '
    """
    if not text.isascii():
        text = replace_surrogates(text).replace("＃", "#").replace("＠", "@")
    text = _URL.sub(" ", text.lower())
    if "#" in text and ("…" in text or "..." in text):
        text = _cut_hashtag().sub(" ", text)
    return text


def _classify_pieces(text: str) -> Iterator[Tokens]:
    for piece in _split_into_pieces(text):
        yield _classify_cached(piece) if len(piece) <= LONGEST_CACHED else _classify(piece)


def _split_into_pieces(text: str) -> list[str]:
    """Split a text into pieces that can be tokenized separately."""
    from nltk.tokenize.casual import ENT_RE, HANDLES_RE

    if "&" in text and ENT_RE.search(text):
        return [text]  # entities are decoded first, and may become anything
    if "@" in text:
        text = HANDLES_RE.sub(" ", text)
    return [piece for piece in _BLANKS.split(text) if piece]


_LONG_PIECE = re.compile(rf"\S{{{LONGEST_PIECE + 1}}}")
_URL = re.compile(r"https?:\S*|(?<!\w)www\.\S*")
_BLANKS = re.compile(r"(?<![\d*\-.)\s]) +| +(?![\d*\-.()\s])")
_ADDRESS = re.compile(r"[a-z0-9.\-]+\.(?:[a-z]{2,13}/\S*|(?:com|org|net|gov|edu|int|mil|info|biz|co|ly|tv|io)/?)")
_SIMPLE = re.compile(r"(#?[a-z]{3,})([,.!?:;]?)")
"""Pieces that need no tokenizer: most of those not in the cache. Two letters may be an emoticon: "do:"."""

_REPEATED = re.compile(r"(.)\1\1+")


def _classify(piece: str) -> Tokens:
    """Tokenize a piece and classify its tokens."""
    words, hashtags, language_words = [], [], []
    match_hashtag = _hashtag_matcher()
    for token in _tokenize_piece(piece):
        if match_hashtag(token) and any(map(str.isalnum, token)):
            name = token.lstrip("#")
            words.append(f"#{name}")
            hashtags.append(f"#{name}")
            language_words.append(name)
        elif (token[0] == "@" and len(token) > 1) or _ADDRESS.fullmatch(token):
            continue
        elif any(map(str.isalnum, token)):
            language_words.append(token)
            if token not in FUNCTION_WORDS:
                words.append(token)
        elif any(unicodedata.category(character) == "So" for character in token):
            words.append(token)
    return Tokens(tuple(words), tuple(hashtags), tuple(language_words))


_classify_cached = lru_cache(CACHE_SIZE)(_classify)


def _tokenize_piece(piece: str) -> list[str]:
    if simple := _SIMPLE.fullmatch(piece):
        word, punctuation = simple.groups()
        word = _REPEATED.sub(r"\1\1\1", word)
        return [word, punctuation] if punctuation else [word]
    tokens: list[str] = _tokenizer().tokenize(piece)
    if "&" in piece:  # an entity may have become a lone surrogate
        return [replace_surrogates(token) for token in tokens]
    return tokens


@cache
def _tokenizer() -> TweetTokenizer:
    from nltk.tokenize import TweetTokenizer

    return TweetTokenizer(preserve_case=False, strip_handles=True, reduce_len=True)


@cache
def _hashtag_matcher() -> Callable[[str], object]:
    """Return the matcher of NLTK's pattern of hashtags. It needs ``regex``: ``re`` has other letters in some scripts."""
    import regex

    matcher: Callable[[str], object] = regex.compile(r"#+[\w_]+[\w'_\-]*[\w_]+").fullmatch
    return matcher


@cache
def _cut_hashtag() -> regex.Pattern[str]:
    """Return the pattern of a hashtag, or a bare #, right before an ellipsis; one right before a word joins sentences."""
    import regex

    return regex.compile(r"#[\w'\-]*+(?:…|\.{3,}+)(?!\w)")
