"""What is stored, and where: the schema, the contract of a store, and the stores. Knows no other room."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from .errors import StoreUnreadable

if TYPE_CHECKING:
    from .store import Store

SERVERS = ("bolt", "neo4j", "bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc")
"""The schemes of a server's address."""

_SCHEME = re.compile(r"(\w[\w+.-]*)://")


def open_store(address: str | os.PathLike[str]) -> Store:
    """The store at an address: a server for ``bolt://`` and its kin, else the embedded engine's file at that path.

    Nothing is opened or asked before it is used.
    """
    if not os.fspath(address):
        raise StoreUnreadable(f"the address of the store is empty; give the path of a file, or {_schemes()}")
    found = _SCHEME.match(address) if isinstance(address, str) else None
    if found is None:
        from .embedded import EmbeddedStore

        return EmbeddedStore(address)
    if found[1].casefold() not in SERVERS:
        raise StoreUnreadable(
            f"{found[0]} is no scheme of a store; write {_schemes()}, or ./ before a path that looks like an address"
        )
    from .server import ServerStore

    return ServerStore(str(address))


def _schemes() -> str:
    return " or ".join(f"{scheme}://" for scheme in SERVERS)
