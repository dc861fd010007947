"""The ledger of runs: what was run, on which store, with which seed and versions, and with which result.

``models`` declares its tables and ``migrate`` brings an older database up to date; ``ledger`` opens it, ``recording`` writes
one run, and ``records`` are read from it. It is an SQLite file in the user's data directory, or any database with a SQLAlchemy
URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .ledger import Ledger
    from .recording import RunRequest
    from .records import Run
else:
    __getattr__ = lazy_exports(__name__, {"ledger": ("Ledger",), "recording": ("RunRequest",), "records": ("Run",)})

__all__ = ["Ledger", "Run", "RunRequest"]
