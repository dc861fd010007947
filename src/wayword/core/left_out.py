"""Word the codes under which loads and experiments count what they leave out.

Loaders count what they leave out by code (``redirect_loop``); the store and JSON keep the codes. This module has the words of
each code, singular and plural. A code without an entry, such as that of a third-party loader, is shown with spaces for
underscores.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDNET: Mapping[str, tuple[str, str]] = {}
_WIKIPEDIA: Mapping[str, tuple[str, str]] = {}
_THESAURI: Mapping[str, tuple[str, str]] = {}
_TWEETS: Mapping[str, tuple[str, str]] = {}
_TRAVERSALS: Mapping[str, tuple[str, str]] = {}

WORDS = {**_WORDNET, **_WIKIPEDIA, **_THESAURI, **_TWEETS, **_TRAVERSALS}
"""The words of each code that wayword counts: singular, plural."""


def describe_left_out(code: str, count: int) -> str:
    """Return a count with the words of its code.

    >>> describe_left_out("unheard_of", 1200)
    '1,200 unheard of'
    """
    words = WORDS.get(code, (code.replace("_", " "),) * 2)
    return f"{count:,} {words[count != 1]}"
