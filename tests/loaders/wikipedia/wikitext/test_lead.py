"""The gloss of an article."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext import lead
from wayword.loaders.wikipedia.wikitext.lead import MAX_GLOSS
from wayword.loaders.wikipedia.wikitext.masking import mask

PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "[[",
        "]]",
        "|",
        "\n",
        "\n\n",
        "{|",
        "|}",
        "<ref>",
        "</ref>",
        "<!--",
        "-->",
        "(",
        ")",
        "dog ",
        "''",
        "==",
        ". ",
        "\x00",
    ]
)


def opening(text: str, namespaces: Mapping[str, int] | None = None) -> str:
    return lead.read_gloss(mask("\n" + text).text, namespaces)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'''Dogs''' are [[animal|animals]].", "Dogs are animals."),
        ("{{Infobox\n| a = {{b}}\n}}\n\nDogs are animals.", "Dogs are animals."),
        ("{{short}}Dogs are animals.", "Dogs are animals."),
        ("{|\n| x\n{|\n|}\n|}\n<!-- y -->\n[[File:a.jpg|thumb|The [[dog]]]]\nDogs are animals.", "Dogs are animals."),
        (":''See also [[cat]]''\n''For cats, see [[cat]].''\n\nDogs are animals.", "Dogs are animals."),
        ("<div class=x>\n* y\n</div>\n== History ==\nDogs are animals.\n\nThey bark.", "Dogs are animals."),
        ("Dogs<ref>[[x]]\n\ny</ref> are<!-- z --> animals{{fact|date=\n* now}}.", "Dogs are animals."),
        ("Dogs ([[Latin]]: {{lang|la|canis}}; ) are [[File:a.jpg|b [[c]]]]animals.", "Dogs (Latin:) are animals."),
        ("Dogs ({{IPA|x}}) are &quot;animals&quot; [http://x.org of ours].", 'Dogs are "animals" of ours.'),
        ("Dogs are\nanimals.\n* list", "Dogs are animals."),
        ("Dogs\n\nDogs are animals of ours.", "Dogs are animals of ours."),
        ("Dogs", "Dogs"),
        ("* [[a]]\n* [[b]]", ""),
        ("{{unclosed\n\nDogs are animals.", "Dogs are animals."),
        ("#REDIRECT [[Dog]]", ""),
        ("", ""),
    ],
)
def test_the_gloss_is_the_first_paragraph(text: str, words: str) -> None:
    assert opening(text) == words


def test_files_and_categories_are_recognised_by_the_names_of_the_wiki() -> None:
    text = "[[Bild:a.jpg|mini|Ein Hund]]\nHunde sind [[Kategorie:Hunde]]Tiere im Haus."
    assert opening(text, make_site("dewiki", "de").namespaces) == "Hunde sind Tiere im Haus."


def test_a_long_paragraph_ends_after_a_sentence() -> None:
    first = "The dog (from Latin, e.g. b. Canis) is a well-known animal that has lived with people for long, says St. Bernard."
    second = "It barks at whoever comes near the house in which it lives, and does so by day and by night, all year."
    assert opening(" ".join([first, second, second, second])) == " ".join([first, second])


def test_a_long_sentence_ends_between_two_words() -> None:
    words = opening("dog and cat, " * 50)
    assert words.endswith((" dog …", " and …", " cat …"))
    assert MAX_GLOSS - 20 < len(words) <= MAX_GLOSS + 2


def test_a_paragraph_far_down_is_found() -> None:
    assert (
        opening("{{x|" + "y {{z}} " * 20_000 + "}}\n{|\n" + "| z\n" * 20_000 + "|}\nDogs are animals.") == "Dogs are animals."
    )
    assert opening("Dogs<ref>" + "y " * 5_000 + "</ref> are animals.") == "Dogs are animals."


@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=100))
def test_a_gloss_has_no_markup_and_single_spaces(text: str) -> None:
    words = opening(text)
    assert len(words) <= MAX_GLOSS + 2
    assert words == " ".join(words.split())
    assert not any(mark in words for mark in ("<ref>", "\n", "\x02"))
    assert "''" not in words or "'" * 7 in text  # of a long run of apostrophes all but five are text
