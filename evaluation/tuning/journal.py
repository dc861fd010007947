"""The journal of a tuning: the outcomes so far, in a file beside the profile that is being made.

A method proposes the same points again if it has the same seed and hears the same scores. So the scores are all that an
interrupted tuning needs: it is repeated from its start, and takes them from the journal instead of evaluating.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections import deque
from collections.abc import Sequence
from math import isnan, nan
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from ...core.atomic_files import write_error
from ..errors import TuningError
from .evaluator import Outcome

FORMAT = "wayword-tuning/1"
ENDING = ".progress"
BATCH_SECONDS = 1.0
"""How often outcomes are written."""


class Journal:
    """The journal of one tuning, as a context manager; the file is only deleted by ``finish``.

    The first line says which tuning it is; each further one has outcomes. A line that was not written to its end is dropped.

    Args:
        path: The file.
        key: A digest of everything that the outcomes depend on.

    Raises:
        TuningError: The file belongs to another tuning, or another process writes it.
        FileError: The file cannot be read or written.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self._key = path, key
        self._recorded: deque[Outcome] = deque()
        self._waiting: list[Outcome] = []
        self._written = time.monotonic()

    def __enter__(self) -> Self:
        try:
            self._file: BinaryIO = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise write_error(self.path, error) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._read()
        except BlockingIOError:
            self._file.close()
            raise TuningError(f"another process is tuning into {self.path}; wait for it, or name another file") from None
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if not self._file.closed:
            with self._file:
                self._write()

    def _read(self) -> None:
        """Read the outcomes of an interrupted tuning, or begin a new journal."""
        content, header = self._file.read(), {"format": FORMAT, "key": self._key}
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        try:
            found: list[Any] = [json.loads(line) for line in lines]
        except ValueError:
            found = [None]
        if found and found[0] != header:
            raise TuningError(
                f"{self.path} is of a tuning with other options, data or versions; repeat that one, or delete the file"
            )
        self._recorded.extend(
            Outcome(training, nan if held_out is None else held_out) for line in found[1:] for training, held_out in line
        )
        # What follows the last whole line is overwritten.
        self._file.seek(content.rfind(b"\n") + 1)
        self._file.truncate()
        if not found:
            self._append(header)

    def take(self, count: int) -> list[Outcome]:
        """Return the next ``count`` recorded outcomes, or none: only whole populations are recorded."""
        return [self._recorded.popleft() for _ in range(count)] if self._recorded else []

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Record outcomes; they are written in batches."""
        self._waiting += outcomes
        if time.monotonic() - self._written > BATCH_SECONDS:
            self._write()

    def _write(self) -> None:
        if self._waiting:
            self._append([[each.training, None if isnan(each.held_out) else each.held_out] for each in self._waiting])
        self._waiting, self._written = [], time.monotonic()

    def _append(self, value: object) -> None:
        try:
            self._file.write(json.dumps(value).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise write_error(self.path, error) from None

    def finish(self) -> None:
        """Delete the file: the result is written."""
        self._waiting = []
        self._file.close()
        self.path.unlink(missing_ok=True)
