"""Lexical matchers equal their equations, written out literally, and agree with NLTK where NLTK computes the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import sentence_bleu
from nltk.translate.nist_score import sentence_nist

from wayword.evaluation.errors import CorpusInvalid
from wayword.evaluation.matchers import Matcher, Resources, open_matchers
from wayword.evaluation.matchers.lexical import (
    Compare,
    bleu,
    make_equal,
    make_exact,
    make_lexical,
    modified_r_precision,
    r_precision,
    rouge1,
    rouge2,
)
from wayword.evaluation.matchers.meteor import make_meteor_with
from wayword.evaluation.matchers.nist import Information, make_nist, read_corpus
from wayword.evaluation.matchers.phrases import PhraseMatcher
from wayword.search.errors import PhraseError

Words = Sequence[str]

words = st.lists(st.sampled_from(["machine", "machines", "learning", "learned", "a", "b"]), min_size=1, max_size=6)
MEASURES = (r_precision, modified_r_precision, bleu, rouge1, rouge2)


def ordered(candidate: Words, gold: Words) -> tuple[Words, Words]:
    """x and y of the equations: y is the longer phrase, or of equal length the gold one."""
    return (gold, candidate) if len(candidate) > len(gold) else (candidate, gold)


def ngrams(phrase: Words, n: int) -> list[tuple[str, ...]]:
    return [tuple(phrase[start : start + n]) for start in range(len(phrase) - n + 1)]


def literal_r_precision(x: Words, y: Words) -> float:
    return sum(min(x.count(word), y.count(word)) for word in set(x)) / max(len(x), len(y))


def literal_modified_r_precision(x: Words, y: Words) -> float:
    found = sum(1 / (len(y) - i) if word in x else 0 for i, word in enumerate(y))
    return found / sum(1 / n for n in range(1, len(y) + 1))


def literal_precision(x: Words, y: Words, n: int) -> float:
    return sum(ngram in ngrams(y, n) for ngram in ngrams(x, n)) / (len(x) - n + 1)


def literal_bleu(x: Words, y: Words) -> float:
    precisions = [literal_precision(x, y, n) for n in range(1, len(x) + 1)]
    if 0.0 in precisions:
        return 0.0
    penalty = math.exp(1 - len(y) / len(x)) if len(x) <= len(y) else 1.0
    return penalty * math.exp(sum(math.log(precision) / len(x) for precision in precisions))


def literal_rouge(n: int) -> Callable[[Words, Words], float]:
    return lambda x, y: sum(ngram in ngrams(x, n) for ngram in ngrams(y, n)) / (len(y) - n + 1) if len(y) >= n else 0.0


LITERAL: dict[Compare, Callable[[Words, Words], float]] = {
    r_precision: literal_r_precision,
    modified_r_precision: literal_modified_r_precision,
    bleu: literal_bleu,
    rouge1: literal_rouge(1),
    rouge2: literal_rouge(2),
}


@pytest.mark.parametrize("measure", MEASURES)
@given(words, words)
def test_measures_equal_their_equations(measure: Compare, candidate: Words, gold: Words) -> None:
    found = make_lexical(measure)(" ".join(candidate), " ".join(gold))
    assert found == pytest.approx(LITERAL[measure](*ordered(candidate, gold)), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
@given(words, words)
def test_scores_are_from_0_to_1_and_1_for_equal_phrases(measure: Compare, candidate: Words, gold: Words) -> None:
    score = make_lexical(measure)
    assert 0.0 <= (score(" ".join(candidate), " ".join(gold)) or 0.0) <= 1.0
    if measure is not rouge2 or len(candidate) > 1:
        assert score(" ".join(candidate), " ".join(candidate)) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", MEASURES)
@given(words, words)
def test_phrases_of_different_length_may_be_exchanged(measure: Compare, candidate: Words, gold: Words) -> None:
    score = make_lexical(measure)
    if len(candidate) != len(gold):
        assert score(" ".join(candidate), " ".join(gold)) == score(" ".join(gold), " ".join(candidate))


def test_the_published_example_of_r_precision_is_reproduced() -> None:
    pair = "applied science", "natural science"
    assert make_lexical(r_precision)(*pair) == 1 / 2
    assert make_lexical(modified_r_precision)(*pair) == pytest.approx(2 / 3)


def test_of_equal_length_the_substitutee_is_the_gold_phrase() -> None:
    assert make_lexical(modified_r_precision)("a b", "c a") == pytest.approx(2 / 3)
    assert make_lexical(modified_r_precision)("c a", "a b") == pytest.approx(1 / 3)


def test_hyphens_part_nothing_and_accents_count() -> None:
    assert make_lexical(r_precision)("content-based search", "content based search") == pytest.approx(1 / 3)
    assert make_lexical(r_precision)("café", "cafe") == 0.0
    assert make_exact()("café", "cafe") == 0.0


def test_equal_compares_written_forms_and_exact_their_stems() -> None:
    assert [matcher("Public_toilet ", "public  toilet") for matcher in (make_equal(), make_exact())] == [1.0, 1.0]
    assert [matcher("public toilets", "public toilet") for matcher in (make_equal(), make_exact())] == [0.0, 1.0]


@pytest.mark.parametrize("measure", MEASURES)
@given(words, words)
def test_stems_are_compared_as_words_would_be(measure: Compare, candidate: Words, gold: Words) -> None:
    stems = {"machine": "machin", "machines": "machin", "learning": "learn", "learned": "learn"}
    stemmed = [" ".join(stems.get(word, word) for word in phrase) for phrase in (candidate, gold)]
    found = make_lexical(measure, stems=True)(" ".join(candidate), " ".join(gold))
    assert found == make_lexical(measure)(stemmed[0], stemmed[1])


@pytest.mark.filterwarnings("ignore::UserWarning")  # BLEU is 0
@given(words.filter(lambda words: len(set(words)) == len(words)), words.filter(lambda words: len(set(words)) == len(words)))
def test_bleu_equals_that_of_nltk_where_no_word_is_repeated(candidate: Words, gold: Words) -> None:
    x, y = ordered(candidate, gold)
    expected = sentence_bleu([list(y)], list(x), weights=[1 / len(x)] * len(x))
    assert make_lexical(bleu)(" ".join(candidate), " ".join(gold)) == pytest.approx(expected, abs=1e-12)


CORPUS = [("machine", "learning"), ("learning", "theory"), ("a", "b", "a")]


def literal_information(ngram: tuple[str, ...]) -> float:
    def count(searched: tuple[str, ...]) -> int:
        return sum(ngrams(phrase, len(searched)).count(searched) for phrase in CORPUS)

    before = count(ngram[:-1]) if len(ngram) > 1 else sum(map(len, CORPUS))
    return max(0.0, math.log2(max(before, 1) / max(count(ngram), 1)))


def literal_nist(x: Words, y: Words) -> float:
    total = 0.0
    for n in range(1, min(5, len(x)) + 1):
        ours, theirs = ngrams(x, n), ngrams(y, n)
        shared = sum(min(ours.count(each), theirs.count(each)) * literal_information(each) for each in set(ours))
        total += shared / (len(x) - n + 1)
    beta = math.log(0.5) / math.log(1.5) ** 2
    return total * math.exp(beta * math.log(min(1.0, len(x) / len(y))) ** 2)


@given(words, words)
def test_nist_is_doddingtons_sum_divided_by_that_of_the_gold_phrase_with_itself(candidate: Words, gold: Words) -> None:
    x, y = ordered(candidate, gold)
    whole = literal_nist(y, y)
    expected = min(1.0, literal_nist(x, y) / whole) if whole else float(list(x) == list(y))
    assert make_nist(CORPUS)(" ".join(candidate), " ".join(gold)) == pytest.approx(expected, abs=1e-12)


@given(words, words)
def test_nist_equals_that_of_nltk_if_the_gold_phrase_is_the_corpus(candidate: Words, gold: Words) -> None:
    x, y = (list(phrase) for phrase in ordered(candidate, gold))
    if set(x) & set(y) and (whole := sentence_nist([y], y, min(5, len(y)))):  # it divides by 0 for longer n-grams
        expected = min(1.0, sentence_nist([y], x, min(5, len(x))) / whole)
        assert make_nist([tuple(y)])(" ".join(candidate), " ".join(gold)) == pytest.approx(expected, abs=1e-12)


def test_phrases_without_information_score_1_only_if_they_are_equal() -> None:
    nist = make_nist([("a",)])
    assert (nist("a", "a"), nist("a", "a a"), nist("a", "b")) == (1.0, 0.0, 0.0)


@given(st.lists(st.sampled_from(["machine", "learning", "theory", "unseen"]), min_size=1, max_size=3))
def test_information_is_that_of_the_counts(ngram: list[str]) -> None:
    assert Information(CORPUS)(tuple(ngram)) == literal_information(tuple(ngram))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "has no phrase"),
        (b" \n\n", "has no phrase"),
        (b"caf\xe9\n", "cannot be read"),
        (None, "cannot be read (No such file"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_an_error(tmp_path: Path, content: bytes | None, problem: str) -> None:
    file = tmp_path / "corpus.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CorpusInvalid, match=re.escape(f"{file}: {problem}")):
        read_corpus(file)


def test_lines_of_a_corpus_are_normalised(tmp_path: Path) -> None:
    file = tmp_path / "corpus.txt"
    file.write_text("\ufeffMachine_Learning\r\n\n  Public  toilets \n", encoding="utf-8")
    assert read_corpus(file) == [("machine", "learning"), ("public", "toilets")]


@pytest.mark.parametrize("phrase", ["", " _ ", "a" * 257, "a\0b"])
def test_a_phrase_that_is_none_is_an_error(phrase: str) -> None:
    for matcher in open_matchers(["equal", "exact", "bleu", "rouge1_stem"], Resources()).values():
        with pytest.raises(PhraseError):
            matcher(phrase, "dog")


@given(st.lists(st.tuples(words, words), max_size=20))
def test_many_pairs_score_as_one_by_one(pairs: list[tuple[Words, Words]]) -> None:
    phrases = [(" ".join(candidate), " ".join(gold)) for candidate, gold in pairs]
    matchers: dict[str, Matcher] = open_matchers(["equal", "exact", "r_precision", "bleu_stem", "rouge2"], Resources())
    for matcher in matchers.values():
        assert list(matcher.score_many(iter(phrases))) == [matcher(*pair) for pair in phrases]


PHRASES = st.lists(words.map(" ".join), max_size=6)


@pytest.mark.parametrize(
    "matcher",
    [
        make_equal(),
        make_exact(),
        *(make_lexical(measure, stems=stems) for measure in (*MEASURES, rouge2) for stems in (False, True)),
        make_nist([("machine", "learning"), ("learning", "a")]),
        make_meteor_with(lambda word: frozenset(word[:2])),
    ],
)
@given(PHRASES, PHRASES)
def test_all_pairs_of_two_lists_score_as_one_by_one(
    matcher: PhraseMatcher[Any], substitutes: list[str], substitutees: list[str]
) -> None:
    scores = matcher.score_all(substitutes, substitutees)
    assert scores.shape == (len(substitutes), len(substitutees))
    assert scores.tolist() == [[matcher(one, other) for other in substitutees] for one in substitutes]


def test_a_pair_without_a_score_is_nan_among_all_pairs() -> None:
    matcher = PhraseMatcher(len, lambda ours, theirs: ours / theirs if theirs < 3 else None)
    assert str(matcher.score_all(["a"], ["a b", "a b c"]).tolist()) == "[[0.5, nan]]"
