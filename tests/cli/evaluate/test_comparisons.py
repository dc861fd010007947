"""``wayword sheets`` and ``wayword evaluate comparisons``: from pairs to sheets, judgements and agreement."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ...support.command_line import is_one_line, wayword

PAIRS = "substitute,substitutee\ncage,birdcage\nenclosure,birdcage\nthing,birdcage\nbirdcage,birdcage\n"
ORDER = ["birdcage", "cage", "enclosure", "thing"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is run, with pairs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAYWORD_LEDGER", str(tmp_path / "runs.sqlite"))
    (tmp_path / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    return tmp_path


def fill_in(path: Path) -> None:
    """Answer all questions in the order of ``ORDER``."""
    with path.open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.DictReader(source))
    for row in rows:
        first, second = (ORDER.index(row[name]) for name in ("first_substitute", "second_substitute"))
        row["verdict"] = "first" if first < second else "second"
    with path.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_sheets_are_written_filled_in_and_read_back(capsys: pytest.CaptureFixture[str], files: Path, store: str) -> None:
    made = wayword(capsys, "sheets", "pairs.csv", "--sheets", "5", "--questions", "4", "--output", "sheets.csv")
    assert (made.code, made.out, made.err) == (0, "", "wrote 6 comparisons on 5 sheets to sheets.csv\n")
    fill_in(files / "sheets.csv")
    ran = wayword(
        capsys, "--store", store, "evaluate", "comparisons", "sheets.csv", "-m", "wayword:thesis", "-m", "equal", "--json"
    )
    assert ran.code == 0, ran.err
    found = ran.json()
    assert (found["comparisons"], found["judgements"], found["judges"], found["contested"]) == (6, 20, 5, 0)
    assert found["people"]["agreement"]["value"] == found["people"]["majority"]["value"] == 1
    assert [each["substitute"] for each in found["ranking"]["substitutions"]] == ORDER
    graph, equal = found["matchers"]
    assert graph["agreement"]["value"] > equal["agreement"]["value"] == 0.5
    assert graph["order"]["value"] > equal["order"]["value"] > 0
    assert graph["unknown"] == 0


def test_text_shows_agreement_the_order_and_what_was_not_answered(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    wayword(capsys, "sheets", "pairs.csv", "--sheets", "5", "--questions", "4", "--output", "sheets.csv")
    fill_in(files / "sheets.csv")
    with (files / "sheets.csv").open("a", encoding="utf-8") as target:
        target.write("6,1,cage,birdcage,thing,birdcage,,\n")
    ran = wayword(capsys, "evaluate", "comparisons", "sheets.csv", "-m", "equal", "--resamples", "0")
    lines = ran.out.splitlines()
    assert [line.split()[:3] for line in lines[1:3]] == [["equal", "0.500", "0.500"], ["people", "1.000", "1.000"]]
    assert [line.split()[1] for line in lines[7:11]] == ORDER
    assert "20 judgements of 5 judges on 6 comparisons; contested: 0, without a majority: 0" in lines
    assert "left out: 1 question without an answer" in lines
    assert any(line.startswith("some substitutions always won or always lost") for line in lines)


def test_the_same_seed_prints_the_same_sheets(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, other = (
        wayword(capsys, "sheets", "pairs.csv", "--questions", "5", "--seed", seed).out for seed in ("1", "1", "2")
    )
    assert first.startswith(
        "sheet,question,first_substitute,first_substitutee,second_substitute,second_substitutee,verdict,judge"
    )
    assert first == second != other


def test_scores_as_good_are_an_option(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    wayword(capsys, "sheets", "pairs.csv", "--sheets", "5", "--questions", "4", "--output", "sheets.csv")
    fill_in(files / "sheets.csv")
    found = wayword(capsys, "evaluate", "comparisons", "sheets.csv", "-m", "equal", "--same", "1", "--json").json()
    assert (found["same"], found["matchers"][0]["agreement"]["value"]) == (1, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sheets", "none.csv"), "none.csv: cannot be read"),
        (("sheets", "pairs.csv", "--questions", "7"), "7 questions on a sheet are more than the 6 different comparisons"),
        (("sheets", "pairs.csv", "--questions", "0"), "0 is not in the range"),
        (("sheets", "pairs.csv", "--output", "none/sheets.csv"), "the folder 'none' does not exist"),
        (("evaluate", "comparisons", "pairs.csv", "-m", "equal"), "lacks first_substitute, first_substitutee"),
        (("evaluate", "comparisons", "pairs.csv", "--same", "nan"), "nan is not a number"),
    ],
)
def test_what_cannot_be_asked_or_read_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert is_one_line(ran.err)


def test_questions_of_the_thesis_are_asked_and_people_are_measured(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """Everyone finds the cage good and the thing bad; two find the enclosure bad too."""
    header = "substitutee,substitute_1,substitute_2,substitute_3,substitute_4"
    (files / "ask.csv").write_text(f"{header}\nbirdcage,cage,enclosure,pen,thing\n", encoding="utf-8")
    made = wayword(capsys, "sheets", "ask.csv", "--sheets", "3", "--questions", "1", "--output", "answers.csv")
    assert made.err == "wrote 1 question on 3 sheets to answers.csv\n"
    with (files / "answers.csv").open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.DictReader(source))
    for row in rows:
        marks = {"cage": "good", "thing": "bad", "enclosure": "bad" if row["sheet"] != "3" else ""}
        row |= {f"mark_{number}": marks.get(row[f"substitute_{number}"], "") for number in range(1, 5)}
    with (files / "answers.csv").open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    ran = wayword(capsys, "evaluate", "questions", "answers.csv", "-m", "equal", "--json", "--resamples", "0")
    assert ran.code == 0, ran.err
    found = ran.json()
    assert found["questions"] == 1
    assert {name: found["people"][name]["value"] for name in ("cw", "gs")} == {"cw": 1, "gs": 1}
    # Each of the first two finds both bad that the others do; the third finds one of two.
    assert found["people"]["bs"]["value"] == pytest.approx((1 + 1 + 0.5) / 3)
    text = wayword(capsys, "evaluate", "questions", "answers.csv", "-m", "equal", "--resamples", "0").out
    assert "people" in text
    refused = wayword(capsys, "sheets", "ask.csv", "--judges", "2")
    assert (refused.code, "--judges is for comparisons" in refused.err) == (2, True)
