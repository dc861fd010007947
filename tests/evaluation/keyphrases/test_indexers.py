"""Consistency of indexers and the meta-evaluation of matchers equal the reference, and follow their definitions."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.errors import KeyphrasesInvalid
from wayword.evaluation.keyphrases.indexers import IndexerEvaluation, evaluate_indexers
from wayword.evaluation.keyphrases.keyphrase_lists import Keyphrases, read_indexers, read_keyphrases, unite_forms
from wayword.evaluation.keyphrases.match_table import MatchTable, pair_indexers
from wayword.evaluation.keyphrases.measures import count_matches, pair_forms, score_forms
from wayword.evaluation.keyphrases.meta_evaluation import compare_verdicts, correlate
from wayword.evaluation.matchers import Matcher
from wayword.evaluation.matchers.lexical import make_equal
from wayword.evaluation.matchers.registry import open_matchers
from wayword.evaluation.matchers.resources import Resources

NAMES = {"exact": "equal", "exact_stem": "exact"}
"""Our names of matchers that the reference calls otherwise."""

MATCHERS = ["exact", "exact_stem", "r_precision", "modified_r_precision", "rouge1"]
COEFFICIENTS = ("spearman", "kendall")
WORDS = st.lists(st.sampled_from(["ant", "bee", "bees", "cat"]), min_size=1, max_size=3).map(" ".join)
LISTS = st.lists(WORDS.map(lambda phrase: [phrase]), min_size=1, max_size=4).map(unite_forms)
INDEXED = st.dictionaries(st.sampled_from(["ann", "bob", "eve", "joe"]), LISTS, min_size=2)


def open_named(name: str) -> Matcher:
    ours = NAMES.get(name, name)
    return open_matchers([ours], Resources())[ours]


def read_checks(data: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "checks" / "keyphrases" / name).read_text(encoding="utf-8"))
    return found


def make_table(chosen: Mapping[str, Keyphrases], name: str) -> MatchTable:
    return MatchTable(chosen, score_forms(name, open_named(name), pair_indexers(chosen))[0])


@pytest.fixture(scope="module")
def wiki20(data: Path) -> dict[str, dict[str, Keyphrases]]:
    return read_indexers(data / "human" / "keyphrase" / "wiki20.tar.gz")


@pytest.fixture(scope="module")
def evaluated(data: Path, wiki20: dict[str, dict[str, Keyphrases]]) -> IndexerEvaluation:
    chosen = {document: wiki20[document] for document in read_checks(data, "wiki20_consistency.json")["documents"]}
    return evaluate_indexers(chosen, {name: open_named(name) for name in MATCHERS}, resamples=100)


@pytest.mark.parametrize("name", MATCHERS)
def test_matches_and_consistency_of_each_wiki20_document_equal_the_reference(
    name: str, data: Path, wiki20: dict[str, dict[str, Keyphrases]]
) -> None:
    for document, expected in read_checks(data, "wiki20_consistency.json")["documents"].items():
        table = make_table(wiki20[document], name)
        assert [len(wiki20[document][team]) for team in table.indexers] == expected["topics"]
        tp = [
            [None if team == gold else table.count_matches(team, gold).tp for gold in table.indexers] for team in table.indexers
        ]
        for ours, theirs in zip(tp, expected["matchers"][name]["tp"], strict=True):
            assert ours == pytest.approx(theirs, abs=1e-9)
        means = [table.average_consistency(team) for team in table.indexers]
        assert means == pytest.approx(expected["matchers"][name]["teams"], abs=1e-9)
        assert sum(means) / len(means) == pytest.approx(expected["matchers"][name]["mean"], abs=1e-9)


@pytest.mark.parametrize("name", MATCHERS)
def test_the_meta_evaluation_of_each_wiki20_document_equals_the_reference(
    name: str, data: Path, wiki20: dict[str, dict[str, Keyphrases]]
) -> None:
    for document, expected in read_checks(data, "wiki20_meta.json")["documents"].items():
        table, equality = make_table(wiki20[document], name), make_table(wiki20[document], "exact")
        verdicts = compare_verdicts(table, equality)
        assert [verdict for _, verdict in verdicts.pooled.values()] == pytest.approx(expected["reference"], abs=1e-9)
        pooled = expected["pooled"][name]
        tallies = [table.count_pooled_matches(team) for team in table.indexers]
        assert [each.tp for each in tallies] == pytest.approx(pooled["tp"], abs=1e-9)
        assert [each.gold for each in tallies] == pooled["gold"]
        assert [f for f, _ in verdicts.pooled.values()] == pytest.approx(pooled["f"], abs=1e-9)
        found, single = correlate([verdicts.pooled]), expected["single_gold"][name]
        assert [found.spearman, found.kendall] == pytest.approx([pooled["spearman"], pooled["kendall"]], abs=1e-9)
        for coefficient in COEFFICIENTS:
            ours = [getattr(correlate([column]), coefficient) for column in verdicts.single_gold.values()]
            theirs = [math.nan if value is None else value for value in single[coefficient]]
            assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)
        mean = correlate(verdicts.single_gold.values())
        assert mean.undefined == single["undefined"]
        assert [mean.spearman, mean.kendall] == pytest.approx([single["mean"][each] for each in COEFFICIENTS], abs=1e-9)


def test_the_means_over_wiki20_equal_the_reference(data: Path, evaluated: IndexerEvaluation) -> None:
    consistency, meta = (read_checks(data, f"wiki20_{kind}.json")["all"] for kind in ("consistency", "meta"))
    assert evaluated.documents == evaluated.meta_documents == 10
    for figures in evaluated.matchers:
        name = figures.matcher
        assert figures.consistency.value == pytest.approx(consistency[name]["mean"], abs=1e-9)
        assert list(figures.teams) == [f"team{number}" for number in range(1, 16)]
        assert list(figures.teams.values()) == pytest.approx(consistency[name]["teams"], abs=1e-9)
        for kind in ("single_gold", "pooled"):
            found = getattr(figures, kind)
            by_document, over_all = meta["by_document"][kind][name], meta["over_all_documents"][kind][name]
            for coefficient in COEFFICIENTS:
                interval = getattr(found, coefficient)
                assert interval.value == pytest.approx(by_document[coefficient], abs=1e-9)
                assert interval.low < interval.value < interval.high
                assert getattr(found.over_all, coefficient) == pytest.approx(over_all[coefficient], abs=1e-9)


def test_two_matchers_that_score_alike_do_not_differ(evaluated: IndexerEvaluation) -> None:
    alike = [each for each in evaluated.differences.differences if {each.first, each.second} == {"r_precision", "rouge1"}]
    assert [(each.measure, each.value, each.p) for each in alike] == [("single_gold.spearman", 0, 1), ("pooled.spearman", 0, 1)]
    assert len(evaluated.differences.differences) == 2 * 10
    assert len(evaluated.differences.rankings["pooled.spearman"]) == len(MATCHERS)


@pytest.mark.parametrize("name", MATCHERS)
def test_author_and_readers_of_semeval_agree_as_in_the_reference(name: str, data: Path) -> None:
    reference = read_checks(data, "semeval2010_consistency.json")
    folder = data / "human" / "semeval2010"
    author, reader = (read_keyphrases(folder / f"train.{who}.json") for who in ("author", "reader"))
    documents = {each: {"reader": reader[each], "author": author[each]} for each in reference["documents"]}
    for document, chosen in documents.items():
        expected, table = reference["documents"][document], make_table(chosen, name)
        assert {who: len(chosen[who]) for who in ("reader", "author")} == {who: expected[who] for who in ("reader", "author")}
        scores = expected["matchers"][name]
        assert table.compute_consistency("author", "reader") == pytest.approx(scores["consistency"], abs=1e-9)
        for candidate, gold in (("reader", "author"), ("author", "reader")):
            tally, expected_tally = table.count_matches(candidate, gold).to_dict(), scores[f"{candidate}_against_{gold}"]
            assert {figure: tally[figure] for figure in expected_tally} == pytest.approx(expected_tally, abs=1e-9)
    evaluation = evaluate_indexers(documents, {name: open_named(name)})
    assert evaluation.matchers[0].consistency.value == pytest.approx(reference["all"][name]["consistency"], abs=1e-9)
    assert evaluation.meta_documents == 0
    assert isnan(evaluation.matchers[0].pooled.spearman.value)
    assert evaluation.to_dict()["matchers"][0]["pooled"]["spearman"] is None


def test_professional_indexers_agree_as_published(data: Path) -> None:
    """KEA++'s authors measured 38 % on these documents."""
    documents = read_indexers(data / "human" / "keyphrase" / "fao30.tar.gz")
    evaluation = evaluate_indexers(documents, {"equal": make_equal()})
    assert len(documents) == evaluation.documents == 30
    assert round(evaluation.matchers[0].consistency.value, 4) == 0.3870


def test_taggers_who_share_few_documents_are_evaluated(data: Path) -> None:
    documents = read_indexers(data / "human" / "keyphrase" / "citeulike180.tar.gz")
    evaluation = evaluate_indexers(documents, {"equal": make_equal()})
    assert (evaluation.documents, evaluation.meta_documents) == (183, 173)
    assert len(evaluation.matchers[0].teams) == len({who for chosen in documents.values() for who in chosen})


def test_documents_of_one_indexer_and_empty_lists_are_left_out_and_counted() -> None:
    some = unite_forms([["a"]])
    evaluation = evaluate_indexers({"1": {"ann": some, "bob": some, "eve": ()}, "2": {"ann": some}}, {"m": make_equal()})
    assert (evaluation.documents, evaluation.single_indexer, evaluation.empty) == (1, 1, 1)
    assert evaluation.matchers[0].consistency.value == 1


def test_documents_that_nobody_shares_are_rejected() -> None:
    some = unite_forms([["a"]])
    with pytest.raises(KeyphrasesInvalid, match="no document has keyphrases of two indexers"):
        evaluate_indexers({"1": {"ann": some}, "2": {"bob": some}}, {"m": make_equal()})


@given(INDEXED, st.sampled_from(MATCHERS))
def test_consistency_is_symmetric_and_the_mean_of_both_f(chosen: dict[str, Keyphrases], name: str) -> None:
    table = make_table(chosen, name)
    first, second = table.indexers[:2]
    consistency = table.compute_consistency(first, second)
    assert consistency == table.compute_consistency(second, first)
    assert 0 <= consistency <= 1 + 1e-12
    assert consistency == pytest.approx((table.count_matches(first, second).f + table.count_matches(second, first).f) / 2)


@given(INDEXED, st.sampled_from(MATCHERS))
def test_a_pool_is_compared_like_one_list_of_all_others(chosen: dict[str, Keyphrases], name: str) -> None:
    table, (first, *others) = make_table(chosen, name), chosen
    pool = unite_forms(keyphrase for other in others for keyphrase in chosen[other])
    scores = score_forms(name, open_named(name), pair_forms(chosen[first], pool))[0]
    assert table.count_pooled_matches(first) == count_matches(chosen[first], pool, scores)
