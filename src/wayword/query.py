"""A store and the options with which it is queried, as a record that can be sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .core.progress import Progress, no_progress

if TYPE_CHECKING:
    from .api import Graph


@dataclass(frozen=True, slots=True)
class Query:
    """The address of a store, None for the default one, and keyword arguments of ``wayword.open``."""

    store: str | None
    options: dict[str, Any]

    def open(self, progress: Progress = no_progress) -> Graph:
        """Open the graph; ``progress`` receives the steps of building a projection, if there is none yet."""
        from .api import open as open_graph

        return open_graph(self.store, progress=progress, **self.options)
