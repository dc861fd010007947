"""What is stored and where: the schema, the contract of a store, the engines, Cypher of users, and export."""

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
"""The address of a new, empty store in memory."""

_SCHEME = re.compile(r"(\w[\w+.-]*)://")


def open_store(address: str | os.PathLike[str]) -> Store:
    """Return the store at an address without opening or asking it.

    ``memory:`` is a new, empty store each time; it lives as long as its handle and refuses Cypher. ``bolt://`` and the like are
    a server. Anything else is the path of a file of the embedded engine.

    >>> with open_store("memory:") as store:
    ...     store.bases()
    []
    """
    if not os.fspath(address):
        raise StoreUnreadable(f"the address of the store is empty; give the path of a file, or {_schemes()}")
    if address == MEMORY:
        from .memory import MemoryStore

        return MemoryStore()
    found = _SCHEME.match(address) if isinstance(address, str) else None
    if found is None:
        from .ladybug.store import EmbeddedStore

        return EmbeddedStore(address)
    from .neo4j.connection import SCHEMES

    if found[1].casefold() not in SCHEMES:
        raise StoreUnreadable(
            f"{found[0]} is no scheme of a store; write {_schemes()}, or ./ before a path that looks like an address"
        )
    from .neo4j.store import ServerStore

    return ServerStore(str(address))


def _schemes() -> str:
    from .neo4j.connection import SCHEMES

    return " or ".join(f"{scheme}://" for scheme in SCHEMES)
