"""What is stored, and where: the schema, the contract of a store, and the stores. Knows no other room."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .store import Store

SERVERS = ("bolt://", "neo4j://", "bolt+s://", "neo4j+s://", "bolt+ssc://", "neo4j+ssc://")


def open_store(address: str | os.PathLike[str]) -> Store:
    """The store at an address: a server for ``bolt://`` and its kin, else the embedded engine's file at that path.

    Nothing is opened or asked before it is used.
    """
    if isinstance(address, str) and address.startswith(SERVERS):
        from .server import ServerStore

        return ServerStore(address)
    from .embedded import EmbeddedStore

    return EmbeddedStore(address)
