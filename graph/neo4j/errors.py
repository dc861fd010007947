"""Translate the errors of the Neo4j server and driver.

Errors are distinguished by Neo4j's codes. Only a full disk, which has no code of its own, is recognised by its text.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core.messages import first_line
from ..errors import (
    CypherError,
    CypherFailed,
    CypherRefused,
    CypherSyntax,
    CypherTimeout,
    StoreError,
    StoreFull,
    StoreUnreachable,
)


@contextmanager
def translate_errors(address: str, database: str | None = None) -> Iterator[None]:
    """Translate the driver's errors about the server at an address."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except Neo4jError as error:
        raise _server_error(error, address, database) from error
    except (DriverError, OSError) as error:
        raise _driver_error(error, address) from error


@contextmanager
def translate_statement_errors(address: str, database: str | None = None) -> Iterator[None]:
    """Translate the driver's errors about a user's statement, and all others as ``translate_errors`` does."""
    from neo4j.exceptions import BrokenRecordError, Neo4jError

    with translate_errors(address, database):
        try:
            yield
        except BrokenRecordError as error:
            raise unsupported_value(first_line(error.__cause__ or error)) from error
        except Neo4jError as error:
            translated = _statement_error(error)
            if translated is None:
                raise
            raise translated from error


def unsupported_value(reason: str) -> CypherFailed:
    """Return the error of an answer with a value that Python has no type for."""
    return CypherFailed(f"the answer has a value that Python cannot represent ({reason}); convert it to text with toString()")


def _statement_error(error: Any) -> CypherError | None:
    code, text = str(error.code), first_line(error.message or error)
    if "TransactionTimedOut" in code or code.endswith((".Terminated", ".TransactionTerminated", ".LockClientStopped")):
        return CypherTimeout(text)
    if code.endswith(".AccessMode"):
        return CypherRefused(f"statements may only read: {text}")
    if code.endswith(".SyntaxError"):
        return CypherSyntax(f"the server cannot parse the statement: {text}")
    if code.startswith("Neo.ClientError.Security"):
        return None
    return CypherFailed(f"the statement failed: {text}")


def _server_error(error: Any, address: str, database: str | None) -> StoreError:
    code, text = str(error.code), first_line(error.message or error)
    if "Unauthorized" in code or "AuthenticationRateLimit" in code or "TokenExpired" in code:
        wait = " (after several failed attempts wait a few seconds)" if "RateLimit" in code else ""
        return StoreUnreachable(f"{address} refused the user name or password; set NEO4J_USERNAME and NEO4J_PASSWORD{wait}")
    if "CredentialsExpired" in code:
        return StoreUnreachable(f"the password for {address} has expired; change it with Neo4j Browser or cypher-shell")
    if "DatabaseNotFound" in code or "DatabaseUnavailable" in code:
        return StoreUnreachable(f"{address} has no online database {database!r}; set NEO4J_DATABASE")
    if "Security.Forbidden" in code:
        return StoreUnreachable(f"{address} does not permit this user to do that ({text}); set NEO4J_USERNAME to another")
    if "No space left" in text or "OutOfDiskSpace" in code:
        return StoreFull(f"the disk of {address} is full; free some space and try again")
    if "MemoryPoolOutOfMemory" in code or "OutOfMemory" in code:
        return StoreFull(f"{address} has too little memory ({text}); increase server.memory.heap.max_size")
    return StoreError(f"{address} failed: {text} ({code})")


def _driver_error(error: Exception, address: str) -> StoreError:
    from neo4j.exceptions import BrokenRecordError

    if isinstance(error, BrokenRecordError):
        reason = first_line(error.__cause__ or error)
        return StoreError(f"{address} has a value that Python cannot represent: {reason}; remove it")
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return StoreUnreachable(f"the TLS connection to {address} failed ({first_line(cause)}); try bolt:// or bolt+ssc://")
        cause = cause.__cause__ or cause.__context__
    return StoreUnreachable(
        f"no Neo4j answers at {address}; start the server (docker compose up -d --wait) or correct the address"
    )
