"""Find the address of the store to open."""

from __future__ import annotations

import os
from pathlib import Path


def resolve_address(store: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    """Return the given address, else that in ``WAYWORD_STORE``, else that of the default store."""
    return (os.environ.get("WAYWORD_STORE") or default_store()) if store is None else store


def default_store() -> Path:
    """Return the path of the default store, in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("wayword") / "graph.lbug"
