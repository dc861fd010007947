"""Show the senses of a phrase in a terminal or a notebook: a table for each aspect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ...rendering.tables import align_columns, format_html
from ...rendering.text import clean, format_score, line_width

if TYPE_CHECKING:
    from ..results import AspectTargets, Senses

_HEADER = ("entity", "pos", "label", "uses", "prior", "weight", "id", "meaning")


def senses_text(senses: Senses, columns: int | None = None) -> str:
    """Return the senses as text for a terminal.

    Args:
        senses: The senses.
        columns: The greatest width of a table, at least 60; by default that of the terminal.

    >>> from wayword.search.results import AspectTargets, Senses, Target
    >>> target = Target("b:1-n", "cage", None, "cage", "n", 4, 1.0, 1)
    >>> print(senses_text(Senses("Cage", ("b",), (AspectTargets("cage", (target,)),))))
    cage
      entity  pos  label  uses  prior  id
      cage    n    cage      4  1.00   b:1-n
    """
    if senses.unknown:
        return _unknown_text(senses)
    width = max(columns, 60) if columns else line_width()
    return "\n\n".join(f"{clean(aspect.text)}\n{_table(aspect, width)}" for aspect in senses.aspects)


def senses_html(senses: Senses) -> str:
    """Return the senses as HTML tables."""
    if senses.unknown:
        return f"<p>{escape(_unknown_text(senses))}</p>"
    return "".join(f"<p><b>{escape(clean(each.text))}</b></p>{format_html(*_columns(each))}" for each in senses.aspects)


def _unknown_text(senses: Senses) -> str:
    return f'"{clean(senses.phrase)}" is not in {" or ".join(senses.bases)}.'


def _columns(aspect: AspectTargets) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the header and the rows, without parts of speech if no target has one, and without weights if each is 1."""
    rows = [
        (each.name, each.pos, each.label, each.uses, f"{each.prior:.2f}", format_score(each.weight), each.id, each.gloss)
        for each in aspect.targets
    ]
    unused = set()
    if not any(each.pos for each in aspect.targets):
        unused.add("pos")
    if all(each.weight == 1.0 for each in aspect.targets):
        unused.add("weight")
    used = [column for column, name in enumerate(_HEADER) if name not in unused]
    return tuple(_HEADER[column] for column in used), [tuple(row[column] for column in used) for row in rows]


def _table(aspect: AspectTargets, width: int) -> str:
    """Return the table of targets; in a narrow one the meaning is more important than ids."""
    header, rows = _columns(aspect)
    if not any(row[-1] for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    return align_columns(header, rows, indent="  ", width=width, spare=("id", "label", "uses"))
