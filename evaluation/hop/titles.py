"""The words of a title, as the strategies that go by meaning read it."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def words_of(title: str) -> list[str]:
    """The maximal runs of letters and digits of a title in lower case.

    >>> words_of("Orange (fruit)"), words_of("BMW_X1's")
    (['orange', 'fruit'], ['bmw', 'x1', 's'])
    """
    return _WORD.findall(title.lower())
