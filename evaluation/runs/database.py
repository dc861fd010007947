"""Engines and connections for the database of a ledger, and the differences between databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from ...core.errors import hint
from ..errors import LedgerError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

LOCK_TIMEOUT = 30
"""Seconds for which a writer waits for another writer's transaction."""

_READ_ONLY = "wayword_read_only"


def make_engine(url: URL, name: str) -> Engine:
    """Make the engine for a URL, without connecting yet."""
    backend = url.get_backend_name()
    try:
        engine = create_engine(url, connect_args={"timeout": LOCK_TIMEOUT} if backend == "sqlite" else {})
    except NoSuchModuleError:
        raise LedgerError(
            f"{name}: SQLAlchemy has no driver for {url.drivername!r}; name another database, or a path"
        ) from None
    except ImportError as error:
        install = "pip install 'wayword[postgresql]'" if backend == "postgresql" else "install it"
        raise LedgerError(f"{name}: the driver of this database is missing ({error}); {install}") from None
    except (ArgumentError, TypeError, ValueError) as error:
        raise LedgerError(f"{name}: cannot be opened ({error}); give a path or a SQLAlchemy URL") from None
    if backend == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


@contextmanager
def read_only(engine: Engine) -> Iterator[Connection]:
    """Open a connection that only reads, so that it neither waits for a lock nor needs permission to write."""
    with engine.connect().execution_options(**{_READ_ONLY: True}) as connection:
        yield connection


def _configure_sqlite(connection: Any, _record: object) -> None:
    """Stop the driver from managing transactions: it would commit before changes of the schema."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    """Lock the database when a writing transaction begins: two that first read and then write would deadlock."""
    reads = connection.get_execution_options().get(_READ_ONLY)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Raise errors of the database or the file system as ``LedgerError``."""
    other_ledger = hint("set", option="ledger", what="another")
    try:
        yield
    except OSError as error:
        raise LedgerError(f"the ledger {name} cannot be opened ({error.strerror or error})", other_ledger) from error
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        reason = str(cause).strip().partition("\n")[0]
        if isinstance(cause, sqlite3.DatabaseError) and "not a database" in reason:
            reason = "it is not an SQLite file"
        raise LedgerError(f"the ledger {name} cannot be used ({reason})", other_ledger) from error
