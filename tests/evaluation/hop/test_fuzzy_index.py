"""The nearest word by the index is the nearest of all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from wayword.evaluation.hop.concreteness import Ratings
from wayword.evaluation.hop.fuzzy_index import FuzzyIndex


def scanned(words: list[str], word: str, similarity: float) -> str | None:
    """The nearest by comparing with all; of equally near ones the first."""
    far = [Levenshtein.distance(word, each) / max(len(word), len(each), 1) for each in words]
    best = min(far, default=1.0)
    return words[far.index(best)] if far and best <= 1 - similarity + 1e-9 else None


@given(
    st.lists(st.text("ab", max_size=14), max_size=12),
    st.text("abc", max_size=14),
    st.sampled_from([0.5, 0.7, 0.8, 0.9, 1.0]),
)
def test_the_nearest_is_that_of_all(words: list[str], word: str, similarity: float) -> None:
    assert FuzzyIndex(words, similarity).nearest(word) == scanned(words, word, similarity)


@pytest.mark.slow
def test_real_words(data: Path) -> None:
    ratings = Ratings.read(data / "human" / "Concreteness_ratings_Brysbaert_et_al_BRM.txt")
    assert len(ratings) == 39_954
    words, chance = list(ratings._ratings), random.Random(1)
    for _ in range(150):
        letters = list(chance.choice(words))
        for _ in range(chance.choice([1, 2, 3])):
            letters.insert(chance.randrange(len(letters)), chance.choice("aeist"))
        word = "".join(letters)
        near = scanned(words, word, 0.9)
        assert ratings.of(word) == (None if near is None else ratings.of(near)), word
    assert ratings.mean("Philosophy") == pytest.approx(ratings.of("philosophy"))
