"""Questions and scores are read or rejected in one line, and the measures of chapter 4 come out exactly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.question_measures import MEASURES, QuestionAgreement, Volunteers, evaluate_questions
from wayword.evaluation.agreement.question_scores import read_scores
from wayword.evaluation.agreement.questions import Question, read_printed_questions, read_questions
from wayword.evaluation.errors import GoldError, ScoresInvalid

PRINTED = {question.id: question for question in read_printed_questions()}


def measure(question: Question, *scores: float) -> dict[str, float]:
    """Return the measures of one question; a system agrees with itself alone."""
    found = evaluate_questions([question], {"system": np.array([scores])}, resamples=0)
    return {name: each.interval.value for name, each in found.systems[0].measures.items()}


def test_clear_winner_of_tables_4_3_and_4_5() -> None:
    question = PRINTED["alternating-current"]
    assert measure(question, 0.5, 1.0, 0.0, 0.3)["cw"] == 1.0
    assert measure(question, 0.7, 0.9, 0.0, 0.3)["cw"] == 0.0
    assert isnan(measure(PRINTED["bright"], 0.0, 0.4, 0.0, 0.7)["cw"])  # table 4.4: two substitutes are above two thirds


def test_good_substitutes_of_table_4_6() -> None:
    assert measure(PRINTED["bright"], 0.0, 0.4, 0.0, 0.7)["gs"] == 0.5


def test_bad_substitutes_of_table_4_8() -> None:
    assert measure(PRINTED["fast"], 0.85, 0.0, 0.15, 0.03)["bs"] == 2 / 3


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0.4, 0.8, 0.0, 0.0), (1.0, 1.0, 1.0)),
        ((0.3, 0.7, 0.2, 0.0), (1.0, 0.5, 0.67)),
        ((0.1, 0.1, 0.0, 0.0), (0.0, 1.0, 0.0)),
    ],
    ids=["X", "Y", "Z"],
)
def test_combo_of_table_4_9(scores: tuple[float, ...], expected: tuple[float, ...]) -> None:
    found = measure(PRINTED["watermelon"], *scores)
    assert tuple(round(found[name], 2) for name in ("gs", "bs", "combo")) == expected


def test_substitute_ranking_of_table_4_11() -> None:
    question = PRINTED["approximate"]
    assert measure(question, 0.07, 0.9, 0.0, 0.1)["sr"] == 1.0
    assert measure(question, 0.7, 0.6, 0.9, 0.5)["sr"] == 0.0


def test_a_difference_of_a_tenth_is_equal_although_it_is_more_in_binary() -> None:
    """Table 4.10, system X: 0.8 and 0.7 are equal, the volunteers' scores of the two are not."""
    assert 0.8 - 0.7 > 0.1 or 0.7 < 0.8 - 0.1
    assert measure(PRINTED["violin"], 0.0, 0.8, 0.7, 0.2)["sr"] == 5 / 6


CHECKS = Path("checks") / "agreement"


def expected_value(entry: Mapping[str, Any] | None) -> float:
    return nan if entry is None else float(Fraction(entry["exact"]))


def assert_equal(found: QuestionAgreement, expected: Mapping[str, Mapping[str, Any]]) -> None:
    for system in found.systems:
        wanted = expected[system.system]
        assert system.missing_scores == wanted["missing_scores"]
        for name in MEASURES:
            measured = system.measures[name]
            value = expected_value(wanted["metrics"][name]["value"])
            assert measured.interval.value == pytest.approx(value, abs=1e-12, nan_ok=True), (system.system, name)
            assert measured.questions == wanted["metrics"][name].get("questions", measured.questions)


def assert_each_equal(
    questions: Sequence[Question], scores: Any, expected: Mapping[str, Mapping[str, Any]], system: str
) -> None:
    judged = Volunteers(questions).judge(np.nan_to_num(scores, nan=0.0))
    for row, question in enumerate(questions):
        for name, value in expected[system]["per_question"][question.id].items():
            found = float(judged[name][row])
            assert found == pytest.approx(expected_value(value), abs=1e-12, nan_ok=True), (system, question.id, name)


def test_the_independent_results_for_invented_questions_are_reproduced(data: Path) -> None:
    folder = data / CHECKS
    expected = json.loads((folder / "invented_expected.json").read_text(encoding="utf-8"))
    questions = read_questions(folder / "invented_questions.json")
    systems = read_scores(folder / "invented_systems.json", questions)
    found = evaluate_questions(questions, systems, resamples=0)
    assert {"all": found.questions, **found.subsets} == expected["subsets"]
    assert {each.system for each in found.systems} == set(expected["systems"])
    assert_equal(found, expected["systems"])
    for system, scores in systems.items():
        assert_each_equal(questions, scores, expected["systems"], system)


def test_the_independent_results_for_printed_questions_are_reproduced(data: Path) -> None:
    folder = data / CHECKS
    expected = json.loads((folder / "printed_expected.json").read_text(encoding="utf-8"))
    questions = read_questions(folder / "printed_questions.json")
    assert questions == read_printed_questions()
    systems = read_scores(folder / "printed_systems.json", questions)
    subsets = evaluate_questions(questions, systems, resamples=0).subsets
    assert {"all": len(questions), **subsets} == expected["subsets_of_all_seven"]
    results = expected["systems_on_their_own_questions"]
    assert set(systems) == set(results)
    for system, scores in systems.items():
        own = [row for row in range(len(questions)) if not np.isnan(scores[row]).all()]  # A7
        chosen = [questions[row] for row in own]
        assert_equal(evaluate_questions(chosen, {system: scores[own]}, resamples=0), results)
        assert_each_equal(chosen, scores[own], results, system)


SCORES = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[list[Question], Any]:
    questions, rows = [], []
    for number in range(draw(st.integers(1, 6))):
        coverage = draw(st.integers(1, 20))
        scores = tuple(draw(st.lists(st.integers(-coverage, coverage), min_size=4, max_size=4)))
        questions.append(Question(str(number), "phrase", coverage, ("a", "b", "c", "d"), scores))
        rows.append(draw(st.lists(SCORES, min_size=4, max_size=4)))
    return questions, np.array(rows)


@given(sheets(), st.randoms())
def test_the_order_of_questions_and_of_substitutes_changes_nothing(sheet: tuple[list[Question], Any], random: Any) -> None:
    questions, scores = sheet
    rows, columns = list(range(len(questions))), list(range(4))
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = [
        Question(each.id, each.substitutee, each.coverage, each.substitutes, tuple(each.scores[column] for column in columns))
        for each in (questions[row] for row in rows)
    ]
    before = evaluate_questions(questions, {"s": scores}, resamples=0).systems[0].measures
    after = evaluate_questions(shuffled, {"s": scores[rows][:, columns]}, resamples=0).systems[0].measures
    for name in MEASURES:
        assert after[name].interval.value == pytest.approx(before[name].interval.value, abs=1e-12, nan_ok=True)
        assert after[name].questions == before[name].questions


@given(sheets())
def test_measures_lie_between_0_and_1_and_so_do_their_intervals(sheet: tuple[list[Question], Any]) -> None:
    questions, scores = sheet
    for name, each in evaluate_questions(questions, {"s": scores}, resamples=20).systems[0].measures.items():
        interval = each.interval
        if name != "combo":  # which has no value either if only one of GS and BS has none
            assert isnan(interval.value) == (each.questions == 0)
        if not isnan(interval.low):
            assert 0.0 <= interval.low <= interval.high <= 1.0
            assert 0.0 <= interval.value <= 1.0


@given(sheets())
def test_a_system_that_is_right_scores_1(sheet: tuple[list[Question], Any]) -> None:
    questions, _ = sheet
    # A score above two thirds for what is on top, from one half for what is good, below a tenth for what is bad.
    volunteers = Volunteers(questions)
    scores = np.select([volunteers.top, volunteers.good, volunteers.bad], [0.9, 0.6, 0.0], 0.3)
    measures = evaluate_questions(questions, {"right": scores}, resamples=0).systems[0].measures
    for name in ("cw", "gs", "bs", "combo"):
        assert measures[name].interval.value == 1.0 or isnan(measures[name].interval.value)


def test_a_question_whose_scores_are_evenly_spread_is_ranked_by_its_own_scores() -> None:
    question = Question("q", "phrase", 10, ("a", "b", "c", "d"), (-9, -3, 3, 9))
    assert measure(question, 0.05, 0.35, 0.55, 0.95)["sr"] == 1.0
    assert measure(question, 0.95, 0.55, 0.35, 0.05)["sr"] == 0.0


def test_missing_scores_count_as_0_and_a_subset_leaves_their_questions_out() -> None:
    questions = [PRINTED["fast"], PRINTED["bright"]]
    scores = np.array([[0.85, nan, nan, nan], [0.0, 0.4, 0.0, 0.7]])
    (system,) = evaluate_questions(questions, {"s": scores}, resamples=0).systems
    assert system.missing_scores == 3
    assert system.measures["gs"].interval.value == 0.75
    assert system.known is not None
    assert system.known["gs"].interval.value == 0.5
    assert system.known["gs"].questions == 1


def test_measures_that_apply_to_no_question_have_no_value() -> None:
    question = Question("q", "phrase", 10, ("a", "b", "c", "d"), (0, 0, 0, 0))
    (system,) = evaluate_questions([question], {"s": np.zeros((1, 4))}, resamples=10).systems
    expected = {"value": None, "low": None, "high": None, "questions": 0}
    assert [system.to_dict()[name] for name in ("cw", "gs", "bs", "combo")] == [expected] * 4


def test_combo_is_0_if_both_means_are_0() -> None:
    assert measure(PRINTED["watermelon"], 0.2, 0.2, 0.2, 0.2)["combo"] == 0.0


def test_systems_are_compared_by_permutation_tests() -> None:
    questions = [Question(str(n), "phrase", 10, ("a", "b", "c", "d"), (-9, -3, 3, 9)) for n in range(12)]
    right, wrong = np.tile([0.05, 0.35, 0.55, 0.95], (12, 1)), np.tile([0.95, 0.55, 0.35, 0.05], (12, 1))
    found = evaluate_questions(questions, {"right": right, "wrong": wrong, "also right": right}, resamples=5000)
    by_pair = {(each.measure, each.first, each.second): each for each in found.comparison.differences}
    for name in MEASURES:
        assert by_pair[name, "right", "wrong"].p == 2 / 2**12
        assert by_pair[name, "right", "wrong"].p_holm == 6 / 2**12
        assert by_pair[name, "right", "also right"].p == 1.0
    ranking = [(each.system, each.rank, each.last_rank) for each in found.comparison.rankings["sr"]]
    assert ranking == [("right", 1, 2), ("also right", 1, 2), ("wrong", 3, 3)]


def spoil(change: Callable[[dict[str, Any]], object]) -> str:
    question = {
        "id": "q1",
        "substitutee": "fast",
        "coverage": 10,
        "substitutes": [{"substitute": name, "score": 1} for name in "abcd"],
    }
    change(question)
    return json.dumps({"format": "agreement-questions/1", "questions": [question]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r":1: is not JSON"),
        ("[]", "has no JSON object"),
        ('{"format": "other"}', "the format is 'other'"),
        ('{"format": "agreement-questions/1", "questions": []}', "there are no questions"),
        ('{"format": "agreement-questions/1", "questions": [3]}', "question 1: 3 is not an object"),
        (spoil(lambda q: q["substitutes"].pop()), "question 'q1': there are 3 substitutes; give a list of four"),
        (spoil(lambda q: q.update(substitutes=None)), "question 'q1': there are no substitutes"),
        (spoil(lambda q: q.update(coverage=0)), "the coverage is 0; give a whole number above 0"),
        (spoil(lambda q: q.update(id=" ")), "question 1: the id is ' '; give a text"),
        (spoil(lambda q: q["substitutes"][0].update(score=11)), "the score of 'a' is 11; give a whole number from -10 to 10"),
        (spoil(lambda q: q["substitutes"][0].update(score=0.5)), "the score of 'a' is 0.5"),
        (spoil(lambda q: q["substitutes"][0].update(score=True)), "the score of 'a' is True"),
        (spoil(lambda q: q["substitutes"][0].update(substitute="b")), "the substitute 'b' occurs twice"),
        (spoil(lambda q: q["substitutes"].insert(0, "a") or q["substitutes"].pop()), "'a' is not an object with substitute"),
    ],
)
def test_invalid_questions_are_an_error_of_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "questions.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(GoldError) as raised:
        read_questions(file)
    assert message in str(raised.value)
    assert str(file) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_questions_with_one_id_are_an_error(tmp_path: Path) -> None:
    content = json.loads(spoil(lambda _: None))
    content["questions"] *= 2
    file = tmp_path / "questions.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(GoldError, match="the id 'q1' occurs twice"):
        read_questions(file)


def write_scores(folder: Path, value: object) -> Path:
    file = folder / "scores.json"
    file.write_text(json.dumps({"format": "agreement-scores/1", "systems": value}), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({}, "there are no systems"),
        ([], "the format is"),
        ({"A": []}, "system 'A': [] is not an object"),
        ({"A": {"slow": [0, 0, 0, 0]}}, "system 'A': there is no question 'slow'"),
        ({"A": {"fast": [0, 0, 0]}}, "question 'fast': give a list of four scores"),
        ({"A": {"fast": [0, 0, 0, 1.5]}}, "1.5 is not a score; give a number from 0 to 1"),
        ({"A": {"fast": [0, 0, 0, -0.1]}}, "-0.1 is not a score"),
        ({"A": {"fast": [0, 0, 0, nan]}}, "nan is not a score"),
        ({"A": {"fast": [0, 0, 0, "1"]}}, "'1' is not a score"),
    ],
)
def test_invalid_scores_are_an_error_of_one_line(tmp_path: Path, systems: object, message: str) -> None:
    with pytest.raises(ScoresInvalid) as raised:
        read_scores(write_scores(tmp_path, systems), [PRINTED["fast"]])
    assert message in str(raised.value)


def test_rows_of_csv_are_found_by_their_phrases(tmp_path: Path) -> None:
    file = tmp_path / "scored.csv"
    file.write_text("substitute,substitutee,A,B\nquick,Fast,0.85,1\nBIG,fast,0.15,\nother,pair,9,9\n", encoding="utf-8")
    found = read_scores(file, [PRINTED["fast"]])
    assert list(found) == ["A", "B"]
    np.testing.assert_array_equal(found["A"], [[0.85, nan, 0.15, nan]])
    np.testing.assert_array_equal(found["B"], [[1.0, nan, nan, nan]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n1,2,3\n", "the columns are 'a, b, c'"),
        ("substitute,substitutee\nquick,fast\n", "the columns are"),
        ("substitute,substitutee,A\nquick,fast,much\n", ":2, system 'A': 'much' is not a score"),
        ("substitute,substitutee,A\nquick,rapid,1\n", "no row has the phrases of a question"),
    ],
)
def test_invalid_csv_is_an_error_of_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ScoresInvalid) as raised:
        read_scores(file, [PRINTED["fast"]])
    assert message in str(raised.value)
