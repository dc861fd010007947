"""Normalise phrases: the same for everything that stores labels and everything that looks them up.

A phrase, a label, a lemma and a stop word are told apart by their normalised form, which keeps accents: ``får`` is not ``far``.
The folded form, without accents, is a key to fall back on where the normalised form finds nothing.
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
"""Latin letters that NFKD does not take apart."""


class _Dropped(dict[int, int | None]):
    """A table for ``str.translate`` that drops the characters of which something is true, filled as characters are met."""

    def __init__(self, is_dropped: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_dropped = is_dropped

    def __missing__(self, code: int) -> int | None:
        self[code] = None if self._is_dropped(chr(code)) else code
        return self[code]


_without_format_characters = _Dropped(lambda character: unicodedata.category(character) == "Cf")
_without_marks = _Dropped(lambda character: unicodedata.combining(character) > 0)


def normalise(phrase: str) -> str:
    """Write a phrase as labels are written: in lower case, with plain hyphens and single spaces, without what is not seen.

    Format characters (general category Cf, such as soft hyphens and zero-width joiners) are dropped; NFKC; the hyphens U+2010
    and U+2011 become ``-``; casefold; underscores and runs of white space become one space, none at the ends. The result may be
    empty; whether that is an error is for the caller to say.

    >>> normalise(" Café_au  LAIT "), normalise("Ｅ‑mail")
    ('café au lait', 'e-mail')
    """
    if phrase.isascii():
        folded = phrase.lower()
    else:
        shown = phrase.translate(_without_format_characters)
        folded = unicodedata.normalize("NFKC", shown).translate(_HYPHENS).casefold()
    return " ".join(folded.replace("_", " ").split())


def fold(normalised: str) -> str:
    """Write a normalised phrase without accents: the key to fall back on where the phrase itself finds nothing.

    NFKD without characters of a combining class above 0, casefolded again; Latin letters that NFKD leaves whole (ø, ł, æ, ...)
    are written plainly. Nothing may be left.

    >>> fold("café au lait"), fold("smørrebrød"), fold("\u0301")
    ('cafe au lait', 'smorrebrod', '')
    """
    if normalised.isascii():
        return normalised
    split = unicodedata.normalize("NFKD", normalised).translate(_without_marks)
    return " ".join(split.casefold().translate(_PLAIN_LETTERS).split())


def split_at_hyphens(normalised: str) -> str | None:
    """A normalised phrase with the hyphens between letters or digits as spaces; None if there are none.

    >>> split_at_hyphens("machine-learning"), split_at_hyphens("-5 - x"), split_at_hyphens("plain")
    ('machine learning', None, None)
    """
    if "-" not in normalised:
        return None
    inner = range(1, len(normalised) - 1)
    places = {
        place
        for place in inner
        if normalised[place] == "-" and _is_word_part(normalised[place - 1]) and _is_word_part(normalised[place + 1])
    }
    if not places:
        return None
    return "".join(" " if place in places else character for place, character in enumerate(normalised))


def _is_word_part(character: str) -> bool:
    """Whether a character is a letter, a digit, or a mark, which belongs to its letter."""
    return unicodedata.category(character)[0] in "LMN"


def is_encodable(text: str) -> bool:
    r"""Whether a text can be written in UTF-8; one with a lone surrogate, half of a character, cannot.

    >>> is_encodable("dog"), is_encodable("\ud83d")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def replace_surrogates(text: str) -> str:
    r"""Join pairs of surrogates to characters and replace lone ones by U+FFFD.

    >>> replace_surrogates("\ud83d\udc36") == "\U0001f436", replace_surrogates("a\ud83d") == "a\ufffd"
    (True, True)
    """
    return text if is_encodable(text) else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def strip_brackets(title: str) -> str | None:
    """A title without the bracketed term at its end; None where it has none, or is nothing else.

    >>> strip_brackets("Orange (fruit)"), strip_brackets("Orange"), strip_brackets("(I Am) (A Title)")
    ('Orange', None, '(I Am)')
    """
    if not title.rstrip().endswith(")"):
        return None
    found = _BRACKETED.search(title)
    return title[: found.start()] or None if found else None


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
"""English words without a meaning of their own: its closed classes, and a few adverbs of degree and negation."""
