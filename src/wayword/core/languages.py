"""Codes of languages."""

from __future__ import annotations

SEVERAL = "mul"
UNDETERMINED = "und"
"""The codes of ISO 639 for several languages, and for a language that is not known."""

_ENGLISH = frozenset({"", "en", "simple"})
"""Bases whose language nobody states are read as English."""


def is_english(code: str) -> bool:
    """Return whether a language code means English; an empty code does.

    >>> is_english("en"), is_english("en-GB"), is_english("simple"), is_english("de")
    (True, True, True, False)
    """
    return code.partition("-")[0] in _ENGLISH


def normalise_language(tag: str | None) -> str:
    """Return a language tag with its language in lower case and as short as ISO 639 allows; ``und`` for an empty one.

    >>> normalise_language("EN_gb"), normalise_language("fra"), normalise_language(" "), normalise_language("cmn-Hans")
    ('en-gb', 'fr', 'und', 'cmn-Hans')
    """
    language, hyphen, rest = (tag or "").strip().replace("_", "-").partition("-")
    language = language.lower()
    if len(language) == 3:
        from nltk.langnames import iso639short

        language = iso639short.get(language, language)
    return f"{language or UNDETERMINED}{hyphen}{rest}"
