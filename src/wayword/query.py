"""A store and the options with which it is queried, as a record that can be sent to other processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
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

    def with_profile(self, profile: str) -> Query:
        """Return the same query with another profile."""
        return Query(self.store, {**self.options, "profile": profile})

    def describe(self, graph: Graph) -> dict[str, Any]:
        """Return the options that are set, ready for JSON, for a run of the ledger.

        Paths are absolute, and every weight has its value, since the file of a profile may change.
        """
        weights = asdict(graph.parameters)
        asked = {name: value for name, value in self.options.items() if value is not None and name not in weights}
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asked.items()}
        for name in ("stop_words", "profile"):
            if name in values and (path := Path(str(values[name]))).is_file():
                values[name] = str(path.resolve())
        return {**values, "weights": weights}
