"""The global options, which every command receives."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """The address of the store, and how much to print."""

    store: str | None = None
    quiet: bool = False
    verbose: bool = False

    @property
    def command(self) -> str:
        """The beginning of a command line for the same store.

        >>> Settings("my graph").command
        "wayword --store 'my graph'"
        """
        if self.store is None or self.store == os.environ.get("WAYWORD_STORE"):
            return "wayword"
        import shlex

        return f"wayword --store {shlex.quote(self.store)}"
