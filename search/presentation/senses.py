"""What a phrase can mean, as a person reads it in a terminal or in a notebook: a table for each of its aspects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ...rendering.tables import align_columns, format_html
from ...rendering.text import cell_width, clean, line_width

if TYPE_CHECKING:
    from ..results import AspectTargets, Senses

_HEADER = ("entity", "pos", "label", "uses", "prior", "id", "meaning")
_LEAST_GLOSS = 16


def senses_text(found: Senses, columns: int | None = None) -> str:
    """The senses in words, on lines no longer than ``columns`` (the terminal's by default; 60 at least).

    >>> from wayword.search.results import AspectTargets, Senses, Target
    >>> target = Target("b:1-n", "cage", None, "cage", "n", 4, 1.0, 1)
    >>> print(senses_text(Senses("Cage", ("b",), (AspectTargets("cage", (target,)),))))
    cage
      entity  pos  label  uses  prior  id
      cage    n    cage      4  1.00   b:1-n
    """
    if found.unknown:
        return _nothing(found)
    room = max(columns, 60) if columns else line_width()
    return "\n\n".join(f"{clean(aspect.text)}\n{_table(aspect, room)}" for aspect in found.aspects)


def senses_html(found: Senses) -> str:
    """The senses as tables of HTML."""
    if found.unknown:
        return f"<p>{escape(_nothing(found))}</p>"
    return "".join(f"<p><b>{escape(clean(each.text))}</b></p>{format_html(*_columns(each))}" for each in found.aspects)


def _nothing(found: Senses) -> str:
    return f'Nothing is known of "{clean(found.phrase)}" in {" or ".join(found.bases)}.'


def _columns(aspect: AspectTargets) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The header and the rows; a wiki knows no parts of speech, and then there is no column for them."""
    rows = [(each.name, each.pos, each.label, each.uses, f"{each.prior:.2f}", each.id, each.gloss) for each in aspect.targets]
    if any(each.pos for each in aspect.targets):
        return _HEADER, rows
    return (_HEADER[0], *_HEADER[2:]), [(row[0], *row[2:]) for row in rows]


def _table(aspect: AspectTargets, room: int) -> str:
    """The targets with what they mean, unless hardly a word of that would fit."""
    header, rows = _columns(aspect)
    without = align_columns(header[:-1], [row[:-1] for row in rows], indent="  ")
    left = room - max(map(cell_width, without.split("\n"))) - 2
    if left < _LEAST_GLOSS or not any(row[-1] for row in rows):
        return align_columns(header[:-1], [row[:-1] for row in rows], indent="  ", width=room)
    return align_columns(header, rows, indent="  ", width=room)
