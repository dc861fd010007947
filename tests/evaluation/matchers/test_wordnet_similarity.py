"""Similarities over a store's WordNet equal NLTK's on the same files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword.evaluation.matchers import Resources
from wayword.evaluation.matchers.wordnet_similarity import Measure, best_over_senses, make_wordnet_similarity

from ...support.examples import EVERY
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.nltk_wordnet import nltk_reader, unpack_wordnet

MEASURES: tuple[Measure, ...] = ("path", "wup", "lch")

SYNSETS = [
    MiniSynset("n", ["entity"]),
    MiniSynset("n", ["animal"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["pet"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["dog"], points=[("@", 1, 0, 0), ("@", 2, 0, 0)]),
    MiniSynset("n", ["cat"], points=[("@", 1, 0, 0), ("@", 2, 0, 0)]),
    MiniSynset("n", ["dog", "chap"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["lassie"], points=[("@i", 3, 0, 0)]),
    MiniSynset("n", ["island"]),  # a noun without hypernyms: nothing joins it to the others
    MiniSynset("v", ["move"]),
    MiniSynset("v", ["dog", "chase"], points=[("@", 8, 0, 0)]),
    MiniSynset("v", ["think"]),
    MiniSynset("a", ["good"]),
    MiniSynset("a", ["bad"]),
    MiniSynset("r", ["well"]),
]
WORDS = sorted({word for synset in SYNSETS for word in synset.words})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Resources, Any]]:
    """A small WordNet in a store and in NLTK."""
    folder = tmp_path_factory.mktemp("small")
    files = write_files(folder / "corpora" / "wordnet", SYNSETS)
    (files / "lexnames").write_text("".join(f"{number:02d}\tany\t1\n" for number in range(45)), encoding="utf-8")
    wayword.load_wordnet(files, store=folder / "graph")
    with wayword.open(folder / "graph") as graph, nltk_reader(folder) as reader:
        yield Resources(lambda _: graph), reader


@pytest.mark.parametrize("measure", MEASURES)
def test_similarities_of_all_pairs_equal_those_of_nltk(measure: Measure, small: tuple[Resources, Any]) -> None:
    resources, reader = small
    ours, theirs = make_wordnet_similarity(resources.wordnet, measure), best_over_senses(reader, measure)
    pairs = [(one, other) for one in WORDS for other in WORDS]
    assert list(ours.score_many(pairs)) == [theirs(*pair) for pair in pairs]


def test_an_unknown_word_has_no_similarity_and_an_unrelated_one_0(small: tuple[Resources, Any]) -> None:
    for measure in MEASURES:
        similarity = make_wordnet_similarity(small[0].wordnet, measure)
        assert similarity("xyzzy", "dog") is similarity("dog", "xyzzy") is None
        assert similarity("island", "cat") == similarity("good", "cat") == 0.0


def test_words_are_reduced_to_base_forms(small: tuple[Resources, Any]) -> None:
    path = make_wordnet_similarity(small[0].wordnet, "path")
    assert path("Dogs", "cats") == path("dog", "cat") == pytest.approx(1 / 3)


def test_hypernyms_that_form_a_cycle_have_a_depth(tmp_path: Path) -> None:
    synsets = [
        MiniSynset("v", ["restrain"], points=[("@", 1, 0, 0)]),
        MiniSynset("v", ["inhibit"], points=[("@", 0, 0, 0)]),
        MiniSynset("v", ["curb"], points=[("@", 0, 0, 0)]),
    ]
    wayword.load_wordnet(write_files(tmp_path / "dict", synsets), store=tmp_path / "graph")
    with wayword.open(tmp_path / "graph") as graph:
        wordnet = Resources(lambda _: graph).wordnet
        scores = [make_wordnet_similarity(wordnet, measure)("curb", "inhibit") for measure in MEASURES]
    assert scores[0] == pytest.approx(1 / 3)
    assert all(score is not None and score > 0 for score in scores)


@pytest.fixture(scope="module")
def wordnet31_in_nltk(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with nltk_reader(unpack_wordnet(data, tmp_path_factory.mktemp("nltk_data"))) as reader:
        yield reader


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_similarities_in_wordnet_equal_those_of_nltk(measure: Measure, wordnet31: Path, wordnet31_in_nltk: Any) -> None:
    lemmas = {pos: sorted(wordnet31_in_nltk.all_lemma_names(pos)) for pos in "nvar"}
    rng = random.Random(2014)
    pairs = [(rng.choice(lemmas[pos]), rng.choice(lemmas[pos])) for pos in "nnnvvvvar" for _ in range(24 // EVERY)]
    many_senses = ["run", "head", "well", "right", "people"]
    pairs += [(one, other) for one in many_senses for other in many_senses]
    with wayword.open(wordnet31) as graph:
        ours = make_wordnet_similarity(Resources(lambda _: graph).wordnet, measure)
        found = list(ours.score_many(pairs))
    theirs = best_over_senses(wordnet31_in_nltk, measure)
    assert found == pytest.approx([theirs(*pair) for pair in pairs], abs=1e-12)
