"""How a question is asked: of which store, with which options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .core.progress import Progress, no_progress

if TYPE_CHECKING:
    from .api import Graph


@dataclass(frozen=True, slots=True)
class Query:
    """How a question is to be asked; it can be sent to another process."""

    store: str | None
    options: dict[str, Any]

    def open(self, progress: Progress = no_progress) -> Graph:
        """Open the graph for it; ``progress`` is told if the first question has to wait for something to be made."""
        from .api import open as open_graph

        return open_graph(self.store, progress=progress, **self.options)
