"""Measure calls by the clock, and processes with the memory of all their children."""

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
"""Seconds between two measurements of the memory of a process."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Repeated measurements of one figure."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure that is reported."""
        return median(self.values)

    def __str__(self) -> str:
        low, high = short(min(self.values)), short(max(self.values))
        return short(self.median) if len(self.values) == 1 else f"{short(self.median)} ({low}..{high})"


def spread(values: Iterable[float]) -> Spread:
    """Combine the figures of all repeats."""
    return Spread(tuple(values))


def short(value: float) -> str:
    """Format a figure with three significant digits.

    >>> short(0.01234), short(1.234), short(1234.5)
    ('0.0123', '1.23', '1,234')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that this share of all values does not exceed.

    >>> percentile([5, 1, 4, 2, 3], 0.5), percentile(range(1, 201), 0.99)
    (3, 198)
    """
    return sorted(values)[max(ceil(share * len(values)) - 1, 0)]


def milliseconds(score: Callable[[str, str], object], pairs: Iterable[tuple[str, str]]) -> list[float]:
    """Return how long scoring each pair takes."""
    clock = time.perf_counter_ns
    times = []
    for one, other in pairs:
        start = clock()
        score(one, other)
        times.append((clock() - start) / 1e6)
    return times


@dataclass(frozen=True, slots=True)
class ProcessRun:
    """A finished process: seconds, peak memory in bytes including children (None if unknown), and output."""

    seconds: float
    peak: int | None
    output: str


class CommandFailed(Exception):
    """A measured command failed."""


def run(
    command: Sequence[str | Path], *, environment: Mapping[str, str] | None = None, cwd: Path | None = None, watch: bool = True
) -> ProcessRun:
    """Run a command to its end; with ``watch``, sample its memory.

    The command may write bytecode even if this process may not, as it would for a user.
    """
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        full_environment = {**os.environ, **(environment or {})}
        full_environment.pop("PYTHONDONTWRITEBYTECODE", None)
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd, env=full_environment
        )
        peak = _sample_peak(process) if watch else None
        code = process.wait()
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    if code:
        raise CommandFailed(f"{' '.join(map(str, command))} exited with {code}: {' / '.join(text.strip().splitlines()[-3:])}")
    return ProcessRun(seconds, peak, text)


def _sample_peak(process: subprocess.Popen[bytes]) -> int | None:
    """Return the peak memory of a process and its children; a page that several share counts once."""
    if not (PROC / "self" / "smaps_rollup").exists():
        return None
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_proportional_memory, _process_tree(process.pid))))
        try:
            process.wait(EVERY)
        except subprocess.TimeoutExpired:
            continue
    return peak


def _process_tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        tasks = [(task / "children").read_text() for task in (PROC / str(pid) / "task").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in chain.from_iterable(map(str.split, tasks)):
        yield from _process_tree(int(child))


def _proportional_memory(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def megabytes(size: float | None) -> str:
    """Format bytes.

    >>> megabytes(101_539_840), megabytes(None)
    ('102 MB', 'not measured')
    """
    return "not measured" if size is None else f"{short(size / 1e6)} MB"


def size_of(path: Path) -> int:
    """Return the size in bytes of a file, or of all files below a folder."""
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())


def describe_machine() -> str:
    """Describe date, machine and interpreter in one line."""
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


def count_repeats(number: int) -> str:
    """Return a number with the word "repeats".

    >>> count_repeats(1), count_repeats(5)
    ('1 repeat', '5 repeats')
    """
    return f"{number} repeat{'s' * (number != 1)}"


def python(code: str, *arguments: str | Path) -> list[str | Path]:
    """Return the command that runs Python code in its own process."""
    return [sys.executable, "-c", code, *arguments]


def repository_path() -> str:
    """Return a PYTHONPATH with which a process can also import ``bench``."""
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(filter(None, paths))
