"""Where a ledger lies: a path, or any address of SQLAlchemy's; passwords are never shown."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..errors import LedgerError

if TYPE_CHECKING:
    from sqlalchemy import URL

_SECRET = re.compile("pass|secret|token|key", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+_.-]*://")


def default_ledger() -> str:
    """The ledger of those who name none: that of ``WAYWORD_LEDGER``, or a file in the user's data directory."""
    from platformdirs import user_data_path

    return os.environ.get("WAYWORD_LEDGER") or str(user_data_path("wayword", appauthor=False) / "runs.sqlite")


def to_url(address: str) -> URL:
    """The address as SQLAlchemy reads it; what is no address is a path of an SQLite file.

    >>> to_url("runs.sqlite").drivername, to_url("postgresql://me:secret@host/runs").drivername
    ('sqlite', 'postgresql+psycopg')
    """
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if not _ADDRESS.match(address):
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise LedgerError(
            "the ledger's address cannot be read; give a path, or an address such as postgresql://user@host/database"
        ) from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    return url


def display_url(url: URL) -> str:
    """The address for people."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    hidden = {name: "***" for name in url.query if _SECRET.search(name)}
    return url.update_query_dict(hidden).render_as_string(hide_password=True)
