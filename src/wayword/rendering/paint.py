"""Colours of text in a terminal."""

from __future__ import annotations

from collections.abc import Callable

Paint = Callable[[str, str], str]
"""Gives a text the look of a role, such as ``score`` or the name of a step."""

_CODES = {"score": "1", "header": "2", "specialisation": "34", "generalisation": "33", "crossing": "35", "reason": "33"}
_OTHER_STEP = "36"


def paint_plain(text: str, _role: str) -> str:
    """Return the text as it is."""
    return text


def paint_ansi(text: str, role: str) -> str:
    r"""Return the text with the codes of its role; blanks around it stay plain.

    >>> paint_ansi(" 0.70", "score")
    ' \x1b[1m0.70\x1b[0m'
    """
    shown = text.strip()
    if not shown:
        return text
    return text.replace(shown, f"\x1b[{_CODES.get(role, _OTHER_STEP)}m{shown}\x1b[0m", 1)
