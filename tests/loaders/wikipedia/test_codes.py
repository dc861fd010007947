"""The codes under which a wiki's load counts what it leaves out."""

from __future__ import annotations

from wayword.core.left_out import WORDS, describe_left_out
from wayword.loaders.wikipedia.dump import dump_file, extraction, pages, streams
from wayword.loaders.wikipedia.joins import graph_tables, labels
from wayword.loaders.wikipedia.joins import pages as page_joins
from wayword.loaders.wikipedia.sql import join_input, parser

CODES = [
    *(pages.BROKEN, pages.MENDED, pages.NO_TITLE, pages.NO_TEXT, pages.OTHER_MODEL),
    *(streams.LARGE, streams.CUT_OFF, streams.DAMAGED, streams.BEHIND, dump_file.TOO_LARGE),
    *(extraction.OTHERS, extraction.NOT_BY_REFERENCE),
    *(page_joins.TWICE, page_joins.CIRCLES, page_joins.DEAD_ENDS, page_joins.AMBIGUOUS, page_joins.MOVED_CATEGORIES),
    *(page_joins.HIDDEN, page_joins.REPEATED, *page_joins.LOST_CATEGORY_LINKS),
    *(labels.MISSING, labels.ELSEWHERE, labels.AMBIGUOUS, labels.WORDLESS, labels.LONG, labels.SET_APART),
    *(graph_tables.BEYOND, parser.SQL_DAMAGED, parser.UNREADABLE, join_input.NAMELESS),
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


def test_sizes_in_the_words_are_the_limits() -> None:
    assert f"{streams.LARGEST_PAGE >> 20} MB" in WORDS[streams.LARGE][0]
    assert f"{dump_file.LARGEST_BLOCK >> 20} MB" in WORDS[dump_file.TOO_LARGE][0]
