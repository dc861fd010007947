"""``wayword matchers`` lists matchers, and ``wayword score --matcher`` adds a column for each."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ..support.command_line import is_one_line, wayword

PAIRS = "id,word1,word2\n1,bird cages,birdcages\n2,coop,cage\n3,xyzzy,cage\n4,enclose,birdcage\n"


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    file = tmp_path / "pairs.csv"
    file.write_text(PAIRS, encoding="utf-8")
    return str(file)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    file = tmp_path / "corpus.txt"
    file.write_text("coop\ncage\nbird cages\n", encoding="utf-8")
    return str(file)


def test_matchers_are_listed_with_what_they_need(capsys: pytest.CaptureFixture[str]) -> None:
    listed = wayword(capsys, "matchers", "--json").json()["matchers"]
    needs = {each["name"]: each["needs"] for each in listed}
    assert {name: need for name, need in needs.items() if need} == {
        "nist": "corpus", "nist_stem": "corpus", "vectors": "vectors", "encoder": "encoder"
    }  # fmt: skip
    lines = wayword(capsys, "matchers").out.splitlines()
    assert lines[0].split() == ["matcher", "compares", "needs"]
    assert [line.split()[0] for line in lines[1:]] == [each["name"] for each in listed]
    assert next(line for line in lines if line.startswith("nist ")).endswith("--corpus")


def test_each_matcher_adds_a_column_in_the_order_in_which_they_are_named(
    capsys: pytest.CaptureFixture[str], store: str, pairs: str, corpus: str
) -> None:
    names = ["path", "wayword", "meteor", "exact", "nist"]
    options = [option for name in names for option in ("--matcher", name)]
    result = wayword(capsys, "--store", store, "score", "--pairs", pairs, "--corpus", corpus, *options)
    assert result.code == 0
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert list(rows[0]) == ["id", "word1", "word2", *names]
    assert [(row["id"], row["word1"], row["word2"]) for row in rows] == [
        tuple(line.split(",")) for line in PAIRS.splitlines()[1:]
    ]
    assert [row["path"] for row in rows] == ["", "1.0", "", "0.0"]
    assert [row["wayword"] for row in rows][1:3] == ["1.0", ""]
    assert float(rows[1]["meteor"]) == pytest.approx(0.72)
    assert {row["exact"] for row in rows} == {"0.0"}
    assert "pairs.csv: path does not know a phrase of 2 of 4 pairs, which have no score" in result.err


def test_json_rows_have_a_field_for_each_matcher_and_can_be_scored_again(
    capsys: pytest.CaptureFixture[str], store: str, pairs: str, tmp_path: Path
) -> None:
    scored = tmp_path / "scored.jsonl"
    assert wayword(capsys, "-q", "--store", store, "score", "--pairs", pairs, "-o", str(scored)).code == 0
    again = wayword(capsys, "-q", "--store", store, "score", "--pairs", str(scored), "-m", "equal", "-m", "path")
    rows = [json.loads(line) for line in again.out.splitlines()]
    assert list(rows[0]) == ["id", "word1", "word2", "score", "unknown", "equal", "path"]
    assert [row["path"] for row in rows] == [None, 1.0, None, 0.0]


@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_files_of_every_format_get_the_columns(
    capsys: pytest.CaptureFixture[str], pairs: str, tmp_path: Path, ending: str
) -> None:
    output = tmp_path / f"scored.{ending}"
    assert wayword(capsys, "-q", "score", "--pairs", pairs, "-m", "bleu", "-m", "rouge1", "-o", str(output)).code == 0
    copied = wayword(capsys, "-q", "score", "--pairs", str(output), "-m", "equal", "--format", "csv")
    assert copied.out.splitlines()[0] == "id,word1,word2,bleu,rouge1,equal"
    assert len(copied.out.splitlines()) == 5


def test_lexical_matchers_need_no_store(capsys: pytest.CaptureFixture[str], pairs: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "nothing")
    result = wayword(capsys, "-q", "--store", missing, "score", "--pairs", pairs, "-m", "r_precision")
    assert (result.code, result.err) == (0, "")
    assert not Path(missing).exists()


def test_rows_without_a_pair_have_no_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('["dog", "dog"]\n["dog"]\n["cat", "dog"]\n', encoding="utf-8")
    result = wayword(capsys, "score", "--pairs", str(file), "--skip-bad", "-m", "equal", "-m", "bleu")
    assert [json.loads(line) for line in result.out.splitlines()] == [
        ["dog", "dog", 1.0, 1.0], ["dog", None, None], ["cat", "dog", 0.0, 0.0]
    ]  # fmt: skip
    assert "1 of 3 rows has no pair of phrases" in result.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-m", "metoer"], "there is no matcher 'metoer'; did you mean meteor?"),
        (["-m", "xyzzy"], "there is no matcher 'xyzzy'; wayword matchers lists them"),
        (["-m", "bleu", "-m", "bleu"], "the matcher 'bleu' is given twice; give each matcher once"),
        (["-m", "nist"], "the matcher nist needs a corpus; name one with --corpus"),
        (["-m", "vectors"], "the matcher vectors needs word vectors; name them with --vectors"),
        (["-m", "bleu", "--corpus", "x"], "no matcher of bleu needs corpus; leave --corpus out"),
        (["-m", "nist", "--corpus", "absent.txt"], "absent.txt: cannot be read (No such file or directory)"),
        (["-m", "bleu", "--workers", "2"], "--workers 2 is not for --matcher."),
        (["-m", "bleu", "--score-column", "x"], "--score-column x is not for --matcher."),
        (["--corpus", "x"], "--corpus x is only for --matcher."),
    ],
)
def test_options_of_matchers_that_do_not_fit_are_errors(
    capsys: pytest.CaptureFixture[str], pairs: str, arguments: list[str], problem: str
) -> None:
    result = wayword(capsys, "-q", "score", "--pairs", pairs, *arguments)
    assert result.code == 2
    assert problem in result.err
    assert is_one_line(result.err)


@pytest.mark.parametrize("option", [("-m", "bleu"), ("--corpus", "x"), ("--vectors", "x"), ("--encoder", "x")])
def test_matchers_are_only_for_files_of_pairs(capsys: pytest.CaptureFixture[str], option: tuple[str, str]) -> None:
    result = wayword(capsys, "score", "enclose", "birdcage", *option)
    assert result.code == 2
    assert "is only for --pairs" in result.err


def test_a_column_that_a_matcher_would_add_must_not_exist(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("word1,word2,BLEU\ndog,cat,0.5\n", encoding="utf-8")
    result = wayword(capsys, "-q", "score", "--pairs", str(file), "-m", "bleu")
    assert (result.code, result.err) == (2, f"Error: {file}, line 1: there is already a column 'bleu'; rename it\n")


def test_a_run_of_matchers_is_recorded_and_repeated(
    capsys: pytest.CaptureFixture[str], store: str, pairs: str, corpus: str, tmp_path: Path
) -> None:
    ledger = ("--ledger", f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    matchers = ("-m", "nist", "-m", "path", "--corpus", corpus)
    assert wayword(capsys, "-q", "--store", store, "score", "--pairs", pairs, *matchers, *ledger).code == 0
    run = wayword(capsys, "runs", *ledger, "show", "1", "--json").json()
    assert run["parameters"]["matchers"] == ["nist", "path"]
    assert run["parameters"]["corpus"] == corpus
    assert [base["id"] for base in run["bases"]] == ["wordnet"]
    assert run["result"]["unknown"] == {"nist": 0, "path": 2}
    repeated = wayword(capsys, "-q", "runs", "repeat", "1", *ledger, "--json").json()
    assert (repeated["same"], repeated["run"]) == (True, 2)


def test_a_run_of_lexical_matchers_is_repeated_without_a_store(
    capsys: pytest.CaptureFixture[str], pairs: str, tmp_path: Path
) -> None:
    ledger = ("--ledger", f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    assert wayword(capsys, "-q", "score", "--pairs", pairs, "-m", "bleu", *ledger).code == 0
    assert wayword(capsys, "-q", "runs", "repeat", "1", *ledger, "--json").json()["same"]
    assert "bleu" in wayword(capsys, "runs", "show", "1", *ledger).out
