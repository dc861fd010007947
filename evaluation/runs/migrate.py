"""Brings the tables of a ledger up to date with Alembic.

A database that belongs to another program, or that a newer wayword has written, is refused.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from ..errors import LedgerError
from .models import Tables

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD = "0002"
"""The newest revision. It is repeated here so that Alembic is imported only if there is something to upgrade."""

VERSION_TABLE = "wayword_version"
"""The table that holds a ledger's revision. Alembic's default name could be that of another application in the database."""

_ALEMBIC = Lock()
"""Alembic can be used by one thread at a time."""

_ADVISORY_LOCK = 0x77617977  # "wayw"


def is_ledger(connection: Connection) -> bool:
    """Return whether a ledger's tables have been created in the database."""
    return inspect(connection).has_table(VERSION_TABLE)


def is_current(connection: Connection) -> bool:
    """Return whether the tables have the newest revision."""
    return _current_revision(connection) == HEAD


def upgrade(connection: Connection, name: str) -> None:
    """Create or upgrade the tables in the transaction of the connection, one process at a time.

    Raises:
        LedgerError: The tables belong to another program or to a newer wayword.
    """
    if connection.dialect.name == "postgresql":  # SQLite has locked the database when the transaction began
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK})
    revision = _current_revision(connection)
    if revision == HEAD:  # another process has upgraded it while this one waited
        return
    conflicting = set(inspect(connection).get_table_names()) & set(Tables.metadata.tables)
    if revision is None and conflicting:
        raise LedgerError(
            f"{name} has a table {min(conflicting)!r} that is not wayword's; name another file or database for the ledger"
        )
    if revision is not None and revision not in list_revisions():
        raise LedgerError(f"{name} was written by a newer wayword (revision {revision}, newest known {HEAD}); update wayword")
    from alembic import command

    with _ALEMBIC:
        command.upgrade(make_alembic_config(connection), "head")


def _current_revision(connection: Connection) -> str | None:
    if not is_ledger(connection):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - a constant
    return None if found is None else str(found)


def list_revisions() -> list[str]:
    """Return the known revisions, the newest first."""
    from alembic.script import ScriptDirectory

    return [each.revision for each in ScriptDirectory.from_config(make_alembic_config()).walk_revisions()]


def make_alembic_config(connection: Connection | None = None) -> Config:
    """Configure Alembic with the folder of the migrations and the connection to use."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
