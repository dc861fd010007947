"""Check a store, its projections and the ledger of runs for damage."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph.records import CheckedPart
    from .results import CheckResult


def check(store: str | os.PathLike[str] | None = None) -> CheckResult:
    """Check a store, its projections and the ledger of runs for damage; nothing is changed.

    Args:
        store: The address of the store; by default ``WAYWORD_STORE``, else the store in the user's data directory. The ledger
            is that of ``WAYWORD_LEDGER``, else the one in the same directory.

    Raises:
        StoreError: There is no store, or it cannot be opened.

    >>> import wayword
    >>> wayword.check(store).damaged
    False
    """
    from .graph import open_store
    from .results import CheckResult
    from .search.bases.projection_cache import check_cached
    from .store_address import resolve_address

    with open_store(resolve_address(store)) as opened:
        return CheckResult((opened.check(), *check_cached(opened), *_check_ledger()))


def _check_ledger() -> Iterator[CheckedPart]:
    """Check the ledger, if there is one."""
    from .evaluation.errors import LedgerDamaged, LedgerMissing
    from .evaluation.runs.ledger import Ledger
    from .evaluation.runs.location import default_ledger, display_url, to_url
    from .graph.records import CheckedPart

    name = display_url(to_url(default_ledger()))
    try:
        with Ledger.open(create=False) as ledger:
            ledger.check()
        yield CheckedPart.of("ledger", name, {})
    except LedgerMissing:
        return
    except LedgerDamaged:
        yield CheckedPart.of("ledger", name, {"unreadable_ledger": 1})
