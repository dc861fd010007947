"""Griffe extension: show the doctests of docstrings as code on the site.

Outside an ``Examples:`` section a doctest is plain Markdown to the renderer, which would read ``>>>`` as a quotation.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Puts every doctest into a fenced code block."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of a member of a package."""
        self._rewrite(obj)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite the docstring of a package, which is not a member of anything."""
        self._rewrite(pkg)

    def _rewrite(self, obj: griffe.Object) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    """Return the text with each doctest, up to the next blank line, in a code block."""
    return DOCTEST.sub(lambda block: f"```pycon\n{block[0].rstrip()}\n```\n", text).rstrip()
