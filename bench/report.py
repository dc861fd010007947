"""Markdown tables, and the section of each part in the docs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table.

    >>> print(table(["what", "ms"], [["pass", 8]]))
    | what | ms |
    | --- | --- |
    | pass | 8 |
    """
    lines = [list(head), ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def goal(what: str, measured: str, required: str, met: bool) -> list[str]:
    """Return a row of the table of goals."""
    return [what, measured, required, "yes" if met else "**no**"]


def goals(*rows: Sequence[object]) -> str:
    """Return the table of goals and whether each was met."""
    return table(["what", "measured", "goal", "met"], rows)


def replace_section(page: str, name: str, text: str) -> str:
    r"""Return the page with the text between the markers of a part; markers that are missing are added at the end.

    >>> replace_section("# Page\n", "cold", "fast")
    '# Page\n\n<!-- bench:cold -->\nfast\n<!-- /bench:cold -->\n'
    >>> replace_section(replace_section("# Page\n", "cold", "fast"), "cold", "faster").count("fast")
    1
    """
    first, last = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    block = f"{first}\n{text.strip()}\n{last}"
    pattern = re.compile(f"{re.escape(first)}.*?{re.escape(last)}", re.DOTALL)
    if pattern.search(page):
        return pattern.sub(lambda _: block, page)
    return f"{page.rstrip()}\n\n{block}\n"


def write_section(page: Path, name: str, text: str) -> None:
    """Replace the section of a part in a page."""
    page.write_text(replace_section(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")
