"""``wayword runs``: the ledger of what was run, with which parameters, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..ledger_option import ledger_option
from ..output import print_json, print_note, print_text, reject_empty, terminal_width
from ..progress_bar import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...evaluation.runs.records import Run
    from ..settings import Settings


LONG = 1_000
"""Letters of a list that people would still read."""


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...")
@click.option("--kind", type=click.Choice(["hop", "pairs", "reval"]), help="Only runs of this kind.")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, metavar="N", help="So many of them.")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def runs(ctx: click.Context, kind: str | None, limit: int, ledger: str | None, as_json: bool) -> None:
    """The runs of the ledger, the newest first; or what is known of one.

    \b
    wayword runs
    wayword runs show 3
    """
    if ctx.invoked_subcommand is not None:
        return
    from ...evaluation.runs.ledger import Ledger
    from ...rendering.tables import align_columns

    with Ledger.open(ledger, create=False) as book:
        found = book.runs(kind, limit)
        name = book.name
    if as_json:
        print_json([each.to_dict() for each in found])
    elif not found:
        print_text(f"No runs yet in {name}; hop run, hashtags experiment and score --pairs write some.")
    else:
        head = ("run", "kind", "begun (UTC)", "took", "state", "what", "result")
        print_text(align_columns(head, [_row(each) for each in found], width=terminal_width()))


def _row(found: Run) -> tuple[Any, ...]:
    begun = found.begun.strftime("%Y-%m-%d %H:%M")
    took = "" if found.seconds is None else f"{found.seconds:.1f} s"
    return found.id, found.kind, begun, took, found.state, _asked(found), _came(found)


def _asked(found: Run) -> str:
    given, bases = found.parameters, "+".join(base["id"] for base in found.bases)
    if found.kind == "hop":
        count = "" if given.get("count") is None else f" {given['count']:,}"
        return f"{given['strategy']} → {given['target']}, {given['starters']}{count}, {bases}"
    if found.kind == "reval":
        named = (Path(each).name for each in (*given["sources"], *given["encoders"]))
        return ", ".join(named)
    return f"{Path(given.get('file', '')).name}, {bases}"


def _came(found: Run) -> str:
    result = found.result
    if result is None:
        return ""
    if found.kind == "hop":
        mean = result["hop_value"]
        return f"{100 * result['share']:.1f} % reached" + ("" if mean is None else f", {mean:.2f} hops")
    if found.kind == "reval":
        return f"{result['tweets']:,} tweets, {len(result['curves'])} curves"
    return f"{result['pairs']:,} pairs" + ("" if result.get("mean") is None else f", mean {result['mean']:.4f}")


@runs.command()
@click.argument("run", type=int)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def show(ctx: click.Context, run: int, ledger: str | None, as_json: bool) -> None:
    """All that is known of RUN: its parameters, its store, versions, times and result."""
    from ...evaluation.runs.ledger import Ledger
    from ...rendering.tables import align_columns

    with Ledger.open(_named(ctx, ledger), create=False) as book:
        found = book.run(run).to_dict()
    if as_json:
        print_json(found)
    else:
        print_text(align_columns(("", ""), list(_lines(found)), width=terminal_width()))


def _lines(found: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """The values of a document, each with its way there."""
    for name, value in found.items():
        if isinstance(value, dict) and value:
            yield from _lines(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str:
    import json

    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and len(text) > LONG:
        return f"{len(value):,} values; --json tells them"
    return text


@runs.command()
@click.argument("run", type=int)
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="Where to write; by default stdout.")
@click.option(
    "--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True, help="With --output: as well."
)
@ledger_option
@click.pass_context
def export(ctx: click.Context, run: int, output: str | None, form: str, ledger: str | None) -> None:
    """The traversals of RUN, a row each: starter, ending, hops, the length of its cycle, the last article, concreteness.

    Of an experiment with hashtags: the points of its curves.

    \b
    wayword runs export 3 --output traversals.csv
    """
    from ...evaluation.reval.experiment_result import POINT_COLUMNS, read_points
    from ...evaluation.runs.export import export_rows
    from ...evaluation.runs.ledger import Ledger
    from ...evaluation.runs.records import RecordedTraversal

    with Ledger.open(_named(ctx, ledger), create=False) as book:
        found = book.run(run)
        if found.kind == "reval":
            rows = export_rows(POINT_COLUMNS, read_points(found.result), output, form)
        else:
            rows = export_rows(RecordedTraversal._fields, book.traversals(run), output, form)
    if output is not None:
        print_note(ctx.obj, f"wrote {rows:,} row{'' if rows == 1 else 's'} to {output}")


@runs.command()
@click.argument("run", type=int)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def repeat(ctx: click.Context, run: int, ledger: str | None, as_json: bool) -> None:
    """Run RUN again as its row says, and tell whether the figures are the same. The new run is a row of its own.

    \b
    wayword runs repeat 3
    """
    from ...evaluation.runs.ledger import Ledger
    from ...rerun import repeat_run

    settings: Settings = ctx.obj
    with Ledger.open(_named(ctx, ledger), create=False) as book, show_progress(quiet=settings.quiet) as progress:
        found = repeat_run(book, run, settings.store, progress)
    if as_json:
        print_json(found.to_dict())
        return
    print_text(str(found))


def _named(ctx: click.Context, ledger: str | None) -> str | None:
    """The ledger that is named here, or before the name of the command."""
    given: str | None = ctx.parent.params.get("ledger") if ctx.parent else None
    source = ctx.get_parameter_source("ledger")
    return ledger if source is click.core.ParameterSource.COMMANDLINE else given or ledger
