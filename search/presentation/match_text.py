"""Show a match in a terminal: the score, then each path with one line for every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...rendering.paint import Paint, paint_plain
from ...rendering.text import cell_width, clean, format_score, line_width, pad, shorten, wrap
from .end_factors import ANTONYMS, RARE_SENSE, antonyms_text
from .explanation import explain_zero, explanation

if TYPE_CHECKING:
    from ..results import AspectMatch, Match, Step

_MIN_GLOSS = 16
_HEADER = ("score", "step", "breadth", "factor", "entity", "meaning")


def match_text(match: Match, columns: int | None = None, *, explain: bool = False, paint: Paint = paint_plain) -> str:
    """Return the match as text for a terminal.

    Args:
        match: The match.
        columns: The greatest width of a table, at least 60; by default that of the terminal.
        explain: Add the formulas of all factors with their values, and all parameters.
        paint: Colours scores and steps.

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
    width = max(columns, 60) if columns else line_width()
    lines = [*_lines(match, width, paint)]
    if explain:
        lines += ["", *(part for line in explanation(match) for part in _wrap_indented(line, width))]
    return "\n".join(line.rstrip() for line in lines)


def _wrap_indented(line: str, width: int) -> Iterator[str]:
    """Split a line between words if it is too wide, and indent what follows."""
    if cell_width(line) <= width:
        yield line
        return
    indent = " " * (len(line) - len(line.lstrip()))
    first, *others = wrap(line.lstrip(), width - len(indent) - 2)
    yield indent + first
    yield from (f"{indent}  {other}" for other in others)


def _lines(match: Match, width: int, paint: Paint) -> Iterator[str]:
    yield _pair_line(match.substitute, match.substitutee, match.score, paint)
    if len(match.matches) > 1:
        yield f"harmonic mean of {len(match.matches)} pairs"
    for each in match.matches:
        yield ""
        if len(match.matches) > 1:
            yield _pair_line(each.substitute, each.substitutee, each.score, paint)
        yield from _aspect_lines(each, match, width, paint)
    if not match.matches:
        yield ""
        yield from _reason(match.substitute, match.substitutee, match, width)


def _pair_line(substitute: str, substitutee: str, score: float, paint: Paint) -> str:
    return f"{clean(substitute)} → {clean(substitutee)}  {paint(format_score(score), 'score')}"


def _aspect_lines(each: AspectMatch, match: Match, width: int, paint: Paint) -> Iterator[str]:
    if not each.path:
        yield from _reason(each.substitute, each.substitutee, match, width)
        return
    rows, steps = [_row(step) for step in each.path], [step.step or "" for step in each.path]
    start, end = each.path[0], each.path[-1]
    if each.substitute_weight != 1.0:
        rows[0] = _weight_row(start, each.substitute_weight, start.score, clean(start.gloss or ""))
    if each.substitutee_weight != 1.0:
        rows.append(_weight_row(end, each.substitutee_weight, end.score * each.substitutee_weight))
        steps.append("")
    if each.antonym != 1.0:
        meaning = " / ".join(clean(sense.gloss) for sense in each.antonyms if sense.gloss)
        rows.append((format_score(each.score), ANTONYMS, "", f"× {format_score(each.antonym)}", antonyms_text(each), meaning))
        steps.append("")
    yield from _table(rows, steps, width, paint)
    if len(each.path) == 1:
        yield f"  Both phrases name {clean(each.path[0].title)}."


def _reason(substitute: str, substitutee: str, match: Match, width: int) -> Iterator[str]:
    """Yield why a pair has no path, from the fields of the match."""
    missing = next(
        (each for each in match.missing_paths if (each.substitute, each.substitutee) == (substitute, substitutee)), None
    )
    unknown = [phrase for phrase in dict.fromkeys((substitute, substitutee)) if phrase in match.unknown]
    for phrase in unknown:
        yield f'  "{clean(phrase)}" is not in {" or ".join(match.bases)}: 0 here means unknown, not unrelated.'
    if missing is not None:
        yield from (f"  {line}" for sentence in explain_zero(missing, match) for line in wrap(sentence, width - 2))
    elif not unknown:
        yield f"  No path found (threshold {match.threshold:g})."


def _row(step: Step) -> tuple[str, ...]:
    factor = "" if step.step is None else f"× {format_score(step.factor)}"
    breadth = "" if step.breadth is None else str(step.breadth)
    return (format_score(step.score), clean(step.step_text), breadth, factor, clean(step.title), clean(step.gloss or ""))


def _weight_row(step: Step, weight: float, score: float, gloss: str = "") -> tuple[str, ...]:
    """Return the row of a rare sense at an end of a path."""
    return (format_score(score), RARE_SENSE, "", f"× {format_score(weight)}", clean(step.title), gloss)


def _table(rows: list[tuple[str, ...]], steps: list[str], width: int, paint: Paint) -> Iterator[str]:
    """Yield the header and the rows. Empty columns are left out, and names and glosses are shortened to fit the width."""
    name, gloss = 4, 5
    used = [column for column in range(len(_HEADER)) if column == name or any(row[column] for row in rows)]
    widths = {column: max(cell_width(row[column]) for row in (_HEADER, *rows)) for column in used}
    before = 2 + sum(widths[column] + 2 for column in used if column < name)
    widths[name] = min(widths[name], max(12, (width - before) * 2 // 3 if gloss in used else width - before))
    left = width - before - widths[name] - 2
    if gloss in used and left < _MIN_GLOSS:
        used.remove(gloss)
    widths[gloss] = max(left, _MIN_GLOSS)
    for row, step in zip((_HEADER, *rows), ("header", *steps), strict=True):
        shown = {column: pad(shorten(row[column], widths[column]), widths[column], right=column in (0, 2)) for column in used}
        roles = dict.fromkeys(used, "header") if step == "header" else {0: "score", 1: step, 3: step}
        yield "  " + "  ".join(paint(text, roles[column]) if column in roles else text for column, text in shown.items())
