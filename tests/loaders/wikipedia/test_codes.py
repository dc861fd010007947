"""The codes under which a wiki's load counts what it leaves out."""

from __future__ import annotations

from wayword.core.left_out import WORDS, describe_left_out
from wayword.loaders.wikipedia.dump import dump_file, extraction, pages, streams
from wayword.loaders.wikipedia.joins import graph_tables, labels
from wayword.loaders.wikipedia.joins import pages as page_joins
from wayword.loaders.wikipedia.sql import join_input, parser

CODES = [
    pages.MALFORMED_PAGE,
    pages.REPAIRED_PAGE,
    pages.UNTITLED_PAGE,
    pages.EMPTY_PAGE,
    pages.OTHER_CONTENT_MODEL,
    streams.OVERSIZED_PAGE,
    streams.TRUNCATION,
    streams.DAMAGED_STREAM,
    streams.DAMAGE_AFTER_END,
    dump_file.OVERSIZED_BLOCK,
    extraction.OTHER_NAMESPACE,
    extraction.READ_BY_FAST_PARSER,
    page_joins.DUPLICATE_TITLE,
    page_joins.REDIRECT_LOOP,
    page_joins.REDIRECT_TO_NO_ARTICLE,
    page_joins.REDIRECT_TO_DISAMBIGUATION,
    page_joins.REDIRECTING_CATEGORY,
    page_joins.HIDDEN_CATEGORY,
    page_joins.DUPLICATE_CATEGORY_LINK,
    *page_joins.UNUSED_CATEGORY_LINKS,
    labels.MISSING_PAGE,
    labels.OTHER_NAMESPACE,
    labels.DISAMBIGUATION,
    labels.WITHOUT_TEXT,
    labels.LONG_TEXT,
    labels.OUTSIDE_TEXT,
    graph_tables.LINK_BEYOND_FIRST,
    parser.SQL_DAMAGED,
    parser.UNREADABLE_ROW,
    join_input.UNTITLED_CATEGORY_LINK,
]


def test_every_code_is_counted_under_its_own_name() -> None:
    assert len(CODES) == len(set(CODES))
    assert all(code.replace("_", "").isalpha() and code.islower() for code in CODES)


def test_every_code_has_words() -> None:
    assert set(CODES) <= WORDS.keys()
    for code in CODES:
        singular, plural = WORDS[code]
        assert singular != plural
        assert describe_left_out(code, 1) == f"1 {singular}"
        assert describe_left_out(code, 2_000) == f"2,000 {plural}"


def test_descriptions_of_oversized_pages_state_the_limits() -> None:
    assert f"{streams.LARGEST_PAGE >> 20} MB" in WORDS[streams.OVERSIZED_PAGE][0]
    assert f"{dump_file.LARGEST_BLOCK >> 20} MB" in WORDS[dump_file.OVERSIZED_BLOCK][0]
