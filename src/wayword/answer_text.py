"""Format the rows of a Cypher statement as a table for a terminal or a notebook, and as CSV."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from .graph.cypher.values import Node, Path, Relationship, to_json_value
from .rendering.tables import align_columns, format_csv, format_html
from .rendering.text import line_width

if TYPE_CHECKING:
    from .graph.records import Answer

SHOWN_ROWS = 20
"""Rows of an answer that a prompt or a notebook shows."""


def answer_table(answer: Answer, *, width: int | None = None) -> str:
    """Format all rows as an aligned table; nodes and paths are written as Cypher patterns."""
    return align_columns(answer.columns, [_cells(row) for row in answer.rows], width=width)


def answer_csv(answer: Answer) -> str:
    """Format all rows as CSV; nodes, paths and lists are JSON."""
    return format_csv(answer.columns, [list(map(_plain_cell, row)) for row in answer.rows])


def answer_text(answer: Answer) -> str:
    """Format the first rows as an aligned table, with the number of further rows."""
    shown = [_cells(row) for row in islice(answer, SHOWN_ROWS)]
    return "\n".join([align_columns(answer.columns, shown, width=line_width()), *_remainder(answer)])


def answer_html(answer: Answer) -> str:
    """Format the first rows as an HTML table, with the number of further rows."""
    table = format_html(answer.columns, map(_cells, islice(answer, SHOWN_ROWS)))
    return table + "".join(f"<p>{line}</p>" for line in _remainder(answer))


def _cells(row: tuple[Any, ...]) -> list[Any]:
    return [str(value) if isinstance(value, Node | Relationship | Path) else _plain_cell(value) for value in row]


def _plain_cell(value: Any) -> Any:
    """Return numbers and texts unchanged, everything else as JSON."""
    return (
        value if value is None or isinstance(value, str | int | float) else json.dumps(to_json_value(value), ensure_ascii=False)
    )


def _remainder(answer: Answer) -> list[str]:
    hidden = max(0, len(answer) - SHOWN_ROWS)
    if not hidden and not answer.truncated:
        return []
    truncated = "there are more; raise limit to see them" if answer.truncated else ""
    return [
        "… "
        + "; ".join(part for part in (f"{hidden:,} more row{'' if hidden == 1 else 's'}" if hidden else "", truncated) if part)
    ]
