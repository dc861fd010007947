"""Resolve links to articles, count the senses of labels from links and titles, and compute the stem of every phrase."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ....core.stemming import Stemmer
from ..work_folder import StageFacts
from .duckdb import MAX_EXAMPLES, DuckDBSession

MISSING_PAGE = "link_to_missing_page"
OTHER_NAMESPACE = "link_to_other_namespace"
DISAMBIGUATION = "link_to_disambiguation"
WITHOUT_TEXT = "link_without_text"
LONG_TEXT = "link_with_long_text"
OUTSIDE_TEXT = "link_outside_text"

_STEM_BATCH = 1 << 17
"""Phrases in a batch."""

_BATCHES_PER_CACHE = 8
"""Batches after which the cache of stems is emptied, so that memory does not grow with the wiki."""

_RESOLVED = """
SELECT l.page, l.nth, n.article, l.label, l.anchor, l.region, l.other_wiki, n.is_sense
FROM links l JOIN names n ON n.name = l.target SEMI JOIN names a ON a.place = l.page"""

_SENSES = """
SELECT label, article, count(*) AS uses FROM (
  SELECT label, article FROM resolved WHERE is_sense AND label IS NOT NULL
  UNION ALL
  SELECT label, article FROM names WHERE is_sense AND label IS NOT NULL
) GROUP BY label, article"""

_PHRASES = """
SELECT label AS phrase FROM senses
UNION
SELECT coalesce(bare, label) FROM names WHERE coalesce(bare, label) IS NOT NULL
UNION
SELECT coalesce(bare, label) FROM category WHERE coalesce(bare, label) IS NOT NULL"""

_STEMMED = pa.schema([("phrase", pa.string()), ("stem", pa.string()), ("folded_stem", pa.string())])


def resolve_links(session: DuckDBSession, shards: Path, pages: Path, out: Path) -> StageFacts:
    """Write ``resolved``: every link that leads to an article, with the places of its page and of that article.

    A link with the prefix of another wiki that leads to no page leads to that wiki, so it is not counted as missing.
    """
    for name in ("pages", "links"):
        session.create_view(name, shards / f"{name}-*.parquet")
    session.create_view("names", pages / "name.parquet")
    session.create_view("page", pages / "page.parquet")
    session.write_parquet(out / "resolved.parquet", _RESOLVED)
    session.create_view("resolved", out / "resolved.parquet")
    of_articles = "SEMI JOIN names a ON a.place = {}"
    columns = "sum(links_other_namespace), sum(links_without_text), sum(links_long_text), sum(links_outside_text)"
    sums_of_pages = session.execute(f"SELECT {columns} FROM page {of_articles.format('page.place')}")[0]  # noqa: S608
    counted = session.read_number(
        f"SELECT count(label) FROM links l {of_articles.format('l.page')} WHERE NOT other_wiki"  # noqa: S608
    )
    resolved, ambiguous = session.execute(
        "SELECT count(label) FILTER (NOT other_wiki), count(label) FILTER (NOT is_sense) FROM resolved"
    )[0]
    counts = dict(
        zip((OTHER_NAMESPACE, WITHOUT_TEXT, LONG_TEXT, OUTSIDE_TEXT), (int(total or 0) for total in sums_of_pages), strict=True)
    )
    counts |= {MISSING_PAGE: counted - resolved, DISAMBIGUATION: ambiguous}
    missing = "FROM links ANTI JOIN names n ON n.name = links.target WHERE label IS NOT NULL AND NOT other_wiki"
    examples = session.read_texts(
        f"SELECT target {missing} GROUP BY target ORDER BY count(*) DESC, target LIMIT {MAX_EXAMPLES}"
    )
    return StageFacts({code: count for code, count in counts.items() if count}, {MISSING_PAGE: examples} if examples else {})


def count_senses(session: DuckDBSession, pages: Path, links: Path, out: Path) -> StageFacts:
    """Write ``sense`` (label, article, uses) and ``stem`` (phrase, stem, folded_stem)."""
    session.create_view("names", pages / "name.parquet")
    session.create_view("category", pages / "category.parquet")
    session.create_view("resolved", links / "resolved.parquet")
    session.write_parquet(out / "sense.parquet", _SENSES)
    session.create_view("senses", out / "sense.parquet")
    phrases = out / "phrase.parquet"
    session.write_parquet(phrases, _PHRASES)
    with pq.ParquetWriter(out / "stem.parquet", _STEMMED, compression="lz4") as writer:
        for rows in _stems(phrases):
            writer.write_batch(rows)
    phrases.unlink()
    return StageFacts()


def _stems(phrases: Path) -> Iterator[pa.RecordBatch]:
    stem = Stemmer()
    for number, batch in enumerate(pq.ParquetFile(phrases).iter_batches(_STEM_BATCH), start=1):
        names = batch.column(0)
        texts = names.to_pylist()
        stems = [pa.array(map(function, texts), pa.string()) for function in (stem, stem.stem_folded)]
        yield pa.RecordBatch.from_arrays([names, *stems], schema=_STEMMED)
        if number % _BATCHES_PER_CACHE == 0:
            stem = Stemmer()
