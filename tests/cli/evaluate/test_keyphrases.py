"""``wayword evaluate keyphrases`` and ``indexers``: their JSON, tables, files and errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ...support.command_line import is_one_line, wayword

CANDIDATES = {"C-41": [["birdcage"], ["enclosures", "pen"]], "C-42": [["cage"]], "C-99": [["thing"]]}
GOLD = {"C-41": [["cage"], ["pen", "Enclosure"]], "C-42": [["cage"]], "C-43": [["thing"]]}
TEAMS = {
    "ann/7.key": "cage\npen",
    "bob/7.key": "cage\nbirdcage",
    "eve/7.key": "pen\nthing\nbirdcage",
    "ann/8.key": "pen",
    "bob/8.key": "pens",
    "ann/9.key": "pen",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is run, with keyphrases of extractors and of people."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAYWORD_LEDGER", str(tmp_path / "runs.sqlite"))
    for name, content in (("c.json", CANDIDATES), ("g.json", GOLD)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    for name, text in TEAMS.items():
        (tmp_path / "teams" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "teams" / name).write_text(text, encoding="utf-8")
    return tmp_path


def evaluate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    ran = wayword(capsys, "evaluate", *arguments, "--json")
    assert ran.code == 0, ran.err
    return ran.json()


def test_json_has_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--candidates", "c.json", "--gold", "g.json", "-m", "equal", "-m", "exact", "--resamples", "20")
    found = evaluate(capsys, "keyphrases", *options, "--each")
    equal, exact = found["matchers"]
    assert [equal["matcher"], exact["matcher"]] == ["equal", "exact"]
    assert {name: exact["macro"][name] for name in ("precision", "recall", "f")} == {"precision": 0.5, "recall": 0.5, "f": 0.5}
    assert exact["micro"]["precision"] == pytest.approx(2 / 3)
    assert exact["micro"]["intervals"]["f"]["low"] <= exact["micro"]["f"] <= exact["micro"]["intervals"]["f"]["high"]
    assert list(exact["documents"]) == ["C-41", "C-42", "C-43"]
    assert {"tp": 1.0, "precision": 0.5, "recall": 0.5, "f": 0.5}.items() <= exact["documents"]["C-41"].items()
    assert equal["documents"]["C-41"]["tp"] == 0
    assert (found["without_candidates"], found["left_out"]) == (1, {"document_without_gold": 1})
    assert (found["resamples"], found["seed"]) == (20, 0)


def test_the_graph_is_a_matcher(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(
        capsys, "--store", store, "evaluate", "keyphrases", "--candidates", "c.json", "--gold", "g.json", "--json", "--each"
    )
    documents = ran.json()["matchers"][0]["documents"]
    assert ran.json()["matchers"][0]["matcher"] == "wayword"
    assert documents["C-42"]["tp"] == 1
    assert 1 < documents["C-41"]["tp"] < 2  # "enclosures" is found, and a birdcage is a kind of cage


def test_text_has_a_row_for_each_matcher_and_says_what_does_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(
        capsys, "evaluate", "keyphrases", "--candidates", "c.json", "--gold", "g.json", "-m", "exact", "--resamples", "0"
    )
    lines = ran.out.splitlines()
    assert re.split("  +", lines[0]) == ["matcher", "macro P", "macro R", "macro F", "micro P", "micro R", "micro F", "unknown"]
    assert lines[1].split() == ["exact", "0.500", "0.500", "0.500", "0.667", "0.500", "0.571", "0"]
    assert lines[3:] == [
        "3 documents; unknown pairs count as 0",
        "1 of them without candidates, which counts as 0",
        "left out: 1 document without gold keyphrases",
    ]


def test_a_recall_above_1_is_explained(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "c.json").write_text('{"C-42": ["cage", "cages"]}', encoding="utf-8")
    ran = wayword(capsys, "evaluate", "keyphrases", "--candidates", "c.json", "--gold", "g.json", "-m", "exact")
    assert "exact: recall is above 1 in 1 of 3 documents, because several candidates may match one gold keyphrase" in ran.out


@pytest.mark.parametrize("ending", ["md", "csv", "tex", "json"])
def test_results_are_written_to_files(capsys: pytest.CaptureFixture[str], files: Path, ending: str) -> None:
    command = ("--candidates", "c.json", "--gold", "g.json", "-m", "equal", "--output", f"result.{ending}", "--each")
    ran = wayword(capsys, "evaluate", "keyphrases", *command)
    assert (ran.code, ran.out) == (0, "")
    assert "0.333" in (files / f"result.{ending}").read_text(encoding="utf-8")


def test_a_run_is_recorded_in_the_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    found = evaluate(capsys, "keyphrases", "--candidates", "c.json", "--gold", "g.json", "-m", "equal")
    evaluate(capsys, "indexers", "teams", "-m", "equal")
    ran = wayword(capsys, "runs")
    assert (ran.code, ran.out.count("keyphrases: g.json, c.json, equal"), ran.out.count("indexers: teams, equal")) == (0, 1, 1)
    recorded = wayword(capsys, "runs", "show", "1", "--json").json()
    assert found.items() <= recorded["result"].items()


def test_indexers_have_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    found = evaluate(capsys, "indexers", "teams", "-m", "equal", "-m", "exact", "--resamples", "50")
    equal, exact = found["matchers"]
    # Document 7: ann and bob share 1 of 2 + 2, ann and eve 1 of 2 + 3, bob and eve 1 of 2 + 3; document 8: nothing.
    assert equal["consistency"] == pytest.approx((0.5 + 0.4 + 0.4) / 3 / 2)
    assert exact["consistency"] == pytest.approx(((0.5 + 0.4 + 0.4) / 3 + 1) / 2)
    assert equal["teams"] == pytest.approx({"ann": 0.45 / 2, "bob": 0.45 / 2, "eve": 0.4})
    assert {"spearman", "kendall"} <= equal["single_gold"].keys() & equal["pooled"].keys()
    assert found["documents"] == 2
    assert found["meta_evaluation_documents"] == 1
    assert found["left_out"] == {"single_indexer": 1, "empty_list": 0}
    assert {each["measure"] for each in found["differences"]} == {"single_gold.spearman", "pooled.spearman"}


def test_indexers_are_shown_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(capsys, "evaluate", "indexers", "teams", "-m", "equal", "--resamples", "0")
    lines = ran.out.splitlines()
    assert lines[1].split()[:2] == ["equal", "0.217"]
    assert "bob" in ran.out
    assert "left out: 1 document with fewer than two indexers" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("keyphrases", "--candidates", "c.json"), "Missing option '--gold'"),
        (("keyphrases", "--candidates", "none.json", "--gold", "g.json", "-m", "equal"), "there is no file none.json"),
        (
            ("keyphrases", "--candidates", "teams/ann", "--gold", "g.json", "-m", "equal"),
            "no document has both candidates and gold",
        ),
        (("keyphrases", "--candidates", "teams", "--gold", "g.json", "-m", "equal"), "has document 7 twice"),
        (("indexers", "c.json", "-m", "equal"), "c.json is neither a folder nor an archive"),
        (("indexers", "teams/ann", "-m", "equal"), "has fewer than two indexers"),
        (("indexers", "teams", "-m", "equals"), "there is no matcher 'equals'"),
    ],
)
def test_what_cannot_be_evaluated_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, "evaluate", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert is_one_line(ran.err)


def test_a_matcher_that_scores_above_1_cannot_match_keyphrases(capsys: pytest.CaptureFixture[str], store: str) -> None:
    command = ("evaluate", "keyphrases", "--candidates", "c.json", "--gold", "g.json", "-m", "lch")
    ran = wayword(capsys, "--store", store, *command)
    assert ran.code == 2
    assert "the matcher lch scores 'enclosures' for 'enclosure' 1.38" in ran.err
    assert "which is not a number from -1 to 1; use another matcher" in ran.err
