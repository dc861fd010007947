"""The location of a ledger: a path or a SQLAlchemy URL. Passwords are never shown."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..errors import LedgerError

if TYPE_CHECKING:
    from sqlalchemy import URL

_SECRET = re.compile("pass|secret|token|key", re.IGNORECASE)
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+_.-]*://")


def default_ledger() -> str:
    """Return the default ledger: that of ``WAYWORD_LEDGER``, or a file in the user's data directory."""
    from platformdirs import user_data_path

    return os.environ.get("WAYWORD_LEDGER") or str(user_data_path("wayword", appauthor=False) / "runs.sqlite")


def to_url(address: str) -> URL:
    """Parse a SQLAlchemy URL; any other text is the path of an SQLite file.

    >>> to_url("runs.sqlite").drivername, to_url("postgresql://me:secret@host/runs").drivername
    ('sqlite', 'postgresql+psycopg')
    """
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if not _URL.match(address):
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise LedgerError(
            "the URL of the ledger cannot be parsed; give a path, or a URL such as postgresql://user@host/database"
        ) from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    return url


def sqlite_path(url: URL) -> Path | None:
    """Return the path of the file of an SQLite URL; None for other databases and for SQLite in memory.

    >>> sqlite_path(to_url("runs.sqlite")), sqlite_path(to_url("sqlite:///file:runs.sqlite?mode=ro&uri=true"))
    (PosixPath('runs.sqlite'), PosixPath('runs.sqlite'))
    """
    if (
        url.get_backend_name() != "sqlite"
        or not url.database
        or url.database == ":memory:"
        or url.query.get("mode") == "memory"
    ):
        return None
    return Path(unquote(url.database.removeprefix("file:")) if url.query.get("uri") else url.database)


def display_url(url: URL) -> str:
    """Return the URL with its secrets masked, or the path of an SQLite file."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    masked = {name: "***" for name in url.query if _SECRET.search(name)}
    return url.update_query_dict(masked).render_as_string(hide_password=True)
