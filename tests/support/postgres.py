"""A PostgreSQL server for tests: at an address in the environment, or started from the machine's binaries."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

VARIABLE = "WAYWORD_TEST_POSTGRESQL"
DEBIAN = Path("/usr/lib/postgresql")
USER = "postgres"


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database. Skips the test if there is none; in CI the test fails instead."""
    address = os.environ.get(VARIABLE)
    if address:
        yield address
        return
    binaries = _binaries()
    if binaries is None:
        reason = f"no PostgreSQL: install Debian's package postgresql, or set {VARIABLE} to the address of an empty database"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="wayword-postgresql-"))
    try:
        yield from _run_server(binaries, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path | None:
    newest = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]), reverse=True)
    installed = shutil.which("initdb")
    return newest[0].parent if newest else Path(installed).parent if installed else None


def _run_server(binaries: Path, folder: Path) -> Iterator[str]:
    # The server refuses to run as root.
    user = USER if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, log = folder / "data", folder / "log"
    _run(user, binaries / "initdb", "-D", data, "-A", "trust", "-U", USER, "-E", "UTF8", "--no-sync", "--no-locale")
    options = f"-k {folder} -h 127.0.0.1 -p {port} -F"
    _run(user, binaries / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start")
    try:
        yield f"postgresql://{USER}@127.0.0.1:{port}/{USER}"
    finally:
        _run(user, binaries / "pg_ctl", "-D", data, "-m", "immediate", "stop")


def _run(user: str | None, *command: str | Path) -> None:
    # No pipes: the server that pg_ctl starts would keep them open.
    subprocess.run(
        list(map(str, command)),
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd="/",
        user=user,
        timeout=120,
    )
