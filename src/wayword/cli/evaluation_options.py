"""The options of all ``evaluate`` commands: how a result is printed, written to a file and recorded."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .ledger_option import ledger_option, open_ledger
from .output import print_json, print_note, print_text, reject_empty, terminal_width

if TYPE_CHECKING:
    from ..evaluation.matchers import Matcher
    from ..matcher_request import MatcherRequest, OpenMatchers
    from ..rendering.reports import Report
    from .progress_bar import ProgressBar
    from .settings import Settings

KIND = "evaluation"
"""The kind of the runs that evaluations are recorded as."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """The values of the options.

    - ``resamples``, ``seed``: of intervals and permutation tests; 0 resamples for none
    - ``output``: the file to write
    - ``as_json``: whether to print JSON
    - ``ledger``: the ledger that records the run
    """

    resamples: int
    seed: int
    output: str | None
    as_json: bool
    ledger: str | None

    @contextmanager
    def record(
        self,
        settings: Settings,
        task: str,
        files: Sequence[str],
        parameters: Mapping[str, Any] | None = None,
        matchers: OpenMatchers | None = None,
    ) -> Iterator[Callable[[Report], None]]:
        """Record an evaluation in the ledger while it runs.

        Args:
            settings: The global options.
            task: The name of the command.
            files: The files that it reads, the main one first.
            parameters: Its own options.
            matchers: The matchers that it evaluates.

        Returns:
            A context manager with a function that prints the report, writes it and finishes the run; call it at the end.
        """
        from ..core.atomic_files import describe_files
        from ..evaluation.errors import LedgerError
        from ..evaluation.runs.recording import RunRequest

        paths = [Path(file).resolve() for file in files]
        asked = {"task": task, "files": list(map(str, paths)), "resamples": self.resamples, **(parameters or {})}
        inputs = describe_files(paths)
        if matchers is None:
            request = RunRequest(KIND, asked, "", [], self.seed, {"files": inputs})
        else:
            inputs += matchers.inputs["files"]
            request = RunRequest(
                KIND, asked | matchers.parameters, matchers.store, matchers.bases, self.seed, {"files": inputs}
            )
        with open_ledger(settings, self.ledger) as ledger:
            if ledger is None:
                yield functools.partial(self._publish, settings)
                return
            with ledger.record(request) as recording:

                def finish(report: Report) -> None:
                    self._publish(settings, report)
                    try:
                        recording.finish({**report.document, "summary": report.summary})
                    except LedgerError as error:
                        if self.ledger is not None:
                            raise
                        print_note(settings, f"this run is not recorded: {error}")

                yield finish

    @contextmanager
    def evaluate(
        self,
        settings: Settings,
        request: MatcherRequest,
        task: str,
        files: Sequence[str],
        parameters: Mapping[str, Any] | None = None,
    ) -> Iterator[tuple[Mapping[str, Matcher], ProgressBar, Callable[[Report], None]]]:
        """Open the matchers, and record their evaluation in the ledger while it runs.

        Args:
            settings: The global options.
            request: The matchers.
            task: The name of the command.
            files: The files that it reads, the main one first.
            parameters: Its own options.

        Returns:
            A context manager with the matchers by name, the progress bar, and a function that prints the report, writes it and
            finishes the run; call it at the end.
        """
        from .progress_bar import show_progress

        with (
            show_progress(quiet=settings.quiet) as progress,
            request.open(progress, functools.partial(print_note, settings)) as opened,
            self.record(settings, task, files, parameters, opened) as finish,
        ):

            def publish(report: Report) -> None:
                progress.clear()
                finish(report)

            yield opened.by_name, progress, publish

    def _publish(self, settings: Settings, report: Report) -> None:
        if self.output is not None:
            report.save(self.output)
            print_note(settings, f"wrote {self.output}")
        if self.as_json:
            print_json(report.document)
        elif self.output is None:
            print_text(report.to_text(terminal_width()))


def resamples_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the option ``--resamples`` with this help text."""
    return click.option(
        "--resamples", type=click.IntRange(0, 1_000_000), default=10_000, show_default=True, metavar="N", help=text
    )


seed_option = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Random seed.")


def evaluation_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of evaluations to a command, which receives ``EvaluationOptions`` as its argument ``options``."""

    @resamples_option("Resamples for intervals, and permutations for tests; 0 for neither.")
    @seed_option
    @click.option("--output", "-o", metavar="FILE", callback=_check_output, help="Write to a .md, .csv, .tex or .json file.")
    @ledger_option
    @click.option("--json", "as_json", is_flag=True, help="One JSON document.")
    @functools.wraps(command)
    def command_with_options(
        *args: Any, resamples: int, seed: int, output: str | None, ledger: str | None, as_json: bool, **rest: Any
    ) -> None:
        command(*args, options=EvaluationOptions(resamples, seed, output, as_json, ledger), **rest)

    return command_with_options


def _check_output(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Reject a file that cannot be written before any work is done."""
    if reject_empty(ctx, parameter, value) is not None:
        from ..rendering.reports import check_report_path

        check_report_path(str(value))
    return value
