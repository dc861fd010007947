"""Comparisons are read or rejected, agreement follows its definition, and people are measured like matchers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.comparisons import (
    collect_ballots,
    compare_scores,
    evaluate_comparisons,
    find_majority,
    measure_ceiling,
)
from wayword.evaluation.agreement.judgements import (
    COLUMNS,
    VERDICTS,
    Judgement,
    Judgements,
    Verdict,
    read_judgements,
    read_substitutions,
)
from wayword.evaluation.errors import GoldError

HEADER = "first_substitute,first_substitutee,second_substitute,second_substitutee,verdict,judge"
FRUIT, PEAR, FOOD = ("fruit", "apple"), ("pear", "apple"), ("food", "apple")
SUBSTITUTIONS = st.sampled_from([FRUIT, PEAR, FOOD, ("tool", "pen")])
ANSWERS = st.lists(
    st.tuples(SUBSTITUTIONS, SUBSTITUTIONS, st.sampled_from(VERDICTS), st.sampled_from("xyz")).filter(
        lambda each: each[0] != each[1]
    ),
    min_size=1,
    max_size=15,
).map(lambda answers: tuple(Judgement(*answer) for answer in answers))


class Fixed:
    """A matcher with given scores, None for other pairs."""

    def __init__(self, scores: dict[tuple[str, str], float]) -> None:
        self.scores = scores

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        return self.scores.get((substitute, substitutee))

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        return (self(*pair) for pair in pairs)


def judge(*verdicts: Verdict) -> tuple[Judgement, ...]:
    return tuple(Judgement(FRUIT, PEAR, verdict, f"judge {number}") for number, verdict in enumerate(verdicts))


def write(path: Path, *rows: str, header: str = HEADER) -> Path:
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    return path


def test_judgements_are_read_whichever_columns_the_file_has_besides(tmp_path: Path) -> None:
    path = write(
        tmp_path / "sheets.csv",
        "1,1,Fruit,Apples,pear,Apples,first,",
        "1,2,food,apples,Fruit,apples,Second ,ann",
        "2,1,fruit,apples,food,apples,,",
        "2,2,fruit,apples,food,apples,unknown,",
        "",
        header=",".join(COLUMNS),
    )
    read = read_judgements(path)
    assert read.answered == (
        Judgement(("fruit", "apples"), ("pear", "apples"), "first", "sheet 1"),
        Judgement(("food", "apples"), ("fruit", "apples"), "second", "ann"),
    )
    assert read.left_out == {"unanswered": 1, "unknown_to_judge": 1}


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_files_of_spreadsheets_are_read(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "sheet.csv"
    rows = [HEADER, "fruit,apple,pear,apple,same,ann"]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(rows).replace(",", delimiter).encode())
    assert read_judgements(path).answered == (Judgement(FRUIT, PEAR, "same", "ann"),)


def test_a_folder_of_sheets_is_read_together(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        write(tmp_path / f"{name}.csv", f"fruit,apple,pear,apple,first,{name}")
    assert [each.judge for each in read_judgements(tmp_path).answered] == ["ann", "bob"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["fruit,apple,pear,apple,better,ann"], "sheet.csv:2: the verdict 'better' is not first, second, same or unknown"),
        (["fruit,apple,_,apple,first,ann"], "sheet.csv:2: second_substitute is empty; write a word or phrase"),
        (["fruit,apple"], "sheet.csv:2: second_substitute is empty"),
        (
            ["fruit,apple,pear,apple,same,a", "Fruit,apple,fruit, Apple,first,a"],
            "sheet.csv:3: both substitutions are 'fruit for",
        ),
        ([f"fruit,apple,{'x' * 257},apple,first,ann"], "sheet.csv:2: second_substitute has more than 256 characters"),
        (['fruit,apple,"pear,apple,first,ann'], "sheet.csv:2: unexpected end of data; quote cells"),
        (["fruit,apple,pear,apple,,ann"], "has no judgements; write first, second or same in the column verdict"),
        ([], "has no judgements"),
        (
            ["fruit,apple,pear,apple,first,ann", "pear,apple,fruit,apple,second,ann"],
            "ann compared 'fruit for apple' and 'pear for apple' twice; remove one of the rows",
        ),
    ],
)
def test_rows_that_are_no_judgements_are_rejected(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(GoldError, match=re.escape(message)) as error:
        read_judgements(write(tmp_path / "sheet.csv", *rows))
    assert "\n" not in str(error.value)


def test_files_that_are_no_sheets_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="lacks second_substitutee, verdict; add what is missing"):
        read_judgements(write(tmp_path / "a.csv", header="first_substitute,first_substitutee,second_substitute"))
    (tmp_path / "empty.csv").write_bytes(b"")
    with pytest.raises(GoldError, match="is empty; give a CSV file with the columns first_substitute"):
        read_judgements(tmp_path / "empty.csv")
    (tmp_path / "latin.csv").write_bytes(f"{HEADER}\nfruit,caf\xe9,pear,apple,same,ann".encode("latin-1"))
    with pytest.raises(GoldError, match=r"latin\.csv: cannot be read .*; give CSV in UTF-8"):
        read_judgements(tmp_path / "latin.csv")
    with pytest.raises(GoldError, match="No such file"):
        read_judgements(tmp_path / "none.csv")


def test_substitutions_to_ask_about_are_read_as_they_are_written(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.csv", "1,AC, alternating  current", "2,Fruit,Apples", header="id,substitute,substitutee")
    assert read_substitutions(path) == [("AC", "alternating current"), ("Fruit", "Apples")]
    with pytest.raises(GoldError, match=r"pairs\.csv:2: substitutee is empty"):
        read_substitutions(write(path, "1,AC,", header="id,substitute,substitutee"))


def test_a_matcher_agrees_with_the_share_of_judges_who_say_the_same() -> None:
    judgements = Judgements((*judge("first", "first", "second", "same"), Judgement(FOOD, FRUIT, "second", "judge 0")))
    fixed = Fixed({FRUIT: 0.9, PEAR: 0.2, FOOD: 0.85})
    evaluation = evaluate_comparisons(judgements, {"m": fixed})
    found = evaluation.matchers[0]
    assert found.by_comparison == (0.5, 0.0)  # fruit is better than pear, but only 0.05 better than food
    assert (found.agreement.value, found.majority.value, found.unknown) == (0.25, 0.5, 0)
    assert (evaluation.comparisons, evaluation.contested, evaluation.judges, evaluation.judgements) == (2, 1, 4, 5)
    assert evaluate_comparisons(judgements, {"m": fixed}, same=0.0).matchers[0].by_comparison == (0.5, 1.0)


def test_the_order_of_a_matcher_is_compared_with_that_of_people() -> None:
    better = [(FRUIT, FOOD), (FOOD, PEAR), (FRUIT, PEAR)]
    judgements = Judgements(tuple(Judgement(*pair, verdict="first") for pair in better))
    matchers = {"same": Fixed({FRUIT: 0.9, FOOD: 0.5}), "turned": Fixed({PEAR: 0.9, FOOD: 0.5})}
    evaluation = evaluate_comparisons(judgements, matchers, resamples=50)
    assert [each.order.value for each in evaluation.matchers] == [1, -1]
    assert [each.unknown for each in evaluation.matchers] == [1, 1]
    assert [each.value for each in evaluation.differences.differences] == [1.0]
    plain = evaluation.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert [each["substitute"] for each in plain["ranking"]["substitutions"]] == ["fruit", "food", "pear"]
    assert plain["ranking"]["prior"] is True
    assert plain["people"]["agreement"] == {"value": None, "low": None, "high": None}


def test_each_judge_is_compared_with_the_others() -> None:
    ceiling = measure_ceiling(collect_ballots(judge("first", "first", "first", "second")))
    # Each of three agrees with two of three others, and with their majority; the fourth with none.
    assert ceiling.agreement.value == pytest.approx((3 * 2 / 3 + 0) / 4)
    assert ceiling.majority.value == pytest.approx(3 / 4)


def test_comparisons_of_one_judge_say_nothing_about_people() -> None:
    ceiling = measure_ceiling(collect_ballots(judge("first")))
    assert isnan(ceiling.agreement.value)
    assert isnan(ceiling.majority.value)


def test_scores_a_tenth_apart_are_as_good_in_decimals() -> None:
    assert compare_scores(0.8, 0.7) == compare_scores(0.7, 0.8) == compare_scores(0.3, 0.2) == 0
    assert compare_scores(0.81, 0.7) == 1
    assert compare_scores(0.0, 0.11) == -1


@given(ANSWERS)
def test_which_substitution_is_shown_first_changes_nothing(answers: tuple[Judgement, ...]) -> None:
    turned_verdict: dict[Verdict, Verdict] = {"first": "second", "second": "first", "same": "same"}
    turned = tuple(Judgement(each.second, each.first, turned_verdict[each.verdict], each.judge) for each in answers)
    assert collect_ballots(turned) == collect_ballots(answers)


@given(ANSWERS, st.dictionaries(SUBSTITUTIONS, st.floats(0, 1)))
def test_agreement_is_a_share_and_no_higher_than_that_of_the_best_answers(
    answers: tuple[Judgement, ...], scores: dict[tuple[str, str], float]
) -> None:
    evaluation = evaluate_comparisons(Judgements(answers), {"m": Fixed(scores)})
    ballots = collect_ballots(answers)
    best = sum(max(ballot.share(sign) for sign in (-1, 0, 1)) for ballot in ballots) / len(ballots)
    assert 0 <= evaluation.matchers[0].agreement.value <= best + 1e-12
    assert evaluation.without_majority == sum(find_majority(ballot.signs) is None for ballot in ballots)


@given(st.integers(2, 6), st.sampled_from(VERDICTS))
def test_judges_who_all_say_the_same_agree_completely(count: int, verdict: Verdict) -> None:
    ceiling = measure_ceiling(collect_ballots(judge(*[verdict] * count)))
    assert ceiling.agreement.value == ceiling.majority.value == 1
