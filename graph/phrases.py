"""How a phrase is written down as a label, the same for everything that stores labels or looks them up."""

from __future__ import annotations

import re
import unicodedata

_BRACKETED = re.compile(r"\s*\([^()]*\)\s*\Z")


class _Unmarked(dict[int, int | None]):
    """What becomes of each letter that has been met: nothing of a mark, and of any other itself."""

    def __missing__(self, letter: int) -> int | None:
        self[letter] = None if unicodedata.combining(chr(letter)) else letter
        return self[letter]


_unmarked = _Unmarked()


def normalise(phrase: str) -> str:
    """A phrase without case, accents and stray white space.

    Casefold, drop the marks that NFKD splits off (combining class above 0), casefold again; underscores and runs of white
    space become one blank, none is left at the ends. What is left may be empty; whether that is an error is for the caller.

    >>> normalise(" Café_au  LAIT ")
    'cafe au lait'
    """
    if phrase.isascii():
        folded = phrase.lower()
    else:
        split = unicodedata.normalize("NFKD", phrase.casefold())
        folded = split.translate(_unmarked).casefold()
    return " ".join(folded.replace("_", " ").split())


def unbracketed(title: str) -> str | None:
    """A title without the bracketed term at its end; None where it has none, or is nothing else.

    >>> unbracketed("Orange (fruit)"), unbracketed("Orange"), unbracketed("(I Am) (A Title)")
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
