"""Run users' statements on the embedded engine in a child process (``sandbox_worker``).

A statement can crash the engine, exhaust memory or never return, and the engine can read files; none of that may happen in the
caller's process. The layers of defence, from the outside in:

1. The guard (``cypher.guard``) refuses everything but one reading statement.
2. The child opens the file read-only, and then drops the right to open files or sockets or to grow beyond a bound.
3. The parent kills a child that does not answer in time. The child also has its own timer, in case the parent dies.

The child is reused for the next statement, and replaced if it dies or if a load replaces the store's file.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from ...core.errors import Hint
from .. import errors
from ..cypher.values import TOO_LARGE, decode, encode
from ..errors import CypherError, CypherFailed, StoreError
from ..records import Answer
from .ddl import fingerprint
from .errors import memory_error, statement_error, timeout_error
from .reader import FileSignature, check_file, file_signature
from .sandbox_worker import send_message
from .verification import verify

START_TIMEOUT = 30.0
"""Seconds that a child may take to start."""

GRACE = 1.0
"""Seconds after the time limit before a child that has not answered is killed."""

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from importlib import import_module; import_module(sys.argv[2]).main(*sys.argv[3:])"
)


class Sandbox:
    """The child process of a store handle, started when first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._child: Child | None = None

    def run(self, statement: str, parameters: Mapping[str, Any], *, limit: int, timeout: float) -> Answer:
        """Run a statement and return its first rows; parameters and errors as in ``Store.cypher``."""
        with self._lock:
            child = self._current_child()
            try:
                request = {"statement": statement, "parameters": encode(dict(parameters)), "limit": limit, "timeout": timeout}
                reply = child.send_request(request, timeout + GRACE)
            except _ChildTimeout:
                self._stop()
                raise timeout_error(timeout) from None
            except _ChildDied:
                code = child.exit_code()
                self._stop()
                raise _crash_error(code, timeout) from None
            except BaseException:  # Ctrl-C: the late answer must not be taken for that of the next statement
                self._stop()
                raise
        if "error" in reply:
            raise _answer_error(reply, timeout)
        rows = tuple(tuple(decode(row)) for row in reply["rows"])
        return Answer(tuple(reply["columns"]), rows, reply["truncated"])

    def _current_child(self) -> Child:
        """Return a running child that has opened the current file at the path."""
        while self._child is None or self._child.signature != file_signature(self._path) or not self._child.is_alive():
            self._stop()
            self._child = Child(self._path)
        return self._child

    def _stop(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None

    def close(self) -> None:
        """Kill the child."""
        with self._lock:
            self._stop()


class _ChildTimeout(Exception):
    """The child did not answer in time."""


class _ChildDied(Exception):
    """The child has ended."""


class Child:
    """A process that runs statements on one open file, one after the other."""

    def __init__(self, path: Path) -> None:
        check_file(path)
        verified = verify(path)  # here, because it may take longer than a child may take to start
        folders = [str(Path(folder).absolute()) for folder in sys.path]
        worker = f"{__package__}.sandbox_worker"
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and arguments
            [sys.executable, "-I", "-c", _BOOT, json.dumps(folders), worker, str(path), fingerprint(), "verified" * verified],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C goes to the caller alone
        )
        self.stop = weakref.finalize(self, _kill, self._process)
        try:
            reply = self._receive(START_TIMEOUT)
        except (_ChildTimeout, _ChildDied) as error:
            self.stop()
            code = self._process.returncode
            raise StoreError(f"the process for statements on {path} did not start (exit code {code}); try again") from error
        except BaseException:
            self.stop()
            raise
        if "error" in reply:
            self.stop()
            hints = (Hint(*fields) for fields in reply["hints"])
            raise getattr(errors, reply["error"], StoreError)(reply["message"], *hints)
        self.signature: FileSignature = tuple(reply["ready"])

    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def exit_code(self) -> int | None:
        """Return the exit code of an ending child, negative for a signal; None if it does not end in time."""
        try:
            return self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def send_request(self, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """Send a request and return the reply; raise ``_ChildTimeout`` after a number of seconds."""
        try:
            send_message(_pipe(self._process.stdin), request)
        except BrokenPipeError as error:
            raise _ChildDied from error
        return self._receive(timeout)

    def _receive(self, timeout: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        pipe = _pipe(self._process.stdout).fileno()
        (size,) = struct.unpack("<Q", _read(pipe, 8, deadline))
        reply: dict[str, Any] = json.loads(_read(pipe, size, deadline))
        return reply


def _read(pipe: int, size: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < size:
        if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise _ChildTimeout
        piece = os.read(pipe, min(size - len(data), 1 << 20))
        if not piece:
            raise _ChildDied
        data += piece
    return bytes(data)


def _pipe(pipe: IO[bytes] | None) -> Any:
    if pipe is None:
        raise _ChildDied
    return pipe


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:  # unsent data for the dead child
                continue


def _answer_error(reply: Mapping[str, Any], timeout: float) -> CypherError:
    """Return the error of a statement that the child could not answer."""
    match reply["error"]:
        case "memory":
            return memory_error()
        case "large":
            return CypherFailed(TOO_LARGE)
    return statement_error(reply["message"], timeout)


def _crash_error(code: int | None, timeout: float) -> CypherError:
    """Return the error of a statement during which the child died."""
    if code == -signal.SIGALRM:
        return timeout_error(timeout)
    how = "no exit code" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
    return CypherFailed(f"the engine crashed while it ran the statement ({how}); the store is intact: rewrite the statement")
