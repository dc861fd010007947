"""METEOR's alignment is the best of all that are possible, and its score that of the equations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.evaluation.matchers import Resources, meteor
from wayword.evaluation.matchers.meteor import Alignment, Word, align, make_meteor, make_meteor_with, score_alignment

from ...support.mini_wordnet import MiniSynset, write_files

LETTERS = "abcd"
STEMS = {"a": "1", "b": "1", "c": "2", "d": "3"}
SYNSETS = {"a": {"x"}, "b": {"y"}, "c": {"x", "y"}, "d": {"y"}}
WORDS = {letter: Word(letter, STEMS[letter], frozenset(SYNSETS[letter])) for letter in LETTERS}
phrases = st.text(LETTERS, min_size=1, max_size=5)


def to_words(text: str) -> list[Word]:
    return [WORDS[letter] for letter in text]


def literal_pass(ours: Word, theirs: Word) -> int | None:
    """The pass in which two words are mapped: equal words, stems, synonyms."""
    if ours.text == theirs.text:
        return 0
    if ours.stem == theirs.stem:
        return 1
    return 2 if ours.synsets & theirs.synsets else None


def all_alignments(x: Sequence[Word], y: Sequence[Word], start: int = 0) -> Iterator[dict[int, int]]:
    if start == len(x):
        yield {}
        return
    for rest in all_alignments(x, y, start + 1):
        yield rest
        for place, word in enumerate(y):
            if place not in rest.values() and literal_pass(x[start], word) is not None:
                yield {start: place, **rest}


def literal_best(x: Sequence[Word], y: Sequence[Word]) -> Alignment:
    """Try all alignments: most equal words, then stems, then synonyms, then fewest chunks."""

    def quality(alignment: dict[int, int]) -> tuple[int, int, int, int]:
        passes = [literal_pass(x[ours], y[theirs]) for ours, theirs in alignment.items()]
        chunks = sum(alignment.get(ours - 1, -2) != theirs - 1 for ours, theirs in alignment.items())
        return passes.count(0), passes.count(1), passes.count(2), -chunks

    *passes, chunks = max(map(quality, all_alignments(x, y)))
    return Alignment(sum(passes), -chunks)


@given(phrases, phrases)
def test_the_alignment_is_the_best_of_all(ours: str, theirs: str) -> None:
    assert align(to_words(ours), to_words(theirs)) == literal_best(to_words(ours), to_words(theirs))


@given(phrases, phrases)
def test_an_alignment_has_the_same_size_from_either_side(ours: str, theirs: str) -> None:
    assert align(to_words(ours), to_words(theirs)) == align(to_words(theirs), to_words(ours))


def test_the_published_example_has_two_chunks() -> None:
    letters = {letter: Word(letter, letter, frozenset()) for letter in "ABCXY"}
    found = align([letters[letter] for letter in "ABXY"], [letters[letter] for letter in "ABCXY"])
    assert found == Alignment(4, 2)


def test_equal_words_are_mapped_before_stems_and_these_before_synonyms() -> None:
    # The stems a-b and the synonyms b-c would be one chunk, but b-b comes first, and leaves a-c.
    assert align(to_words("ab"), to_words("bc")) == Alignment(2, 2)


def test_the_score_is_that_of_the_equations() -> None:
    precision, recall = 2 / 2, 2 / 3
    f = precision * recall / (0.81 * precision + 0.19 * recall)
    assert score_alignment(Alignment(2, 2), 2, 3) == pytest.approx((1 - 0.28) * f)
    assert score_alignment(Alignment(0, 0), 2, 3) == 0.0


@given(st.integers(1, 8))
def test_equal_phrases_score_below_1(length: int) -> None:
    phrase = " ".join(f"w{number}" for number in range(length))
    assert make_meteor_with(lambda _: frozenset())(phrase, phrase) == pytest.approx(1 - 0.28 / length**0.83)


@given(phrases, phrases)
def test_phrases_of_any_length_may_be_exchanged(ours: str, theirs: str) -> None:
    score = make_meteor_with(lambda word: frozenset(SYNSETS[word]))
    assert score(" ".join(ours), " ".join(theirs)) == pytest.approx(score(" ".join(theirs), " ".join(ours)) or 0.0)


def test_phrases_of_one_repeated_word_are_aligned_in_bounded_time() -> None:
    score = make_meteor_with(lambda _: frozenset())
    assert score("a " * 120, "a " * 120) == pytest.approx(1 - 0.28 / 120**0.83)
    assert 0 < (score("a b " * 60, "b a " * 64) or 0.0) < 1


def test_an_alignment_beyond_the_limit_has_all_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor, "MAX_STATES", 1)
    x, y = to_words("aabab"), to_words("babaa")
    assert align(x, y).matches == literal_best(x, y).matches


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resources]:
    folder = tmp_path_factory.mktemp("synonyms")
    synsets = [
        MiniSynset("n", ["car", "auto"]),
        MiniSynset("v", ["fix", "repair"]),
        MiniSynset("n", ["goose"]),
        MiniSynset("n", ["café"]),
    ]
    wayword.load_wordnet(write_files(folder / "dict", synsets), store=folder / "graph")
    with wayword.open(folder / "graph") as graph:
        yield Resources(lambda _: graph)


@pytest.mark.parametrize(
    ("ours", "theirs", "are_synonyms"),
    [
        ("car", "autos", True),
        ("fixed", "repairing", True),
        ("geese", "goose", True),
        ("car", "repair", False),
        ("cafe", "café", False),
    ],
)
def test_words_are_synonyms_if_both_find_one_synset(lexicon: Resources, ours: str, theirs: str, are_synonyms: bool) -> None:
    assert make_meteor(lexicon.wordnet)(ours, theirs) == pytest.approx(0.72 if are_synonyms else 0.0)


def test_a_stem_finds_no_synonyms(lexicon: Resources) -> None:
    # NLTK looks up stems in its third pass: there "repair" would be found by the stem of "repairs", and "fix" not by "fixes".
    assert make_meteor(lexicon.wordnet)("fixes", "repairs") == pytest.approx(0.72)
