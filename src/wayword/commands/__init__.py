"""The commands by name, each in a module of its own that is imported when it is called, and what all of them are told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

COMMANDS: Mapping[str, str] = {
    "load": "load",
    "info": "info",
    "senses": "senses",
    "links": "links",
    "score": "score",
    "path": "path",
    "cypher": "cypher",
    "hop": "hop",
    "hashtags": "hashtags",
    "runs": "runs",
    "export": "export",
}
"""Each command's module, which is called as the command is, and the name that the command has in it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands before the command on the command line."""

    store: str | None = None
    quiet: bool = False
    verbose: bool = False

    @property
    def called(self) -> str:
        """What a command that asks the same store begins with.

        >>> Settings("my graph").called
        "wayword --store 'my graph'"
        """
        if self.store is None or self.store == os.environ.get("WAYWORD_STORE"):
            return "wayword"
        import shlex

        return f"wayword --store {shlex.quote(self.store)}"
