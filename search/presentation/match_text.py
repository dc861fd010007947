"""A match as a person reads it in a terminal: the score, then each path line by line with what every step keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...rendering.text import cell_width, clean, format_score, line_width, pad, shorten

if TYPE_CHECKING:
    from ..results import AspectMatch, Match, Step

_LEAST_GLOSS = 16
_HEADER = ("score", "step", "breadth", "factor", "entity", "meaning")


def match_text(match: Match, columns: int | None = None) -> str:
    """The match in words, on lines no longer than ``columns`` (the terminal's by default; 60 at least).

    >>> from wayword.search.results import AspectMatch, Match, Step
    >>> path = (Step("b:1", "admire"), Step("b:2", "admiration", None, "derivation", None, 0.7, 0.7))
    >>> aspects = (AspectMatch("admire", "appreciation", 0.7, path),)
    >>> print(match_text(Match("admire", "appreciation", 0.7, ("b",), "thesis", 0.08, "word", matches=aspects)))
    admire → appreciation  0.70
    <BLANKLINE>
      score  step        factor  entity
       1.00                      admire
       0.70  derivation  × 0.70  admiration
    """
    room = max(columns, 60) if columns else line_width()
    return "\n".join(line.rstrip() for line in _lines(match, room))


def _lines(match: Match, room: int) -> Iterator[str]:
    yield _pair(match.substitute, match.substitutee, match.score)
    if len(match.matches) > 1:
        yield f"harmonic mean of {len(match.matches)} pairs"
    for each in match.matches:
        yield ""
        if len(match.matches) > 1:
            yield _pair(each.substitute, each.substitutee, each.score)
        yield from _aspect(each, match, room)
    if not match.matches:
        yield ""
        yield from _why(match.substitute, match.substitutee, match)


def _pair(substitute: str, substitutee: str, score: float) -> str:
    return f"{clean(substitute)} → {clean(substitutee)}  {format_score(score)}"


def _aspect(each: AspectMatch, match: Match, room: int) -> Iterator[str]:
    if not each.path:
        yield from _why(each.substitute, each.substitutee, match)
        return
    yield from _table([_row(step) for step in each.path], room)
    if len(each.path) == 1:
        yield f"  Both phrases name {clean(each.path[0].title)}."


def _why(substitute: str, substitutee: str, match: Match) -> Iterator[str]:
    unknown = [phrase for phrase in dict.fromkeys((substitute, substitutee)) if phrase in match.unknown]
    for phrase in unknown:
        yield f'  Nothing is known of "{clean(phrase)}" in {" or ".join(match.bases)}: this 0 says nothing about meaning.'
    if not unknown:
        yield f"  No path keeps {match.threshold:g} or more."


def _row(step: Step) -> tuple[str, ...]:
    factor = "" if step.step is None else f"× {format_score(step.factor)}"
    breadth = "" if step.breadth is None else str(step.breadth)
    return (format_score(step.score), clean(step.kind), breadth, factor, clean(step.title), clean(step.gloss or ""))


def _table(rows: list[tuple[str, ...]], room: int) -> Iterator[str]:
    """The rows with a header; columns that are empty throughout are left out, names and meanings fit the room."""
    name, gloss = 4, 5
    used = [column for column in range(len(_HEADER)) if column == name or any(row[column] for row in rows)]
    widths = {column: max(cell_width(row[column]) for row in (_HEADER, *rows)) for column in used}
    before = 2 + sum(widths[column] + 2 for column in used if column < name)
    widths[name] = min(widths[name], max(12, (room - before) * 2 // 3 if gloss in used else room - before))
    left = room - before - widths[name] - 2
    if gloss in used and left < _LEAST_GLOSS:
        used.remove(gloss)
    widths[gloss] = max(left, _LEAST_GLOSS)
    for row in (_HEADER, *rows):
        shown = {column: shorten(row[column], widths[column]) for column in used}
        yield "  " + "  ".join(pad(shown[column], widths[column], right=column in (0, 2)) for column in used)
