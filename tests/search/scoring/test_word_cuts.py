"""Words in scripts without blanks are cut at the ends of labels, alike in every store and view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.ingestion import ingest
from wayword.graph.store import Store
from wayword.loaders import open_wikipedia
from wayword.search.bases.view import TargetLabel
from wayword.search.scoring.aspects import find_targets
from wayword.search.scoring.word_cuts import cut_word, find_cuts

from ...oracles import algorithms
from ...support.loaded_wikis import open_scorers
from ...support.small_dumps import SmallPage, write_dump
from ...support.stores import STORES

LETTERS = "ab東京のกข่"
STOP_WORDS = frozenset({"の", "b"})


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("東京大学", "東|京|大|学"),
        ("サーバー", "サ|ー|バ|ー"),
        ("iphone用ケース", "iphone|用|ケ|ー|ス"),
        ("ข่าวกีฬา", "ข่|า|ว|กี|ฬ|า"),
        ("ປະເທດ", "ປ|ະ|ເ|ທ|ດ"),
        ("ភាសាខ្មែរ", "ភា|សា|ខ្|មែ|រ"),
        ("မြန်မာ", "မြ|န်|မာ"),
        ("서울대학교", "서울대학교"),
        ("machine-learning", "machine-learning"),
        ("العربية", "العربية"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_a_word_may_be_cut_beside_letters_of_scripts_without_blanks_but_not_before_a_mark(word: str, parts: str) -> None:
    assert "|".join(word[start:end] for start, end in pairwise(find_cuts(word))) == parts


@given(st.text(LETTERS, min_size=1, max_size=8), st.sets(st.text(LETTERS, min_size=1, max_size=3)))
def test_the_fewest_known_parts_are_found_and_of_equally_many_the_longest_first(word: str, known: set[str]) -> None:
    cuts = find_cuts(word)
    splits = [
        tuple(word[start:end] for start, end in pairwise([0, *inner, len(word)]))
        for number in range(len(cuts) - 1)
        for inner in sorted(combinations(cuts[1:-1], number), reverse=True)
    ]
    expected = next((split for split in splits if known.issuperset(split)), (word,))
    assert cut_word(word, known.__contains__) == expected


@given(st.text(min_size=1))
def test_the_parts_of_a_word_are_the_word(word: str) -> None:
    assert "".join(cut_word(word, lambda part: len(part) < 3)) == word


@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=1, max_size=3),
    st.sets(st.text(LETTERS, min_size=1, max_size=3)),
)
def test_a_phrase_is_split_as_in_algorithms_1_and_2_with_blanks_at_the_cuts(words: list[str], known: set[str]) -> None:
    def match(part: Sequence[str]) -> dict[str, TargetLabel]:
        text = "".join(part)
        return {text: TargetLabel(text)} if text in known else {}

    def split(parts: list[str]) -> list[set[str]]:
        return algorithms.find_targets(parts, lambda part: set(match(part)), STOP_WORDS)

    cut = [part for word in words for part in cut_word(word, lambda each: each in STOP_WORDS or each in known)]
    found = find_targets(tuple(words), match, STOP_WORDS)
    assert [set(aspect.targets) for aspect in found] == (split(words) or split(cut))


PAGES = [
    SmallPage("東京", "[[東京|東京都]]"),
    SmallPage("京都"),
    SmallPage("大学"),
    SmallPage("病院"),
    SmallPage("歴史"),
    SmallPage("バス"),
    SmallPage("ハス"),
    SmallPage("ข่าว"),
    SmallPage("ขาว"),
    SmallPage("กีฬา"),
    SmallPage("北京"),
    SmallPage("天安门"),
    SmallPage("iPhone"),
    SmallPage("Bus"),
]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=[pytest.mark.server, pytest.mark.xdist_group("neo4j"), pytest.mark.slow])
        if name == "neo4j"
        else name
        for name in STORES
    ],
)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("unspaced")
    with ExitStack() as stack:
        opened = stack.enter_context(STORES[request.param](folder))
        dump = write_dump(folder / "tiny.xml", PAGES, language="ja")
        with open_wikipedia(dump, bundle=folder / "bundle", workers=1) as loader:
            ingest(opened, loader)
        yield opened


@pytest.mark.parametrize(
    ("phrase", "aspects"),
    [
        ("東京大学", ["東京", "大学"]),
        ("東京大学病院", ["東京", "大学", "病院"]),
        ("東京都大学", ["東京都", "大学"]),
        ("東京の歴史", ["東京", "歴史"]),
        ("東京 大学病院", ["東京", "大学", "病院"]),
        ("iPhone大学", ["iphone", "大学"]),
        ("東京-大学", ["東京", "大学"]),
        ("大学bus", ["大学", "bus"]),
        ("北京天安门", ["北京", "天安门"]),
        ("バス大学", ["バス", "大学"]),
        ("ハス大学", ["ハス", "大学"]),
        ("パス大学", ["パス", "大学"]),
        ("ข่าวกีฬา", ["ข่าว", "กีฬา"]),
        ("ขาวกีฬา", ["ขาว", "กีฬา"]),
        ("東京大学院", []),
        ("busbus", []),
    ],
)
def test_phrases_without_blanks_are_split_alike_in_every_store_and_view(store: Store, phrase: str, aspects: list[str]) -> None:
    scorers = open_scorers(store, ["tinywiki"], {"の"})
    for scorer in scorers:
        assert [aspect.text for aspect in scorer.aspects(phrase)] == aspects
    assert len({scorer.score(phrase, phrase) for scorer in scorers}) == 1
    assert scorers[0].score(phrase, phrase) == (1.0 if aspects else 0.0)


@pytest.mark.parametrize(
    ("phrase", "article"), [("バス", "バス"), ("ハス", "ハス"), ("ข่าว", "ข่าว"), ("ขาว", "ขาว"), ("ข้าว", None), ("ビョウ院", "")]
)
def test_a_mark_tells_labels_apart_in_every_store_and_view(store: Store, phrase: str, article: str | None) -> None:
    for scorer in open_scorers(store, ["tinywiki"], ()):
        names = [entity.name for each in scorer.aspects(phrase) for entity in scorer.view.view.entities(each.targets)]
        if article is None:  # only the folded form is known: every label that has it
            assert sorted(names) == ["ขาว", "ข่าว"]
        else:
            assert names == ([article] if article else [])
