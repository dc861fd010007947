"""Import the embedded engine, a library of 10 MB, when it is first used."""

from __future__ import annotations

import sys
from typing import Any

from ...core.deferred_signals import defer_signals


def import_engine() -> Any:
    """Return the module ``ladybug``.

    If a signal interrupts its import, or that of the library in C++ that it needs next, it reports that library missing.
    """
    if "ladybug" not in sys.modules:
        with defer_signals():
            import ladybug

            _ = ladybug.version  # which only the library knows, so this loads it
    return sys.modules["ladybug"]
