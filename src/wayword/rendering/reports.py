"""Reports: a result as tables and notes for people, as rows of figures and as JSON; the ending of a file is its format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ..core.atomic_files import atomic_write, check_writable
from .errors import RenderError
from .latex import format_latex
from .tables import align_columns, format_csv, format_markdown
from .text import clean


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption, which may be empty."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A result, ready to be shown.

    - ``tables``: for people, with rounded figures
    - ``notes``: a line each: what was unknown or left out, and how the figures were made
    - ``figures``: a row for each figure, not rounded: the content of CSV
    - ``document``: everything, ready for JSON
    - ``summary``: the result in a few words, for the list of runs
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    figures: Table
    document: Mapping[str, Any]
    summary: str = ""

    def to_text(self, width: int | None = None) -> str:
        """Return the tables and notes as text, for a terminal of a width."""
        parts = []
        for each in self.tables:
            table = align_columns(each.header, each.rows, width=width)
            parts.append(f"{clean(each.caption)}\n\n{table}" if each.caption else table)
        return "\n\n".join([*parts, *(["\n".join(map(clean, self.notes))] if self.notes else [])])

    def to_markdown(self) -> str:
        """Return the tables and notes as Markdown."""
        parts = []
        for each in self.tables:
            table = format_markdown(each.header, each.rows)
            parts.append(f"{clean(each.caption)}\n\n{table}" if each.caption else table)
        return "\n\n".join([*parts, *(f"- {clean(note)}" for note in self.notes)]) + "\n"

    def to_latex(self) -> str:
        """Return the tables as LaTeX, and the notes as comments."""
        tables = [format_latex(each.caption, each.header, each.rows) for each in self.tables]
        return "\n\n".join([*tables, *(f"% {clean(note)}" for note in self.notes)]) + "\n"

    def to_csv(self) -> str:
        """Return the figures as CSV."""
        return format_csv(self.figures.header, self.figures.rows)

    def to_json(self) -> str:
        """Return the document as JSON."""
        return json.dumps(self.document, ensure_ascii=False, indent=2) + "\n"

    def save(self, file: str | PathLike[str]) -> None:
        """Write the report to a file whose ending is .md, .csv, .tex or .json.

        Raises:
            RenderError: The ending is another one.
            FileError: The file cannot be written.
        """
        path = Path(file)
        check_report_path(path)
        content = FORMATS[path.suffix.lower()](self)
        with atomic_write(path) as target:
            target.write(content.encode("utf-8"))


FORMATS: Mapping[str, Callable[[Report], str]] = {
    ".md": Report.to_markdown,
    ".csv": Report.to_csv,
    ".tex": Report.to_latex,
    ".json": Report.to_json,
}
"""The formats by the endings of files."""


def check_report_path(file: str | PathLike[str]) -> None:
    """Raise if a report cannot be written to a file; call it before long work.

    Raises:
        RenderError: The file name has no ending of a format.
        FileError: The file cannot be written.
    """
    path = Path(file)
    if path.suffix.lower() not in FORMATS:
        raise RenderError(f"{path} does not end with {', '.join(FORMATS)}; choose one of these formats")
    check_writable(path)
