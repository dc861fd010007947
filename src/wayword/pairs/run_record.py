"""Describe the scoring of a file of pairs as a run of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic_files import describe_file
from ..search.bases.selection import choose_base

if TYPE_CHECKING:
    from ..api import Graph
    from ..evaluation.runs.recording import RunRequest
    from ..query import Query
    from .options import FileOptions

KIND = "pairs"


def make_request(query: Query, graph: Graph, source: str, options: FileOptions, *, skip_bad: bool) -> RunRequest:
    """Describe the run, with the value of every weight, since the file of a profile may change."""
    from ..evaluation.runs.recording import RunRequest, describe_bases

    names: tuple[str | None, ...] = tuple(query.options.get("base") or ()) or (None,)
    file = source if source == "-" else str(Path(source).resolve())
    weights = asdict(graph.parameters)
    asked = _serialise({name: value for name, value in query.options.items() if name not in weights})
    parameters = {"file": file, "skip_bad": skip_bad, **asdict(options), **asked, "weights": weights}
    files = [describe_file(Path(path)) for path in (file, parameters.get("stop_words")) if path and path != "-"]
    bases = describe_bases([choose_base(graph.store, name) for name in names])
    return RunRequest(KIND, parameters, graph.store.address, bases, inputs={"files": files})


def _serialise(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are set as JSON values, with absolute paths."""
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items() if value is not None}
    for name in ("stop_words", "profile"):
        if name in values and (path := Path(str(values[name]))).is_file():
            values[name] = str(path.resolve())
    return values
