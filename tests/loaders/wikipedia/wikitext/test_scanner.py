"""The links of a page, their regions and their anchors, as the fast parser reads them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterable

import pytest

from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....support.scanners import CheckedScanner

WALKED = (0,)
ASIDE = (0, int(Region.PARENTHESES))


def scanner(name: str = "enwiki", code: str = "en") -> Scanner:
    return CheckedScanner(Titles(make_site(name, code)), find_language(code))


ENGLISH = scanner()


def linked_titles(text: str, regions: Iterable[int] = WALKED) -> list[str]:
    return [link.title.name for link in ENGLISH.scan(text).links if link.region in regions and not link.title.namespace]


def regions(text: str) -> dict[str, int]:
    return {link.title.name: link.region for link in ENGLISH.scan(text).links}


# -- anchors ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("[[dog]]", "dog"),
        ("[[dog]]s run", "dogs"),
        ("[[dog|cat]]fish9", "catfish"),
        ("[[dog]]S", "dog"),
        ("'''[[dog]]'''s", "dog"),
        ("[[:dog]]", "dog"),
        ("[[ dog  house ]]", "dog house"),
        ("[[dog#Size]]", "dog#Size"),
        ("[[caf%C3%A9]]", "café"),
        ("[[R&amp;D]]", "R&D"),
        ("[[dog|a\n b&nbsp;\tc]]", "a b c"),
        ("[[dog|''big'' '''dog''']]", "big dog"),
        ("[[dog|l''''eau''']]", "l'eau"),
        ("[[dog|<b>big</b><br/> dog<ref>x</ref>]]", "big dog"),
        ("[[dog|{{big|y}} dog<!-- z -->]]", "dog"),
        ("[[dog<!-- y -->|cat]]", "cat"),
        ("[[dog|<nowiki>[x]</nowiki> y]]", "[x] y"),
        ("[[dog|&lt;b&gt; &unknown; &#999999999;]]", "<b> &unknown; &#999999999;"),
        ("[[dog|[big] dog]]", "[big] dog"),
        ("[[dog|a|b]]", "a|b"),
        ("[[dog|[http://x.org the dog]]]", "the dog"),
        ("[[dog|[cat]]]s", "[cat]s"),
        ("[[dog|cat]]]s", "cat"),
        ("[[dog|dög]]]s", "dög"),
        ("[[dog|{{x}}]]", ""),
    ],
)
def test_the_anchor_is_what_a_reader_clicks(text: str, anchor: str) -> None:
    assert [link.anchor for link in ENGLISH.scan(text).links] == [anchor]


@pytest.mark.parametrize("label", ["", " ", "\u00a0", "\n", " \u3000", "<!-- x -->", " <!-- x --> "])
def test_brackets_with_a_blank_label_are_not_a_link(label: str) -> None:
    assert [link.title.name for link in ENGLISH.scan(f"[[dog|{label}]] [[cat]]").links] == ["Cat"]


def test_the_sort_key_of_a_category_may_be_blank() -> None:
    assert ENGLISH.scan("[[Category:Dogs| ]]").categories == ["Dogs"]


@pytest.mark.parametrize(("code", "anchor"), [("de", "Hündinnen"), ("en", "Hünd"), ("fr", "Hündinnen"), ("ru", "Hündinnen")])
def test_the_trail_follows_the_rule_of_the_language(code: str, anchor: str) -> None:
    text = "[[Hund|Hünd]]innen" if code != "en" else "[[Hund|Hünd]]ïnnen"
    assert scanner("wiki", code).scan(text).links[0].anchor == anchor


def test_a_trail_can_have_letters_of_another_script() -> None:
    assert scanner("ruwiki", "ru").scan("[[кот]]ами").links[0].anchor == "котами"
    assert ENGLISH.scan("[[кот]]ами").links[0].anchor == "кот"


# -- links --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[[a\nb]]", "[[a<b]]", "[[a{b]]", "[[a[b]]", "[[B|]]", "[[B|]]s", "[[B|<!-- c -->]]", "[[|x]]", "[[]]", "[[ ]]",
        "[[#x]]", "[[de:Hund]]", "[[http://x.org|y]]", "[[{{x}}]]", "[[a", "[[a|b", "[[a|b]", "a]]", "<!-- [[a]] -->",
        "<nowiki>[[a]]</nowiki>",
        "<math>[[a]]</math>", "<pre>[[a]]</pre>", "<source>[[a]]</source>", "<includeonly>[[a]]</includeonly>",
        "[[" + "a" * 300 + "]]", "&#91;&#91;a&#93;&#93;", "[[File:x.jpg]]", "[[Category:X]]", "[[a%5Bb]]", "[[\ud800]]",
    ],
)  # fmt: skip
def test_malformed_links_are_text(text: str) -> None:
    assert ENGLISH.scan(text).links == []


def test_a_label_that_contains_a_link_is_text() -> None:
    assert linked_titles("[[a|b [[c]] d]] [[a|b [[c|d [[e]]]]]] [[a|b [[ c\n]]]]") == ["C", "E", "A"]


def test_a_link_in_brackets_is_a_label_and_not_a_body_link() -> None:
    assert regions("[[[a]]] [[[[b]]]] [[[c|d]]]") == {"A": Region.BRACKETED, "B": 0, "C": Region.BRACKETED}


def test_links_to_other_namespaces_have_their_namespace() -> None:
    links = ENGLISH.scan("[[User:a]] [[:Category:b]] [[:File:c.jpg|d]] [[Talk:e]]").links
    assert [(link.title.namespace, link.title.name, link.anchor) for link in links] == [
        (2, "A", "User:a"), (14, "B", "Category:b"), (6, "C.jpg", "d"), (1, "E", "Talk:e"),
    ]  # fmt: skip


# -- regions ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("[[a]]", 0),
        ("== [[a]] ==", 0),
        ("{{x|[[a]]}}", Region.HIDDEN),
        ("{{x|{{y|z}} [[a]]}}", Region.HIDDEN),
        ("{{{x|[[a]]}}}", Region.HIDDEN),
        ("{{#if: [[a]] | b}}", Region.HIDDEN),
        ("{{x [[a]]", 0),
        ("{{[[a]]}}", 0),
        ("{{x}} [[a]] }}", 0),
        ("{|\n| [[a]]\n|}", Region.HIDDEN),
        ("{|\n| {{x|\n|}\n}} [[a]]\n|}", Region.HIDDEN),
        ("{|\n|} [[a]]", 0),
        ("<TABLE><tr><td>[[a]]</table>", Region.HIDDEN),
        ("<ref>[[a]]</ref>", Region.HIDDEN),
        ("<ref name='x'>y</ref> [[a]]", 0),
        ("<ref name=x /> [[a]] <ref>y</ref>", 0),
        ("<ref>[[a]]", 0),
        ("<gallery>\nFile:x.jpg|[[a]]\n</gallery>", Region.HIDDEN),
        ("<references><ref>[[a]]</ref></references>", Region.HIDDEN),
        ("[[File:x.jpg|thumb|y [[a]]]]", Region.CAPTION),
        ("[[File:x.jpg|thumb|y [[a]]", 0),
        ("[[:File:x.jpg|y [[a]]]]", 0),
        ('<div class="foo NavBox">[[a]]</div>', Region.BOX),
        ("<span id=toc><span>x</span>[[a]]</span>", Region.BOX),
        ("<div class=hatnote>x</div>[[a]]", 0),
        ("<div class=hatnote>[[a]]", 0),
        ("<div class=boxes>[[a]]</div>", 0),
        (":''See also [[a]]''", Region.HATNOTE),
        ("text\n''For the band, see [[a]].''\n", Region.HATNOTE),
        ("''For'' the band [[a]]", Region.HATNOTE),
        ("'''For''' the band see [[a]]", 0),
        (": see [[a]]", 0),
        ("* ''See also [[a]]''", 0),
        ("==See also==\n[[a]]", Region.APPENDIX),
        ("== ''See also'' == <!-- x -->\n=== y ===\n[[a]]", Region.APPENDIX),
        ("==See also==\n=x=\n[[a]]", 0),
        ("==See also== x\n[[a]]", 0),
        ("([[a]])", Region.PARENTHESES),
        ("==Notes==\n:''See also ([[a]])''", Region.APPENDIX | Region.HATNOTE | Region.PARENTHESES),
    ],
)
def test_links_have_the_regions_they_are_in(text: str, region: int) -> None:
    assert regions(text) == {"A": region}


def test_hatnotes_and_appendices_follow_the_language_of_the_wiki() -> None:
    german = scanner("dewiki", "de")
    links = german.scan("''Siehe auch [[a]]''\n[[b]]\n== Weblinks ==\n[[c]]\n==See also==\n[[d]]").links
    assert [link.region for link in links] == [Region.HATNOTE, 0, Region.APPENDIX, Region.APPENDIX]


def test_local_namespaces_of_files_and_categories_are_recognised() -> None:
    scan = scanner("dewiki", "de").scan("[[Bild:x.jpg|thumb|[[a]]]] [[Datei:y.jpg]] [[Kategorie:Tiere]] [[category:Hunde]]")
    assert [(link.title.name, link.region) for link in scan.links] == [("A", Region.CAPTION)]
    assert scan.categories == ["Tiere", "Hunde"]


def test_links_are_in_reading_order() -> None:
    text = (
        "[[a]] {{x|[[b]]}} [[c]] <ref>[[d]]</ref>\n{|\n| [[e]] {{y|[[f]]}}\n|}\n"
        "[[g]] [[File:x|[[h]] {{z|[[i]]}}]] [[j|<ref>[[k]]</ref>]]"
    )
    assert [link.title.name for link in ENGLISH.scan(text).links] == list("ABCDEFGHIJK")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(x [[File:a|b) ([[c]]]] [[d]]) [[e]]", ["E"]),
        ("(x [[File:a|b\n\n* y]] [[d]]) [[e]]", ["E"]),
        ("(x [[a|b\n\n* y]] [[d]]) [[e]]", ["E"]),
        ("(x [[File:a|b ) [[d]]) [[e]]", ["D", "E"]),
        ("(x [[a|y ) [[b]] z]] [[c]]) [[d]]", ["B", "C", "D"]),
        ("(x <p>[[a]]) [[b]]", ["A", "B"]),
        ("(see http://x.org/a) [[b]] ([[c]] http://x.org/d) [[e]]", ["B", "E"]),
        ("http://x.org/(a [[b]]) [[c]] [http://x.org/( ([[d]])] [[e]]", ["B", "C", "E"]),
        ("(1) [[a]] (2) [[b]] ((3)", ["A", "B"]),
        ("# ([[a]]\n[[b]]) [[c]]", ["A", "B", "C"]),
        ("([[a]]\n[[b]]\n----\n[[c]])", ["A", "B", "C"]),
        ("([[a]] == x\n== y\n[[b]]) [[c]]", ["C"]),
        ("(<span title=')'>[[a]]</span>) [[b]]", ["B"]),
        ("&lpar;[[a]]&#x29; [[b]] &#0040;[[c]]&#65289; [[d]]", ["B", "D"]),
    ],
)
def test_parentheses_hide_links_within_a_block(text: str, names: list[str]) -> None:
    assert linked_titles(text) == names
    assert set(linked_titles(text)) <= set(linked_titles(text, ASIDE))


# -- kinds of pages ----------------------------------------------------------------------------------------------------------


def test_categories_of_a_page_are_read() -> None:
    text = (
        "[[Category:a]] [[ category : b_c |key]] [[:Category:d]] <!-- [[Category:e]] --> <nowiki>[[Category:f]]</nowiki>"
        "\n{|\n| [[Category:g]]\n|}\n<includeonly>[[Category:h]]</includeonly><noinclude>[[Category:i]]</noinclude>"
        "{{x|[[Category:j]]}}"
    )
    assert ENGLISH.scan(text).categories == ["A", "B c", "G", "I", "J"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("{{disambig}}", (True, False)),
        ("x {{ Hndis | name = y }}", (True, False)),
        ("{{x|{{Disambig}}}}", (True, False)),
        ("__DISAMBIG__", (True, False)),
        ("{{Hidden category}}", (False, True)),
        ("__HIDDENCAT__", (False, True)),
        ("<nowiki>__HIDDENCAT__ {{disambig}}</nowiki> <!-- {{disambig}} --> {{disambiguate}} __toc__", (False, False)),
        ("{{disambig", (False, False)),
    ],
)
def test_disambiguation_pages_and_hidden_categories_are_recognised(text: str, marks: tuple[bool, bool]) -> None:
    scan = ENGLISH.scan(text)
    assert (scan.disambiguation, scan.hidden) == marks


# -- hostile pages ------------------------------------------------------------------------------------------------------------

MANY = 20_000
REPEATED = [
    "[[", "[[a|", "[[File:a|", "{{", "{{a|", "{{{", "\n{|", "{|", "<ref>", "<ref name=a>", "<!--", "<nowiki>", "(", "([[a]]",
    "[", "[[[", "[http://a ", "http://a(", "<div class=infobox>", "<table>", "<table", "\n==See also==", "\n:''see ", "\n* (",
    "&#40;", "&#", "[[a|b]", "\x00", "\x01", "|}", "\n|}", "</table>", "<pre>", "[[File:a|(\n\n", "[[File:a|([[b]])\n*",
    "{{<ref>", "{{a}}", "__", "<", "<a", "'", "[[a|\n]]([[b]]",
]  # fmt: skip
NESTED = [
    ("{{a|", "}}"), ("[[a|", "]]"), ("[[File:a|", "]]"), ("[[File:a|([[b]]", ")]]"), ("([[a]]", ")"), ("\n{|", "\n|}"),
    ("<table>", "</table>"), ("<div class=infobox>[[a]]", "</div>"), ("<ref>", "</ref>"), ("{", "}"), ("[", "]"),
    ("\n{|", "</table>"),
]  # fmt: skip
LONG: list[Callable[[int], str]] = [
    lambda many: "[[" + "a" * many + "]]",
    lambda many: "[[a|" + "b " * many + "]]",
    lambda many: "\n" + " " * many + "{|",
    lambda many: "\n" + "=" * many + "[[a]]",
    lambda many: "\n=" + " =" * many + " x [[a]]",
    lambda many: "\n" + "<b>" * many + "''see [[a]]",
    lambda many: "(" + "\n " * many + "[[a]])",
    lambda many: "{{" + " " * many + "}}",
    lambda many: "<div " + "class=a " * many + ">[[a]]</div>",
    lambda many: "http://a" + ")" * many,
    lambda many: "\x00[[a]]" * many,
]


def make_hostile_pages(many: int) -> list[str]:
    repeated = [piece * many for piece in REPEATED]
    return repeated + [before * many + "[[x]]" + after * many for before, after in NESTED] + [make(many * 10) for make in LONG]


def test_hostile_pages_are_parsed_without_errors() -> None:
    for text in make_hostile_pages(500):
        ENGLISH.scan(text)


@pytest.mark.slow
def test_hostile_pages_take_linear_time_and_memory() -> None:
    """With quadratic time these would take days."""
    plain = Scanner(Titles(make_site("enwiki")), find_language("en"))
    for text in make_hostile_pages(MANY):
        tracemalloc.start()
        plain.scan(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100 * len(text) + (8 << 20), text[:20]


def test_nested_templates_hide_links() -> None:
    deep = 5_000
    assert regions("{{a|" * deep + "[[x]]" + "}}" * deep + "[[y]]") == {"X": Region.HIDDEN, "Y": 0}
