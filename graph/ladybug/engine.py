"""Import the embedded engine, a library of 10 MB, when it is first used."""

from __future__ import annotations

from threading import Lock
from types import ModuleType
from typing import Any

from ...core.deferred_signals import defer_signals

_importing = Lock()
_engine: ModuleType | None = None


def import_engine() -> Any:
    """Return the module ``ladybug``, with the library in C++ that it otherwise loads when it is first asked for something.

    Other threads wait until all of it is loaded, and so do signals: if either came in between, ``ladybug`` would report that
    its library is missing.
    """
    global _engine
    if _engine is None:
        with defer_signals(), _importing:
            import ladybug

            _ = ladybug.version  # only the library knows it
            _engine = ladybug
    return _engine
