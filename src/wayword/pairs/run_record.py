"""The scoring of a file of pairs as a run of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..core.atomic_files import describe_file
from ..evaluation.errors import LedgerError
from ..search.bases.selection import choose_base

if TYPE_CHECKING:
    from ..api import Graph
    from ..evaluation.runs.ledger import Ledger
    from ..evaluation.runs.recording import Recording, RunRequest
    from ..query import Query
    from .columns import Wanted

KIND = "pairs"


class PairRun:
    """Writes the row of one file. With ``forgive`` a ledger that fails is told of and done without: the scores matter more."""

    def __init__(self, ledger: Ledger | None, forgive: Callable[[str], None] | None = None) -> None:
        self._ledger, self._forgive = ledger, forgive
        self._recording: Recording | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._stack.__exit__(kind, error, traceback)

    def begin(self, question: Query, graph: Graph, source: str, wanted: Wanted | None, *, skip_bad: bool) -> None:
        """The file is about to be scored."""
        if self._ledger is not None:
            asked = asked_of(question, graph, source, wanted, skip_bad=skip_bad)
            with self._forgiving():
                self._recording = self._stack.enter_context(self._ledger.record(asked))

    def finish(self, result: dict[str, Any]) -> int | None:
        """All is scored, and where it belongs; the number of the run."""
        if self._recording is None:
            return None
        with self._forgiving():
            self._recording.finish(result)
        return self._recording.id

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        try:
            yield
        except LedgerError as error:
            if self._forgive is None:
                raise
            self._forgive(f"this run will be in no ledger: {error}")


def asked_of(question: Query, graph: Graph, source: str, wanted: Wanted | None, *, skip_bad: bool) -> RunRequest:
    """What is asked, as the ledger keeps it: the weights too, since a profile's file may say something else tomorrow."""
    from ..evaluation.runs.recording import RunRequest, describe_bases

    store = graph.store
    named: tuple[str | None, ...] = tuple(question.options.get("base") or ()) or (None,)
    bases = [choose_base(store, each) for each in named]
    file = source if source == "-" else str(Path(source).resolve())
    weights = asdict(graph.parameters)
    said = {name: value for name, value in question.options.items() if name not in weights}
    parameters = {"file": file, "skip_bad": skip_bad, **({} if wanted is None else asdict(wanted)), **_plain(said)}
    parameters["weights"] = weights
    files = [each for each in (file, parameters.get("stop_words")) if each and each != "-"]
    return RunRequest(
        KIND,
        parameters,
        store.address,
        describe_bases(bases),
        determines={"files": [describe_file(Path(each)) for each in files]},
    )


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a question in words and numbers, those alone that say something; files by where they are."""
    said = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items() if value is not None}
    for name in ("stop_words", "profile"):
        place = Path(str(said.get(name, "")))
        if name in said and place.is_file():
            said[name] = str(place.resolve())
    return said
