"""``wayword score``: score a pair, with the path that proves it, or a file of pairs."""

from __future__ import annotations

import csv
import functools
import sys
from typing import TYPE_CHECKING

import click

from ..ledger_option import ledger_option, open_ledger
from ..matcher_options import matcher_options
from ..output import format_count, print_json, print_match, print_note, reject_empty
from ..progress_bar import show_progress

if TYPE_CHECKING:
    from ...matcher_request import MatcherRequest
    from ...pairs.options import FileOptions
    from ...pairs.reader import Table
    from ..settings import Settings


def _two_columns(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, str] | None:
    if value is None:
        return None
    columns = [column.strip() for column in next(csv.reader([value]), [])]
    if len(columns) != 2 or not all(columns) or any(column.isdecimal() and not int(column) for column in columns):
        raise click.BadParameter(f"{value!r}: give two columns by name or by number (from 1), such as WORD1,WORD2 or 1,2.")
    if columns[0].lower() == columns[1].lower():
        raise click.BadParameter(f"{value!r} names one column twice; give that of the substitute and that of the substitutee.")
    return columns[0], columns[1]


def _one_character(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    value = {"\\t": "\t", "tab": "\t"}.get(value, value) if value else value
    if value is not None and (len(value) != 1 or value in '\r\n"'):
        raise click.BadParameter(f"{value!r} is not a single character; give one such as ';' or tab.")
    return value


def _known_encoding(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    try:
        "\n".encode(value)
    except (LookupError, ValueError):
        raise click.BadParameter(f"{value!r} is not an encoding of text; give one such as windows-1252 or utf-16.") from None
    return value


def _note_columns(settings: Settings, name: str, table: Table) -> None:
    """Say on stderr which columns are scored."""
    if table.format == "jsonl":
        return
    first, second = table.columns
    header = "without a header" if table.header is None else "named by the header"
    print_note(settings, f"{name}: scoring the columns {first} and {second}, {header}")


def _check_matchers(request: MatcherRequest, excluded: dict[str, object]) -> None:
    """Raise if options are of no use with matchers, or without."""
    if not request.names:
        excluded = {"--corpus": request.corpus, "--vectors": request.vectors, "--encoder": request.encoder}
    for option, value in excluded.items():
        if value is not None:
            raise click.UsageError(f"{option} {value} is {'not' if request.names else 'only'} for --matcher.")


def _score_file(
    settings: Settings,
    request: MatcherRequest,
    pairs: str,
    output: str | None,
    output_format: str | None,
    workers: int | None,
    options: FileOptions,
    skip_bad: bool,
    ledger: str | None,
) -> None:
    """Score the pairs of a file."""
    from ...pairs.score_file import score_file

    source = "stdin" if pairs == "-" else pairs
    # On a terminal the bar and the rows would be mixed.
    to_terminal = output is None and sys.stdout.isatty()
    with open_ledger(settings, ledger) as opened, show_progress(quiet=settings.quiet or to_terminal) as progress:
        tally = score_file(
            request.query,
            pairs,
            output,
            output_format=output_format,
            workers=workers,
            options=options,
            skip_bad=skip_bad,
            progress=progress,
            before_rows=progress.clear,
            on_table=functools.partial(_note_columns, settings, source),
            ledger=opened,
            on_ledger_error=None if ledger is not None else functools.partial(print_note, settings),
            matchers=request if request.names else None,
            note=functools.partial(print_note, settings),
        )
    for line in tally.notes(source):
        print_note(settings, line)
    if output is not None:
        print_note(settings, f"wrote {format_count(tally.rows, 'row')} to {output}")


@click.command()
@click.argument("substitute", required=False)
@click.argument("substitutee", required=False)
@click.option(
    "--pairs", metavar="FILE", callback=reject_empty, help="Score the pairs of a csv, tsv, jsonl or parquet file; - is stdin."
)
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="With --pairs: file to write; by default stdout.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "tsv", "jsonl", "parquet"]),
    help="With --pairs: output format; by default that of the ending of -o, else of the input.",
)
@click.option(
    "--columns", callback=_two_columns, metavar="A,B", help="With --pairs: the columns of the phrases, by name or number."
)
@click.option("--header/--no-header", default=None, help="With --pairs: whether the first row is a header.")
@click.option(
    "--delimiter", callback=_one_character, metavar="C", help="With --pairs: what separates columns of csv; detected."
)
@click.option("--encoding", callback=_known_encoding, metavar="E", help="With --pairs: encoding of FILE; by default UTF-8.")
@click.option("--score-column", callback=reject_empty, metavar="NAME", help="With --pairs: name of the added column; score.")
@click.option("--skip-bad", is_flag=True, help="With --pairs: give rows without two phrases no score instead of stopping.")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="With --pairs: processes; by default one per processor once that is faster.",
)
@ledger_option
@click.option("--explain", is_flag=True, help="Add the formula of each factor, and all parameters with their values.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; with --pairs short for --format jsonl.")
@matcher_options
def score(
    settings: Settings,
    request: MatcherRequest,
    substitute: str | None,
    substitutee: str | None,
    pairs: str | None,
    output: str | None,
    form: str | None,
    columns: tuple[str, str] | None,
    header: bool | None,
    delimiter: str | None,
    encoding: str | None,
    score_column: str | None,
    skip_bad: bool,
    workers: int | None,
    ledger: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Score how well SUBSTITUTE stands in for SUBSTITUTEE, from 0 to 1.

    \b
    wayword score enclose birdcage
    wayword score --pairs pairs.csv --output scored.csv
    wayword score --pairs pairs.csv --matcher wayword --matcher meteor

    The rows of FILE, which may be compressed (.gz, .zst, .bz2), are written unchanged and in order, with a column score; JSON
    rows also list unknown phrases. The header and the columns of the phrases are recognised by names such as word1 and word2,
    by types and by which phrases are known; a note says which columns are scored. If wayword cannot tell, nothing is scored:
    name the columns with --columns, and say --header or --no-header. The scoring is recorded in the ledger: wayword runs.

    With --matcher each matcher adds a column of its name, in place of score; it is empty where the matcher does not know
    a phrase.
    """
    if pairs is not None:
        if substitute is not None:
            raise click.UsageError(f"give either --pairs or two phrases, not both ({substitute!r}).")
        if explain:
            raise click.UsageError("--explain is only for two phrases, not for --pairs.")
        _check_matchers(request, {"--workers": workers, "--score-column": score_column})
        from ...pairs.options import FileOptions

        options = FileOptions(header, columns, delimiter, encoding, score_column or "score")
        _score_file(settings, request, pairs, output, "jsonl" if as_json else form, workers, options, skip_bad, ledger)
        return
    if substitute is None or substitutee is None:
        raise click.UsageError("give two phrases, SUBSTITUTE and SUBSTITUTEE, or --pairs FILE.")
    pair_options = {"--output": output, "--format": form, "--columns": columns and ",".join(columns), "--workers": workers}
    pair_options |= {"--delimiter": delimiter, "--encoding": encoding, "--score-column": score_column}
    pair_options |= {"--matcher": " ".join(request.names) or None}
    pair_options |= {name: getattr(request, name[2:]) for name in ("--corpus", "--vectors", "--encoder")}
    pair_options |= {
        "--header" if header else "--no-header": None if header is None else "",
        "--skip-bad": "" if skip_bad else None,
    }
    for option, value in pair_options.items():
        if value is not None:
            raise click.UsageError(f"{option} {value}".strip() + " is only for --pairs.")
    with show_progress(quiet=settings.quiet) as progress, request.query.open(progress) as graph:
        match = graph.score(substitute, substitutee)
    if as_json:
        print_json(match.to_dict())
    else:
        print_match(match, explain=explain)
