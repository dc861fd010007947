"""``wayword sheets``: question sheets on which people compare substitutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..output import format_count, print_note, print_text, reject_empty

if TYPE_CHECKING:
    from ..settings import Settings

COUNT = click.IntRange(1, 10_000)

JUDGES = 3


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--sheets", type=COUNT, default=10, show_default=True, metavar="N", help="Sheets, one for each person.")
@click.option("--questions", type=COUNT, default=10, show_default=True, metavar="N", help="Questions on a sheet.")
@click.option("--judges", type=COUNT, metavar="N", help="Sheets that ask each comparison, at least.  [default: 3]")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed.")
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="CSV file to write; by default stdout.")
@click.pass_obj
def sheets(
    settings: Settings, file: str, sheets: int, questions: int, judges: int | None, seed: int, output: str | None
) -> None:
    """Write question sheets on which people judge substitutions.

    \b
    wayword sheets pairs.csv --sheets 30 --output sheets.csv
    wayword evaluate comparisons sheets.csv

    FILE is CSV with the columns substitute and substitutee. Each row of the sheets asks whether one substitution is better than
    another. People write first, second or same in the column verdict, and unknown if they do not know the words. Everything is
    compared about equally often, in random order.

    With the columns substitutee and substitute_1 to substitute_4, each row is a question of the thesis, for wayword evaluate
    questions. People mark substitutes as good or bad, and write anything in the column unknown if they do not know the words.

    People may write their name in the column judge; otherwise each sheet is taken for one person.
    """
    import io

    from ...core.atomic_files import atomic_write, check_writable
    from ...rendering.tables import make_csv_writer

    if output is not None:
        check_writable(Path(output))
    columns, rows, asked = _make_sheets(file, sheets, questions, judges, seed)
    text = io.StringIO()
    write = make_csv_writer(text)
    write([columns])
    write(rows)
    asked = f"{asked} on {format_count(sheets, 'sheet')}"
    if output is None:
        print_text(text.getvalue(), nl=False)
        print_note(settings, asked)
        return
    with atomic_write(Path(output)) as target:
        # Spreadsheets take a file without the mark for one in the encoding of the country.
        target.write(text.getvalue().encode("utf-8-sig"))
    print_note(settings, f"wrote {asked} to {output}")


def _make_sheets(
    file: str, sheets: int, questions: int, judges: int | None, seed: int
) -> tuple[Sequence[str], Iterable[Sequence[Any]], str]:
    """Return the columns and rows of the sheets, and what they ask."""
    from ...evaluation.agreement import judgements, volunteers
    from ...evaluation.agreement.sheets import make_sheets

    if judgements.has_column(file, volunteers.PHRASES[1]):
        if judges is not None:
            raise click.UsageError("--judges is for comparisons; every question is on about equally many sheets.")
        asked = volunteers.read_question_phrases(file)
        rows = volunteers.make_question_sheets(asked, sheets=sheets, per_sheet=questions, seed=seed)
        return volunteers.COLUMNS, rows, format_count(len(asked), "question")
    made = make_sheets(
        judgements.read_substitutions(file), sheets=sheets, questions=questions, judges=judges or JUDGES, seed=seed
    )
    return judgements.COLUMNS, made.rows(), format_count(made.comparisons, "comparison")
