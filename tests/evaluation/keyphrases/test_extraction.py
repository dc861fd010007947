"""Precision, recall and F equal the reference, follow (1.1)-(1.4), and are the same in every order of documents."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.evaluation.errors import KeyphrasesInvalid
from wayword.evaluation.keyphrases.extraction import FIGURES, MatcherFigures, evaluate_extraction
from wayword.evaluation.keyphrases.keyphrase_lists import Keyphrases, read_keyphrases, unite_forms
from wayword.evaluation.matchers import Matcher
from wayword.evaluation.matchers.lexical import make_equal, make_exact
from wayword.evaluation.matchers.registry import open_matchers
from wayword.evaluation.matchers.resources import Resources

LEXICAL = [
    "exact",
    *(f"{name}{end}" for name in ("r_precision", "modified_r_precision", "bleu", "rouge1", "rouge2") for end in ("", "_stem")),
]
WORDS = st.lists(st.sampled_from(["ant", "bee", "bees", "cat", "dog"]), min_size=1, max_size=3).map(" ".join)
LISTS = st.lists(st.lists(WORDS, min_size=1, max_size=2), min_size=1, max_size=4).map(unite_forms)
DOCUMENTS = st.dictionaries(st.sampled_from("abcdef"), LISTS, min_size=1)


def open_one(name: str, resources: Resources) -> Matcher:
    return open_matchers([name], resources)[name]


class Table:
    """A matcher with given scores, None for other pairs, that notes what it is asked."""

    def __init__(self, scores: dict[tuple[str, str], float]) -> None:
        self.scores = scores
        self.asked: list[list[tuple[str, str]]] = []

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        return self.scores.get((substitute, substitutee))

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        self.asked.append(list(pairs))
        return (self(*pair) for pair in self.asked[-1])


def evaluate(candidates: list[Any], gold: list[Any], matcher: Matcher) -> MatcherFigures:
    return evaluate_extraction({"d": unite_forms(candidates)}, {"d": unite_forms(gold)}, {"m": matcher}).matchers[0]


@pytest.fixture(scope="module")
def reference(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "checks" / "baselines" / "prf.json").read_text(encoding="utf-8"))
    return found


def check_figures(name: str, matcher: Matcher, reference: dict[str, Any]) -> None:
    documents = reference["documents"]
    found = evaluate_extraction(
        {document: unite_forms([form] for form in each["candidates"]) for document, each in documents.items()},
        {document: unite_forms(each["gold"]) for document, each in documents.items()},
        {name: matcher},
        resamples=100,
    ).matchers[0]
    for document, each in documents.items():
        assert found.documents[document].to_dict() == pytest.approx(each["scores"][name], abs=1e-9)
    for means, kind in ((found.macro, "macro"), (found.micro, "micro")):
        assert {figure: mean.value for figure, mean in means.items()} == pytest.approx(reference[kind][name], abs=1e-9)
        assert all(mean.low < mean.value < mean.high for mean in means.values())


@pytest.mark.parametrize("name", [*LEXICAL, "nist", "nist_stem"])
def test_figures_equal_the_reference(name: str, data: Path, reference: dict[str, Any]) -> None:
    corpus = str(data / "checks" / "baselines" / "nist_corpus.txt")
    check_figures(name, open_one(name, Resources(corpus=corpus)), reference)


def test_figures_of_meteor_equal_the_reference(wordnet31: Path, reference: dict[str, Any]) -> None:
    with wayword.open(wordnet31) as graph:
        check_figures("meteor", open_one("meteor", Resources(lambda _: graph)), reference)


def test_all_lexical_matchers_judge_the_documents_of_semeval(data: Path) -> None:
    folder = data / "human" / "semeval2010"
    gold = read_keyphrases(folder / "train.combined.json")
    candidates = {name: each[:15] for name, each in read_keyphrases(folder / "train.reader.json").items()}
    for name in LEXICAL:
        matcher = open_one(name, Resources())
        found = evaluate_extraction(candidates, gold, {name: matcher})
        assert found.documents == 144


def test_a_candidate_counts_by_its_best_match_and_nothing_is_assigned() -> None:
    scores = Table({("a", "x"): 0.5, ("a", "y"): 0.75, ("b", "y"): 1.0, ("c", "y"): 1.0})
    found = evaluate([["a"], ["b"], ["c"]], [["x", "y"]], scores)
    tally = found.documents["d"]
    assert (tally.tp, tally.candidates, tally.gold) == (2.75, 3, 1)
    assert (tally.precision, tally.recall) == (2.75 / 3, 2.75)
    assert found.over_recalled == 1
    assert found.unknown == 2  # (b, x) and (c, x)


def test_a_candidate_is_its_first_form_and_gold_all_its_forms() -> None:
    assert evaluate([["a", "x"]], [["x"]], make_equal()).documents["d"].tp == 0
    assert evaluate([["x"]], [["a", "x"]], make_equal()).documents["d"].tp == 1


def test_candidates_are_a_set_after_normalisation() -> None:
    tally = evaluate([["Game_Theory"], ["game  theory"], ["games theory"]], [["game theory"]], make_exact()).documents["d"]
    assert (tally.tp, tally.candidates) == (2, 2)


def test_each_pair_is_scored_once_and_all_in_one_batch() -> None:
    table = Table({})
    same = unite_forms([["a"], ["b"]])
    evaluate_extraction({"1": same, "2": same}, {"1": same, "2": same}, {"m": table})
    assert table.asked == [[("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]]


def test_documents_without_candidates_count_as_0_and_those_without_gold_are_left_out() -> None:
    some = unite_forms([["a"]])
    found = evaluate_extraction(
        {"1": some, "2": (), "9": some}, {"1": some, "2": some, "3": some, "4": ()}, {"m": make_equal()}
    )
    assert (found.documents, found.without_candidates, found.left_out) == (4, 3, 1)
    assert found.matchers[0].macro["f"].value == 0.25
    assert {name: mean.value for name, mean in found.matchers[0].micro.items()} == {
        "precision": 1,
        "recall": pytest.approx(1 / 3),
        "f": 0.5,
    }


def test_documents_with_other_names_are_rejected() -> None:
    some = unite_forms([["a"]])
    with pytest.raises(KeyphrasesInvalid, match=r"'C-41\.txt' is the first with candidates, 'C-41' the first with gold"):
        evaluate_extraction({"C-41.txt": some}, {"C-41": some}, {"m": make_equal()})


def test_json_has_numbers_for_figures_and_intervals_beside_them() -> None:
    some = unite_forms([["a"], ["b"]])
    evaluation = evaluate_extraction({"1": some, "2": some}, {"1": some, "2": some[:1]}, {"equal": make_equal()}, resamples=50)
    plain = evaluation.to_dict(each=True)
    assert json.loads(json.dumps(plain)) == plain
    figures = plain["matchers"][0]
    assert figures["macro"]["precision"] == 0.75
    assert set(figures["macro"]) == {*FIGURES, "intervals"}
    assert figures["macro"]["intervals"]["precision"] == {"low": 0.5, "high": 1.0}
    assert figures["documents"]["2"]["recall"] == 1.0
    assert "documents" not in evaluation.to_dict()["matchers"][0]
    assert evaluate_extraction({"1": some}, {"1": some}, {"m": make_equal()}).to_dict()["matchers"][0]["macro"]["intervals"][
        "f"
    ] == {
        "low": None,
        "high": None,
    }


@given(DOCUMENTS)
def test_a_perfect_extractor_has_only_ones(gold: dict[str, Keyphrases]) -> None:
    found = evaluate_extraction(gold, gold, {"equal": make_equal(), "exact": make_exact()})
    for figures in found.matchers:
        for means in (figures.macro, figures.micro):
            assert all(math.isclose(mean.value, 1.0) for mean in means.values())


@given(DOCUMENTS, DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_nothing(
    candidates: dict[str, Keyphrases], gold: dict[str, Keyphrases], random: Any
) -> None:
    gold.setdefault(next(iter(candidates)), ())
    shuffled = list(gold)
    random.shuffle(shuffled)
    matcher = open_one("r_precision", Resources())
    first = evaluate_extraction(candidates, gold, {"m": matcher}).matchers[0]
    second = evaluate_extraction(candidates, {name: gold[name] for name in shuffled}, {"m": matcher}).matchers[0]
    assert first.documents == second.documents
    for kind in ("macro", "micro"):
        ours, theirs = ([getattr(each, kind)[figure].value for figure in FIGURES] for each in (first, second))
        assert ours == pytest.approx(theirs, abs=1e-12)


@given(DOCUMENTS, DOCUMENTS)
def test_precision_is_a_share_and_f_is_the_harmonic_mean(
    candidates: dict[str, Keyphrases], gold: dict[str, Keyphrases]
) -> None:
    gold.setdefault(next(iter(candidates)), ())
    found = evaluate_extraction(candidates, gold, {"m": open_one("r_precision", Resources())})
    for tally in found.matchers[0].documents.values():
        assert 0 <= tally.precision <= 1 + 1e-12
        assert 0 <= tally.recall <= max(1, tally.candidates)
        total = tally.precision + tally.recall
        assert tally.f == pytest.approx(2 * tally.precision * tally.recall / total if total else 0)
