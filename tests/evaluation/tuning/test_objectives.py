"""What is maximised: figures of judgements, their items, and requests that cannot be met."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.question_measures import evaluate_questions
from wayword.evaluation.agreement.questions import read_printed_questions
from wayword.evaluation.agreement.substitute_files import read_swords
from wayword.evaluation.agreement.substitute_measures import evaluate_substitutes
from wayword.evaluation.errors import GoldError, TuningError
from wayword.evaluation.tuning.evaluator import mix
from wayword.evaluation.tuning.folds import make_folds, make_splits
from wayword.evaluation.tuning.held_out import Stratum, bootstrap_strata
from wayword.evaluation.tuning.objectives import KINDS, Objective, read_objective, read_objectives

PAIRS = "".join(f"word{number}\tother{number}\t{number % 7}\n" for number in range(20))
JUDGEMENTS = """first_substitute,first_substitutee,second_substitute,second_substitutee,verdict,judge
cage,birdcage,thing,birdcage,first,ann
cage,birdcage,thing,birdcage,first,bob
pen,enclosure,cage,enclosure,same,ann
pen,enclosure,cage,enclosure,second,bob
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text(PAIRS)
    return file


@given(st.lists(st.floats(0, 1), min_size=28, max_size=28))
def test_questions_are_combo_times_sr(scores: list[float]) -> None:
    objective = read_objective("questions=printed")
    agreement = evaluate_questions(read_printed_questions(), {"m": np.array(scores).reshape(7, 4)}, resamples=0).systems[0]
    expected = agreement.measures["combo"].interval.value * agreement.measures["sr"].interval.value
    assert objective.score(np.array(scores)) == pytest.approx(expected, nan_ok=True)


def test_scores_that_follow_the_judgements_reach_the_upper_end_of_the_range(pairs: Path, tmp_path: Path) -> None:
    graded, symmetric = read_objectives([f"graded={pairs}", f"simlex={pairs}"])
    gold = np.array([item.score for item in graded.items]) / 10
    assert graded.score(gold) == graded.kind.high == 1.0
    assert graded.score(-gold) == graded.kind.low == -1.0
    both = np.stack([gold + 0.3, gold - 0.3], axis=1).ravel()
    assert symmetric.score(both) == 1.0
    file = tmp_path / "judgements.csv"
    file.write_text(JUDGEMENTS)
    comparisons = read_objective(f"comparisons={file}")
    scores = {("cage", "birdcage"): 0.9, ("thing", "birdcage"): 0.1, ("pen", "enclosure"): 0.5, ("cage", "enclosure"): 0.5}
    assert comparisons.score(np.array([scores[pair] for pair in comparisons.pairs])) == 0.75


def test_swords_is_scored_as_evaluate_substitutes_does(data: Path) -> None:
    file = data / "human" / "swords" / "swords-v1.1_dev.json.gz"
    objective = read_objective(f"swords={file}")
    scores = np.random.default_rng(0).random(len(objective.pairs)).round(1)
    expected = evaluate_substitutes(read_swords(file), {"m": scores}, resamples=0).matchers[0].measures["gap"].value
    assert objective.score(scores) == pytest.approx(expected, abs=1e-12)


def test_items_have_their_pairs(pairs: Path) -> None:
    objective = read_objective(f"simverb={pairs}")
    chosen = np.array([3, 5])
    assert [objective.pairs[place] for place in objective.select_pairs(chosen)] == objective.select(chosen).pairs
    assert objective.select_pairs(np.array([], dtype=np.intp)).size == 0


def test_a_mix_is_the_mean_by_weight() -> None:
    assert mix([(2.0, 0.5), (1.0, 0.2)]) == pytest.approx(0.4)
    assert read_objective("questions:2.5=printed").weight == 2.5


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ("hyperlx=x.txt", TuningError, "there is no objective 'hyperlx'.*did you mean hyperlex"),
        ("hyperlex", TuningError, "is not NAME=FILE"),
        ("hyperlex=", TuningError, "is not NAME=FILE"),
        ("hyperlex:0=x.txt", TuningError, "give a number above 0"),
        ("hyperlex:-1=x.txt", TuningError, "give a number above 0"),
        ("hyperlex:nan=x.txt", TuningError, "give a number above 0"),
        ("hyperlex:two=x.txt", TuningError, "give a number above 0"),
        ("hyperlex=missing.txt", GoldError, "missing.txt: cannot be read"),
        ("questions=missing.json", GoldError, "missing.json: cannot be read"),
        ("comparisons=missing.csv", GoldError, "missing.csv: cannot be read"),
    ],
)
def test_requests_that_cannot_be_met_are_rejected(request_: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_objective(request_)


def test_one_file_is_named_once_for_a_kind(pairs: Path) -> None:
    with pytest.raises(TuningError, match="named twice"):
        read_objectives([f"simlex={pairs}", f"symmetric:2={pairs}"])


@given(st.integers(2, 200), st.integers(2, 10), st.integers(0, 100))
def test_folds_are_disjoint_complete_and_even(size: int, folds: int, seed: int) -> None:
    divided = make_folds(size, folds, seed)
    assert sorted(item for fold in divided for item in fold.tolist()) == list(range(size))
    assert max(map(len, divided)) - min(map(len, divided)) <= 1


def test_a_split_never_learns_from_what_it_holds_out(pairs: Path) -> None:
    objectives = [read_objective(f"graded={pairs}"), read_objective("questions=printed")]
    known = [np.arange(20), np.array([0, 1, 2, 3, 4, 6])]
    *splits, whole = make_splits(objectives, known, 3, seed=1)
    for number in range(2):
        for split in splits:
            assert not set(split.training[number]) & set(split.held_out[number])
            assert set(split.training[number]) | set(split.held_out[number]) >= set(known[number])
    assert [each.tolist() for each in whole.training] == [each.tolist() for each in known]


@pytest.mark.parametrize(("judgements", "folds"), [([1.0, 2.0, 3.0], 4), ([1.0, 1.0, 1.0, 1.0, 2.0], 2)])
def test_an_empty_fold_is_rejected(tmp_path: Path, judgements: list[float], folds: int) -> None:
    file = tmp_path / "few.tsv"
    file.write_text("".join(f"a{number}\tb\t{score}\n" for number, score in enumerate(judgements)))
    objective = read_objective(f"graded={file}")
    with pytest.raises(TuningError, match=r"few.tsv has . items, too few for . folds.*give fewer folds"):
        make_splits([objective], [np.arange(len(judgements))], folds, seed=0)


def test_questions_that_leave_nothing_to_learn_are_rejected() -> None:
    objective = read_objective("questions=printed")
    with pytest.raises(TuningError, match="too few judgements for training"):
        make_splits([objective], [np.array([], dtype=np.intp)], 2, seed=0)


def test_intervals_contain_the_figure_and_the_gain_is_paired() -> None:
    values = np.random.default_rng(0).random(50)

    def mean(shift: float) -> Stratum:
        return Stratum(
            lambda counts: values @ counts / counts.sum(axis=0),
            lambda counts: (values + shift) @ counts / counts.sum(axis=0),
            50,
            1.0,
        )

    before, after, gain = bootstrap_strata([mean(0.1), mean(0.3)], resamples=500, seed=0)
    assert before.low < before.value < before.high
    assert after.value == pytest.approx(before.value + 0.2)
    assert gain.low == pytest.approx(0.2)
    assert gain.high == pytest.approx(0.2)
    again = bootstrap_strata([mean(0.1), mean(0.3)], resamples=500, seed=0)
    assert again == (before, after, gain)


def test_digests_tell_files_apart(pairs: Path) -> None:
    objective = read_objective(f"graded={pairs}")
    digest = objective.digest()
    pairs.write_text(PAIRS + "one\tmore\t3\n")
    assert objective.digest() != digest
    assert isinstance(Objective("questions", "printed", 1.0, ()).digest(), str)
    assert all(kind.low < kind.high for kind in KINDS.values())
