"""Runs users' statements on the embedded engine in a process of their own (``sandbox_worker``), and ends it when it must be.

A statement can crash the engine, eat memory or never come back; none of that may reach the process of the caller. The child
is kept for the next statement and started anew after a death, or when a load has replaced the store's file.
"""

from __future__ import annotations

import json
import os
import re
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

from .. import errors
from ..cypher.values import TOO_LARGE, decode, encode
from ..errors import CypherError, CypherFailed, CypherRefused, CypherSyntax, CypherTimeout, StoreError
from ..records import Answer
from .ddl import fingerprint
from .reader import FileSignature, file_signature
from .sandbox_worker import send_message

STARTING = 30.0
"""Seconds that a child may take until it is ready."""

GRACE = 1.0
"""Seconds after the time limit before a child that has not answered is ended."""

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from importlib import import_module; import_module(sys.argv[2]).main(*sys.argv[3:])"
)

_EXPECTED = re.compile(r" expecting \{[^}]*\}")


class Sandbox:
    """The child process of one store handle."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._child: Child | None = None

    def run(self, statement: str, parameters: Mapping[str, Any], *, limit: int, timeout: float) -> Answer:
        """The first rows of a statement, or the error that tells why there are none."""
        with self._lock:
            child = self._ready()
            try:
                request = {"statement": statement, "parameters": encode(dict(parameters)), "limit": limit, "timeout": timeout}
                reply = child.ask(request, timeout + GRACE)
            except _Late:
                self._stop()
                raise _too_long(timeout) from None
            except _Dead:
                code = child.ended()
                self._stop()
                raise _stopped(code, timeout) from None
            except BaseException:  # Ctrl-C: its answer would be taken for that of the next statement
                self._stop()
                raise
        if "error" in reply:
            raise _error(reply, timeout)
        rows = tuple(tuple(decode(row)) for row in reply["rows"])
        return Answer(tuple(reply["columns"]), rows, reply["truncated"])

    def _ready(self) -> Child:
        """A child that has the file open which is in place now."""
        while self._child is None or self._child.signature != file_signature(self._path) or not self._child.alive():
            self._stop()
            self._child = Child(self._path)
        return self._child

    def _stop(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._stop()


class _Late(Exception):
    """The child did not answer in time."""


class _Dead(Exception):
    """The child is gone."""


class Child:
    """A process that answers statements on one open file."""

    def __init__(self, path: Path) -> None:
        folders = [str(Path(folder).absolute()) for folder in sys.path]
        worker = f"{__package__}.sandbox_worker"
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own words
            [sys.executable, "-I", "-c", _BOOT, json.dumps(folders), worker, str(path), fingerprint()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the caller's to answer
        )
        self.stop = weakref.finalize(self, _end, self._process)
        try:
            reply = self._reply(STARTING)
        except (_Late, _Dead) as error:
            self.stop()
            code = self._process.returncode
            raise StoreError(f"the process for statements on {path} did not start (exit code {code}); try again") from error
        except BaseException:
            self.stop()
            raise
        if "error" in reply:
            self.stop()
            raise getattr(errors, reply["error"], StoreError)(reply["message"])
        self.signature: FileSignature = tuple(reply["ready"])

    def alive(self) -> bool:
        """Whether it is there to be asked."""
        return self._process.poll() is None

    def ended(self) -> int | None:
        """The exit code of a child that is going, negative for the signal that ends it."""
        try:
            return self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def ask(self, request: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """The reply to a request, if it comes within so many seconds."""
        try:
            send_message(_pipe(self._process.stdin), request)
        except BrokenPipeError as error:
            raise _Dead from error
        return self._reply(patience)

    def _reply(self, patience: float) -> dict[str, Any]:
        until = time.monotonic() + patience
        pipe = _pipe(self._process.stdout).fileno()
        (size,) = struct.unpack("<Q", _read(pipe, 8, until))
        reply: dict[str, Any] = json.loads(_read(pipe, size, until))
        return reply


def _read(pipe: int, size: int, until: float) -> bytes:
    data = bytearray()
    while len(data) < size:
        if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
            raise _Late
        piece = os.read(pipe, min(size - len(data), 1 << 20))
        if not piece:
            raise _Dead
        data += piece
    return bytes(data)


def _pipe(pipe: IO[bytes] | None) -> Any:
    if pipe is None:
        raise _Dead
    return pipe


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:  # what was meant for the dead child is of no use to anyone
                continue


def _error(reply: Mapping[str, Any], timeout: float) -> CypherError:
    text = reply.get("message", "")
    if reply["error"] == "memory" or "Unable to allocate memory" in text or "bad_alloc" in text:
        return CypherFailed("the statement needs more memory than it may have; ask for less at once, or add LIMIT")
    if reply["error"] == "large":
        return CypherFailed(TOO_LARGE)
    if text == "Interrupted.":
        return _too_long(timeout)
    if text.startswith(("Parser exception:", "Binder exception:", "Catalog exception:")):
        said = _EXPECTED.sub("", text.partition(": ")[2])
        return CypherSyntax(f"the engine does not understand the statement: {said}")
    if "read-only" in text:
        return CypherRefused(f"the statement would write, and statements only read: {text}")
    return CypherFailed(f"the engine could not carry out the statement: {text}")


def _too_long(timeout: float) -> CypherTimeout:
    return CypherTimeout(
        f"the statement took longer than its limit of {timeout:g} s; start it from {{id: ...}}, or raise --timeout"
    )


def _stopped(code: int | None, timeout: float) -> CypherError:
    if code == -signal.SIGALRM:
        return _too_long(timeout)
    how = "no exit code" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
    return CypherFailed(f"the engine stopped while it ran the statement ({how}); the store is unharmed: write it another way")
