"""Tables as aligned text, CSV and HTML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO
from xml.sax.saxutils import escape

from .text import cell_width, clean, pad, shorten, wrap

READABLE, NARROWEST = 40, 16
"""Columns of text get at least the first width while others can be left out for it, and always at least the second."""


def align_columns(
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    width: int | None = None,
    indent: str = "",
    spare: Sequence[str] = (),
) -> str:
    """Lay rows out as aligned columns, numbers right-aligned.

    Args:
        header: The names of the columns; if all are empty, no header is shown.
        rows: The values, which are formatted as ``format_cell`` does.
        width: The width of the lines: in a wider table the columns ``spare`` are left out and texts are wrapped; what is still
            too wide is cut off.
        indent: What begins each line.
        spare: Names of columns that may be left out, the least important first.

    >>> print(align_columns(("label", "nodes"), [("Synset", 117791), ("Stem", 9)]))
    label    nodes
    Synset  117791
    Stem         9
    >>> print(align_columns(("id", "meaning"), [("02086723-n", "a member of the genus Canis")], width=20, spare=["id"]))
    meaning
    a member of the
    genus Canis
    """
    shown = [[clean(format_cell(value)) for value in row] for row in rows]
    table = [[clean(name) for name in header], *shown] if any(header) else shown
    right = [_are_numbers([row[column] for row in rows]) for column in range(len(header))]
    widths = {column: max((cell_width(row[column]) for row in table), default=0) for column in range(len(header))}
    if width is not None:
        widths = _fit(widths, right, width - len(indent), [list(header).index(name) for name in spare if name in header])
    lines = []
    for row in table:
        cells = {column: wrap(row[column], size) for column, size in widths.items()}
        for number in range(max(map(len, cells.values()), default=0)):
            parts = (
                pad(lines_of_cell[number] if number < len(lines_of_cell) else "", widths[column], right=right[column])
                for column, lines_of_cell in cells.items()
            )
            line = (indent + "  ".join(parts)).rstrip()
            lines.append(line if width is None else shorten(line, width))
    return "\n".join(lines)


def _fit(widths: dict[int, int], right: Sequence[bool], width: int, spare: Sequence[int]) -> dict[int, int]:
    """Return the columns to show and their widths, so that their sum does not exceed the width, if that is possible."""

    def excess(widest: int | None = None) -> int:
        """Return by how much the table is too wide, if texts are at most ``widest``."""
        sizes = (size if right[column] or widest is None else min(size, widest) for column, size in widths.items())
        return sum(sizes) + 2 * (len(widths) - 1) - width

    widths, waiting = dict(widths), list(spare)
    while waiting and excess(READABLE) > 0:
        del widths[waiting.pop(0)]
    while excess() > 0:
        texts = [column for column in widths if not right[column] and widths[column] > NARROWEST]
        if not texts:
            break
        # The widest is narrowed to the next one's width at most, so that several long columns share the loss.
        order = sorted(texts, key=lambda column: -widths[column])
        floor = widths[order[1]] - 1 if len(order) > 1 else NARROWEST
        widths[order[0]] = max(NARROWEST, min(floor, widths[order[0]] - 1), widths[order[0]] - excess())
    return widths


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
    """Format rows as an HTML table. Notebooks align all cells on the right, which suits numbers alone.

    >>> format_html(("n",), [(1,), (2,)])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>'
    """
    table = [list(row) for row in rows]
    columns = [[_to_number(row[at]) for row in table] for at in range(len(header))]
    styles = ["" if _are_numbers(column) else ' style="text-align:left"' for column in columns]

    def format_row(tag: str, row: Iterable[Any]) -> str:
        cells = (escape(clean(format_cell(value))) for value in row)
        return "".join(f"<{tag}{style}>{cell}</{tag}>" for cell, style in zip(cells, styles, strict=True))

    body = "".join(f"<tr>{format_row('td', row)}</tr>" for row in table)
    return f"<table><thead><tr>{format_row('th', header)}</tr></thead><tbody>{body}</tbody></table>"


def _to_number(value: Any) -> Any:
    """Return the number that a formatted cell shows, or the value itself."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def format_markdown(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Format rows as a Markdown table, columns of numbers right-aligned.

    >>> print(format_markdown(("name", "n"), [("a | b", 1)]))
    | name | n |
    | --- | ---: |
    | a \| b | 1 |
    """
    table = [list(row) for row in rows]
    right = [_are_numbers([row[column] for row in table]) for column in range(len(header))]

    def format_row(row: Iterable[Any]) -> str:
        cells = (clean(format_cell(value)).replace("|", r"\|") for value in row)
        return f"| {' | '.join(cells)} |"

    rule = f"| {' | '.join('---:' if is_number else '---' for is_number in right)} |"
    return "\n".join([format_row(header), rule, *map(format_row, table)])


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
