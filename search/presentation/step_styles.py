"""How the steps of a path are drawn: a line style for each kind of step, told apart in grey by width and dashes too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.shapes import PLAIN_LINE, LineStyle
from ..bases.registry import find_phrase_search

if TYPE_CHECKING:
    from ..results import Step

COMMON = {
    "specialisation": LineStyle("#0b5fa5", 2.4),
    "generalisation": LineStyle("#b8460b", 2.4, (12, 3)),
    "crossing": LineStyle("#a01850", 1.8, (9, 3, 2, 3, 2, 3)),
}
"""The steps that every kind of base has; each kind adds its own."""

_FALLS = {"specialisation": 1, "generalisation": -1}


def line_style(step: Step) -> LineStyle:
    """The style of the line that leads to a step's entity."""
    found = find_phrase_search(step.label)
    own = {} if found is None else found.line_styles
    return own.get(step.step or "") or COMMON.get(step.step or "", PLAIN_LINE)


def rows_down(step: Step) -> int:
    """How many rows of a picture a step leads down: specialisation 1, generalisation -1, all others 0."""
    return _FALLS.get(step.step or "", 0)
