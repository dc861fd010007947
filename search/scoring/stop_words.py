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

from ...core.normalization import FUNCTION_WORDS, normalise
from ...core.text_files import read_small_file
from ..errors import ParameterError

if TYPE_CHECKING:
    from os import PathLike

ENGLISH = FUNCTION_WORDS
ENGLISH_CODES = frozenset({"", "en", "simple"})


def default_stop_words(languages: Iterable[str]) -> frozenset[str]:
    """The default stop words of bases in these languages (codes; English where a base does not say).

    >>> "the" in default_stop_words(["en"]), sorted(default_stop_words(["de", "xx"]) & {"und", "haus", "the"})
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


def read_stop_words(file: str | PathLike[str] | None = None) -> frozenset[str]:
    """The default stop words, or those of a file with one on each line.

    >>> "of" in read_stop_words(), "god" in read_stop_words()
    (True, False)
    """
    if file is None:
        return ENGLISH
    try:
        lines = read_small_file(Path(file)).splitlines()
    except (OSError, ValueError) as error:
        raise ParameterError(f"stop words {file}: {error}: give a text file in UTF-8 with one word on each line") from None
    return frozenset(filter(None, map(normalise, lines)))
