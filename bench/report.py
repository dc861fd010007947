"""Tables as Markdown, and the place of each part's text in the docs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown.

    >>> print(table(["what", "ms"], [["pass", 8]]))
    | what | ms |
    | --- | --- |
    | pass | 8 |
    """
    lines = [list(head), ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def goal(what: str, measured: str, wanted: str, reached: bool) -> list[str]:
    """A row of the table that ``goals`` makes."""
    return [what, measured, wanted, "yes" if reached else "**no**"]


def goals(*rows: Sequence[object]) -> str:
    """What has to be reached, and whether it was."""
    return table(["what", "measured", "should be", "reached"], rows)


def placed(page: str, name: str, text: str) -> str:
    r"""The page with this text between the marks of a part; where it has none yet they are put at its end.

    >>> placed("# Page\n", "cold", "fast")
    '# Page\n\n<!-- bench:cold -->\nfast\n<!-- /bench:cold -->\n'
    >>> placed(placed("# Page\n", "cold", "fast"), "cold", "faster").count("fast")
    1
    """
    first, last = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    block = f"{first}\n{text.strip()}\n{last}"
    pattern = re.compile(f"{re.escape(first)}.*?{re.escape(last)}", re.DOTALL)
    if pattern.search(page):
        return pattern.sub(lambda _: block, page)
    return f"{page.rstrip()}\n\n{block}\n"


def write(page: Path, name: str, text: str) -> None:
    """Put a part's text in its place in a page."""
    page.write_text(placed(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")
