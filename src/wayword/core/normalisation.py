"""Normalisation of phrases, the same for storing labels and for looking them up.

Phrases, labels, lemmas and stop words are equal if their normalised forms are equal. Normalisation preserves accents: ``får``
is not ``far``. If a normalised form is not found, the folded form, which has no accents, is looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_BRACKETED = re.compile(r"\s*\([^()]*\)\s*\Z")

_HYPHENS = str.maketrans("\u2010\u2011", "--")
_PLAIN_LETTERS = str.maketrans(
    {"đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Latin letters that NFKD does not decompose."""


class _DropTable(dict[int, int | None]):
    """A table for ``str.translate`` that drops the characters for which a predicate is true; filled on demand."""

    def __init__(self, is_dropped: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_dropped = is_dropped

    def __missing__(self, code: int) -> int | None:
        self[code] = None if self._is_dropped(chr(code)) else code
        return self[code]


_without_format_characters = _DropTable(lambda character: unicodedata.category(character) == "Cf")
_without_marks = _DropTable(lambda character: unicodedata.combining(character) > 0)


def normalise(phrase: str) -> str:
    """Normalise a phrase: lower case, plain hyphens, single spaces, no invisible characters.

    In this order: format characters (general category Cf, such as soft hyphens and zero-width joiners) are dropped; NFKC; the
    hyphens U+2010 and U+2011 become ``-``; case folding; underscores and runs of white space become one space, and are removed
    at both ends. The result may be empty.

    >>> normalise(" Café_au  LAIT "), normalise("Ｅ‑mail")
    ('café au lait', 'e-mail')
    """
    if phrase.isascii():
        folded = phrase.lower()
    else:
        visible = phrase.translate(_without_format_characters)
        folded = unicodedata.normalize("NFKC", visible).translate(_HYPHENS).casefold()
    return " ".join(folded.replace("_", " ").split())


def fold(normalised: str) -> str:
    """Remove the accents of a normalised phrase, for a second lookup if the phrase itself is not found.

    NFKD without characters of a combining class above 0, case-folded again; Latin letters that NFKD does not decompose (ø, ł,
    æ, ...) become plain letters. The result may be empty.

    >>> fold("café au lait"), fold("smørrebrød"), fold("\u0301")
    ('cafe au lait', 'smorrebrod', '')
    """
    if normalised.isascii():
        return normalised
    unaccented = unicodedata.normalize("NFKD", normalised).translate(_without_marks)
    return " ".join(unaccented.casefold().translate(_PLAIN_LETTERS).split())


def split_at_hyphens(normalised: str) -> str | None:
    """Replace hyphens between letters or digits by spaces; None if a normalised phrase has no such hyphen.

    >>> split_at_hyphens("machine-learning"), split_at_hyphens("-5 - x"), split_at_hyphens("plain")
    ('machine learning', None, None)
    """
    if "-" not in normalised:
        return None
    hyphens = {
        index
        for index in range(1, len(normalised) - 1)
        if normalised[index] == "-" and _is_word_part(normalised[index - 1]) and _is_word_part(normalised[index + 1])
    }
    if not hyphens:
        return None
    return "".join(" " if index in hyphens else character for index, character in enumerate(normalised))


def _is_word_part(character: str) -> bool:
    """Whether a character is a letter, a digit, or a combining mark of a letter."""
    return unicodedata.category(character)[0] in "LMN"


def is_encodable(text: str) -> bool:
    r"""Whether a text can be encoded in UTF-8; one with a lone surrogate (half a character) cannot.

    >>> is_encodable("dog"), is_encodable("\ud83d")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def replace_surrogates(text: str) -> str:
    r"""Join surrogate pairs to characters, and replace lone surrogates by U+FFFD.

    >>> replace_surrogates("\ud83d\udc36") == "\U0001f436", replace_surrogates("a\ud83d") == "a\ufffd"
    (True, True)
    """
    return text if is_encodable(text) else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def strip_brackets(title: str) -> str | None:
    """Remove the bracketed term at the end of a title; None if there is none, or nothing before it.

    >>> strip_brackets("Orange (fruit)"), strip_brackets("Orange"), strip_brackets("(I Am) (A Title)")
    ('Orange', None, '(I Am)')
    """
    if not title.rstrip().endswith(")"):
        return None
    match = _BRACKETED.search(title)
    return title[: match.start()] or None if match else None


_FUNCTION_WORDS = """
a an the this that these those each every either neither some any no none all both such
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one oneself who whom whose which what whoever whomever whatever whichever
somebody someone something anybody anyone anything nobody nothing everybody everyone everything
about above across after against along amid among amongst around as at before behind below beneath beside besides between
beyond by concerning despite down during except for from in inside into like near of off on onto out outside over per
regarding since than through throughout till to toward towards under underneath until unto up upon versus via with within
without and but or nor so yet if then else because although though unless whereas whether while whilst when where why how
am is are was were be been being have has had having do does did doing done can could may might must shall should will would
ought cannot not too very also only just quite rather there here again ever never even still already almost
's 't 'd 'll 'm 're 've don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't haven't
hadn't it's that's there's i'm you're we're they're i've we've they've
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""English function words: the closed word classes, and some adverbs of degree and negation."""
