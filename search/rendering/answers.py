"""The rows of a Cypher statement as a person reads them at a prompt or in a notebook: a table of a screenful at most."""

from __future__ import annotations

from itertools import islice

from ...graph.store import Answer
from .lettering import room_for_lines
from .tables import aligned, as_html

MOST = 20
"""Rows that are shown."""


def answer_in_words(answer: Answer) -> str:
    """The first rows as an aligned table, and how many more there are."""
    shown = tuple(islice(answer, MOST))
    return "\n".join([aligned(answer.columns, shown, room=room_for_lines()), *_rest(answer)])


def answer_in_html(answer: Answer) -> str:
    """The first rows as a table of HTML, and how many more there are."""
    table = as_html(answer.columns, islice(answer, MOST))
    return table + "".join(f"<p>{line}</p>" for line in _rest(answer))


def _rest(answer: Answer) -> list[str]:
    hidden = max(0, len(answer) - MOST)
    if not hidden and not answer.truncated:
        return []
    cut = "there are more: limit=N asks for N" if answer.truncated else ""
    return [
        "… " + "; ".join(part for part in (f"{hidden:,} more row{'' if hidden == 1 else 's'}" if hidden else "", cut) if part)
    ]
