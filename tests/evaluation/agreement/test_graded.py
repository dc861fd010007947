"""Files of graded judgements are recognised, matchers are scored safely, and their correlations are compared."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.evaluation.agreement.graded_files import JudgedPair, read_judged_pairs
from wayword.evaluation.agreement.graded_measures import evaluate_graded
from wayword.evaluation.agreement.pair_scores import score_pairs
from wayword.evaluation.errors import EvaluationError, GoldError, MatcherError

OLD_NEW = JudgedPair("old", "new", 1.58)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("old\tnew\t1.58\n", OLD_NEW),
        ("old,new,1.58\n", OLD_NEW),
        ("old;new;1.58", OLD_NEW),
        ("old new 1.58\n", OLD_NEW),
        ("\n\nold new 1.58\n\n", OLD_NEW),
        ("\ufeffold,new,1.58\r\n", OLD_NEW),
        ('"old, or aged",new,1.58\n', JudgedPair("old, or aged", "new", 1.58)),
        ("word1\tword2\tPOS\tSimLex999\tconc(w1)\nold\tnew\tA\t1.58\t2.72\n", OLD_NEW),
        ("Word 1,Word 2,Human (mean)\nold,new,1.58\n", OLD_NEW),
        ("old\tnew\tA\t1.58\tANTONYMS\n", OLD_NEW),
        ("old-j new-j 1.58\n", OLD_NEW),
        ("id,substitutee,substitute,score\n7,new,old,1.58\n", OLD_NEW),
        ("a phrase\tanother phrase\tjudgement\nold\tnew\t1.58\n", OLD_NEW),
        ("WORD1 WORD2 POS TYPE AVG_SCORE\nnew old N hyp-1 1.58\n", OLD_NEW),
    ],
    ids=[
        "tabs",
        "commas",
        "semicolons",
        "blanks",
        "blank lines",
        "byte order mark",
        "quotes",
        "SimLex-999",
        "WordSim-353",
        "SimVerb-3500",
        "lemmatised MEN",
        "named columns",
        "any header",
        "HyperLex, whose second word is the substitute",
    ],
)
def test_formats_are_recognised(tmp_path: Path, text: str, expected: JudgedPair) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text(text, encoding="utf-8", newline="")
    assert read_judged_pairs(file) == [expected]
    file.write_bytes(gzip.compress(text.encode()))
    assert read_judged_pairs(file) == [expected]


@pytest.mark.parametrize(
    ("file", "count", "first"),
    [
        ("word-sim/EN-SIMLEX-999.txt", 999, OLD_NEW),
        ("word-sim/EN-SimVerb-3500.txt", 3500, JudgedPair("take", "remove", 6.81)),
        ("word-sim/EN-WS-353-ALL.txt", 353, JudgedPair("love", "sex", 6.77)),
        ("word-sim/EN-MEN-TR-3k.txt", 3000, JudgedPair("sun", "sunlight", 50.0)),
        ("hyperlex/hyperlex_dev_all_random.txt", 130, JudgedPair("food", "sausage", 5.8)),
    ],
)
def test_the_published_data_sets_are_read_whole(data: Path, file: str, count: int, first: JudgedPair) -> None:
    pairs = read_judged_pairs(data / "human" / file)
    assert len(pairs) == count
    assert pairs[0] == first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows"),
        ("word1,word2,score\n", "there are no pairs below the header"),
        ("old,new\n", "the columns of 'old | new' are not recognised"),
        ("a,b,c,d\nold,new,x,1\n", "the columns of 'a | b | c | d' are not recognised"),
        ("1,2,3,4\n", "are not recognised"),
        ("old,new,1.58\nhot,cold\n", ":2: 'hot | cold' has 2 columns"),
        ("old,new,1.58\nhot,cold,warm\n", ":2: the score is 'warm'; give a number"),
        ("old,new,1.58\nhot,cold,nan\n", ":2: the score is 'nan'"),
        ("old,new,1.58\nhot,,3\n", ":2: a phrase is empty"),
    ],
)
def test_invalid_files_are_an_error_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(GoldError) as raised:
        read_judged_pairs(file)
    assert message in str(raised.value)
    assert str(file) in str(raised.value)


def test_unreadable_files_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="cannot be read"):
        read_judged_pairs(tmp_path / "nowhere.txt")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"old new 1.58\n" * 100)[:20])
    with pytest.raises(GoldError, match="cut off or damaged"):
        read_judged_pairs(tmp_path / "cut.gz")


class TableMatcher:
    """A matcher that looks scores up."""

    def __init__(self, scores: dict[tuple[str, str], float | None]) -> None:
        self.scores = scores
        self.asked: list[tuple[str, str]] = []

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        self.asked.append((substitute, substitutee))
        return self.scores[substitute, substitutee]

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        return (self(*pair) for pair in pairs)


def test_pairs_are_scored_once_and_unknown_ones_are_nan() -> None:
    matcher = TableMatcher({("a", "b"): 0.5, ("b", "a"): None})
    found = score_pairs("table", matcher, [("a", "b"), ("b", "a"), ("a", "b")])
    np.testing.assert_array_equal(found, [0.5, nan, 0.5])
    assert matcher.asked == [("a", "b"), ("b", "a")]


@pytest.mark.parametrize(
    ("score", "message"),
    [(nan, "scores 'a' for 'b' nan"), (float("inf"), "inf, which is not a finite number"), ("high", "fails at 'a' for 'b'")],
)
def test_scores_that_are_no_numbers_are_an_error_of_one_line(score: float, message: str) -> None:
    with pytest.raises(MatcherError) as raised:
        score_pairs("table", TableMatcher({("a", "b"): score}), [("a", "b")])
    assert message in str(raised.value)


def test_a_matcher_that_raises_is_an_error_that_names_the_pair() -> None:
    matcher = TableMatcher({("a", "b"): 0.5})
    with pytest.raises(MatcherError, match=r"^the matcher table fails at 'c' for 'd' \(KeyError: \('c', 'd'\)\)"):
        score_pairs("table", matcher, [("a", "b"), ("c", "d")])


def test_errors_of_wayword_are_not_wrapped() -> None:
    class Refusing(TableMatcher):
        def __call__(self, substitute: str, substitutee: str, /) -> float | None:
            raise EvaluationError("no such phrase")

    with pytest.raises(EvaluationError, match=r"^no such phrase$"):
        score_pairs("refusing", Refusing({}), [("a", "b")])


def test_a_matcher_that_returns_too_few_or_too_many_scores_is_an_error() -> None:
    class Counting(TableMatcher):
        def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
            return iter(self.scores.values())

    for count, words in ((1, "1"), (3, "more than 2")):
        matcher = Counting({(str(number), "b"): 0.5 for number in range(count)})
        with pytest.raises(MatcherError, match=f"the matcher counting returns {words} scores for 2 pairs"):
            score_pairs("counting", matcher, [("a", "b"), ("b", "c")])


def make_pairs(scores: Iterable[float]) -> list[JudgedPair]:
    return [JudgedPair(f"a{number}", f"b{number}", score) for number, score in enumerate(scores)]


@given(st.lists(st.floats(0, 10), min_size=2, max_size=20, unique=True))
def test_a_matcher_that_is_right_correlates_perfectly(scores: list[float]) -> None:
    found = evaluate_graded(make_pairs(scores), {"right": np.array(scores)}, resamples=0).matchers[0]
    assert found.spearman.value == 1.0
    assert found.kendall.value == 1.0
    assert found.pearson.value == pytest.approx(1.0, abs=1e-9)


def test_unknown_pairs_count_as_0() -> None:
    found = evaluate_graded(make_pairs([1, 2, 3]), {"m": np.array([nan, 0.5, 0.9])}, resamples=0).matchers[0]
    assert found.spearman.value == 1.0
    assert found.unknown == 1


def test_a_matcher_without_differences_has_no_correlation() -> None:
    found = evaluate_graded(make_pairs([1, 2, 3]), {"m": np.zeros(3)}, resamples=50)
    assert found.to_dict()["matchers"][0]["spearman"] == {"value": None, "low": None, "high": None}
    assert isnan(found.matchers[0].pearson.value)


def test_matchers_are_compared_by_williams_test_and_ranked() -> None:
    random = np.random.default_rng(4)
    gold = random.normal(size=300)
    close, near, far = (gold + width * random.normal(size=300) for width in (0.2, 0.21, 3.0))
    found = evaluate_graded(make_pairs(gold), {"far": far, "close": close, "near": near}, resamples=100)
    ranking = [(each.system, each.rank, each.last_rank) for each in found.comparison.rankings["spearman"]]
    assert sorted(ranking) == [("close", 1, 2), ("far", 3, 3), ("near", 1, 2)]
    tested = {(each.measure, each.first, each.second): each.p_holm for each in found.comparison.differences}
    assert tested["pearson", "far", "close"] < 1e-6
    assert set(found.to_dict()) == {"pairs", "matchers", "differences", "rankings"}


def test_reversed_pairs_exchange_their_phrases() -> None:
    assert OLD_NEW.reverse() == JudgedPair("new", "old", 1.58)


@pytest.mark.parametrize("score", ["nan", "inf"])
def test_a_first_row_whose_score_is_no_number_is_no_header(tmp_path: Path, score: str) -> None:
    file = tmp_path / "judged.tsv"
    file.write_text(f"dog\tcat\t{score}\ncar\tbus\t3\n", encoding="utf-8")
    with pytest.raises(GoldError, match=rf"judged.tsv:1: the score is '{score}'"):
        read_judged_pairs(file)


def test_judgements_are_read_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as executor:
        writing = executor.submit(pipe.write_text, "dog\tcat\t2\ncar\tbus\t3\n")
        assert [pair.score for pair in read_judged_pairs(pipe)] == [2.0, 3.0]
        writing.result()
