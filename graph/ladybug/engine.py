"""Import the embedded engine, a library of 10 MB, when it is first used."""

from __future__ import annotations

import sys
from typing import Any

from ...core.deferred_signals import defer_signals


def import_engine() -> Any:
    """Return the module ``ladybug``.

    If a signal interrupts its import, it reports that its own library is missing.
    """
    if "ladybug" not in sys.modules:
        with defer_signals():
            import ladybug  # noqa: F401
    return sys.modules["ladybug"]
