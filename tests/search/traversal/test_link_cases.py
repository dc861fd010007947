"""Which links of an article HOP can follow: cases written by hand, scanned and resolved in a small wiki."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import MAIN, make_site
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ...support.scanners import CheckedScanner

ARTICLES = {*"ABCDEFGHIJKMNOPQTUVWXYZ", "Self"}
REDIRECTS = {"R": "B", "S": "Self"}
SCANNER = CheckedScanner(Titles(make_site("enwiki")), find_language("en"))


def followable(text: str) -> list[str]:
    """The articles to which HOP can go from an article Self with this text, in order."""
    links = [link.title for link in SCANNER.scan(text).links if link.region == 0 and link.title.namespace == MAIN]
    found = [REDIRECTS.get(title.name, title.name) for title in links]
    return [name for name in found if name in ARTICLES and name != "Self"]


def test_hand_written_cases_have_the_expected_links(data: Path) -> None:
    lines = (data / "wiki" / "body-link-cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 43
    for case in map(json.loads, lines):
        assert followable(case["wikitext"]) == case["links"], case["case"]


def test_links_after_an_unclosed_table_are_not_in_the_text() -> None:
    text = "[[A]]\n{|\n| [[B]]\n|}\n[[C]]\n{| class=x\n| [[D]]\n[[E]]"
    assert [(link.title.name, Region(link.region)) for link in SCANNER.scan(text).links] == [
        ("A", Region(0)),
        ("B", Region.HIDDEN),
        ("C", Region(0)),
        ("D", Region.BOX),
        ("E", Region.BOX),
    ]


def test_a_table_can_open_within_a_line() -> None:
    text = "text [[A]] {| class=x\n| [[B]]\n|}\n[[C]] {| [[D]] |} [[E]] {| [[F]]"
    assert followable(text) == ["A", "C", "E", "F"]


@pytest.mark.slow
def test_unbalanced_table_marks_are_scanned_in_linear_time() -> None:
    for text in ("{|" * 300_000, "{|\n" * 300_000, "\n{|" + "a|}" * 300_000, "{| \n" + "|}" * 300_000, "<table>" * 100_000):
        assert SCANNER.scan(text + "[[A]]").links[0].title.name == "A"
