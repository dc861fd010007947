"""The line styles of the steps of a path. Width and dashes differ too, so that a grey print shows the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rendering.line_styles import PLAIN_LINE, LineStyle
from ..bases.registry import find_phrase_search

if TYPE_CHECKING:
    from ..results import Step

COMMON = {
    "specialisation": LineStyle("#0b5fa5", 2.4),
    "generalisation": LineStyle("#b8460b", 2.4, (12, 3)),
    "crossing": LineStyle("#a01850", 1.8, (9, 3, 2, 3, 2, 3)),
}
"""The steps that every kind of base may have; each kind of base adds its own."""

_ROWS_DOWN = {"specialisation": 1, "generalisation": -1}


def line_style(step: Step) -> LineStyle:
    """Return the style of the line that leads to a step's entity."""
    phrases = find_phrase_search(step.label)
    own = {} if phrases is None else phrases.line_styles
    return own.get(step.step or "") or COMMON.get(step.step or "", PLAIN_LINE)


def rows_down(step: Step) -> int:
    """Return how many rows of a picture a step leads down: specialisation 1, generalisation -1, all others 0."""
    return _ROWS_DOWN.get(step.step or "", 0)
