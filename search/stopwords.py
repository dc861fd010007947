"""Words without a meaning of their own, which are dropped before a phrase is split into aspects.

The default for English holds its closed classes: articles, pronouns, prepositions, conjunctions, auxiliaries and a few
adverbs of degree and negation. Other languages have the lists of the package ``stop-words``. The thesis used the list of a
keyphrase extractor, which also drops words such as *computer* and *clear*; read such a list with ``stop_words(file)`` to
repeat its figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..graph.phrases import normalise
from .errors import ParameterError
from .smallfile import read_small

if TYPE_CHECKING:
    from os import PathLike

_ENGLISH = """
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
ENGLISH = frozenset(_ENGLISH.split())
ENGLISH_CODES = frozenset({"", "en", "simple"})


def stop_words_of(languages: Iterable[str]) -> frozenset[str]:
    """The default stop words of bases in these languages (codes; English where a base does not say).

    >>> "the" in stop_words_of(["en"]), sorted(stop_words_of(["de", "xx"]) & {"und", "haus", "the"})
    (True, ['und'])
    """
    found: frozenset[str] = frozenset()
    for language in languages:
        found |= ENGLISH if language in ENGLISH_CODES else _of_package(language)
    return found


def _of_package(language: str) -> frozenset[str]:
    """The words that the package ``stop-words`` has for a language; of many languages none."""
    from stop_words import AVAILABLE_LANGUAGES, LANGUAGE_MAPPING, get_stop_words

    code = language.partition("-")[0]
    if LANGUAGE_MAPPING.get(code) not in AVAILABLE_LANGUAGES:
        return frozenset()
    return frozenset(filter(None, map(normalise, get_stop_words(code))))


def stop_words(file: str | PathLike[str] | None = None) -> frozenset[str]:
    """The default stop words, or those of a file with one on each line.

    >>> "of" in stop_words(), "god" in stop_words()
    (True, False)
    """
    if file is None:
        return ENGLISH
    try:
        lines = read_small(Path(file)).splitlines()
    except (OSError, ValueError) as error:
        raise ParameterError(f"stop words {file}: {error}: give a text file in UTF-8 with one word on each line") from None
    return frozenset(filter(None, map(normalise, lines)))
