"""Stop words: words without a meaning of their own, dropped before a phrase is split into aspects.

The default for English holds the closed word classes: articles, pronouns, prepositions, conjunctions, auxiliaries and a few
adverbs of degree and negation. The defaults for other languages are the lists of the package ``stop-words``. The thesis used
the list of the keyphrase extractor KEA, which also drops words like *computer* and *clear*; read it with
``read_stop_words(file)`` to reproduce the published scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.languages import is_english
from ...core.normalisation import FUNCTION_WORDS, normalise
from ...core.text_files import read_small_file
from ..errors import ParameterError

if TYPE_CHECKING:
    from os import PathLike

ENGLISH = FUNCTION_WORDS


_LISTED_AS = {"arb": "ar", "cmn": "zh", "no": "nb", "nn": "nb", "pes": "fa", "zsm": "ms"}
"""Languages whose list the package has under the code of a wider language, or of another standard of the same one."""


def default_stop_words(languages: Iterable[str]) -> frozenset[str]:
    """Return the default stop words for language codes; an empty code counts as English.

    >>> "the" in default_stop_words(["en"]), sorted(default_stop_words(["de", "xx"]) & {"und", "haus", "the"})
    (True, ['und'])
    """
    words: frozenset[str] = frozenset()
    for language in languages:
        words |= ENGLISH if is_english(language) else _packaged_list(language)
    return words


def _packaged_list(language: str) -> frozenset[str]:
    """Return the list of the package ``stop-words`` for a language; empty if it has none."""
    from stop_words import AVAILABLE_LANGUAGES, LANGUAGE_MAPPING, get_stop_words

    code = language.partition("-")[0]
    code = _LISTED_AS.get(code, code)
    if LANGUAGE_MAPPING.get(code) not in AVAILABLE_LANGUAGES:
        return frozenset()
    return frozenset(filter(None, map(normalise, get_stop_words(code))))


def read_stop_words(file: str | PathLike[str] | None = None) -> frozenset[str]:
    """Return the stop words of a file with one word per line; without a file the default list for English.

    Raises:
        ParameterError: The file cannot be read, or is too long.

    >>> "of" in read_stop_words(), "god" in read_stop_words()
    (True, False)
    """
    if file is None:
        return ENGLISH
    try:
        lines = read_small_file(Path(file)).splitlines()
    except (OSError, ValueError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise ParameterError(
            f"the stop words {file} cannot be read ({reason}); give a UTF-8 text file with one word per line"
        ) from None
    return frozenset(filter(None, map(normalise, lines)))
