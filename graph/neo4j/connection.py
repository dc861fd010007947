"""The connection to a Neo4j server: address, credentials, version check.

Nothing is opened before the first statement. User name and password are stored in the driver's authentication token only; no
message, ``repr`` or address shows them.
"""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlsplit

from ...core.errors import hint
from ..errors import StoreError, StoreUnreachable, StoreUnreadable
from .errors import translate_errors

if TYPE_CHECKING:
    import neo4j

SCHEMES = ("bolt", "neo4j", "bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc")
"""The schemes of a server's URL."""

OLDEST_VERSION = (5, 26)
"""The oldest version of Neo4j that supports the statements of this package."""

CONNECTION_TIMEOUT = 5.0
"""Seconds after which a server that does not answer is considered down."""

CLOSE_TIMEOUT = 0.5
"""Seconds for which closing waits for another thread that is connecting; a server that is frozen would block it for long."""

_NO_OUTPUT = logging.NullHandler()

Mode = Literal["READ", "WRITE"]


class Connection:
    """A connection to one server, opened at the first statement.

    The driver must not be closed while a session of it is in use, and the thread of a statement that was abandoned after its
    time limit may use one for long. So ``close`` leaves the driver to the last session that ends.
    """

    def __init__(
        self, address: str, username: str | None = None, password: str | None = None, database: str | None = None
    ) -> None:
        self.address, url_username, url_password = split_address(address)
        username = username or url_username or os.environ.get("NEO4J_USERNAME")
        password = password or url_password or os.environ.get("NEO4J_PASSWORD")
        self.database = database or os.environ.get("NEO4J_DATABASE") or None
        self._auth = (username or "neo4j", password or "") if username or password else None
        self._driver: neo4j.Driver | None = None
        self.agent = ""
        self._closed = False
        self._sessions = 0
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Connection({self.address!r})"

    @contextmanager
    def open_session(self, mode: Mode = "READ", **settings: Any) -> Iterator[neo4j.Session]:
        """Open a session on the database, in which the driver's errors are not translated."""
        driver = self._acquire()
        try:
            session = driver.session(database=self.database, default_access_mode=mode, **settings)
            try:
                yield session
            finally:
                _close(session)
        finally:
            self._release()

    def _acquire(self) -> neo4j.Driver:
        """Return the driver for a session, connected to a server of a supported version."""
        with self._lock:
            self._check_open()
            if self._driver is None:
                driver = self._open()
                try:
                    self._check_open()  # another thread may have closed it meanwhile, without waiting for this one
                except StoreError:
                    driver.close()
                    raise
                self._driver = driver
            self._sessions += 1
            return self._driver

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.address} has been closed; open it again")

    def _release(self) -> None:
        with self._lock:
            self._sessions -= 1
        if self._closed:
            self._close_unused()

    def _open(self) -> neo4j.Driver:
        import neo4j

        logging.getLogger("neo4j").addHandler(_NO_OUTPUT)  # the driver raises what it logs
        with translate_errors(self.address, self.database):
            driver = neo4j.GraphDatabase.driver(
                self.address,
                auth=self._auth,
                user_agent="wayword",
                connection_timeout=CONNECTION_TIMEOUT,
                connection_acquisition_timeout=2 * CONNECTION_TIMEOUT,
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
        """Open a session on the database; the driver's errors in it are translated."""
        with translate_errors(self.address, self.database), self.open_session(mode, **settings) as session:
            yield session

    def read(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of one of wayword's own read-only statements."""
        with self.session() as session:
            return [tuple(row) for row in session.run(statement, dict(parameters or {})).values()]

    def close(self) -> None:
        """Close the driver, or leave it to the last session; the connection cannot be used afterwards."""
        self._closed = True
        self._close_unused()

    def _close_unused(self) -> None:
        if not self._lock.acquire(timeout=CLOSE_TIMEOUT):
            return  # the thread that is still connecting closes what it opens
        try:
            if self._sessions:
                return
            driver, self._driver = self._driver, None
        finally:
            self._lock.release()
        if driver is not None:
            driver.close()


def _close(session: neo4j.Session) -> None:
    """Close a session, whose first attempt leaves it half-open if the server has gone."""
    try:
        session.close()
    except BaseException:
        with suppress(Exception):
            session.close()
        raise


def split_address(address: str) -> tuple[str, str | None, str | None]:
    """Split an address into the address without credentials, the user name and the password.

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
            f"{shown if host else 'this'} is not the URL of a Neo4j server; write it like bolt://localhost:7687"
            f" (or {', '.join(SCHEMES[1:])})"
        )
    query = f"?{parts.query}" if parts.query else ""
    return shown + query, parts.username and unquote(parts.username), parts.password and unquote(parts.password)


def check_version(agent: str, address: str) -> None:
    """Raise ``StoreUnreadable`` if the server is too old or not Neo4j.

    >>> check_version("Neo4j/2025.08.0", "bolt://localhost")
    """
    match = re.fullmatch(r"Neo4j/(\d+)\.(\d+).*", agent)
    oldest = ".".join(map(str, OLDEST_VERSION))
    if match is None:
        raise StoreUnreadable(f"{address} is {agent}, not Neo4j; give the address of a Neo4j {oldest} or later")
    if (int(match[1]), int(match[2])) < OLDEST_VERSION:
        raise StoreUnreadable(
            f"{address} is Neo4j {agent.partition('/')[2]}, which is too old; upgrade it to {oldest} or later, or use a store"
            " without a server",
            hint("omit", option="store"),
        )
