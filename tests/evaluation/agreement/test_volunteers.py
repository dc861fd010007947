"""Single answers are read or rejected, add up to questions, and measure people as systems are measured (5.1)."""

from __future__ import annotations

import re
from collections import Counter
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.question_measures import evaluate_questions
from wayword.evaluation.agreement.questions import Question
from wayword.evaluation.agreement.volunteers import (
    COLUMNS,
    Answer,
    collect_questions,
    make_question_sheets,
    measure_volunteers,
    read_answers,
    read_question_phrases,
)
from wayword.evaluation.errors import GoldError, SheetsImpossible

MARKS = st.tuples(*[st.sampled_from([1, 0, -1])] * 4).filter(any)
APPLES = ["food", "fruit", "pear", "vegetables"]


def answer(volunteer: str, marks: tuple[int, ...], substitutee: str = "apples") -> Answer:
    return Answer(substitutee, dict(zip(APPLES, marks, strict=True)), volunteer)


def write(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([",".join(COLUMNS), *rows]), encoding="utf-8")
    return path


def test_the_example_of_the_thesis_is_read_whatever_the_order_of_substitutes(tmp_path: Path) -> None:
    """Figure 4.1: Fruit is circled, Pear and Vegetables are crossed out."""
    path = write(
        tmp_path / "answers.csv",
        "1,1,APPLES,Food,Vegetables,Pear,Fruit,,bad,Bad,good,,",
        "2,1,apples,Fruit,Pear,Food,Vegetables,good,,,,,ann",
        "3,1,apples,Fruit,Pear,Food,Vegetables,,,,,,",
        "4,1,apples,Fruit,Pear,Food,Vegetables,good,,,,x,",
    )
    read = read_answers(path)
    assert read.answered == (answer("sheet 1", (0, 1, -1, -1)), answer("ann", (0, 1, 0, 0)))
    assert read.left_out == {"unanswered": 1, "unknown_to_judge": 1}
    assert collect_questions(read.answered) == [Question("apples", "apples", 2, tuple(APPLES), (0, 2, -1, -1))]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1,1,apples,a,b,c,A,good,,,,,"], "answers.csv:2: a substitute occurs twice; give four different ones"),
        (["1,1,apples,a,b,c,d,best,,,,,"], "answers.csv:2: the mark 'best' is neither good nor bad"),
        (["1,1,apples,a,b,c,,good,,,,,"], "answers.csv:2: substitute_4 is empty"),
        ([",1,apples,a,b,c,d,good,,,,,"], "answers.csv:2: judge and sheet are both empty; name the volunteer"),
        (["1,1,apples,a,b,c,d,good,,,,,", "1,2,apples,d,c,b,a,,,,good,,"], "sheet 1 answered 'apples' before"),
        (["1,1,apples,a,b,c,d,,,,,,"], "has no answers; write good or bad in the columns mark_1"),
    ],
)
def test_rows_that_are_no_answers_are_rejected(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(GoldError, match=re.escape(message)):
        read_answers(write(tmp_path / "answers.csv", *rows))


def test_volunteers_are_measured_as_a_system_with_their_implied_scores_would_be() -> None:
    """Each volunteer against the two others, by the evaluation of systems."""
    marks = [(0, 1, -1, -1), (0, 1, 0, -1), (1, 1, -1, 0)]
    answers = [answer(f"sheet {number}", each) for number, each in enumerate(marks)]
    found = measure_volunteers(answers, resamples=0)
    implied = {1: 0.8, 0: 0.4, -1: 0.0}
    for measure in ("gs", "bs", "sr"):
        values = []
        for index, own in enumerate(marks):
            others = collect_questions(answers[:index] + answers[index + 1 :])
            scores = np.array([[implied[mark] for mark in own]])
            values.append(evaluate_questions(others, {"own": scores}, resamples=0).systems[0].measures[measure].interval.value)
        assert found[measure].interval.value == pytest.approx(np.nanmean(values))
    assert found["combo"].interval.value == pytest.approx(2 / (1 / found["gs"].interval.value + 1 / found["bs"].interval.value))


def test_volunteers_who_never_cross_out_do_not_count_for_bad_substitutes() -> None:
    answers = [answer("ann", (0, 1, -1, -1)), answer("bob", (0, 1, -1, -1)), answer("eve", (0, 1, 0, 0))]
    found = measure_volunteers(answers, resamples=0)
    assert (found["bs"].interval.value, found["bs"].questions) == (1, 2)
    assert found["gs"].questions == 3


def test_questions_that_one_volunteer_answered_do_not_count() -> None:
    found = measure_volunteers([answer("ann", (0, 1, -1, -1)), answer("ann", (1, 0, 0, 0), "pears")], resamples=0)
    assert all(isnan(each.interval.value) and each.questions == 0 for each in found.values())


@given(MARKS.filter(lambda marks: sorted(marks) == [-1, -1, 0, 1]), st.integers(2, 5))
def test_volunteers_who_all_say_the_same_agree_completely(marks: tuple[int, ...], count: int) -> None:
    found = measure_volunteers([answer(f"sheet {number}", marks) for number in range(count)], resamples=0)
    assert {name: each.interval.value for name, each in found.items()} == dict.fromkeys(("cw", "gs", "bs", "combo", "sr"), 1)


@given(st.lists(MARKS, min_size=2, max_size=6))
def test_agreement_is_a_share_and_the_order_of_answers_changes_nothing(marks: list[tuple[int, ...]]) -> None:
    answers = [answer(f"sheet {number}", each) for number, each in enumerate(marks)]
    first, second = (measure_volunteers(each, resamples=0) for each in (answers, answers[::-1]))
    for name, measured in first.items():
        value = measured.interval.value
        assert isnan(value) or 0 <= value <= 1
        assert second[name].interval.value == pytest.approx(value, nan_ok=True)


def test_question_sheets_are_balanced_shuffled_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    header = "substitutee,substitute_1,substitute_2,substitute_3,substitute_4"
    path.write_text("\n".join([header, *(f"word {n},a,b,c,d" for n in range(7))]), encoding="utf-8")
    questions = read_question_phrases(path)
    rows = list(make_question_sheets(questions, sheets=5, per_sheet=4, seed=3))
    assert rows == list(make_question_sheets(questions, sheets=5, per_sheet=4, seed=3))
    assert rows != list(make_question_sheets(questions, sheets=5, per_sheet=4, seed=4))
    asked = Counter(row[2] for row in rows)
    assert max(asked.values()) - min(asked.values()) <= 1
    assert len({(row[0], row[2]) for row in rows}) == len(rows) == 20
    assert len({row[3:7] for row in rows}) > 5
    filled = (",".join(map(str, (*row[:7], "good", "", "", "bad", "", ""))) for row in rows)
    assert [each.substitutee for each in read_answers(write(tmp_path / "answers.csv", *filled)).answered] == [
        row[2] for row in rows
    ]
    with pytest.raises(SheetsImpossible, match="8 questions on a sheet are more than the 7 in the file"):
        list(make_question_sheets(questions, sheets=1, per_sheet=8))
