"""What a run has found as a file of rows, for pandas or a spreadsheet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.atomic_files import atomic_write
from ...rendering.tables import make_csv_writer

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import BinaryIO


def export_rows(names: Sequence[str], rows: Iterable[tuple[Any, ...]], output: str | None, form: str) -> int:
    """Write rows to a file, or to stdout; how many there were. A file is replaced once the new one is whole."""
    sys.stdout.flush()
    target: AbstractContextManager[BinaryIO] = nullcontext(sys.stdout.buffer) if output is None else atomic_write(Path(output))
    count = 0
    with target as stream:
        text = TextIOWrapper(stream, encoding="utf-8", errors="surrogatepass", newline="")
        try:
            write = make_csv_writer(text)
            if form == "csv":
                write([names])
            for each in rows:
                count += 1
                if form == "csv":
                    write([each])
                else:
                    text.write(json.dumps(dict(zip(names, each, strict=True)), ensure_ascii=False) + "\n")
        finally:
            text.detach()
    return count
