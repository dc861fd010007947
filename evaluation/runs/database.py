"""Connections to the database of a ledger, and what is to be known of each kind of database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from ..errors import LedgerError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

PATIENCE = 30
"""Seconds that a writer waits for another one's transaction."""

_READING = "wayword_reading"


def connect(url: URL, name: str) -> Engine:
    """The engine of an address; nothing is connected yet."""
    backend = url.get_backend_name()
    try:
        engine = create_engine(url, connect_args={"timeout": PATIENCE} if backend == "sqlite" else {})
    except NoSuchModuleError:
        raise LedgerError(f"{name}: SQLAlchemy knows no database {url.drivername!r}; name another, or a path") from None
    except ImportError as error:
        extra = "pip install 'wayword[postgresql]'" if backend == "postgresql" else "install it"
        raise LedgerError(f"{name}: the driver of this database is missing ({error}); {extra}") from None
    except (ArgumentError, TypeError, ValueError) as error:
        raise LedgerError(f"{name}: cannot be opened ({error}); give a path, or an address of SQLAlchemy's") from None
    if backend == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def read_only(engine: Engine) -> Iterator[Connection]:
    """A connection that only reads, and so waits for nobody and needs no permission to write."""
    with engine.connect().execution_options(**{_READING: True}) as connection:
        yield connection


def _prepare(connection: Any, _record: object) -> None:
    """Leave the transactions of SQLite to SQLAlchemy, so that changes of tables are part of them, too."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    """Who will write says so when he begins: then two writers wait for each other, where they would fail half-way."""
    reads = connection.get_execution_options().get(_READING)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Say in our words what a database or a disk has against it."""
    try:
        yield
    except OSError as error:
        raise LedgerError(
            f"the ledger {name} cannot be opened ({error.strerror or error}); name another with --ledger"
        ) from error
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        reason = str(cause).strip().partition("\n")[0]
        if isinstance(cause, sqlite3.DatabaseError) and "not a database" in reason:
            reason = "it is no SQLite file"
        raise LedgerError(f"the ledger {name} cannot be used ({reason}); name another with --ledger") from error
