"""Normalising and folding phrases, and splitting them at hyphens."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.normalisation import fold, is_encodable, normalise, replace_surrogates, split_at_hyphens


@pytest.mark.parametrize(
    ("phrase", "label"),
    [
        ("dog", "dog"),
        ("PUBLIC  TOILET", "public toilet"),
        ("public_toilet", "public toilet"),
        ("\tpublic \u00a0\u2003toilet__\n", "public toilet"),
        ("Café", "café"),
        ("Cafe\u0301", "café"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("ﬁne", "fine"),
        ("𝐃𝐎𝐆", "dog"),
        ("Ⅷ", "viii"),
        ("ｄｏｇ", "dog"),
        ("バス", "バス"),
        ("ﾊﾞｽ", "バス"),
        ("ข่าว", "ข่าว"),
        ("dog\u00adhouse", "doghouse"),
        ("zero\u200bwidth", "zerowidth"),
        ("playing\u2011cards", "playing-cards"),
        ("playing\u2010cards", "playing-cards"),
        ("Ὀδυσσεύς", "ὀδυσσεύσ"),
        ("🐕 dog", "🐕 dog"),
        ("rock-'n'-roll", "rock-'n'-roll"),
        ("1939\u20131945", "1939\u20131945"),
        (" _ ", ""),
        ("\u200b", ""),
        ("", ""),
        ("a\x00b", "a\x00b"),
        ("\ud800", "\ud800"),
    ],
)
def test_normalisation_ignores_case_white_space_and_invisible_characters(phrase: str, label: str) -> None:
    assert normalise(phrase) == label


@pytest.mark.parametrize(
    ("one", "other"), [("バス", "ハス"), ("ข่าว", "ขาว"), ("får", "far"), ("שָׁלוֹם", "שלום"), ("dog–house", "dog-house")]
)
def test_normalisation_preserves_accents_marks_and_dashes(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("phrase", "folded"),
    [
        ("Café", "cafe"),
        ("Ångström", "angstrom"),
        ("İstanbul", "istanbul"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("smørrebrød", "smorrebrod"),
        ("Łódź", "lodz"),
        ("Þingvellir", "thingvellir"),
        ("œuvre æon", "oeuvre aeon"),
        ("dog-house", "dog-house"),
        ("\u0301", ""),
    ],
)
def test_the_folded_form_has_no_accents(phrase: str, folded: str) -> None:
    assert fold(normalise(phrase)) == folded


@pytest.mark.parametrize(
    ("phrase", "split"),
    [
        ("machine-learning", "machine learning"),
        ("state-of-the-art", "state of the art"),
        ("covid-19", "covid 19"),
        ("café-bar", "café bar"),
        ("หนัง-สือ", "หนัง สือ"),
        ("-dog", None),
        ("dog-", None),
        ("dog - house", None),
        ("dog--house", None),
        ("dog–house", None),
        ("dog", None),
        ("pre- and post-war", "pre- and post war"),
    ],
)
def test_only_hyphens_between_letters_or_digits_become_spaces(phrase: str, split: str | None) -> None:
    assert split_at_hyphens(normalise(phrase)) == split


@given(st.text())
def test_a_normalised_phrase_has_single_spaces_no_underscores_and_no_capitals(phrase: str) -> None:
    label = normalise(phrase)
    assert label == " ".join(label.split())
    assert "_" not in label
    assert not any(unicodedata.category(letter) == "Cf" for letter in label)
    assert label == label.casefold()


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_fast_path_for_ascii_equals_the_general_one(phrase: str) -> None:
    assert normalise(phrase) == " ".join(unicodedata.normalize("NFKC", phrase).casefold().replace("_", " ").split())
    assert fold(normalise(phrase)) == normalise(phrase)


@given(st.text())
def test_folding_twice_changes_nothing(phrase: str) -> None:
    folded = fold(normalise(phrase))
    assert fold(folded) == folded


@given(st.text(st.characters(codec=None), max_size=20) | st.text(st.characters(categories=["Cs"]), max_size=6))
def test_text_without_surrogates_stays_and_other_text_becomes_encodable(text: str) -> None:
    replaced = replace_surrogates(text)
    replaced.encode()
    assert is_encodable(text) == (not any("\ud800" <= letter <= "\udfff" for letter in text))
    assert (replaced == text) == is_encodable(text)
