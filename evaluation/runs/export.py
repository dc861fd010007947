"""Exports the rows of a run as CSV or JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.atomic_files import atomic_write
from ...core.standard_output import format_json, stdout_bytes
from ...rendering.tables import make_csv_writer

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import BinaryIO


def export_rows(names: Sequence[str], rows: Iterable[tuple[Any, ...]], output: str | None, form: str) -> int:
    """Write rows as ``csv`` or ``jsonl`` to a file, or to stdout if ``output`` is None.

    An existing file is replaced when the new one is complete.

    Returns:
        The number of rows.
    """
    target: AbstractContextManager[BinaryIO] = nullcontext(stdout_bytes()) if output is None else atomic_write(Path(output))
    count = 0
    with target as stream:
        text = TextIOWrapper(stream, encoding="utf-8", errors="surrogatepass", newline="")
        try:
            write = make_csv_writer(text)
            if form == "csv":
                write([names])
            for row in rows:
                count += 1
                if form == "csv":
                    write([row])
                else:
                    text.write(format_json(dict(zip(names, row, strict=True))) + "\n")
        finally:
            text.detach()
    return count
