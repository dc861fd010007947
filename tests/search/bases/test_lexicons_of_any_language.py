"""Phrases are matched in lexicons of every language and part of speech; the rules of English apply to English alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import open_wordnet
from wayword.search.bases.selection import ViewChoice, open_view
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.stop_words import default_stop_words

from ...loaders.wordnet.test_lmf import document, entry, lexicon, synset, write_lmf

PARTS = "nvarctpxu"
HAUS = entry("h", "Haus", "haus").replace("<Sense", '<Form writtenForm="Häuser"/><Sense')
TEXT = "".join(entry(pos, f"word {pos}", f"of {pos}", pos=pos) + synset(f"of {pos}", pos) for pos in PARTS)
TEXT += HAUS + synset("haus") + entry("cat", "chat", "cat") + synset("cat") + entry("and", "und", "und", "und2", pos="c")
TEXT += synset("und", "c") + synset("und2", "c") + entry("and2", "und", "und3") + synset("und3")
LANGUAGES = {"en": "en", "gb": "en-GB", "de": "de", "none": "", "xx": "xx"}
VIEWS: list[ViewChoice] = ["live", "projection"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with MemoryStore() as opened:
        for name, language in LANGUAGES.items():
            text = document(lexicon(TEXT).replace('language="en"', f'language="{language}"'))
            ingest(opened, open_wordnet(write_lmf(tmp_path_factory.mktemp(name), text), name))
        yield opened


def match(store: Store, base: str, phrase: str, choice: ViewChoice) -> list[str]:
    view: Any = open_view(store, base, choice)
    found = view.entities(list(view.targets(tuple(phrase.split()), Parameters())))
    assert {each.id for each in view.senses(store, phrase, Parameters())} == {each.id for each in found}
    return [each.id.partition(":")[2] for each in found]


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize("pos", PARTS)
def test_every_part_of_speech_is_found(store: Store, choice: ViewChoice, pos: str) -> None:
    assert match(store, "de", f"word {pos}", choice) == [f"of {pos}"]


@pytest.mark.parametrize("choice", VIEWS)
def test_parts_of_speech_of_one_word_are_all_found(store: Store, choice: ViewChoice) -> None:
    assert sorted(match(store, "de", "und", choice)) == ["und", "und2", "und3"]


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize("base", LANGUAGES)
def test_suffixes_are_removed_in_english_alone(store: Store, choice: ViewChoice, base: str) -> None:
    assert match(store, base, "chats", choice) == (["cat"] if base in ("en", "gb") else [])
    assert match(store, base, "chat", choice) == ["cat"]


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize("base", LANGUAGES)
def test_listed_forms_are_found_in_every_language(store: Store, choice: ViewChoice, base: str) -> None:
    assert match(store, base, "häuser", choice) == match(store, base, "hauser", choice) == ["haus"]


@pytest.mark.parametrize(
    ("base", "dropped", "kept"),
    [("en", "the", "und"), ("gb", "the", "und"), ("de", "und", "the"), ("none", "", "the"), ("xx", "", "und")],
)
def test_stop_words_are_those_of_the_lexicons_language(store: Store, base: str, dropped: str, kept: str) -> None:
    for choice in VIEWS:
        words = default_stop_words(open_view(store, base, choice).languages)
        assert kept not in words
        assert dropped in words if dropped else not words
