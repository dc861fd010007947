"""The oracle of wikis gives the published scores, and those of an independent implementation."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import pairwise
from math import isclose, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders.wikipedia.wikitext.regions import Region

from ..support import small_dumps
from ..support.small_dumps import Published, SmallPage, article, category, redirect, write_dump
from .wiki_base import Base, Options, counts, normalise, read_base, stem
from .wiki_dump import Page
from .wiki_markup import read_markup
from .wiki_search import Lexicon, Search, Weights, Wiki, random_pairs, words_of
from .wiki_titles import Names

STOP_WORDS = {"of", "the", "and", "a", "in"}


def read_tiny(pages: list[SmallPage], options: Options | None = None) -> Base:
    with TemporaryDirectory() as folder:
        return read_base(write_dump(Path(folder) / "tiny.xml", pages), options)


def search(base: Base) -> Search:
    return Search({"tinywiki": Wiki(base)}, STOP_WORDS)


# -- the thesis -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "example", [small_dumps.NATURAL_SCIENCE, small_dumps.PENNSYLVANIA], ids=lambda example: example.substitute
)
def test_published_scores_are_reproduced(example: Published) -> None:
    answer = search(read_tiny(example.pages)).answer(example.substitute, example.substitutee)
    assert round(answer.score, 2) == example.score


def test_published_breadths_are_reproduced() -> None:
    base = read_tiny(small_dumps.NATURAL_SCIENCE.pages)
    assert [len(base.subcategories[name]) for name in ("Natural sciences", "Physical sciences", "Chemistry")] == [5, 3, 72]


def test_the_article_orange_is_central_to_the_category_oranges_only() -> None:
    assert read_tiny(small_dumps.ORANGES).central == {("Oranges", "Orange (fruit)")}


@pytest.mark.parametrize(("into_words", "score"), [(0.9, 0.43), (0.5, 0.24), (0.0, 0.0)])
def test_scores_of_the_published_crossing_between_bases_are_reproduced(into_words: float, score: float) -> None:
    example = small_dumps.CONSENSUS_REALITY
    base = read_tiny(example.pages)
    assert len(base.members["Consensus reality"]) == 22
    words = Lexicon({"05618293-n": small_dumps.COMMON_SENSE})
    weights = Weights(crossings={("tinywiki", "wordnet"): into_words})
    found = Search({"wordnet": words, "tinywiki": Wiki(base)}, STOP_WORDS, weights)
    assert round(found.answer(example.substitute, example.substitutee).score, 2) == score
    assert round(found.depth_limited("wordnet", example.substitute, example.substitutee).score, 2) == score


# -- single rules, on wikis of a few pages ----------------------------------------------------------------------------------


def test_redirects_end_at_an_article_or_are_dropped() -> None:
    base = read_tiny(
        [
            article("End"),
            redirect("First", "second"),
            redirect("Second", "End#part"),
            redirect("Loop", "Pool"),
            redirect("Pool", "Loop"),
            redirect("Lost", "Nowhere"),
            redirect("Aside", "Category:X"),
            redirect("Meanings", "Many"),
            article("Many", "{{Disambig}} [[End|other]]"),
            category("X"),
        ]
    )
    assert base.redirects == {"First": "End", "Second": "End"}
    assert base.articles == {"End"}
    assert sorted(base.uses) == ["end", "first", "other", "second"]


def test_the_first_of_two_pages_with_one_title_counts() -> None:
    base = read_tiny([article("A", "", "X"), article("A", "", "Y"), category("X"), category("Y")])
    assert base.memberships == {"A": {"X"}}


def test_breadth_counts_each_accepted_child_once() -> None:
    base = read_tiny(
        [
            category("Top", "Top", "Missing"),
            category("Sub", "Top", "Top"),
            category("Secret", "Top", text="__HIDDENCAT__"),
            SmallPage("Category:Moved", "#REDIRECT [[:Category:Sub]] [[Category:Top]]", "Category:Sub"),
            article("Tops", "", "Top"),
            article("A", "[[Category:Top|*]]", "Top", "Secret"),
            article("B", "{{disambig}}", "Top"),
            article("C", "<nowiki>[[Category:Top]]</nowiki> [[:Category:Top]] <!-- [[Category:Top]] -->"),
        ]
    )
    assert base.members == {"Top": {"A"}, "Sub": set()}
    assert base.subcategories == {"Top": {"Sub"}, "Sub": set()}
    assert base.central == {("Top", "Tops")}


def test_senses_are_accepted_until_their_uses_reach_the_coverage() -> None:
    uses = {"A": 50, "B": 49, "D": 1, "C": 1, "Z": 1}
    base = read_tiny([article(title, f"[[{title}|word]] " * number) for title, number in uses.items()])
    assert base.senses("word") == [("A", 50), ("B", 49), ("C", 1), ("D", 1), ("Z", 1)]
    assert base.accepted_senses("word") == ["A", "B", "C", "D"]  # 101 of 102 reach 0.99; 100 of 102 do not


def test_the_sense_that_reaches_the_coverage_exactly_is_the_last() -> None:
    base = read_tiny([article("A", "[[A|word]] " * 99), article("B", "[[B|word]]")])
    assert base.accepted_senses("word") == ["A"]


def test_a_phrase_matches_every_label_with_its_stem() -> None:
    base = read_tiny([article("Dog"), article("Cat", "[[Cat|dogs]]"), article("Dog (film)")])
    assert base.match_targets(["dogged"]) == {"Dog", "Cat"}
    assert read_tiny([article("Dog"), article("Dog (film)")], Options(bracketed_base_is_a_label=True)).match_targets(
        ["dogs"]
    ) == {
        "Dog",
        "Dog (film)",
    }


@pytest.mark.parametrize("phrase", ["", " _ ", "x" * 257])
def test_an_invalid_phrase_is_rejected(phrase: str) -> None:
    with pytest.raises(ValueError, match=phrase or "^$"):
        words_of(phrase)


def test_central_steps_cost_nothing_only_at_the_ends_of_a_path() -> None:
    pages = [
        article("Start", "", "X"),
        article("Hub", "", "X", "Hub"),
        article("End", "", "Hub"),
        category("X"),
        category("Hub"),
    ]
    base = read_tiny(pages)
    down = Weights().down
    assert isclose(search(base).answer("start", "end").score, Weights().up(2) * down(2) * 0.99 * down(1))
    assert isclose(search(base).answer("hub", "end").score, down(1))


# -- markup beyond the link cases -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wikitext", "counted", "followed"),
    [
        ("[[File:F.jpg|thumb|a [[X]]s {| class=y |- | [[Y]] |} [[Z]]s]] [[A]]", ["xs", "zs", "a"], ["A"]),
        ("[[A]] {| class=x\n| [[X]]\n|} [[B]]", ["a", "b"], ["A", "B"]),
        ("[[A]]\n{| {{x|[[X]]}}\n| [[B]]\n== C ==\n[[C]]", ["a", "b", "c"], ["A"]),
        ("a {||''b''||}, {|b [[A]]\n{|\n| [[X]]\n|}\n[[B]]", ["a", "b"], ["A", "B"]),
        ("<table><tr><td>[[X]]<table><td>[[Y]]</table></table>[[A]]", ["a"], ["A"]),
        ("{{box|<li>[[X]]\n|{|\n}} [[A]]", ["a"], ["A"]),
        ("[[[A]]] [[[[B]]]] [[C]]]", ["a", "b", "c"], ["B", "C"]),
        ("[[A|''b''<ref>c</ref> {{d}}<br>&eacute;]]f <nowiki>[[X]]</nowiki>", ["b éf"], ["A"]),
        ("[[#part]] [[A#part]] [[ a |]] [[a{{x}}|b]] [[{{x}}]]", ["#part", "a#part"], ["A"]),
        ("[[X|]] [[A]]<!-- s -->s [[B]]'s", ["as", "b"], ["A", "B"]),
    ],
)
def test_links_are_found_in_unusual_markup(wikitext: str, counted: list[str], followed: list[str]) -> None:
    links = read_markup(wikitext, Names()).links
    assert [normalise(link.anchor) for link in links if not link.region & Region.HIDDEN] == counted
    names = [Names().parse(link.target)[1] for link in links if not link.region]
    assert [name for name in names if name] == followed


# -- an independent implementation ------------------------------------------------------------------------------------------


def checks(data: Path, name: str) -> Path:
    return data / "wiki" / "checks" / name


@pytest.fixture(params=["invented", pytest.param("schoolswiki", marks=pytest.mark.slow)], scope="session")
def checked_wiki(request: pytest.FixtureRequest) -> tuple[str, Base]:
    return request.param, request.getfixturevalue(request.param)


def test_counts_equal_those_of_an_independent_implementation(data: Path, checked_wiki: tuple[str, Base]) -> None:
    name, base = checked_wiki
    assert counts(base) == json.loads(checks(data, f"{name}_counts.json").read_text(encoding="utf-8"))


def test_senses_equal_those_of_an_independent_implementation(data: Path, checked_wiki: tuple[str, Base]) -> None:
    name, base = checked_wiki
    expected = json.loads(checks(data, f"{name}_senses.json").read_text(encoding="utf-8"))
    assert {label: senses_of(base, label) for label in expected} == expected


def senses_of(base: Base, label: str) -> dict[str, Any]:
    total = sum(base.uses[label].values())
    accepted = base.accepted_senses(label)
    senses = [
        {"article": title, "uses": uses, "prior": round(uses / total, 10), "kept": title in accepted}
        for title, uses in base.senses(label)
    ]
    return {"stem": stem(label), "uses": total, "senses": senses, "target_set": sorted(base.match_targets(label.split()))}


def test_pairs_score_like_an_independent_implementation(
    data: Path, stop_words: frozenset[str], checked_wiki: tuple[str, Base]
) -> None:
    name, base = checked_wiki
    found = Search({name: Wiki(base)}, stop_words)
    with checks(data, f"{name}_pairs.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wrong = [row for row in rows if abs(found.answer(row["substitute"], row["substitutee"]).score - float(row["score"])) > 1e-9]
    assert rows
    assert wrong == []


def test_aspects_and_paths_equal_those_of_an_independent_implementation(
    data: Path, stop_words: frozenset[str], checked_wiki: tuple[str, Base]
) -> None:
    name, base = checked_wiki
    found = Search({name: Wiki(base)}, stop_words)
    for line in checks(data, f"{name}_pairs_detail.jsonl").read_text(encoding="utf-8").splitlines():
        expected = json.loads(line)
        pair = expected["substitute"], expected["substitutee"]
        answer = found.answer(*pair)
        assert isclose(answer.score, expected["score"], abs_tol=1e-9), pair
        assert list(answer.aspects) == expected["aspects"], pair
        assert [phrase for phrase, aspects in zip(pair, answer.aspects, strict=True) if not aspects] == expected["unknown"]
        for used in expected["used"]:
            score = answer.scores[used["from"], used["to"]]
            assert isclose(score, used["score"], abs_tol=1e-9), pair
            if used["path"]:
                assert isclose(prod(steps_of(base, used["path"])), score, abs_tol=1e-9), pair


def steps_of(base: Base, path: list[tuple[str, str, str, int]]) -> Iterator[float]:
    """Yield the score of each step of a path by its kind and breadth, with Same at 1.0 at both ends."""
    weights = Weights()
    for place, ((_, before, _, _), (sort, name, kind, breadth)) in enumerate(pairwise(path)):
        if kind == "same":
            yield 1.0 if place in (0, len(path) - 2) else weights.same
            assert (name, before) in base.central if sort == "C" else (before, name) in base.central
        else:
            yield (weights.down if kind == "specialisation" else weights.up)(breadth)


@pytest.mark.slow
def test_body_links_equal_those_of_an_independent_implementation(data: Path, schoolswiki: Base) -> None:
    lines = checks(data, "schoolswiki_links.jsonl").read_text(encoding="utf-8").splitlines()
    for expected in map(json.loads, lines):
        assert schoolswiki.body_links(expected["title"]) == expected["links"], expected["title"]
        with_parentheses = schoolswiki.body_links(expected["title"], keep_parentheses=True)
        assert with_parentheses == expected["links_with_parentheses"], expected["title"]
    assert len(lines) == 150


def test_body_links_of_hand_written_cases_are_found(data: Path) -> None:
    lines = (data / "wiki" / "body-link-cases.jsonl").read_text(encoding="utf-8").splitlines()
    redirects = {"R": "B", "S": "Self", "L": "Loop", "Loop": "L"}
    base = Base(Names(), Options())
    for title in "ABCDEFGHIJKMNOPQTUVWXYZ":
        base.pages[0, title] = Page(0, title, None, "")
    base.pages[0, "Self"] = Page(0, "Self", None, "")
    base.pages.update({(0, title): Page(0, title, target, "") for title, target in redirects.items()})
    base.markup = {key: read_markup("", base.names) for key, page in base.pages.items() if page.redirect is None}
    for case in map(json.loads, lines):
        base.markup[0, "Self"] = read_markup(case["wikitext"], base.names)
        assert base.body_links("Self", None) == case["links"], case["case"]
    assert len(lines) == 43


@pytest.mark.slow
def test_counts_of_a_wiki_in_another_language_are_reproduced(data: Path) -> None:
    found = counts(read_base(data / "wiki" / "ltgwiki-pages-articles.xml.bz2"))
    expected = {
        "articles": 903,
        "redirects": 141,
        "redirects dropped": 6,
        "categories": 536,
        "hidden categories left out": 3,
        "subcategory edges": 604,
        "membership edges": 820,
        "labels": 1672,
        "central articles": 143,
    }
    assert {name: found[name] for name in expected} == expected


# -- properties of random wikis ---------------------------------------------------------------------------------------------


@given(small_dumps.wikis())
def test_uses_of_a_label_are_the_sum_of_titles_redirects_and_links(pages: list[SmallPage]) -> None:
    base = read_tiny(pages)
    total = sum(sum(senses.values()) for senses in base.uses.values())
    assert total == len(base.articles) + len(base.redirects) + base.dropped["kept"]


@given(small_dumps.wikis())
def test_accepted_senses_are_articles_and_cover_the_label(pages: list[SmallPage]) -> None:
    base = read_tiny(pages)
    for label, uses in base.uses.items():
        accepted = base.accepted_senses(label)
        assert set(accepted) <= base.articles
        assert 100 * sum(uses[article] for article in accepted) >= 99 * sum(uses.values())


@given(small_dumps.wikis(), small_dumps.phrases(), small_dumps.phrases())
def test_scores_are_from_0_to_1(pages: list[SmallPage], substitute: str, substitutee: str) -> None:
    found = search(read_tiny(pages))
    assert 0.0 <= found.answer(substitute, substitutee).score <= 1.0
    assert found.answer(substitute, substitute).score == (1.0 if found.aspects(substitute)[1] else 0.0)


@given(small_dumps.wikis(), st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_matter(pages: list[SmallPage], random: Any) -> None:
    once = list({page.title: page for page in pages}.values())
    base = read_tiny(once)
    random.shuffle(once)
    other = read_tiny(once)
    assert (base.uses, base.central, base.members, base.parents) == (other.uses, other.central, other.members, other.parents)


@given(small_dumps.wikis())
def test_random_pairs_can_be_scored(pages: list[SmallPage]) -> None:
    base = read_tiny(pages)
    if base.uses:
        answers = [search(base).answer(*pair) for pair in random_pairs(base, 1, 5)]
        assert len(answers) == 5
