"""The body links of every article equal those of the reference transcription; links that lead nowhere do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from wayword.graph.memory import MemoryStore
from wayword.search.bases.wikipedia.articles import article_links

from ...oracles.wiki_base import Base
from ...support.loaded_wikis import load


@pytest.mark.slow
@pytest.mark.parametrize("keep_parentheses", [False, True])
def test_body_links_of_all_articles_equal_those_of_the_transcription(
    data: Path, invented: Base, keep_parentheses: bool
) -> None:
    with MemoryStore() as store:
        load(store, data / "wiki" / "checks" / "invented.xml")
        name = store.bases()[0].id
        compared = 0
        for title in sorted(invented.articles):
            found = article_links(store, [name], title, 20, keep_parentheses=keep_parentheses)
            assert [link.title for link in found] == invented.body_links(title, 20, keep_parentheses=keep_parentheses), title
            compared += len(found)
        assert compared > 1_500
        assert invented.disambiguation_pages
