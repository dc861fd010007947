"""Tables as aligned text, CSV and HTML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO
from xml.sax.saxutils import escape

from .text import cell_width, clean, pad, shorten


def align_columns(header: Sequence[str], rows: Sequence[Sequence[Any]], *, width: int | None = None, indent: str = "") -> str:
    """Lay rows out as aligned columns, numbers right-aligned; lines longer than ``width`` are cut off.

    >>> print(align_columns(("label", "nodes"), [("Synset", 117791), ("Stem", 9)]))
    label    nodes
    Synset  117791
    Stem         9
    """
    shown = [[clean(format_cell(value)) for value in row] for row in rows]
    table = [[clean(name) for name in header], *shown] if any(header) else shown
    right = [_are_numbers([row[column] for row in rows]) for column in range(len(header))]
    widths = [max((cell_width(row[column]) for row in table), default=0) for column in range(len(header))]
    lines = []
    for row in table:
        padded = [pad(text, cells, right=is_number) for text, cells, is_number in zip(row, widths, right, strict=True)]
        line = (indent + "  ".join(padded)).rstrip()
        lines.append(line if width is None else shorten(line, width))
    return "\n".join(lines)


def _are_numbers(column: Sequence[Any]) -> bool:
    """Whether all values of a column are numbers or None, and at least one is a number."""
    values = [value for value in column if value is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def format_cell(value: Any) -> str:
    """Format a value as the text of one cell; lists and mappings become JSON.

    >>> format_cell(None), format_cell(True), format_cell(0.5), format_cell(["dog", "domestic dog"])
    ('', 'true', '0.5', '["dog", "domestic dog"]')
    """
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.6g}"
        case list() | tuple() | dict():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)


def format_html(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Format rows as an HTML table.

    >>> format_html(("n",), [("<a>",)])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>&lt;a&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(clean(name))}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(clean(format_cell(value)))}</td>' for value in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def format_csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    r"""Format rows as CSV; lists and mappings become JSON, and numbers are not rounded.

    >>> format_csv(("name", "n"), [("a, b", 0.1)])
    'name,n\n"a, b",0.1\n'
    """
    lines = io.StringIO()
    write = make_csv_writer(lines)
    write([header])
    write([value if isinstance(value, float) else format_cell(value) for value in row] for row in rows)
    return lines.getvalue()


def make_csv_writer(target: TextIO, delimiter: str = ",") -> Callable[[Iterable[Sequence[Any]]], None]:
    """Return a function that writes rows of CSV to a text file."""
    plain = csv.writer(target, delimiter=delimiter, lineterminator="\n")
    # The plain writer does not quote a lone carriage return, which readers would take for the end of the row.
    quoting = csv.writer(target, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)

    def write(rows: Iterable[Sequence[Any]]) -> None:
        for row in rows:
            has_return = any(isinstance(value, str) and "\r" in value for value in row)
            (quoting if has_return else plain).writerow(row)

    return write
