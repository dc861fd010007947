"""Translate the errors of the Neo4j server and driver.

Errors are distinguished by Neo4j's codes. Only a full disk, which has no code of its own, is recognised by its text.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core.errors import hint
from ...core.messages import first_line
from ..cypher import problems
from ..cypher.guard import tokenize
from ..errors import (
    CypherError,
    CypherFailed,
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
def translate_statement_errors(address: str, database: str | None, statement: str) -> Iterator[None]:
    """Translate the driver's errors about a user's statement, and all others as ``translate_errors`` does."""
    from neo4j.exceptions import BrokenRecordError, Neo4jError

    with translate_errors(address, database):
        try:
            yield
        except BrokenRecordError as error:
            raise problems.unrepresentable(first_line(error.__cause__ or error)) from error
        except Neo4jError as error:
            translated = _statement_error(error, statement)
            if translated is None:
                raise
            raise translated from error


EXPLAIN = "EXPLAIN "
"""What precedes a statement whose plan is read; the positions in the errors of the server include it."""

_POSITION = re.compile(r" \(line \d+, column \d+ \(offset: (\d+)\)\)")
_INVALID_NAME = re.compile(r"(Variable|Unknown function) [`'](.*?)[`']")
_MISMATCH = re.compile(r"Type mismatch: (?:expected|.*? must be given as) (.*?),? but was (.*?) ?$")
_NOT_PARSED = re.compile(r'Text cannot be parsed to an? (\w+)\s+"(.*?)"', re.DOTALL)


def _statement_error(error: Any, statement: str) -> CypherError | None:
    code, text = str(error.code), str(error.message or error)
    if "TransactionTimedOut" in code or code.endswith((".Terminated", ".TransactionTerminated", ".LockClientStopped")):
        return CypherTimeout(first_line(text))
    if code.endswith(".AccessMode"):
        return problems.not_permitted()
    if code.startswith("Neo.ClientError.Security"):
        return None
    if "OutOfMemory" in code or "StackOverflow" in code:
        return CypherFailed("the statement needs more memory than the server has; return fewer rows at once, or add LIMIT")
    match = _POSITION.search(text)
    offset = None if match is None else _position(statement, int(match[1]))
    message = text if match is None else text[: match.start()]
    return _explain(code, message, text, statement, offset)


def _explain(code: str, message: str, text: str, statement: str, offset: int | None) -> CypherError:
    if message.startswith("Invalid input '") and "expected" in message and offset is not None:
        return problems.syntax_error(statement, offset)
    where = "" if offset is None else f" at {problems.place(statement, offset, _length(statement, offset))}"
    if (match := _INVALID_NAME.match(message)) is not None:
        if match[1] == "Variable":
            if "not defined" in message:
                return problems.unknown_variable(match[2], statement, offset)
            return CypherSyntax(f"the variable {match[2]} is already defined{where}; choose another name")
        return problems.unknown_function(match[2], statement)
    if (match := _MISMATCH.match(message)) is not None:
        return problems.wrong_type(match[2], re.split(r", | or ", match[1]), where)
    if (match := _NOT_PARSED.search(text)) is not None:
        return problems.not_convertible(match[2], match[1])
    if code.endswith("ArithmeticError"):
        return problems.division_by_zero() if "zero" in message else problems.number_overflow()
    for start, problem in _PROBLEMS.items():
        if message.startswith(start):
            return CypherSyntax(f"{problem}{where}")
    if code.endswith(".SyntaxError"):
        return CypherSyntax(f"the server does not accept the statement{where}", hint("engine_words"))
    return problems.unexplained(CypherFailed)


_PROBLEMS = {
    "Type mismatch": "a variable or value is of a type that cannot be there",
    "Invalid value for": "a part of a date or time is out of its range",
    "Insufficient parameters for function": "a function needs more arguments",
    "Too many parameters for function": "a function has too many arguments",
    "Can't use aggregate functions inside of aggregate": "an aggregate is in another; compute it in a WITH before",
    "Expression in WITH must be aliased": "a computed column of WITH has no name; add AS and a name",
    "Multiple result columns with the same name": "two columns have the same name; give one another name with AS",
    "All sub queries in an UNION": "the parts of a UNION return different columns; return columns of the same names",
    "integer is too large": "a number is too large for a whole number; write it with a decimal point",
    "Query cannot conclude with": "the statement returns nothing; end it with RETURN",
    "Invalid input. '": "SKIP and LIMIT need a whole number that is not negative; write one",
}


def _position(statement: str, offset: int) -> int:
    """Convert the server's offset, which counts UTF-16 units of the explained statement, to one in the statement."""
    units = max(0, offset - len(EXPLAIN))
    return len(statement.encode("utf-16-le")[: 2 * units].decode("utf-16-le", errors="ignore"))


def _length(statement: str, offset: int) -> int:
    """Return the length of the token at an offset."""
    return next((len(token.text) for token in tokenize(statement) if token.start == offset), 1)


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
