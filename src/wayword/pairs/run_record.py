"""Describe the scoring of a file of pairs as a run of the ledger."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.atomic_files import describe_files
from ..search.bases.selection import choose_base

if TYPE_CHECKING:
    from ..api import Graph
    from ..evaluation.runs.recording import RunRequest
    from ..matcher_request import OpenMatchers
    from ..query import Query
    from .options import FileOptions

KIND = "pairs"


def make_request(query: Query, graph: Graph, source: str, options: FileOptions, *, skip_bad: bool) -> RunRequest:
    """Describe the scoring of a file by a graph."""
    from ..evaluation.runs.recording import RunRequest, describe_bases

    names: tuple[str | None, ...] = tuple(query.options.get("base") or ()) or (None,)
    parameters = {**_describe_file_options(source, options, skip_bad=skip_bad), **query.describe(graph)}
    paths = (parameters["file"], parameters.get("stop_words"))
    files = describe_files(Path(path) for path in paths if path and path != "-")
    bases = describe_bases([choose_base(graph.store, name) for name in names])
    return RunRequest(KIND, parameters, graph.store.address, bases, inputs={"files": files})


def make_matchers_request(matchers: OpenMatchers, source: str, options: FileOptions, *, skip_bad: bool) -> RunRequest:
    """Describe the scoring of a file by matchers."""
    from ..evaluation.runs.recording import RunRequest

    parameters = {**_describe_file_options(source, options, skip_bad=skip_bad), **matchers.parameters}
    files = [] if source == "-" else describe_files([Path(parameters["file"])])
    inputs = {"files": [*files, *matchers.inputs["files"]]}
    return RunRequest(KIND, parameters, matchers.store, matchers.bases, inputs=inputs)


def _describe_file_options(source: str, options: FileOptions, *, skip_bad: bool) -> dict[str, Any]:
    file = source if source == "-" else str(Path(source).resolve())
    described = {"file": file, "skip_bad": skip_bad, **asdict(options)}
    del described["matcher_columns"]  # recorded as the names of the matchers
    return described
