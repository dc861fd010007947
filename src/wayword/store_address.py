"""Where the store is that is used unless another is named."""

from __future__ import annotations

import os
from pathlib import Path


def resolve_address(store: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    """The address of a store: as it is given, else that in ``WAYWORD_STORE``, else that of the default store."""
    return (os.environ.get("WAYWORD_STORE") or default_store()) if store is None else store


def default_store() -> Path:
    """Where the embedded graph lies if nobody says otherwise: in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("wayword") / "graph.lbug"
