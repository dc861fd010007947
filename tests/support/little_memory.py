"""Run a statement in a process that may use little more memory than its imports."""

from __future__ import annotations

import subprocess
import sys
from textwrap import indent

import pytest

needs_limits = pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process can only be limited on Linux")

_PROGRAM = """
import resource, sys
import pyarrow.parquet
from wayword.core.errors import WaywordError
{imports}
with open("/proc/self/statm") as status:
    used = int(status.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ({megabytes} << 20),) * 2)
argument = sys.argv[1] if len(sys.argv) > 1 else None
try:
{statements}
except WaywordError as error:
    print(type(error).__name__, error, sep=": ")
"""


def run_with_little_memory(imports: str, statements: str, *arguments: object, megabytes: int = 400) -> str:
    """Return what the statements print, or the ``WaywordError`` that they raise; ``argument`` is the first argument."""
    program = _PROGRAM.format(imports=imports, statements=indent(statements, "    "), megabytes=megabytes)
    child = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )
    assert child.returncode == 0, f"exit {child.returncode}: {child.stderr[-3000:]}"
    return child.stdout
