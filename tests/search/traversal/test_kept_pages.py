"""HOP walks through the pages that the load kept as articles, and finds them by any spelling of their titles."""

from __future__ import annotations

from itertools import pairwise

import pytest

from wayword.loaders.wikipedia.options import Options
from wayword.search.bases.wikipedia.articles import article_links, find_article
from wayword.search.errors import ArticleUnknown
from wayword.search.traversal.link_graph import open_link_graph
from wayword.search.traversal.strategy_options import StrategyOptions
from wayword.search.traversal.trails import make_trail
from wayword.search.traversal.walk import WalkRules

from ...support.loaded_wikis import tiny_store
from ...support.small_dumps import SmallPage

PAGES = [
    SmallPage("Zoo", "A zoo has a [[Jaguar]] and a [[Cat]]."),
    SmallPage("Jaguar", "'''Jaguar''' may be a [[Car]]. {{disambiguation}}"),
    SmallPage("Car", "A car."),
    SmallPage("Cat", "A [[car]]."),
]


@pytest.mark.parametrize(("keep", "trail"), [(True, ("Zoo", "Jaguar", "Car")), (False, ("Zoo", "Cat", "Car"))])
def test_a_trail_follows_the_links_that_are_listed(keep: bool, trail: tuple[str, ...]) -> None:
    with tiny_store(PAGES, options=Options(keep_disambiguation=keep)) as store:
        found = make_trail(store, open_link_graph(store), StrategyOptions("first"), "Zoo", "Car", WalkRules())
        assert found.trail == trail
        for article, following in pairwise(trail):
            assert article_links(store, [], article).links[0].title == following


def test_a_disambiguation_page_is_a_starter_and_a_target_only_if_it_was_kept() -> None:
    with tiny_store(PAGES, options=Options(keep_disambiguation=True)) as store:
        links = open_link_graph(store)
        assert make_trail(store, links, StrategyOptions("first"), "Jaguar", "Car", WalkRules()).ending == "reached"
        assert make_trail(store, links, StrategyOptions("first"), "Zoo", "Jaguar", WalkRules()).hops == 1
    with tiny_store(PAGES) as store:
        links = open_link_graph(store)
        with pytest.raises(ArticleUnknown, match="is a disambiguation page"):
            make_trail(store, links, StrategyOptions("first"), "Jaguar", "Car", WalkRules())


@pytest.mark.parametrize("title", ["Caf\u00e9", "Cafe\u0301", "caf\u00e9", "cafe\u0301"])
def test_a_title_is_found_whether_its_accents_are_composed_or_not(title: str) -> None:
    with tiny_store([SmallPage("Cafe"), SmallPage("Caf\u00e9")]) as store:
        assert find_article(store, "tinywiki", title) == "tinywiki:Caf\u00e9"


def test_a_title_without_its_accents_is_answered_with_the_right_one() -> None:
    with tiny_store([SmallPage("Smörgåsbord"), SmallPage("Other")]) as store, pytest.raises(ArticleUnknown) as raised:
        find_article(store, "tinywiki", "Smorgasbord")
    assert [each.values for each in raised.value.hints] == [{"names": ["Smörgåsbord"]}]


@pytest.mark.parametrize(
    ("title", "other"), [("バス", "ハス"), ("ข่าว", "ขาว"), ("Höna", "Hona"), ("Má", "Mạ"), ("שָׁלוֹם", "שלום"), ("كتَب", "كتب")]
)
def test_titles_that_differ_in_a_mark_are_different_articles(title: str, other: str) -> None:
    with tiny_store([SmallPage(title), SmallPage("Other")]) as store:
        with pytest.raises(ArticleUnknown):
            find_article(store, "tinywiki", other)
        with tiny_store([SmallPage(title), SmallPage(other)]) as both:
            assert find_article(both, "tinywiki", title) != find_article(both, "tinywiki", other)
