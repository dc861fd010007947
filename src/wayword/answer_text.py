"""Show the rows of a Cypher statement: as a table in a terminal or a notebook, and as CSV."""

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
"""Rows of an answer that are shown at a prompt or in a notebook."""


def answer_table(answer: Answer, *, room: int | None = None) -> str:
    """All rows as an aligned table; nodes and paths are written as patterns of Cypher."""
    return align_columns(answer.columns, [_cells(row) for row in answer.rows], width=room)


def answer_csv(answer: Answer) -> str:
    """All rows as CSV; nodes, paths and lists are JSON in their cells."""
    return format_csv(answer.columns, [list(map(_plain_cell, row)) for row in answer.rows])


def answer_text(answer: Answer) -> str:
    """The first rows as an aligned table, and how many more there are."""
    shown = [_cells(row) for row in islice(answer, SHOWN_ROWS)]
    return "\n".join([align_columns(answer.columns, shown, width=line_width()), *_rest(answer)])


def answer_html(answer: Answer) -> str:
    """The first rows as a table of HTML, and how many more there are."""
    table = format_html(answer.columns, map(_cells, islice(answer, SHOWN_ROWS)))
    return table + "".join(f"<p>{line}</p>" for line in _rest(answer))


def _cells(row: tuple[Any, ...]) -> list[Any]:
    return [str(value) if isinstance(value, Node | Relationship | Path) else _plain_cell(value) for value in row]


def _plain_cell(value: Any) -> Any:
    """The value as a table takes it: numbers, which it aligns, and text; everything else is JSON."""
    return (
        value if value is None or isinstance(value, str | int | float) else json.dumps(to_json_value(value), ensure_ascii=False)
    )


def _rest(answer: Answer) -> list[str]:
    hidden = max(0, len(answer) - SHOWN_ROWS)
    if not hidden and not answer.truncated:
        return []
    cut = "there are more: limit=N asks for N" if answer.truncated else ""
    return [
        "… " + "; ".join(part for part in (f"{hidden:,} more row{'' if hidden == 1 else 's'}" if hidden else "", cut) if part)
    ]
