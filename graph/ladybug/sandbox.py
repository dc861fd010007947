"""Run users' statements on the embedded engine in child processes (``sandbox_worker``).

A statement can crash the engine, exhaust memory or never return, and the engine can read files; none of that may happen in the
caller's process. The layers of defence, from the outside in:

1. The guard (``cypher.guard``) refuses everything but one reading statement.
2. A child opens the file read-only, and then drops the right to open files or sockets or to grow beyond a bound.
3. The parent kills a child that does not answer in time. A child also has its own timer, in case the parent dies.

Statements that run at the same time have a child each, so that none waits for a slow one, up to a number of children. Children
are reused, and replaced if they die or if a load replaces the store's file. A caller never waits longer than its time limit,
whether for a free child, for one that is starting, for one that does not read its parameters, or for the answer.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ...core.errors import Hint
from ...core.messages import first_line, truncate
from .. import errors
from ..cypher import problems
from ..cypher.column_names import name_columns
from ..cypher.deadline import Deadline
from ..cypher.guard import CheckedStatement, Edit
from ..cypher.problems import EngineMessage
from ..cypher.values import TOO_LARGE, decode, encode
from ..errors import CypherError, CypherFailed, CypherTimeout, StoreError
from ..records import Answer
from .ddl import fingerprint
from .reader import FileSignature, check_file, file_signature
from .statement_errors import memory_error, statement_error
from .verification import verify

MAX_CHILDREN = 8
"""Largest number of statements that run at the same time; further ones wait."""

MAX_IDLE = 2
"""Number of children that are kept for the next statements."""

START_TIMEOUT = 30.0
"""Seconds that a child may take to start."""

GRACE = 0.4
"""Seconds after the time limit before a child that has not answered is killed; the engine needs some to stop by itself."""

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from importlib import import_module; import_module(sys.argv[2]).main(*sys.argv[3:])"
)
_NO_MEMORY = (
    "memoryerror", "cannot allocate", "failed to map segment", "unable to allocate", "bad_alloc", "mmap for size",
    "start new thread", "temporarily unavailable",
)  # fmt: skip
_NO_FILES = ("too many open files", "[errno 24]")


class Sandbox:
    """The child processes of a store handle, started when first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed = threading.Condition()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._starting: _Start | None = None
        self._closed = False

    def run(
        self, statement: str, parameters: Mapping[str, Any], checked: CheckedStatement, edits: list[Edit] | None = None
    ) -> Answer:
        """Run a statement and return its first rows.

        Args:
            statement: The statement for the engine.
            parameters: Its parameters.
            checked: The statement as the user wrote it, and its limits.
            edits: How the statement for the engine differs from the user's.
        """
        deadline = checked.deadline
        child = self._acquire(deadline)
        answered = False  # after Ctrl-C, the late answer must not be taken for that of the next statement
        try:
            reply = child.ask(statement, parameters, checked.limit, deadline)
            answered = True
        except _ChildTimeout:
            raise deadline.error() from None
        except _ChildDied:
            if self._closed:
                raise self._closed_error() from None
            raise _crash_error(child, deadline) from None
        finally:
            self._release(child, reusable=answered)
        if "error" in reply:
            raise _answer_error(reply, checked, edits or []) from EngineMessage(reply.get("message", reply["error"]))
        rows = []
        for row in reply["rows"]:
            rows.append(tuple(decode(row)))
            deadline.check()
        return Answer(name_columns(checked.text, reply["columns"]), tuple(rows), reply["truncated"])

    def _acquire(self, deadline: Deadline) -> Child:
        """Return a running child that has opened the current file at the path.

        A new child is started only if none is idle, and one at a time, because the first to become free may be an older one.
        """
        with self._changed:
            while True:
                if self._closed:
                    raise self._closed_error()
                if (child := self._take_idle()) is not None:
                    self._busy.add(child)
                    return child
                start = self._starting
                if start is None and len(self._busy) < MAX_CHILDREN:
                    start = self._starting = _Start(self._path, self._end_start)
                if not self._changed.wait(deadline.remaining()):
                    raise self._waiting_error(deadline)
                if start is not None and start.failure is not None:
                    raise start.failure

    def _take_idle(self) -> Child | None:
        while self._idle:
            child = self._idle.pop()
            if child.is_alive() and child.signature == file_signature(self._path):
                return child
            child.stop()
        return None

    def _end_start(self, child: Child | None) -> None:
        with self._changed:
            self._starting = None
            if child is not None and not self._closed:
                self._idle.append(child)
                child = None
            self._changed.notify_all()
        if child is not None:
            child.stop()

    def _release(self, child: Child, *, reusable: bool) -> None:
        with self._changed:
            self._busy.discard(child)
            if reusable and not self._closed and len(self._idle) < MAX_IDLE:
                self._idle.append(child)
            else:
                reusable = False
            self._changed.notify_all()
        if not reusable:
            child.stop()

    def _waiting_error(self, deadline: Deadline) -> CypherTimeout:
        if len(self._busy) < MAX_CHILDREN:
            return deadline.error(f"the process for statements did not start within {deadline.seconds:g} s")
        running = f"the {MAX_CHILDREN} that were running before it"
        return deadline.error(f"the statement waited {deadline.seconds:g} s for {running}; run fewer at a time")

    def _closed_error(self) -> StoreError:
        return StoreError(f"the store {self._path} was closed before the statement had ended; open it again")

    def close(self) -> None:
        """Kill the children. Statements that are running fail."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            running: list[Child | _Start] = [*self._busy, *([self._starting] if self._starting else [])]
            self._changed.notify_all()
        for child in idle:
            child.stop()
        for each in running:  # the threads that wait for them release the rest
            each.kill()


class _Start:
    """A child that is starting, in a thread, because the first caller who waits for it may give up before it is ready."""

    def __init__(self, path: Path, done: Callable[[Child | None], None]) -> None:
        self.failure: StoreError | None = None
        self._path = path
        self._done = done
        self._child: Child | None = None
        self._cancelled = False
        self._lock = threading.Lock()
        try:
            threading.Thread(target=self._run, name="wayword-sandbox", daemon=True).start()
        except RuntimeError as error:
            raise StoreError(
                f"cannot start a thread for statements ({error}); raise the limit on processes or memory"
            ) from error

    def _run(self) -> None:
        ready = None
        try:
            check_file(self._path)
            verified = verify(self._path)  # here, because it may take longer than a child may take to start
            with self._lock:
                if self._cancelled:
                    return
                self._child = Child(self._path, verified=verified)
            self._child.wait_until_ready()
            ready = self._child
        except StoreError as error:
            self.failure = error
        except Exception as error:
            self.failure = StoreError(f"the process for statements on {self._path} did not start ({first_line(error)})")
        finally:
            if ready is None and self._child is not None:
                self._child.stop()
            self._done(ready)

    def kill(self) -> None:
        """End the process, or do not start it."""
        with self._lock:
            self._cancelled = True
            if self._child is not None:
                self._child.kill()


class _ChildTimeout(Exception):
    """The child did not answer in time."""


class _ChildDied(Exception):
    """The child has ended."""


class Child:
    """A process that runs statements on one open file, one after the other."""

    def __init__(self, path: Path, *, verified: bool) -> None:
        self._path = path
        self.converting = False
        self.signature: FileSignature | None = None
        folders = [str(Path(folder).absolute()) for folder in sys.path]
        worker = f"{__package__}.sandbox_worker"
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and arguments
                [
                    sys.executable,
                    "-I",
                    "-c",
                    _BOOT,
                    json.dumps(folders),
                    worker,
                    str(path),
                    fingerprint(),
                    "verified" * verified,
                ],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,  # until it is ready; then it closes the pipe
                start_new_session=True,  # Ctrl-C goes to the caller alone
            )
        except OSError as error:
            raise _start_error(path, error.strerror or str(error)) from error
        self.stop = weakref.finalize(self, _end, self._process)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            os.set_blocking(_descriptor(pipe), False)

    def wait_until_ready(self) -> None:
        """Wait until the process has opened the file; raise its error if it cannot."""
        try:
            reply = self._receive(Deadline(START_TIMEOUT))
        except _ChildTimeout:
            raise StoreError(f"the process for statements on {self._path} did not start in {START_TIMEOUT:g} s") from None
        except _ChildDied:
            raise _start_error(self._path, self._last_words()) from None
        if "error" in reply:
            hints = (Hint(*fields) for fields in reply["hints"])
            raise getattr(errors, reply["error"], StoreError)(reply["message"], *hints)
        self.signature = tuple(reply["ready"])

    def _last_words(self) -> str:
        code = self.exit_code()
        with suppress(OSError):
            lines = os.read(_descriptor(self._process.stderr), 1 << 16).decode(errors="replace").split("\n")
            if last := next((line.strip() for line in reversed(lines) if line.strip()), ""):
                return truncate(last)
        return "it did not say why" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"

    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def exit_code(self) -> int | None:
        """Return the exit code of an ending child, negative for a signal; None if it does not end in time."""
        try:
            return self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End the process, while another thread waits for its answer."""
        self._process.kill()
        self._process.wait()

    def ask(self, statement: str, parameters: Mapping[str, Any], limit: int, deadline: Deadline) -> dict[str, Any]:
        """Send a statement and return the reply; raise ``_ChildTimeout`` after the deadline and ``GRACE``."""
        self.converting = False
        request = {"statement": statement, "parameters": encode(dict(parameters)), "limit": limit}
        data = json.dumps(request | {"timeout": max(0.001, deadline.remaining())}).encode("ascii")
        self._send(memoryview(struct.pack("<Q", len(data)) + data), deadline)
        reply = self._receive(deadline)
        if "converting" in reply:
            self.converting = True
            reply = self._receive(deadline)
        return reply

    def _send(self, data: memoryview, deadline: Deadline) -> None:
        pipe = _descriptor(self._process.stdin)
        while data:
            _wait_for(pipe, select.POLLOUT, deadline)
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError as error:
                raise _ChildDied from error

    def _receive(self, deadline: Deadline) -> dict[str, Any]:
        (size,) = struct.unpack("<Q", self._read(8, deadline))
        reply: dict[str, Any] = json.loads(self._read(size, deadline))
        return reply

    def _read(self, size: int, deadline: Deadline) -> bytes:
        pipe = _descriptor(self._process.stdout)
        data = bytearray()
        while len(data) < size:
            _wait_for(pipe, select.POLLIN, deadline)
            try:
                piece = os.read(pipe, min(size - len(data), 1 << 20))
            except BlockingIOError:
                continue
            if not piece:
                raise _ChildDied
            data += piece
        return bytes(data)


def _wait_for(pipe: int, event: int, deadline: Deadline) -> None:
    poll = select.poll()  # unlike select(), it accepts any number of open files
    poll.register(pipe, event)
    if not poll.poll(1000 * deadline.remaining(GRACE)):
        raise _ChildTimeout


def _descriptor(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        raise _ChildDied
    return pipe.fileno()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _start_error(path: Path, reason: str) -> StoreError:
    """Return the error of a child that could not start."""
    if any(text in reason.casefold() for text in _NO_FILES):
        return StoreError(f"too many open files to start the process for statements on {path}; raise the limit (ulimit -n)")
    if any(text in reason.casefold() for text in _NO_MEMORY):
        return StoreError(f"too little memory to start the process for statements on {path}; raise the limit (ulimit -v)")
    return StoreError(f"the process for statements on {path} did not start ({reason}); try again")


def _answer_error(reply: Mapping[str, Any], checked: CheckedStatement, edits: list[Edit]) -> CypherError:
    """Return the error of a statement that the child could not answer."""
    match reply["error"]:
        case "memory":
            return memory_error()
        case "large":
            return CypherFailed(TOO_LARGE)
        case "unrepresentable":
            return problems.unrepresentable(reply["message"])
        case "unsupported":
            return problems.unexplained(CypherFailed)
    return statement_error(reply["message"], checked, edits)


def _crash_error(child: Child, deadline: Deadline) -> CypherError:
    """Return the error of a statement during which the child died."""
    code = child.exit_code()
    if code == -signal.SIGALRM or not deadline.remaining():
        return deadline.error()
    if child.converting:  # the engine crashes when it converts a date for which Python has no type
        return problems.unrepresentable("a date or time out of the range of years 1 to 9999")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        limited = f"the memory of this process is limited to {limit >> 20:,} MB"
        return CypherFailed(f"the engine crashed while it ran the statement, and {limited}; raise the limit (ulimit -v)")
    how = "no exit code" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
    return CypherFailed(f"the engine crashed while it ran the statement ({how}); the store is intact: rewrite the statement")
