"""A real Neo4j for tests: an address in the environment, else docker compose, else the jars from Maven Central.

One server serves a whole test session, with pytest-xdist too; ``neo4j/keeper.py`` stops it. ``emptied`` lends it to one
test at a time, empty. Mark such tests with ``NEO4J``: with ``--dist loadgroup`` they then go to one worker instead of waiting
for each other.
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

if TYPE_CHECKING:
    import neo4j

VARIABLE = "WAYWORD_TEST_NEO4J"
CREDENTIALS = ("NEO4J_USERNAME", "NEO4J_PASSWORD")
POM = Path(__file__).parent / "neo4j" / "pom.xml"
KEEPER = Path(__file__).parent / "neo4j" / "keeper.py"
START = 240.0


def NEO4J(test: Any) -> Any:  # noqa: N802 - a mark, written like one
    """Mark a test (or a parameter's test) as one that needs the server."""
    return pytest.mark.server(pytest.mark.xdist_group("neo4j")(test))


def neo4j_address() -> str:
    """The address of a server for tests; its credentials are in the environment. Skips where there can be none."""
    found = _server()
    if isinstance(found, str):
        _missing(found)
    address, credentials = found
    os.environ.update(credentials)
    return address


def importer_jars() -> Path:
    """The folder of the jars of a server, for a test that needs a server of its own. Skips where there can be none."""
    found = _jars()
    if isinstance(found, str):
        _missing(found)
    return found


@contextmanager
def emptied(address: str) -> Iterator[str]:
    """The address of a server that is empty and nobody else's for the length of a test, and empty again afterwards."""
    with _only_one(address):
        if os.environ.get(VARIABLE):
            _expect_empty(address)
        else:
            _wipe(address)
        try:
            yield address
        finally:
            _wipe(address)


@cache
def driver(address: str) -> neo4j.Driver:
    """A driver that looks at the server with other eyes than the store's; kept for the session."""
    import atexit

    import neo4j

    names = [os.environ.get(name) for name in CREDENTIALS]
    opened = neo4j.GraphDatabase.driver(
        address, auth=(names[0] or "neo4j", names[1]) if names[1] else None, notifications_min_severity="OFF"
    )
    atexit.register(opened.close)
    return opened


def run(address: str, statement: str, **parameters: Any) -> list[list[Any]]:
    """The rows of any statement, as a stranger sends it."""
    with driver(address).session(database=os.environ.get("NEO4J_DATABASE") or None) as session:
        return session.run(statement, parameters).values()


def _missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"no Neo4j for tests: {reason}")
    pytest.skip(f"no Neo4j for tests: {reason}")


@cache
def _server() -> tuple[str, dict[str, str]] | str:
    """Where the session's server is and who we are there, or why there is none."""
    given = os.environ.get(VARIABLE)
    if given:
        return given, {}
    if _docker():
        engine = "docker"
    else:
        found = _jars()
        if isinstance(found, str):
            return found
        engine = str(found)
    told = _kept(engine)
    return told["address"], {"NEO4J_USERNAME": told["username"], "NEO4J_PASSWORD": told["password"]}


def _session_folder() -> Path:
    name = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    folder = Path(tempfile.gettempdir()) / f"wayword-neo4j-{os.getuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _kept(engine: str) -> dict[str, str]:
    """Use the session's server until this process ends; start it if nobody has."""
    folder = _session_folder()
    fcntl.flock(os.open(folder / "users", os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_SH)
    with _locked(folder / "start"):
        told = folder / "server.json"
        if not told.exists():
            _start(folder, engine, told)
    found: dict[str, str] = json.loads(told.read_text(encoding="utf-8"))
    return found


def _start(folder: Path, engine: str, told: Path) -> None:
    log = folder / "keeper.log"
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [sys.executable, str(KEEPER), str(folder), engine], stdout=output, stderr=output, start_new_session=True
        )
    _keepers.append(keeper)
    until = time.monotonic() + START
    while not told.exists():
        if keeper.poll() is not None or time.monotonic() > until:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:] if log.exists() else []
            pytest.fail(f"the Neo4j for tests did not start ({engine}): {' / '.join(last)}")
        time.sleep(0.1)


_keepers: list[subprocess.Popen[bytes]] = []


def _docker() -> bool:
    if shutil.which("docker") is None:
        return False
    try:
        asked = subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=20, check=False)
        engine = subprocess.run(["docker", "info"], capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == engine.returncode == 0


def _jars() -> Path | str:
    """The folder of the server's jars, fetched the first time, or why it cannot be had."""
    import platformdirs

    needs = f"set {VARIABLE}, or start Docker, or install a JDK 17 and Maven"
    if shutil.which("java") is None:
        return needs
    text = POM.read_text(encoding="utf-8")
    jars = (
        platformdirs.user_cache_path("wayword", ensure_exists=True) / f"neo4j-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    )
    with _locked(jars.with_suffix(".lock")):
        if jars.is_dir():
            return jars
        if shutil.which("mvn") is None:
            return needs
        partial = jars.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        command = ["mvn", "--quiet", "--batch-mode", "--file", str(POM), "dependency:copy-dependencies"]
        command += ["-DincludeScope=runtime", f"-DoutputDirectory={partial}"]
        fetched = subprocess.run(command, capture_output=True, text=True, check=False)
        if fetched.returncode:
            lines = [line for line in fetched.stdout.splitlines() if "ERROR" in line] or ["no reason given"]
            return f"Maven could not fetch it ({lines[0].strip()}); {needs}"
        partial.rename(jars)
    return jars


@contextmanager
def _only_one(address: str) -> Iterator[None]:
    if os.environ.get(VARIABLE):
        name = hashlib.sha256(address.encode()).hexdigest()[:12]
        lock = Path(tempfile.gettempdir()) / f"wayword-neo4j-{os.getuid()}-{name}.lock"
    else:
        lock = _session_folder() / "turn"
    with _locked(lock):
        yield


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _expect_empty(address: str) -> None:
    ((nodes,),) = run(address, "MATCH (n) RETURN count(n)")
    if nodes:
        pytest.fail(f"{VARIABLE} is {address}, which holds {nodes} nodes; the tests need an empty server, they empty it again")


def _wipe(address: str) -> None:
    """Delete every node, and every index and constraint but the store's own, which are the same for every test."""
    run(address, "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")
    for kind, but in (("CONSTRAINT", ""), ("INDEX", " AND type <> 'LOOKUP'")):
        where = f"WHERE NOT name STARTS WITH 'wayword_'{but}"
        for (name,) in run(address, f"SHOW {kind} YIELD name, type {where} RETURN name"):
            run(address, f"DROP {kind} `{name}` IF EXISTS")
