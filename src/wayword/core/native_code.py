"""The parts that are also written in C: which of them run, for those who ask why something is slow.

Python does the same work where there was no compiler at installation, or if the variable ``WAYWORD_NATIVE`` is 0.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

VARIABLE = "WAYWORD_NATIVE"
"""The environment variable that asks for Python if it is 0."""

PARTS: Mapping[str, str] = {
    "search": "wayword.search.paths.native",
    "scanner of wikitext": "wayword.loaders.wikipedia.wikitext.native",
}
"""The modules written in C, by what they do."""


@cache
def load_native(part: str) -> ModuleType | None:
    """Return the C module of one of ``PARTS``, or None if Python does its work."""
    if os.environ.get(VARIABLE) == "0":
        return None
    try:
        return import_module(PARTS[part])
    except ImportError:
        return None


def native_parts() -> dict[str, str]:
    """Return for each part whether ``C`` or ``Python`` does its work."""
    return {part: "C" if load_native(part) else "Python" for part in PARTS}
