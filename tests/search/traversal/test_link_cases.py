"""Which links of an article HOP walks: the hand-made cases, each read by the scanner and resolved in a small world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import MAIN, make_site
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

ARTICLES = {*"ABCDEFGHIJKMNOPQTUVWXYZ", "Self"}
REDIRECTS = {"R": "B", "S": "Self"}
SCANNER = Scanner(Titles(make_site("enwiki")), find_language("en"))


def walked(text: str) -> list[str]:
    """The articles that HOP may go to from the article Self with this text, in order."""
    links = [link.title for link in SCANNER.scan(text).links if link.region == 0 and link.title.namespace == MAIN]
    found = [REDIRECTS.get(title.name, title.name) for title in links]
    return [name for name in found if name in ARTICLES and name != "Self"]


def test_the_hand_made_cases(data: Path) -> None:
    lines = (data / "wiki" / "body-link-cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 43
    for case in map(json.loads, lines):
        assert walked(case["wikitext"]) == case["links"], case["case"]


def test_a_table_that_is_never_closed_ends_the_running_text() -> None:
    text = "[[A]]\n{|\n| [[B]]\n|}\n[[C]]\n{| class=x\n| [[D]]\n[[E]]"
    assert [(link.title.name, Region(link.region)) for link in SCANNER.scan(text).links] == [
        ("A", Region(0)),
        ("B", Region.HIDDEN),
        ("C", Region(0)),
        ("D", Region.BOX),
        ("E", Region.BOX),
    ]


def test_a_table_may_be_opened_within_a_line() -> None:
    text = "text [[A]] {| class=x\n| [[B]]\n|}\n[[C]] {| [[D]] |} [[E]] {| [[F]]"
    assert walked(text) == ["A", "C", "E", "F"]


@pytest.mark.slow
def test_marks_of_tables_without_end_take_no_more_time_than_they_are_long() -> None:
    for text in ("{|" * 300_000, "{|\n" * 300_000, "\n{|" + "a|}" * 300_000, "{| \n" + "|}" * 300_000, "<table>" * 100_000):
        assert SCANNER.scan(text + "[[A]]").links[0].title.name == "A"
