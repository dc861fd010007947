"""Engines and connections for the database of a ledger, and the differences between databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from ...core.errors import hint
from ...core.messages import first_line
from ..errors import LedgerDamaged, LedgerError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

LOCK_TIMEOUT = 4
"""Seconds to wait while another program has locked an SQLite file."""

RECORDING_LOCK_TIMEOUT = 60
"""Seconds to wait in a run that is being recorded, which an error would interrupt."""

_READ_ONLY, _LOCK_TIMEOUT = "wayword_read_only", "wayword_lock_timeout"

_INVALID_VALUES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading a value raises that is not what was written."""


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


def wait_longer(engine: Engine) -> Engine:
    """Return the same engine for writing in a run that is being recorded."""
    return engine.execution_options(**{_LOCK_TIMEOUT: RECORDING_LOCK_TIMEOUT})


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
    options = connection.get_execution_options()
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {1000 * options.get(_LOCK_TIMEOUT, LOCK_TIMEOUT)}")
    connection.exec_driver_sql("BEGIN" if options.get(_READ_ONLY) else "BEGIN IMMEDIATE")


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
        if isinstance(cause, sqlite3.Error):
            raise _sqlite_error(name, cause, reason) from error
        raise LedgerError(f"the ledger {name} cannot be used ({reason})", other_ledger) from error


@contextmanager
def translate_damage(name: str) -> Iterator[None]:
    """Raise errors of converting stored values as ``LedgerError``."""
    try:
        yield
    except _INVALID_VALUES as error:
        raise damage_error(name, f"{type(error).__name__}: {error}") from error


def _sqlite_error(name: str, error: sqlite3.Error, reason: str) -> LedgerError:
    other_ledger = hint("set", option="ledger", what="another")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return not_a_ledger(name)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerError(f"another program has locked the ledger {name}; wait until it has finished", other_ledger)
    if (
        code == sqlite3.SQLITE_CORRUPT
        or "Could not decode" in reason
        or "no such column" in reason
        or "no such table" in reason
    ):
        return damage_error(name, reason)
    return LedgerError(f"the ledger {name} cannot be used ({reason})", other_ledger)


def damage_error(name: str, reason: str) -> LedgerDamaged:
    """Return the error of a ledger whose content is not what was written."""
    other_ledger = hint("set", option="ledger", what="another")
    return LedgerDamaged(f"the ledger {name} is damaged ({first_line(reason)}); restore a copy of it", other_ledger)


def not_a_ledger(name: str) -> LedgerError:
    """Return the error of a file that wayword did not write."""
    other_ledger = hint("set", option="ledger", what="another")
    return LedgerError(f"{name} is not a ledger of wayword, so it was left as it is", other_ledger)
