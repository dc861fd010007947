"""Check that the built site loads nothing from other hosts and shows no doctest as a quotation.

Usage: python tools/check_site.py FOLDER
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""Elements that make a browser load something, and the attribute with the address."""

OTHER_HOST = re.compile(r"(?:[a-z]+:)?//")


class Page(HTMLParser):
    """Collects the problems of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self._quotations = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check the address that an element loads, and the depth of quotations."""
        values = dict(attrs)
        address = values.get(LOADED.get(tag, "")) or ""
        if OTHER_HOST.match(address) and values.get("rel") != "canonical":
            self.problems.append(f"<{tag}> loads {address}")
        if tag == "blockquote":
            self._quotations += 1
            if self._quotations == len(">>>"):
                self.problems.append(f"line {self.getpos()[0]} shows a doctest as a quotation")

    def handle_endtag(self, tag: str) -> None:
        """Track the end of a quotation."""
        self._quotations -= tag == "blockquote"


def find_problems(folder: Path) -> list[str]:
    """Return one line for each problem on the pages in a folder."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        found += [f"{path.relative_to(folder)}: {problem}" for problem in page.problems]
    return found


def main() -> None:
    """Print the problems and exit with 1 if there are any."""
    folder = Path(sys.argv[1])
    if not (folder / "index.html").is_file():
        sys.exit(f"{folder} has no index.html; build the site with: make site")
    if problems := find_problems(folder):
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
