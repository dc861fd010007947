"""What a phrase looks like as a label."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.phrases import normalise


@pytest.mark.parametrize(
    ("phrase", "label"),
    [
        ("dog", "dog"),
        ("PUBLIC  TOILET", "public toilet"),
        ("public_toilet", "public toilet"),
        ("\tpublic \u00a0\u2003toilet__\n", "public toilet"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("Ångström", "angstrom"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁne", "fine"),
        ("𝐃𝐎𝐆", "dog"),
        ("Ⅷ", "viii"),
        ("שָׁלוֹם", "שלום"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("🐕 dog", "🐕 dog"),
        ("rock-'n'-roll", "rock-'n'-roll"),
        (" _ ", ""),
        ("\u0301", ""),
        ("", ""),
        ("a\x00b", "a\x00b"),
        ("\ud800", "\ud800"),
    ],
)
def test_case_accents_and_white_space_go(phrase: str, label: str) -> None:
    assert normalise(phrase) == label


@given(st.text())
def test_no_mark_underscore_or_stray_blank_is_left(phrase: str) -> None:
    label = normalise(phrase)
    assert label == " ".join(label.split())
    assert "_" not in label
    assert label == label.casefold()


@given(st.text())
def test_an_accent_or_another_case_changes_nothing(phrase: str) -> None:
    assert normalise(phrase.casefold()) == normalise(phrase)
    assert normalise("".join(letter + "\u0301" for letter in phrase if not unicodedata.combining(letter))) == normalise(
        "".join(letter for letter in phrase if not unicodedata.combining(letter))
    )


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_plain_letters_is_the_long_way(phrase: str) -> None:
    split = unicodedata.normalize("NFKD", phrase.casefold())
    assert normalise(phrase) == " ".join(split.casefold().replace("_", " ").split())


@given(st.text())
def test_a_label_stays_as_it_is(phrase: str) -> None:
    label = normalise(phrase)
    assert normalise(label) == label
