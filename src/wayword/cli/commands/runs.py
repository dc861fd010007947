"""``wayword runs``: list, show, export, repeat and delete the runs of the ledger."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..confirmation import confirm, yes_option
from ..groups import SuggestingGroup
from ..ledger_option import ledger_option
from ..output import format_count, print_json, print_note, print_text, reject_empty, terminal_width
from ..progress_bar import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...evaluation.runs.ledger import Ledger
    from ...evaluation.runs.records import Run
    from ..settings import Settings


LONGEST_LIST = 1_000
"""Characters of the longest list that is printed in full."""


@click.group(cls=SuggestingGroup, invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...")
@click.option("--kind", type=click.Choice(["hop", "pairs", "reval", "evaluation", "tuning"]), help="Only runs of this kind.")
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, metavar="N", help="Largest number of runs."
)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def runs(ctx: click.Context, kind: str | None, limit: int, ledger: str | None, as_json: bool) -> None:
    """List the runs of the ledger, the newest first.

    \b
    wayword runs
    wayword runs show 3
    """
    if ctx.invoked_subcommand is not None:
        return
    from ...evaluation.runs.database import translate_damage
    from ...evaluation.runs.ledger import Ledger
    from ...rendering.tables import align_columns

    with Ledger.open(ledger, create=False) as opened:
        records = opened.runs(kind, limit)
        name = opened.name
        with translate_damage(name):
            rows = [_row(record) for record in records]
    if as_json:
        print_json([record.to_dict() for record in records])
    elif not records:
        print_text(f"No runs yet in {name}; hop run, hashtags experiment, score --pairs and evaluate record runs.")
    else:
        head = ("run", "kind", "started (UTC)", "duration", "state", "task", "result")
        print_text(align_columns(head, rows, width=terminal_width(), spare=("duration", "kind", "started (UTC)")))


def _row(run: Run) -> tuple[Any, ...]:
    started = run.begun.strftime("%Y-%m-%d %H:%M")
    duration = "" if run.seconds is None else f"{run.seconds:.1f} s"
    return run.id, run.kind, started, duration, run.state, _describe_task(run), _describe_result(run)


def _describe_task(run: Run) -> str:
    parameters, bases = run.parameters, "+".join(base["id"] for base in run.bases)
    if run.kind == "hop":
        count = "" if parameters.get("count") is None else f" {parameters['count']:,}"
        return f"{parameters['strategy']} → {parameters['target']}, {parameters['starters']}{count}, {bases}"
    if run.kind == "reval":
        names = (Path(path).name for path in (*parameters["sources"], *parameters["encoders"]))
        return ", ".join(names)
    if run.kind == "evaluation":
        names = (Path(path).name for path in parameters["files"])
        return f"{parameters['task']}: {', '.join((*names, *parameters.get('matchers', ()), *([bases] if bases else [])))}"
    if run.kind == "tuning":
        files = ", ".join(Path(file).name for _, file, _ in parameters["objectives"])
        return f"{files}, {parameters['method']}, {bases}"
    return f"{Path(parameters.get('file', '')).name}, {bases}"


def _describe_result(run: Run) -> str:
    result = run.result
    if result is None:
        return ""
    if run.kind == "hop":
        mean = result["hop_value"]
        return f"{100 * result['share']:.1f} % reached" + ("" if mean is None else f", {mean:.2f} hops")
    if run.kind == "reval":
        return f"{result['tweets']:,} tweets, {len(result['curves'])} curves"
    if run.kind == "tuning":
        held_out = result["held_out"]["value"]
        return f"tuned {result['tuned']:.3f}" + ("" if held_out is None else f", held out {held_out:.3f}")
    if run.kind == "evaluation":
        return str(result["summary"])
    pairs, mean = format_count(result["pairs"], "pair"), result.get("mean")
    if isinstance(mean, dict):  # of each matcher
        return ", ".join([pairs, *(f"{name} {value:.4f}" for name, value in mean.items() if value is not None)])
    return pairs if mean is None else f"{pairs}, mean {mean:.4f}"


@runs.command()
@click.argument("run", type=int)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def show(ctx: click.Context, run: int, ledger: str | None, as_json: bool) -> None:
    """Show the parameters, store, versions, times and result of RUN."""
    from ...evaluation.runs.ledger import Ledger
    from ...rendering.tables import align_columns

    with Ledger.open(_find_ledger(ctx, ledger), create=False) as opened:
        values = opened.run(run).to_dict()
    if as_json:
        print_json(values)
    else:
        print_text(align_columns(("", ""), list(_lines(values)), width=terminal_width()))


def _lines(values: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values of a document, each with its path."""
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _lines(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str:
    import json

    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and len(text) > LONGEST_LIST:
        return f"{len(value):,} values; --json shows them"
    return text


@runs.command()
@click.argument("run", type=int)
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="File to write; by default stdout.")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True, help="Output format.")
@ledger_option
@click.pass_context
def export(ctx: click.Context, run: int, output: str | None, form: str, ledger: str | None) -> None:
    """Write the traversals of RUN: starter, ending, hops, length of the cycle, last article, concreteness.

    For an experiment with hashtags: the points of its curves. For a tuning: its trials, with the fold that was held out, the
    figures on training and held-out items, and the parameters. Other runs have no rows.

    \b
    wayword runs export 3 --output traversals.csv
    """
    from ...evaluation.runs.database import translate_damage
    from ...evaluation.runs.export import export_rows
    from ...evaluation.runs.ledger import Ledger

    with Ledger.open(_find_ledger(ctx, ledger), create=False) as opened:
        with translate_damage(opened.name):
            names, rows = _open_rows(opened, opened.run(run))
        count = export_rows(names, rows, output, form)
    if output is not None:
        print_note(ctx.obj, f"wrote {format_count(count, 'row')} to {output}")


def _open_rows(ledger: Ledger, run: Run) -> tuple[Sequence[str], Iterator[tuple[Any, ...]]]:
    """Return the names of the columns of a run, and its rows.

    Raises:
        RunUnknown: The run has no rows.
    """
    from ...core.errors import hint
    from ...evaluation.errors import RunUnknown
    from ...evaluation.reval.experiment_result import POINT_COLUMNS, read_points
    from ...evaluation.runs.records import RecordedTraversal, RecordedTrial

    names: Sequence[str] = ()
    rows: Iterator[tuple[Any, ...]] = iter(())
    if run.kind == "reval":
        names, rows = POINT_COLUMNS, read_points(run.result)
    elif run.kind == "hop":
        names, rows = RecordedTraversal._fields, ledger.traversals(run.id)
    elif run.kind == "tuning":
        varying = [each["name"] for each in run.parameters["dimensions"]]
        names = [*RecordedTrial._fields[:-1], *varying]
        rows = ((*each[:-1], *(each.point[name] for name in varying)) for each in ledger.trials(run.id))
    first = next(rows, None)
    if first is not None:
        return names, chain([first], rows)
    if run.kind == "pairs":
        raise RunUnknown(
            f"run {run.id} scored pairs, of which the ledger keeps a summary and no rows; score them again to get rows",
            hint("show_run", run=run.id),
        )
    raise RunUnknown(f"run {run.id} ({run.kind}, {run.state}) has no rows to export", hint("show_run", run=run.id))


@runs.command()
@click.argument("numbers", metavar="RUN...", nargs=-1, required=True, type=int)
@yes_option
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def delete(ctx: click.Context, numbers: tuple[int, ...], yes: bool, ledger: str | None, as_json: bool) -> None:
    """Delete RUN, or several, with their rows. Their numbers are not used again.

    \b
    wayword runs delete 3 4
    """
    from ...evaluation.runs.database import translate_damage
    from ...evaluation.runs.ledger import Ledger
    from ...rendering.text import clean

    numbers = tuple(dict.fromkeys(numbers))
    with Ledger.open(_find_ledger(ctx, ledger), create=False) as opened:
        if not yes:
            with translate_damage(opened.name):
                tasks = [f"run {run.id} ({run.kind}: {_describe_task(run)})" for run in map(opened.run, numbers)]
            confirm(clean(f"Delete {', '.join(tasks)} from {opened.name}?"))
        opened.delete(*numbers)
        name = opened.name
    if as_json:
        print_json({"deleted": list(numbers), "ledger": name})
    else:
        print_text(clean(f"Deleted {format_count(len(numbers), 'run')} from {name}"))


@runs.command()
@click.argument("run", type=int)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def repeat(ctx: click.Context, run: int, ledger: str | None, as_json: bool) -> None:
    """Repeat RUN with the same parameters and compare the figures; the repetition is a new run.

    \b
    wayword runs repeat 3
    """
    from ...evaluation.runs.ledger import Ledger
    from ...rerun import repeat_run

    settings: Settings = ctx.obj
    with Ledger.open(_find_ledger(ctx, ledger), create=False) as opened, show_progress(quiet=settings.quiet) as progress:
        repeated = repeat_run(opened, run, settings.store, progress)
    if as_json:
        print_json(repeated.to_dict())
        return
    print_text(str(repeated))


def _find_ledger(ctx: click.Context, ledger: str | None) -> str | None:
    """Return the ledger given after the subcommand, or else before it."""
    before: str | None = ctx.parent.params.get("ledger") if ctx.parent else None
    source = ctx.get_parameter_source("ledger")
    return ledger if source is click.core.ParameterSource.COMMANDLINE else before or ledger
