"""The index finds the same word as a comparison with all words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from wayword.evaluation.hop.concreteness import Ratings
from wayword.evaluation.hop.fuzzy_index import FuzzyIndex


def nearest_of_all(words: list[str], word: str, similarity: float) -> str | None:
    """Find the nearest word by comparing all, of ties the first."""
    distances = [Levenshtein.distance(word, each) / max(len(word), len(each), 1) for each in words]
    best = min(distances, default=1.0)
    return words[distances.index(best)] if distances and best <= 1 - similarity + 1e-9 else None


@given(
    st.lists(st.text("ab", max_size=14), max_size=12),
    st.text("abc", max_size=14),
    st.sampled_from([0.5, 0.7, 0.8, 0.9, 1.0]),
)
def test_the_index_finds_the_nearest_word(words: list[str], word: str, similarity: float) -> None:
    assert FuzzyIndex(words, similarity).nearest(word) == nearest_of_all(words, word, similarity)


@pytest.mark.slow
def test_unknown_words_have_the_rating_of_the_nearest_of_all_published_words(data: Path) -> None:
    ratings = Ratings.read(data / "human" / "Concreteness_ratings_Brysbaert_et_al_BRM.txt")
    assert len(ratings) == 39_954
    words, generator = list(ratings._ratings), random.Random(1)
    for _ in range(150):
        letters = list(generator.choice(words))
        for _ in range(generator.choice([1, 2, 3])):
            letters.insert(generator.randrange(len(letters)), generator.choice("aeist"))
        word = "".join(letters)
        similar = nearest_of_all(words, word, 0.9)
        assert ratings.rate(word) == (None if similar is None else ratings.rate(similar)), word
    assert ratings.mean("Philosophy") == pytest.approx(ratings.rate("philosophy"))
