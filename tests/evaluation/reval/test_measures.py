"""The two equations of the paper: its examples, and properties for any lists and thesaurus, alone and in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.thesaurus import Thesaurus
from wayword.evaluation.reval import batch_measures
from wayword.evaluation.reval.batch_measures import evaluate, judge_pairs
from wayword.evaluation.reval.measures import Weights, hit_ratio, reval_hit_ratio, weight

NAMES = [f"#{letter}" for letter in "abcdefgh"]
ALL_WEIGHTS: tuple[Weights, ...] = ("none", "reciprocal", "logarithmic", "linear")
SPORTS = {
    "#hockey": ["#bowling", "#golf", "#sport"],
    "#championship": ["#champion", "#winner", "#tournament"],
    "#football": ["#soccer", "#footy", "#rugby"],
    "#sport": ["#sports", "#exercise", "#keeepfit"],
    "#swim": ["#dive", "#paddle", "#sport"],
    "#exercise": ["#keeepfit", "#yoga", "#walking"],
}


def thesaurus_of(synonyms: Mapping[str, Sequence[str]]) -> Thesaurus:
    names = list(dict.fromkeys([*synonyms, *(each for some in synonyms.values() for each in some)]))
    lists = [[names.index(each) for each in synonyms.get(name, ())] for name in names]
    ends = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    flat = np.array([each for some in lists for each in some], np.int64)
    return Thesaurus(names, ends, flat, np.linspace(0.1, 0.9, len(flat)))


@st.composite
def thesauri(draw: st.DrawFn) -> Thesaurus:
    known = draw(st.lists(st.sampled_from(NAMES[:-2]), unique=True))
    return thesaurus_of({name: [each for each in draw(st.permutations(known)) if each != name] for name in known})


hashtag_lists = st.lists(st.sampled_from([*NAMES, "#A", "B", " #c ", "#", ""]), max_size=6)
weightings = st.sampled_from(ALL_WEIGHTS)
numbers = st.integers(0, 9)


@pytest.mark.parametrize(
    ("recommended", "gold", "ratio"),
    [
        ({"#hockey", "#championship"}, {"#football", "#sport"}, 1 / 2),
        ({"#football", "#sport"}, {"#hockey", "#sports"}, 1 / 2),
        ({"#hockey"}, {"#football", "#rugby"}, 0.0),
        ({"#swim", "#exercise"}, {"#sport"}, 1.0),
    ],
)
def test_ratios_of_table_2_are_reproduced(recommended: set[str], gold: set[str], ratio: float) -> None:
    assert reval_hit_ratio(recommended, gold, thesaurus_of(SPORTS), 3) == ratio
    assert hit_ratio(recommended, gold) == 0.0


def test_hits_are_counted_in_the_smaller_set() -> None:
    """Two gold synonyms of one recommended hashtag are one hit if fewer hashtags are recommended, two if more are."""
    both = thesaurus_of({"#a": ["#b", "#c"], "#d": []})
    assert reval_hit_ratio(["#a"], ["#b", "#c"], both, 2) == 1.0
    assert reval_hit_ratio(["#a", "#d"], ["#b", "#c"], both, 2) == 0.5  # equal sizes: the recommended ones are counted
    assert reval_hit_ratio(["#a", "#d", "#e"], ["#b", "#c"], both, 2) == 1.0
    assert reval_hit_ratio(["#a", "#d"], ["#b"], both, 1) == 1.0
    assert reval_hit_ratio(["#b"], ["#a"], both, 2) == 0.0  # only recommended hashtags have synonyms


def test_a_hit_is_weighted_by_its_best_synonym() -> None:
    one = thesaurus_of({"#a": ["#b", "#c"], "#d": ["#c"]})
    assert reval_hit_ratio(["#a"], ["#c", "#b"], one, 2, "reciprocal") == 1 / 2
    assert reval_hit_ratio(["#a", "#d"], ["#c"], one, 2, "reciprocal") == 1 / 2
    assert reval_hit_ratio(["#a"], ["#c"], one, 2, "linear") == 1 - 2 / 3
    assert reval_hit_ratio(["#a"], ["#c"], one, 2, "logarithmic") == 1 / 2
    assert reval_hit_ratio(["#a"], ["#a"], one, 2, "linear") == 1.0


@given(thesauri(), hashtag_lists, hashtag_lists, weightings)
def test_reval_hit_ratio_without_synonyms_is_the_hit_ratio(
    synonyms: Thesaurus, r: list[str], g: list[str], weights: Weights
) -> None:
    assert reval_hit_ratio(r, g, synonyms, 0, weights) == hit_ratio(r, g)


@given(thesauri(), hashtag_lists, hashtag_lists, weightings)
def test_reval_hit_ratio_grows_with_k_from_0_to_1(synonyms: Thesaurus, r: list[str], g: list[str], weights: Weights) -> None:
    found = [reval_hit_ratio(r, g, synonyms, k, weights) for k in range(9)]
    ratios = [each for each in found if each is not None]
    assert len(ratios) in (0, 9)
    assert ratios == sorted(ratios)
    assert all(0 <= each <= 1 for each in ratios)


@given(thesauri(), hashtag_lists, hashtag_lists, numbers, weightings)
def test_order_and_duplicates_do_not_matter(synonyms: Thesaurus, r: list[str], g: list[str], k: int, weights: Weights) -> None:
    changed = [list(reversed(each)) + each for each in (r, g)]
    assert reval_hit_ratio(changed[0], changed[1], synonyms, k, weights) == reval_hit_ratio(r, g, synonyms, k, weights)


@given(hashtag_lists, hashtag_lists)
def test_hit_ratio_with_an_empty_set_is_none(r: list[str], g: list[str]) -> None:
    sets = [[each for each in some if each.strip("# ")] for some in (r, g)]
    assert (hit_ratio(r, g) is None) == (not sets[0] or not sets[1])


@given(numbers, st.integers(0, 9), weightings)
def test_weights_fall_with_the_rank_from_1(rank: int, k: int, weights: Weights) -> None:
    k = max(rank, k)
    assert 0 < weight(rank, k, weights) <= 1 == weight(0, k, weights)
    assert weight(rank, k, weights) >= weight(rank + 1, k, weights)


@given(
    thesauri(),
    st.lists(st.tuples(hashtag_lists, hashtag_lists), max_size=12),
    st.lists(numbers, max_size=4),
    weightings,
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_batches_give_the_ratios_of_single_pairs(
    synonyms: Thesaurus, pairs: list[tuple[list[str], list[str]]], ks: list[int], weights: Weights, batch: int, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_measures, "BATCH_PAIRS", batch)
        patch.setattr(batch_measures, "BLOCK", block)
        judged = list(judge_pairs(iter(pairs), synonyms, ks, weights))
        found = evaluate(iter(pairs), synonyms, ks, weights)
    hits = [each for some in judged for each in some.hit_ratio.tolist()]
    assert hits == pytest.approx([_or_nan(hit_ratio(*pair)) for pair in pairs], abs=1e-12, nan_ok=True)
    for index, k in enumerate(ks):
        plain = [_or_nan(reval_hit_ratio(*pair, synonyms, k, weights)) for pair in pairs]
        assert [each for some in judged for each in some.reval_hit_ratios[index].tolist()] == pytest.approx(
            plain, abs=1e-12, nan_ok=True
        )
        defined = [each for each in plain if each == each]
        assert found[index].k == k
        assert found[index].pairs == len(defined)
        assert found[index].pairs + sum(found[index].left_out.values()) == len(pairs)
        assert found[index].reval_hit_ratio == (pytest.approx(sum(defined) / len(defined)) if defined else None)


def _or_nan(ratio: float | None) -> float:
    return float("nan") if ratio is None else ratio
