"""A Neo4j server for tests: at an address in the environment, or by docker compose, or from the jars of Maven Central.

One server serves a whole test session, also with pytest-xdist; ``neo4j/keeper.py`` stops it. ``use_empty_server`` gives the
empty server to one test at a time. Mark such tests with ``NEO4J``: with ``--dist loadgroup`` one worker runs all of them,
instead of several that wait for each other.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from filelock import FileLock

if TYPE_CHECKING:
    import neo4j

VARIABLE = "WAYWORD_TEST_NEO4J"
CREDENTIALS = ("NEO4J_USERNAME", "NEO4J_PASSWORD")
POM = Path(__file__).parent / "neo4j" / "pom.xml"
KEEPER = Path(__file__).parent / "neo4j" / "keeper.py"
START_TIMEOUT = 240.0


def NEO4J(test: Any) -> Any:  # noqa: N802 - used like a marker
    """Mark a test (or a parameter's test) as one that needs the server."""
    return pytest.mark.server(pytest.mark.xdist_group("neo4j")(test))


def neo4j_address() -> str:
    """The address of a server for tests; sets its credentials in the environment. Skips the test if there is none."""
    server = _server()
    if isinstance(server, str):
        _missing(server)
    address, credentials = server
    os.environ.update(credentials)
    return address


def importer_jars() -> Path:
    """The folder of the server's jars, for a test that needs a server of its own. Skips the test if there are none."""
    jars = _jars()
    if isinstance(jars, str):
        _missing(jars)
    return jars


@contextmanager
def use_empty_server(address: str) -> Iterator[str]:
    """Hold the server for one test, and empty it before; afterwards too, unless it ends with the session."""
    with _turn(address):
        if os.environ.get(VARIABLE):
            _expect_empty(address)
        else:
            _wipe(address)
        try:
            yield address
        finally:
            if os.environ.get(VARIABLE):
                _wipe(address)


@cache
def driver(address: str) -> neo4j.Driver:
    """A driver of the tests' own, which is open during the session."""
    import atexit

    import neo4j

    names = [os.environ.get(name) for name in CREDENTIALS]
    opened = neo4j.GraphDatabase.driver(
        address, auth=(names[0] or "neo4j", names[1]) if names[1] else None, notifications_min_severity="OFF"
    )
    atexit.register(opened.close)
    return opened


def run(address: str, statement: str, **parameters: Any) -> list[list[Any]]:
    """Run any statement, bypassing the store, and return its rows."""
    with driver(address).session(database=os.environ.get("NEO4J_DATABASE") or None) as session:
        return session.run(statement, parameters).values()


def _missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"no Neo4j for tests: {reason}")
    pytest.skip(f"no Neo4j for tests: {reason}")


@cache
def _server() -> tuple[str, dict[str, str]] | str:
    """The address and credentials of the session's server, or the reason why there is none."""
    address = os.environ.get(VARIABLE)
    if address:
        return address, {}
    if _docker():
        engine = "docker"
    else:
        jars = _jars()
        if isinstance(jars, str):
            return jars
        engine = str(jars)
    server = _session_server(engine)
    return server["address"], {"NEO4J_USERNAME": server["username"], "NEO4J_PASSWORD": server["password"]}


def _session_folder() -> Path:
    name = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    folder = Path(tempfile.gettempdir()) / f"wayword-neo4j-{os.getuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _session_server(engine: str) -> dict[str, str]:
    """Return the session's server, starting it if necessary. It runs at least until this process ends."""
    folder = _session_folder()
    # The keeper stops the server when no process holds this shared lock; filelock has no shared locks.
    fcntl.flock(os.open(folder / "users", os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_SH)
    description = folder / "server.json"
    with FileLock(folder / "start"):
        if not description.exists():
            _start(folder, engine, description)
    server: dict[str, str] = json.loads(description.read_text(encoding="utf-8"))
    return server


def _start(folder: Path, engine: str, description: Path) -> None:
    log = folder / "keeper.log"
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [sys.executable, str(KEEPER), str(folder), engine], stdout=output, stderr=output, start_new_session=True
        )
    _keepers.append(keeper)
    deadline = time.monotonic() + START_TIMEOUT
    while not description.exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:] if log.exists() else []
            pytest.fail(f"the Neo4j for tests did not start ({engine}): {' / '.join(last)}")
        time.sleep(0.1)


_keepers: list[subprocess.Popen[bytes]] = []


def _docker() -> bool:
    if shutil.which("docker") is None:
        return False
    try:
        compose = subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=20, check=False)
        info = subprocess.run(["docker", "info"], capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return False
    return compose.returncode == info.returncode == 0


def _jars() -> Path | str:
    """The folder of the server's jars, downloaded at first use, or the reason why there are none."""
    import platformdirs

    advice = f"set {VARIABLE}, or start Docker, or install a JDK 17 and Maven"
    if shutil.which("java") is None:
        return advice
    text = POM.read_text(encoding="utf-8")
    jars = (
        platformdirs.user_cache_path("wayword", ensure_exists=True) / f"neo4j-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    )
    with FileLock(jars.with_suffix(".lock")):
        if jars.is_dir():
            return jars
        if shutil.which("mvn") is None:
            return advice
        partial = jars.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        command = ["mvn", "--quiet", "--batch-mode", "--file", str(POM), "dependency:copy-dependencies"]
        command += ["-DincludeScope=runtime", f"-DoutputDirectory={partial}"]
        download = subprocess.run(command, capture_output=True, text=True, check=False)
        if download.returncode:
            lines = [line for line in download.stdout.splitlines() if "ERROR" in line] or ["no reason given"]
            return f"Maven could not fetch it ({lines[0].strip()}); {advice}"
        partial.rename(jars)
    return jars


@contextmanager
def _turn(address: str) -> Iterator[None]:
    if os.environ.get(VARIABLE):
        name = hashlib.sha256(address.encode()).hexdigest()[:12]
        lock = Path(tempfile.gettempdir()) / f"wayword-neo4j-{os.getuid()}-{name}.lock"
    else:
        lock = _session_folder() / "turn"
    with FileLock(lock):
        yield


def _expect_empty(address: str) -> None:
    ((nodes,),) = run(address, "MATCH (n) RETURN count(n)")
    if nodes:
        pytest.fail(f"{VARIABLE} is {address}, which has {nodes} nodes; the tests need an empty server, and empty it again")


def _wipe(address: str) -> None:
    """Delete all nodes, and all indexes and constraints except the store's own, which are the same in every test."""
    run(address, "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")
    for kind, condition in (("CONSTRAINT", ""), ("INDEX", " AND type <> 'LOOKUP'")):
        where = f"WHERE NOT name STARTS WITH 'wayword_'{condition}"
        for (name,) in run(address, f"SHOW {kind} YIELD name, type {where} RETURN name"):
            run(address, f"DROP {kind} `{name}` IF EXISTS")
