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
