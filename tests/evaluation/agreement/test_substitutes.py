"""GAP, precision and recall of rankings equal their definitions, ties have the expected value, and SWORDS is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise, permutations
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.substitute_files import Target, Targets, read_swords
from wayword.evaluation.agreement.substitute_measures import (
    MEASURES,
    evaluate_substitutes,
    generalised_average_precision,
    list_pairs,
    precision_at,
    rank_weights,
    recall_at,
    right_in_top,
)
from wayword.evaluation.errors import GoldError

WEIGHTS = st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.5, 1.0]), min_size=1, max_size=6).filter(any)


def literal_gap(weights: list[float]) -> float:
    """The definition, for a ranking without ties."""

    def cumulate(ordered: list[float]) -> float:
        return sum(sum(ordered[: i + 1]) / (i + 1) for i in range(len(ordered)) if ordered[i] > 0)

    return cumulate(weights) / cumulate(sorted(weights, reverse=True))


def literal_right(weights: list[float], k: int) -> int:
    return sum(weight > 0 for weight in weights[:k])


@given(WEIGHTS)
def test_gap_equals_its_definition(weights: list[float]) -> None:
    assert generalised_average_precision([[weight] for weight in weights]) == pytest.approx(literal_gap(weights))


@given(WEIGHTS, st.data())
def test_ties_have_the_mean_over_all_their_orders(weights: list[float], data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.sampled_from([0.0, 0.5]), min_size=len(weights), max_size=len(weights)))
    ranking = rank_weights(weights, scores)
    orders = [
        [weights[index] for index in order]
        for order in permutations(range(len(weights)))
        if all(scores[one] >= scores[other] for one, other in pairwise(order))
    ]
    assert generalised_average_precision(ranking) == pytest.approx(np.mean([literal_gap(order) for order in orders]))
    for k in (1, 3):
        assert right_in_top(ranking, k) == pytest.approx(np.mean([literal_right(order, k) for order in orders]))


@given(WEIGHTS)
def test_the_best_ranking_scores_1_and_none_scores_more(weights: list[float]) -> None:
    assert generalised_average_precision(rank_weights(weights, weights)) == pytest.approx(1.0)
    assert 0.0 < generalised_average_precision([weights]) <= 1.0 + 1e-12


def test_precision_and_recall_of_a_short_ranking() -> None:
    ranking = [[0.5], [0.0]]
    assert precision_at(ranking, 3) == 0.5
    assert recall_at(ranking, 10) == 1.0
    assert recall_at([[0.5, 1.0], [0.1]], 1) == pytest.approx(1 / 3)


GOLD = Targets((Target("fast", ("quick", "slow"), (1.0, 0.0)), Target("total", ("sum", "all", "loss"), (0.6, 0.2, 0.0))), {})


def test_matchers_are_measured_compared_and_ranked() -> None:
    assert list_pairs(GOLD.targets)[:2] == [("quick", "fast"), ("slow", "fast")]
    right, wrong = np.array([1.0, 0.0, 0.9, 0.5, 0.1]), np.array([0.0, 1.0, 0.1, 0.5, nan])
    found = evaluate_substitutes(GOLD, {"right": right, "wrong": wrong}, resamples=100)
    assert (found.targets, found.substitutes) == (2, 5)
    assert [found.matchers[0].measures[name].value for name in MEASURES] == pytest.approx([1.0, 1.0, (1 / 2 + 2 / 3) / 2, 1.0])
    assert found.matchers[1].unknown == 1
    first = found.comparison.differences[0]
    assert (first.measure, first.first, first.second, first.p) == ("gap", "right", "wrong", 0.5)
    assert [each.system for each in found.comparison.rankings["gap"]] == ["right", "wrong"]
    assert list(found.to_dict()["matchers"][0]) == ["matcher", *MEASURES, "unknown"]


def test_without_resamples_there_are_no_tests() -> None:
    scores = np.zeros(5)
    found = evaluate_substitutes(GOLD, {"a": scores, "b": scores}, resamples=0)
    assert {each.to_dict()["p"] for each in found.comparison.differences} == {None}


def test_swords_is_read_whole(data: Path) -> None:
    gold = read_swords(data / "human" / "swords" / "swords-v1.1_dev.json.gz")
    assert len(gold.targets) == 370
    assert gold.left_out == {"substitute_is_target": 5, "overlong_substitute": 1}
    assert sum(len(target.substitutes) for target in gold.targets) == 22_978 - 6
    total = next(target for target in gold.targets if target.word == "total" and "sum total" in target.substitutes)
    weights = dict(zip(total.substitutes, total.weights, strict=True))
    assert (weights["all"], weights["amount"], weights["sum total"]) == (0.0, 0.8, 0.6)


def swords(change: Callable[[dict[str, Any]], object] = lambda _: None) -> str:
    content = {
        "targets": {"t1": {"target": "fast"}, "t2": {"target": "total"}},
        "substitutes": {
            "s1": {"target_id": "t1", "substitute": "quick"},
            "s2": {"target_id": "t1", "substitute": "Fast"},
            "s3": {"target_id": "t2", "substitute": "loss"},
        },
        "substitute_labels": {"s1": ["TRUE", "TRUE_IMPLICIT", "UNSURE", "FALSE"], "s2": ["TRUE"], "s3": ["FALSE"]},
    }
    change(content)
    return json.dumps(content)


def test_substitutes_that_are_the_target_and_targets_without_accepted_ones_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "swords.json"
    file.write_text(swords(), encoding="utf-8")
    assert read_swords(file) == Targets(
        (Target("fast", ("quick",), (0.5,)),), {"substitute_is_target": 1, "no_accepted_substitute": 1}
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "there are no targets, substitutes and substitute_labels"),
        (swords(lambda c: c["substitutes"]["s1"].update(target_id="t9")), "substitute 's1': there is no target 't9'"),
        (swords(lambda c: c["substitutes"]["s1"].update(substitute="")), "substitute 's1': the substitute is ''"),
        (swords(lambda c: c["substitute_labels"].pop("s1")), "substitute 's1': the labels are None"),
        (swords(lambda c: c["substitute_labels"].update(s1=["YES"])), "the labels are ['YES']"),
        (swords(lambda c: c["targets"].update(t1=3)), "target 't1': the target is None"),
        (swords(lambda c: c["substitute_labels"].update(s1=["FALSE"])), "no target has an accepted substitute"),
    ],
)
def test_files_that_are_not_swords_are_an_error_of_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "swords.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(GoldError) as raised:
        read_swords(file)
    assert message in str(raised.value)
