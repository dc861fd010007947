"""How things are measured: calls by the clock, processes with all their children, and what the machine was like meanwhile."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from math import ceil
from pathlib import Path
from statistics import median

from wayword.core.executors import cpu_count

PROC = Path("/proc")
EVERY = 0.05
"""Seconds between two looks at the memory of a process."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure measured several times."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure that is reported."""
        return median(self.values)

    def __str__(self) -> str:
        low, high = short(min(self.values)), short(max(self.values))
        return short(self.median) if len(self.values) == 1 else f"{short(self.median)} ({low}..{high})"


def spread(values: Iterable[float]) -> Spread:
    """The figures of all repeats as one."""
    return Spread(tuple(values))


def short(value: float) -> str:
    """A figure with three digits that mean something.

    >>> short(0.01234), short(1.234), short(1234.5)
    ('0.0123', '1.23', '1,234')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not exceeded by this share of all.

    >>> percentile([5, 1, 4, 2, 3], 0.5), percentile(range(1, 201), 0.99)
    (3, 198)
    """
    return sorted(values)[max(ceil(share * len(values)) - 1, 0)]


def milliseconds(ask: Callable[[str, str], object], pairs: Iterable[tuple[str, str]]) -> list[float]:
    """How long each question takes."""
    clock = time.perf_counter_ns
    times = []
    for one, other in pairs:
        begun = clock()
        ask(one, other)
        times.append((clock() - begun) / 1e6)
    return times


@dataclass(frozen=True, slots=True)
class Ran:
    """A process that has ended well: its time, what it said, and the most memory that it and its children had together."""

    seconds: float
    peak: int | None
    said: str


class Failed(Exception):
    """A command that was to be measured has failed."""


def run(
    command: Sequence[str | Path], *, environment: Mapping[str, str] | None = None, cwd: Path | None = None, watch: bool = True
) -> Ran:
    """Run a command to its end; with ``watch`` its memory is looked at all the while.

    Modules are compiled once, as where somebody uses them, even if this process was told to keep none compiled.
    """
    with tempfile.TemporaryFile() as output:
        begun = time.perf_counter()
        surroundings = {**os.environ, **(environment or {})}
        surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd, env=surroundings
        )
        peak = _watched(process) if watch else None
        code = process.wait()
        seconds = time.perf_counter() - begun
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    if code:
        raise Failed(f"{' '.join(map(str, command))} ended with {code}: {' / '.join(said.strip().splitlines()[-3:])}")
    return Ran(seconds, peak, said)


def _watched(process: subprocess.Popen[bytes]) -> int | None:
    """The most that the process and its children had at any look; a page that several share counts once."""
    if not (PROC / "self" / "smaps_rollup").exists():
        return None
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_share_of_memory, _tree(process.pid))))
        try:
            process.wait(EVERY)
        except subprocess.TimeoutExpired:
            continue
    return peak


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        tasks = [(task / "children").read_text() for task in (PROC / str(pid) / "task").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in chain.from_iterable(map(str.split, tasks)):
        yield from _tree(int(child))


def _share_of_memory(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def megabytes(size: float | None) -> str:
    """Bytes as people read them.

    >>> megabytes(101_539_840), megabytes(None)
    ('102 MB', 'not measured here')
    """
    return "not measured here" if size is None else f"{short(size / 1e6)} MB"


def size_of(place: Path) -> int:
    """The bytes of a file, or of all files below a folder."""
    return sum(file.stat().st_size for file in ([place] if place.is_file() else place.rglob("*")) if file.is_file())


def machine() -> str:
    """What was measured on, and when, in one line."""
    load = f"; load average {os.getloadavg()[0]:.1f} at the start"
    return (
        f"{date.today().isoformat()}; {_processor()}, {cpu_count()} cores; {platform.system()}; "
        f"{platform.python_implementation()} {platform.python_version()}{load}"
    )


def _processor() -> str:
    try:
        lines = (PROC / "cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def repeated(number: int) -> str:
    """How often something was done.

    >>> repeated(1), repeated(5)
    ('1 repeat', '5 repeats')
    """
    return f"{number} repeat{'s' * (number != 1)}"


def python(code: str, *arguments: str | Path) -> list[str | Path]:
    """The command that runs a piece of Python in a process of its own."""
    return [sys.executable, "-c", code, *arguments]
