"""``wayword sheets``: question sheets on which people compare substitutions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..output import format_count, print_note, print_text, reject_empty

if TYPE_CHECKING:
    from ..settings import Settings

COUNT = click.IntRange(1, 10_000)


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--sheets", type=COUNT, default=10, show_default=True, metavar="N", help="Sheets, one for each person.")
@click.option("--questions", type=COUNT, default=10, show_default=True, metavar="N", help="Questions on a sheet.")
@click.option(
    "--judges", type=COUNT, default=3, show_default=True, metavar="N", help="Sheets that ask each question, at least."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed.")
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="CSV file to write; by default stdout.")
@click.pass_obj
def sheets(settings: Settings, file: str, sheets: int, questions: int, judges: int, seed: int, output: str | None) -> None:
    """Write question sheets on which people compare substitutions.

    \b
    wayword sheets pairs.csv --sheets 30 --output sheets.csv
    wayword evaluate comparisons sheets.csv

    FILE is CSV with the columns substitute and substitutee. Each row of the sheets asks whether one substitution is better than
    another. People write first, second or same in the column verdict, unknown if they do not know the words, and may write
    their name in the column judge. Everything is compared about equally often, in random order.
    """
    import io

    from ...core.atomic_files import atomic_write, check_writable
    from ...evaluation.agreement.judgements import COLUMNS, read_substitutions
    from ...evaluation.agreement.sheets import make_sheets
    from ...rendering.tables import make_csv_writer

    if output is not None:
        check_writable(Path(output))
    made = make_sheets(read_substitutions(file), sheets=sheets, questions=questions, judges=judges, seed=seed)
    text = io.StringIO()
    write = make_csv_writer(text)
    write([COLUMNS])
    write(made.rows())
    asked = f"{format_count(made.comparisons, 'comparison')} on {format_count(sheets, 'sheet')}"
    if output is None:
        print_text(text.getvalue(), nl=False)
        print_note(settings, asked)
        return
    with atomic_write(Path(output)) as target:
        # Spreadsheets take a file without the mark for one in the encoding of the country.
        target.write(text.getvalue().encode("utf-8-sig"))
    print_note(settings, f"wrote {asked} to {output}")
