"""``wayword evaluate questions``, ``graded`` and ``substitutes``: what they print, write and record, and their errors."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from wayword.evaluation.matchers import registry
from wayword.evaluation.matchers.registry import MatcherKind

from ...support.command_line import is_one_line, wayword
from .conftest import Evaluate

GRADED = "substitute,substitutee,score\nenclose,birdcage,5\ncage,birdcage,9\nthing,birdcage,1\nxyzzy,pen,0\n"
FIGURE = {"value", "low", "high"}


def swords() -> str:
    content = {
        "targets": {"t": {"target": "birdcage"}},
        "substitutes": {
            "a": {"target_id": "t", "substitute": "cage"},
            "b": {"target_id": "t", "substitute": "thing"},
            "c": {"target_id": "t", "substitute": "Birdcage"},
        },
        "substitute_labels": {"a": ["TRUE", "FALSE"], "b": ["FALSE"], "c": ["TRUE"]},
    }
    return json.dumps(content)


def test_questions_compares_systems_of_a_file(evaluate: Evaluate, scores: str) -> None:
    ran = evaluate("questions", "printed", "--scores", scores, "--json")
    found = ran.json()
    assert (found["questions"], found["subsets"]) == (7, {"cw": 6, "gs": 7, "bs": 7})
    assert [each["system"] for each in found["systems"]] == ["right", "silent"]
    for each in found["systems"]:
        assert all(set(each[name]) == FIGURE | {"questions"} for name in ("cw", "gs", "bs", "combo", "sr"))
    assert [each["missing_scores"] for each in found["systems"]] == [20, 21]
    assert found["systems"][0]["known"]["gs"]["value"] == 1.0
    assert {each["measure"] for each in found["differences"]} == {"cw", "gs", "bs", "combo", "sr"}
    assert [each["system"] for each in found["rankings"]["gs"]] == ["right", "silent"]


def test_questions_evaluates_wayword_by_default(evaluate: Evaluate) -> None:
    ran = evaluate("questions", "printed", "--json", resamples=0)
    (system,) = ran.json()["systems"]
    assert system["system"] == "wayword"
    assert system["sr"]["low"] is None
    assert ran.json()["differences"] == []


def test_questions_compares_a_matcher_with_systems_of_a_file(evaluate: Evaluate, scores: str) -> None:
    found = evaluate("questions", "printed", "--scores", scores, "--matcher", "equal", "--json").json()
    assert [each["system"] for each in found["systems"]] == ["right", "silent", "equal"]


def test_tables_show_figures_ranks_differences_and_what_is_missing(evaluate: Evaluate, scores: str) -> None:
    out = evaluate("questions", "printed", "--scores", scores).out
    assert out.startswith("system  CW ")
    for text in (
        "Only questions without a missing score",
        "rank of",
        "right  silent",
        "7 questions; CW applies to 6, GS applies to 7, BS applies to 7",
        "silent: 21 of 28 scores are missing and count as 0",
        "intervals at 95 % from 200 resamples (seed 0)",
    ):
        assert text in out


def test_one_seed_gives_one_result(evaluate: Evaluate, scores: str) -> None:
    command = ("questions", "printed", "--scores", scores, "--json", "--seed")
    assert evaluate(*command, "1").out == evaluate(*command, "1").out
    assert evaluate(*command, "1").out != evaluate(*command, "2").out


def test_graded_correlates_matchers_with_judgements(evaluate: Evaluate) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    found = evaluate("graded", "pairs.csv", "-m", "wayword", "-m", "equal", "--json").json()
    assert found["pairs"] == 4
    ours, equal = found["matchers"]
    assert list(ours)[:5] == ["matcher", "spearman", "kendall", "pearson", "unknown"]
    assert (ours["matcher"], ours["unknown"]) == ("wayword", 1)
    assert ours["spearman"]["value"] == pytest.approx(0.9486832980505138)  # ranks 3 4 1.5 1.5 and 3 4 2 1
    assert equal["spearman"] == {"value": None, "low": None, "high": None}


def test_option_reverse_exchanges_the_phrases(evaluate: Evaluate) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    Path("back.csv").write_text(GRADED.replace("substitute,substitutee", "substitutee,substitute"), encoding="utf-8")
    forwards, backwards = (evaluate("graded", "pairs.csv", *options, "--json").json() for options in ((), ("--reverse",)))
    assert evaluate("graded", "back.csv", "--json").json() == backwards
    assert forwards != backwards


def test_option_both_takes_the_mean_of_both_directions(evaluate: Evaluate) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    Path("back.csv").write_text(GRADED.replace("substitute,substitutee", "substitutee,substitute"), encoding="utf-8")
    forwards, backwards = (evaluate("graded", file, "--both", "--json").json() for file in ("pairs.csv", "back.csv"))
    assert forwards["matchers"] == backwards["matchers"]
    assert forwards["matchers"][0]["unknown"] == 1


def test_option_calibration_lists_the_mean_judgement_by_score(evaluate: Evaluate) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    options = ("--calibration", "--figure", "curve.svg", "-m", "wayword:thesis")
    bins = evaluate("graded", "pairs.csv", *options, "--json").json()["calibration"]
    assert sum(each["pairs"] for each in bins["wayword:thesis"]) == 4
    first = bins["wayword:thesis"][0]
    assert (first["low"], first["high"]) == (0.0, 0.0)
    assert "mean judgement" in Path("curve.svg").read_text(encoding="utf-8")
    assert "Mean judgement by score of wayword:thesis" in evaluate("graded", "pairs.csv", *options).out


def test_a_profile_behind_wayword_is_compared_with_others(evaluate: Evaluate) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    named = ("wayword", "wayword:thesis", "wayword:people")
    found = evaluate("graded", "pairs.csv", *(part for name in named for part in ("-m", name)), "--json").json()
    assert [each.pop("matcher") for each in found["matchers"]] == list(named)
    ours, thesis, people = found["matchers"]
    assert ours == people
    assert (
        evaluate("graded", "pairs.csv", "--profile", "thesis", "--json").json()["matchers"][0]["pearson"] == thesis["pearson"]
    )
    assert thesis != people
    refused = evaluate("graded", "pairs.csv", "-m", "wayword:nobody")
    assert (refused.code, "'nobody' is neither a profile" in refused.err) == (2, True)


def test_substitutes_ranks_what_people_accepted(evaluate: Evaluate) -> None:
    Path("swords.json").write_text(swords(), encoding="utf-8")
    found = evaluate("substitutes", "swords.json", "--json").json()
    assert (found["targets"], found["substitutes"], found["left_out"]) == (1, 2, {"substitute_is_target": 1})
    (ours,) = found["matchers"]
    assert {name: ours[name]["value"] for name in ("gap", "p_at_1", "p_at_3", "r_at_10")} == {
        "gap": 1.0,
        "p_at_1": 1.0,
        "p_at_3": 0.5,
        "r_at_10": 1.0,
    }
    assert "left out: 1 substitute that is its target itself" in evaluate("substitutes", "swords.json").out


@pytest.mark.parametrize("ending", ["md", "csv", "tex", "json"])
def test_reports_are_written_in_the_format_of_their_ending(evaluate: Evaluate, scores: str, ending: str) -> None:
    ran = evaluate("questions", "printed", "--scores", scores, "--output", f"report.{ending}")
    assert (ran.code, ran.out) == (0, "")
    assert f"wrote report.{ending}" in ran.err
    text = Path(f"report.{ending}").read_text(encoding="utf-8")
    if ending == "csv":
        rows = list(csv.DictReader(text.splitlines()))
        assert len(rows) == 10
        assert list(rows[0]) == ["system", "measure", "value", "low", "high"]
        assert float(rows[1]["value"]) == pytest.approx(2 / 7)
    elif ending == "json":
        assert json.loads(text)["questions"] == 7
    else:
        assert {"md": "| system | CW | GS |", "tex": r"system & CW & GS & BS & Combo & SR \\"}[ending] in text
        assert "7 questions" in text


def test_evaluations_are_recorded_and_listed(evaluate: Evaluate, capsys: pytest.CaptureFixture[str], scores: str) -> None:
    Path("pairs.csv").write_text(GRADED, encoding="utf-8")
    document = evaluate("graded", "pairs.csv", "--reverse", "--json").json()
    evaluate("questions", "printed", "--scores", scores)
    listed = wayword(capsys, "runs", "--ledger", "runs.sqlite", "--kind", "evaluation")
    assert "graded: pairs.csv, wayword, wordnet" in listed.out
    assert "questions: printed_questions.json, systems.json" in listed.out
    shown = wayword(capsys, "runs", "show", "1", "--ledger", "runs.sqlite", "--json").json()
    assert (shown["kind"], shown["state"], shown["seed"]) == ("evaluation", "done", 0)
    assert shown["parameters"]["reverse"] is True
    assert {name: shown["result"][name] for name in document} == document
    for command in ("repeat", "export"):
        refused = wayword(capsys, "runs", command, "1", "--ledger", "runs.sqlite")
        assert refused.code == 2
        assert is_one_line(refused.err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("questions", "nowhere.json"), "nowhere.json: cannot be read"),
        (("questions", ""), "the name is empty"),
        (("graded", "nowhere.txt"), "nowhere.txt: cannot be read"),
        (("substitutes", "nowhere.json"), "nowhere.json: cannot be read"),
        (("questions", "printed", "--matcher", "wayward"), "there is no matcher 'wayward'; did you mean wayword?"),
        (("questions", "printed", "--output", "report.pdf"), "report.pdf does not end with .md, .csv, .tex, .json"),
        (("questions", "printed", "--output", "no/report.md"), "the folder 'no' does not exist"),
        (("questions", "printed", "--seed", "-1"), "-1 is not in the range"),
    ],
)
def test_errors_are_one_line(evaluate: Evaluate, arguments: tuple[str, ...], message: str) -> None:
    ran = evaluate(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert is_one_line(ran.err)


def test_scores_out_of_range_are_an_error_of_one_line(evaluate: Evaluate) -> None:
    file = Path("scores.json")
    file.write_text('{"format": "agreement-scores/1", "systems": {"A": {"fast": [0, 0, 0, 2]}}}', encoding="utf-8")
    ran = evaluate("questions", "printed", "--scores", str(file))
    assert ran.code == 2
    assert ran.err == (
        "Error: scores.json, system 'A', question 'fast': 2 is not a score; "
        "give a number from 0 to 1, or null if it is missing\n"
    )


def test_a_system_and_a_matcher_of_one_name_are_an_error(evaluate: Evaluate) -> None:
    Path("scores.csv").write_text("substitute,substitutee,equal\nquick,fast,1\n", encoding="utf-8")
    ran = evaluate("questions", "printed", "--scores", "scores.csv", "--matcher", "equal")
    assert ran.code == 2
    assert "scores.csv has a system equal, which --matcher names too" in ran.err


class Stubborn:
    """A matcher that always returns the same, or raises it if it is an error."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        if isinstance(self.answer, Exception):
            raise self.answer
        result: float | None = self.answer
        return result

    def score_many(self, pairs: Any, /) -> Any:
        return (self(*pair) for pair in pairs)


def register(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    kinds = {**registry.own_kinds(), "stubborn": MatcherKind("stubborn", "", lambda _: Stubborn(answer))}
    monkeypatch.setattr(registry, "own_kinds", lambda: kinds)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (float("nan"), "the matcher stubborn scores 'Electricity' for 'ALTERNATING CURRENT' nan, which is not a finite number"),
        (RuntimeError("no\nway"), "the matcher stubborn fails at 'Electricity' for 'ALTERNATING CURRENT' (RuntimeError: no)"),
    ],
)
def test_a_matcher_that_fails_is_an_error_of_one_line(
    evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch, answer: Any, message: str
) -> None:
    register(monkeypatch, answer)
    ran = evaluate("questions", "printed", "--matcher", "stubborn")
    assert ran.code == 2
    assert message in ran.err
    assert is_one_line(ran.err)


def test_scores_of_a_matcher_outside_0_to_1_are_limited_and_noted(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, -0.25)
    ran = evaluate("questions", "printed", "--matcher", "stubborn", "--json")
    assert ran.json()["systems"][0]["bs"]["value"] == 1.0
    assert "stubborn: 28 scores outside 0 to 1, taken as 0 or 1" in ran.err


def test_an_unusable_default_ledger_is_only_noted(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("not a folder", encoding="utf-8")
    monkeypatch.delenv("WAYWORD_LEDGER", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data")
    ran = wayword(capsys, "--store", store, "evaluate", "questions", "printed", "--resamples", "0")
    assert ran.code == 0
    assert "this run is not recorded" in ran.err


@pytest.mark.parametrize("task", ["questions", "graded", "substitutes", "comparisons", "indexers"])
def test_a_name_that_no_file_can_have_is_an_error_of_one_line(evaluate: Evaluate, task: str) -> None:
    rejected = evaluate(task, "x" * 300)
    assert (rejected.code, rejected.err.count("\n")) == (2, 1)
    assert "File name too long" in rejected.err
