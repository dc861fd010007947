"""Words the codes of what a load or an experiment left out.

Loaders count what they leave out by code (``redirect_loop``); the store and JSON keep the codes. Here each gets its words, for one
and for several. A code that is not listed, such as one of a loader of somebody else's, is shown with blanks for underscores.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDNET: Mapping[str, tuple[str, str]] = {}
_WIKIPEDIA: Mapping[str, tuple[str, str]] = {}
_THESAURI: Mapping[str, tuple[str, str]] = {}
_TWEETS: Mapping[str, tuple[str, str]] = {}
_TRAVERSALS: Mapping[str, tuple[str, str]] = {}

WORDS = {**_WORDNET, **_WIKIPEDIA, **_THESAURI, **_TWEETS, **_TRAVERSALS}
"""The words of every code that wayword itself counts: singular, plural."""


def describe_left_out(code: str, count: int) -> str:
    """Say how many of what were left out.

    >>> describe_left_out("unheard_of", 1200)
    '1,200 unheard of'
    """
    words = WORDS.get(code, (code.replace("_", " "),) * 2)
    return f"{count:,} {words[count != 1]}"
