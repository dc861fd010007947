"""How a phrase is written down as a label, the same for everything that stores labels or looks them up."""

from __future__ import annotations

import re
import unicodedata

_BRACKETED = re.compile(r"\s*\([^()]*\)\s*\Z")


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
        folded = "".join(letter for letter in split if not unicodedata.combining(letter)).casefold()
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
