"""Check a store, and what is derived from it, for damage."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import CheckResult


def check(store: str | os.PathLike[str] | None = None) -> CheckResult:
    """Check a store and its projections for damage; nothing is changed.

    Args:
        store: The address of the store; by default ``WAYWORD_STORE``, else the store in the user's data directory.

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
        return CheckResult((opened.check(), *check_cached(opened)))
