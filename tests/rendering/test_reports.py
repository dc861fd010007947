"""A report is the same result in every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from wayword.rendering.errors import RenderError
from wayword.rendering.reports import Report, Table

REPORT = Report(
    (Table("", ("system", "SR"), (("a|b", 0.5), ("c_d", None))), Table("Ranks", ("rank of", "SR"), (("a|b", "1"),))),
    ("7 questions", "50 % are left out"),
    Table("", ("system", "measure", "value"), (("a|b", "sr", 0.123456789), ("c_d", "sr", None))),
    {"questions": 7},
)


def test_text_has_tables_captions_and_notes() -> None:
    assert REPORT.to_text() == (
        "system   SR\na|b     0.5\nc_d\n\nRanks\n\nrank of  SR\na|b      1\n\n7 questions\n50 % are left out"
    )


def test_markdown_escapes_bars_and_lists_notes() -> None:
    text = REPORT.to_markdown()
    assert "| system | SR |\n| --- | ---: |\n| a\\|b | 0.5 |\n| c_d |  |\n\nRanks\n\n| rank of | SR |" in text
    assert text.endswith("- 7 questions\n\n- 50 % are left out\n")


def test_latex_has_a_table_each_and_notes_as_comments() -> None:
    text = REPORT.to_latex()
    assert text.count(r"\begin{table}") == 2
    assert r"c\_d & -- \\" in text
    assert text.endswith("% 7 questions\n\n% 50 % are left out\n")


def test_csv_has_the_figures_unrounded() -> None:
    rows = list(csv.reader(REPORT.to_csv().splitlines()))
    assert rows == [["system", "measure", "value"], ["a|b", "sr", "0.123456789"], ["c_d", "sr", ""]]


@pytest.mark.parametrize("ending", [".md", ".CSV", ".tex", ".json"])
def test_the_ending_of_a_file_is_its_format(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"report{ending}"
    REPORT.save(file)
    formats = {".md": REPORT.to_markdown(), ".CSV": REPORT.to_csv(), ".tex": REPORT.to_latex(), ".json": REPORT.to_json()}
    assert file.read_text(encoding="utf-8") == formats[ending]


def test_other_endings_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"report.pdf does not end with .md, .csv, .tex, .json; choose one of these formats"):
        REPORT.save(tmp_path / "report.pdf")
    assert json.loads(REPORT.to_json()) == {"questions": 7}
