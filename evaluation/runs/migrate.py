"""Brings a ledger's tables up to date, and refuses a database that is somebody else's or newer than this program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from ..errors import LedgerError
from .models import Tables

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD = "0001"
"""The newest step of the migrations. Known here so that Alembic is imported only where there is something to do."""

VERSION_TABLE = "wayword_version"
"""Where the step of a ledger is noted: not Alembic's usual name, which an application that shares the database may use."""

_LOCK = 0x77617977  # "wayw"


def is_current(connection: Connection) -> bool:
    """Whether the tables are those that this program knows."""
    return _step(connection) == HEAD


def upgrade(connection: Connection, name: str) -> None:
    """Make or mend the tables; in the transaction of the connection, one process at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    step, there = _step(connection), set(inspect(connection).get_table_names())
    if step == HEAD:
        return
    ours = there & set(Tables.metadata.tables)
    if step is None and ours:
        raise LedgerError(
            f"{name} has a table {min(ours)!r} that is not wayword's; name another file or database for the ledger"
        )
    if step is not None and step not in migration_steps():
        raise LedgerError(f"{name} was written by a newer wayword (step {step}, known up to {HEAD}); update wayword")
    from alembic import command

    command.upgrade(configuration(connection), "head")


def _step(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - ours
    return None if found is None else str(found)


def migration_steps() -> list[str]:
    """The steps that are known, the newest first."""
    from alembic.script import ScriptDirectory

    return [each.revision for each in ScriptDirectory.from_config(configuration()).walk_revisions()]


def configuration(connection: Connection | None = None) -> Config:
    """What Alembic is told: where the steps are, and which connection to go by."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made
