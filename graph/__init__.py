"""The stored graph: its schema, the store protocol and its engines, user Cypher, and export."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports
from .errors import StoreUnreadable

if TYPE_CHECKING:
    from .errors import StoreError
    from .ingestion import ingest
    from .records import Answer, Base, Batch
    from .store import Store
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "errors": ("StoreError",),
            "ingestion": ("ingest",),
            "records": ("Answer", "Base", "Batch"),
            "store": ("Store",),
        },
    )

__all__ = ["Answer", "Base", "Batch", "Store", "StoreError", "ingest", "open_store"]

MEMORY = "memory:"
"""Address of a new, empty in-memory store."""

_SCHEME = re.compile(r"(\w[\w+.-]*)://")


def open_store(address: str | os.PathLike[str]) -> Store:
    """Return the store at an address; it is opened, or connected to, on first use.

    Args:
        address: ``memory:`` for a new, empty store without Cypher that is lost when it is closed; a ``bolt://`` or
            ``neo4j://`` URL for a Neo4j server; otherwise the path of an embedded store, which need not exist yet.

    Raises:
        StoreUnreadable: The address is empty, or a URL of another scheme.

    >>> with open_store("memory:") as store:
    ...     store.bases()
    []
    """
    if not os.fspath(address):
        raise StoreUnreadable(f"the store address is empty; give a path, or a URL that begins with {_schemes()}")
    if address == MEMORY:
        from .memory import MemoryStore

        return MemoryStore()
    url = _SCHEME.match(address) if isinstance(address, str) else None
    if url is None:
        from .ladybug.store import EmbeddedStore

        return EmbeddedStore(address)
    from .neo4j.connection import SCHEMES

    if url[1].casefold() not in SCHEMES:
        raise StoreUnreadable(
            f"{url[0]} is not a scheme of a store; use {_schemes()}, or put ./ before a path that looks like a URL"
        )
    from .neo4j.store import ServerStore

    return ServerStore(str(address))


def _schemes() -> str:
    from .neo4j.connection import SCHEMES

    return " or ".join(f"{scheme}://" for scheme in SCHEMES)
