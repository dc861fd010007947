"""The way to a Neo4j server: its address, who we are there, which version it is, and its errors in our words.

Nothing is opened before the first statement. A user name or password is kept only inside the driver's own token; no message,
``repr`` or address shows them.
"""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlsplit

from ...core.messages import first_line
from ..errors import StoreError, StoreFull, StoreUnreachable, StoreUnreadable

if TYPE_CHECKING:
    import neo4j

SCHEMES = ("bolt", "neo4j", "bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc")
"""The schemes of a server's address."""

OLDEST = (5, 26)
"""The oldest version of Neo4j that understands our statements."""

PATIENCE = 5.0
"""Seconds after which a server that does not answer counts as down."""

_UNHEARD = logging.NullHandler()

Mode = Literal["READ", "WRITE"]


class Connection:
    """One server, opened when it is first asked for something."""

    def __init__(
        self, address: str, username: str | None = None, password: str | None = None, database: str | None = None
    ) -> None:
        self.address, named, secret = split_address(address)
        username = username or named or os.environ.get("NEO4J_USERNAME")
        password = password or secret or os.environ.get("NEO4J_PASSWORD")
        self.database = database or os.environ.get("NEO4J_DATABASE") or None
        self._who = (username or "neo4j", password or "") if username or password else None
        self._driver: neo4j.Driver | None = None
        self.agent = ""
        self._closed = False
        self._opening = threading.Lock()

    def __repr__(self) -> str:
        return f"Connection({self.address!r})"

    @property
    def driver(self) -> neo4j.Driver:
        """The driver, connected and of a version that we know."""
        with self._opening:
            if self._closed:
                raise StoreError(f"{self.address} has been closed; open it again")
            if self._driver is None:
                self._driver = self._open()
            return self._driver

    def _open(self) -> neo4j.Driver:
        import neo4j

        logging.getLogger("neo4j").addHandler(_UNHEARD)  # what the driver logs comes to us as an error, too
        with translate_errors(self.address, self.database):
            driver = neo4j.GraphDatabase.driver(
                self.address,
                auth=self._who,
                user_agent="wayword",
                connection_timeout=PATIENCE,
                connection_acquisition_timeout=2 * PATIENCE,
                notifications_min_severity="OFF",
            )
        try:
            with translate_errors(self.address, self.database), driver.session(database=self.database) as session:
                self.agent = str(session.run("RETURN 1").consume().server.agent)
            check_version(self.agent, self.address)
        except BaseException:
            driver.close()
            raise
        return driver

    @contextmanager
    def session(self, mode: Mode = "READ", **settings: Any) -> Iterator[neo4j.Session]:
        """A session on our database; what the driver raises in it comes out in our words."""
        driver = self.driver
        with (
            translate_errors(self.address, self.database),
            driver.session(database=self.database, default_access_mode=mode, **settings) as session,
        ):
            yield session

    def read(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of a statement of our own that changes nothing."""
        with self.session() as session:
            return [tuple(row) for row in session.run(statement, dict(parameters or {})).values()]

    def close(self) -> None:
        """Close the driver; the connection cannot be used afterwards."""
        with self._opening:
            self._closed = True
            driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()


def split_address(address: str) -> tuple[str, str | None, str | None]:
    """An address without credentials, and the user name and password that stood in it.

    >>> split_address("bolt://ann:secret@localhost:7687")
    ('bolt://localhost:7687', 'ann', 'secret')
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if parts.scheme not in SCHEMES or not host or parts.path.strip("/") or parts.fragment:
        raise StoreUnreachable(
            f"{shown if host else 'this'} is no address of a Neo4j server; write it like bolt://localhost:7687"
            f" (or {', '.join(SCHEMES[1:])})"
        )
    query = f"?{parts.query}" if parts.query else ""
    return shown + query, parts.username and unquote(parts.username), parts.password and unquote(parts.password)


def check_version(agent: str, address: str) -> None:
    """Refuse a server that is too old, or no Neo4j.

    >>> check_version("Neo4j/2025.08.0", "bolt://localhost")
    """
    found = re.fullmatch(r"Neo4j/(\d+)\.(\d+).*", agent)
    if found is None:
        raise StoreUnreadable(f"{address} is a {agent}, no Neo4j; give the address of a Neo4j {_version(OLDEST)} or later")
    version = (int(found[1]), int(found[2]))
    if version < OLDEST:
        raise StoreUnreadable(
            f"{address} is Neo4j {agent.partition('/')[2]}, too old; upgrade it to {_version(OLDEST)} or later,"
            " or leave --store out to use the store that needs no server"
        )


def _version(numbers: tuple[int, int]) -> str:
    return ".".join(map(str, numbers))


@contextmanager
def translate_errors(address: str, database: str | None = None) -> Iterator[None]:
    """Turn what the driver raises into an error of ours, in one line."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except Neo4jError as error:
        raise _of_server(error, address, database) from error
    except (DriverError, OSError) as error:
        raise _of_driver(error, address) from error


def _of_server(error: Any, address: str, database: str | None) -> StoreError:
    code, text = str(error.code), first_line(error.message or error)
    if "Unauthorized" in code or "AuthenticationRateLimit" in code or "TokenExpired" in code:
        often = " (after too many wrong ones wait a few seconds)" if "RateLimit" in code else ""
        return StoreUnreachable(f"{address} refused the user name or password; set NEO4J_USERNAME and NEO4J_PASSWORD{often}")
    if "CredentialsExpired" in code:
        return StoreUnreachable(f"{address} wants a new password first; change it with Neo4j Browser or cypher-shell")
    if "DatabaseNotFound" in code or "DatabaseUnavailable" in code:
        return StoreUnreachable(f"{address} has no database {database!r} that is online; set NEO4J_DATABASE")
    if "Security.Forbidden" in code:
        return StoreUnreachable(f"{address} does not let this user do that ({text}); set NEO4J_USERNAME to one who may")
    if "No space left" in text or "OutOfDiskSpace" in code:
        return StoreFull(f"{address} has no room left on its disk; make room there and try again")
    if "MemoryPoolOutOfMemory" in code or "OutOfMemory" in code:
        return StoreFull(f"{address} has too little memory ({text}); give it more with server.memory.heap.max_size")
    return StoreError(f"{address} failed: {text} ({code})")


def _of_driver(error: Exception, address: str) -> StoreError:
    import ssl

    from neo4j.exceptions import BrokenRecordError

    if isinstance(error, BrokenRecordError):
        return StoreError(f"{address} gave a value that Python cannot hold: {first_line(error.__cause__ or error)}; remove it")
    chain: BaseException | None = error
    while chain is not None:
        if isinstance(chain, ssl.SSLError):
            return StoreUnreachable(f"{address} does not speak TLS as asked ({first_line(chain)}); try bolt:// or bolt+ssc://")
        chain = chain.__cause__ or chain.__context__
    return StoreUnreachable(
        f"no Neo4j answers at {address}; start the server (docker compose up -d --wait) or correct the address"
    )
