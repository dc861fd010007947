"""Keep one Neo4j server running during a test session, and stop it however the session ends.

It runs as a process of its own: ``keeper.py FOLDER JARS|docker``. Each process of the session holds a shared lock on
``FOLDER/users``, which the operating system releases when the process ends. When no process holds it, the server is stopped.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[3]
OPENED = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "java.io", "sun.nio.ch")]
START_TIMEOUT = 180.0


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_jars(folder: Path, jars: Path, port: int, password: str) -> subprocess.Popen[bytes]:
    """Start a server from its jars in a home folder of its own."""
    home = folder / "home"
    for name in ("conf", "import"):
        (home / name).mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    java = ["java", "-cp", f"{jars}/*", *OPENED]
    admin = [*java, "org.neo4j.server.startup.Neo4jAdminCommand", "dbms", "set-initial-password", password]
    subprocess.run(admin, env=environment, check=True)
    settings = {
        "dbms.usage_report.enabled": "false",
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.http.enabled": "false",
        "server.directories.import": str(home / "import"),
        "server.memory.pagecache.size": "256m",
    }
    server = [
        *java[:1],
        "-Xms512m",
        "-Xmx1g",
        *(
            [] if os.environ.get("WAYWORD_TEST_NEO4J_FULL") else ["-XX:TieredStopAtLevel=1"]
        ),  # starts faster without the optimising compiler
        *java[1:],
        "org.neo4j.server.CommunityEntryPoint",
        "--console-mode",
    ]
    server += [f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    server += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return subprocess.Popen(server, env=environment)


def compose(folder: Path, port: int, password: str, *command: str) -> None:
    """Run docker compose with the file for users, in a separate project."""
    ports = {"WAYWORD_NEO4J_PORT": str(port), "WAYWORD_NEO4J_BROWSER_PORT": str(free_port())}
    environment = {**os.environ, "NEO4J_PASSWORD": password, **ports}
    call = ["docker", "compose", "--project-name", folder.name.lower(), "--file", str(ROOT / "docker-compose.yml"), *command]
    subprocess.run(call, env=environment, check=True)


def await_answer(address: str, password: str, server: subprocess.Popen[bytes] | None) -> None:
    """Wait until the server answers."""
    import neo4j
    from neo4j.exceptions import DriverError, Neo4jError

    deadline = time.monotonic() + START_TIMEOUT
    with neo4j.GraphDatabase.driver(address, auth=("neo4j", password)) as driver:
        while True:
            try:
                driver.verify_connectivity()
            except (DriverError, Neo4jError, OSError) as error:
                if server is not None and server.poll() is not None:
                    raise SystemExit(f"the server ended with {server.returncode} before it answered") from error
                if time.monotonic() > deadline:
                    raise SystemExit(f"the server did not answer within {START_TIMEOUT:.0f} seconds") from error
                time.sleep(0.2)
            else:
                return


def wait_for_users(users: int, server: subprocess.Popen[bytes] | None) -> None:
    """Wait until no process uses the server, or the server has ended."""
    while server is None or server.poll() is None:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.3)
        else:
            return


def keep(folder: Path, engine: str) -> None:
    """Start a server, write its address to ``server.json``, wait until it is no longer used, and stop it."""
    users = os.open(folder / "users", os.O_RDWR)
    port, password = free_port(), secrets.token_hex(12)
    address, server = f"bolt://127.0.0.1:{port}", None
    try:
        if engine == "docker":
            compose(folder, port, password, "up", "--detach", "--wait")
        else:
            server = start_jars(folder, Path(engine), port, password)
        await_answer(address, password, server)
        description = folder / "server.json.new"
        description.write_text(json.dumps({"address": address, "username": "neo4j", "password": password}), encoding="utf-8")
        description.rename(folder / "server.json")
        wait_for_users(users, server)
    finally:
        if server is not None:
            server.kill()
            server.wait()
        elif engine == "docker":
            compose(folder, port, password, "down", "--volumes", "--timeout", "5")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    keep(Path(sys.argv[1]), sys.argv[2])
