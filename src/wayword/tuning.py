"""Tune the parameters of a graph: open it, in this process and in others, and write the profile."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .core.atomic_files import check_writable
from .core.errors import hint
from .core.optional_packages import read_version
from .core.progress import Progress, no_progress
from .evaluation.errors import TuningError
from .evaluation.runs.recording import RunRequest, describe_bases
from .evaluation.tuning.evaluator import Evaluator, Population
from .evaluation.tuning.journal import ENDING, Journal
from .evaluation.tuning.objectives import Objective, read_objectives
from .evaluation.tuning.optimisation import TuningOptions, require_packages, tune
from .evaluation.tuning.profile_file import read_starts, write_profile
from .evaluation.tuning.space import Space, find_transition_scores, parse_dimensions
from .evaluation.tuning.trials import TrialRecorder
from .search.bases.selection import choose_base
from .search.scoring.profiles import DEFAULT_PROFILE

if TYPE_CHECKING:
    from .api import Graph
    from .evaluation.runs.ledger import Ledger
    from .evaluation.tuning.results import Tuning
    from .query import Query
    from .search.scoring.parameters import Parameters

KIND = "tuning"
"""The kind of the runs that tunings are recorded as."""

PACKAGES = ("cmaes", "numpy", "optuna")
"""The packages that decide which points a method proposes."""


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """A request to tune parameters, as a record that can be sent to other processes.

    - ``query``: the graph and the profile to begin with
    - ``objectives``: as ``read_objective`` reads them
    - ``parameters``: as ``parse_dimensions`` parses them; none for the transition scores of the bases
    - ``options``: how to tune
    - ``continues``: whether each fold begins with what the tuning that made the profile found without it, see ``read_starts``
    """

    query: Query
    objectives: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    options: TuningOptions = field(default_factory=TuningOptions)
    continues: bool = False

    def open_evaluator(self) -> Evaluator:
        """Open the graph in another process, which keeps it open."""
        return self.make_evaluator(self.query.open(), read_objectives(self.objectives))

    def make_evaluator(self, graph: Graph, objectives: list[Objective]) -> Evaluator:
        """Look up the phrases of the objectives in the graph."""
        return Evaluator(graph.scorer(), objectives, self.options.folds, self.options.seed)


def tune_graph(
    request: TuningRequest,
    output: str | None = None,
    *,
    workers: int | None = None,
    ledger: Ledger | None = None,
    progress: Progress = no_progress,
) -> Tuning:
    """Tune the parameters of a graph.

    Args:
        request: The request.
        output: The profile to write. Outcomes are recorded beside it until it is written, so that the same request resumes.
        workers: The number of processes; by default one per processor if it takes long.
        ledger: Records the run and its trials.
        progress: Receives the steps.

    Raises:
        TuningError: The request cannot be carried out.
        GoldError: An objective cannot be read.
    """
    require_packages()
    if request.query.options.get("depth_limited"):
        raise TuningError("a depth-limited search cannot be tuned", hint("omit", option="depth_limited"))
    if output is not None:
        check_writable(Path(output))
    dimensions = parse_dimensions(request.parameters)
    objectives = read_objectives(request.objectives)
    with ExitStack() as stack:
        graph = stack.enter_context(request.query.open(progress))
        progress("looking up phrases", 0, None)
        evaluator = request.make_evaluator(graph, objectives)
        projection = evaluator.searches.projection
        space = Space(graph.parameters, dimensions or find_transition_scores(projection, graph.parameters))
        bases = describe_bases([choose_base(graph.store, name) for name in projection.bases])
        profile = str(request.query.options.get("profile", DEFAULT_PROFILE))
        starts = read_starts(profile, objectives, request.options) if request.continues else None
        run = _describe_run(request, graph, space, objectives, bases, starts)
        recording = None if ledger is None else stack.enter_context(ledger.record(run))
        journal = None if output is None else stack.enter_context(Journal(Path(output + ENDING), run.key))
        population = stack.enter_context(Population(evaluator, request, workers))
        trials = None if recording is None else TrialRecorder(recording, space, request.options.folds)
        with trials or nullcontext():
            tuning = tune(evaluator, space, request.options, population, journal, progress, starts, trials)
        if output is not None:
            write_profile(Path(output), tuning, profile, bases)
        if journal is not None:
            journal.finish()
        if recording is not None:
            recording.finish(tuning.to_dict())
        return tuning


def _describe_run(
    request: TuningRequest,
    graph: Graph,
    space: Space,
    objectives: Sequence[Objective],
    bases: list[dict[str, Any]],
    starts: Sequence[Parameters] | None,
) -> RunRequest:
    """Describe everything that the result depends on."""
    asked = {
        "objectives": [[each.name, each.file, each.weight] for each in objectives],
        **asdict(request.options),
        **space.to_dict(),
        "starts": None if starts is None else [space.point(each) for each in starts],
        "query": request.query.describe(graph),
    }
    inputs = {
        "objectives": [each.digest() for each in objectives],
        "packages": {name: read_version(name) for name in PACKAGES},
    }
    return RunRequest(KIND, asked, graph.store.address, bases, request.options.seed, inputs)
