"""What the labels of a wiki mean: anchors led to their articles and counted, titles added, and the stem of every phrase."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ....core.stemming import Stemmer
from ..work_folder import StageFacts
from .duckdb import EXAMPLES, DuckDBSession

MISSING = "link_to_missing_page"
ELSEWHERE = "link_to_other_namespace"
AMBIGUOUS = "link_to_disambiguation"
WORDLESS = "link_without_text"
LONG = "link_with_long_text"
SET_APART = "link_outside_text"

_AT_ONCE = 1 << 17
"""Phrases in one go; the words of a few such goes are remembered, so memory does not grow with the wiki."""

_REMEMBERED = 8

_RESOLVED = """
SELECT l.page, l.nth, n.article, l.label, l.anchor, l.region, n.means
FROM links l JOIN names n ON n.name = l.target SEMI JOIN names a ON a.place = l.page"""

_SENSES = """
SELECT label, article, count(*) AS uses FROM (
  SELECT label, article FROM resolved WHERE means AND label IS NOT NULL
  UNION ALL
  SELECT label, article FROM names WHERE means AND label IS NOT NULL
) GROUP BY label, article"""

_PHRASES = """
SELECT label AS phrase FROM senses
UNION
SELECT coalesce(bare, label) FROM names WHERE coalesce(bare, label) IS NOT NULL
UNION
SELECT coalesce(bare, label) FROM category WHERE coalesce(bare, label) IS NOT NULL"""

_STEMMED = pa.schema([("phrase", pa.string()), ("stem", pa.string()), ("folded_stem", pa.string())])


def resolve_links(bench: DuckDBSession, shards: Path, sorted_out: Path, out: Path) -> StageFacts:
    """Write ``resolved``: every link that leads to an article, by their places."""
    for name in ("pages", "links"):
        bench.view(name, shards / f"{name}-*.parquet")
    bench.view("names", sorted_out / "name.parquet")
    bench.view("page", sorted_out / "page.parquet")
    bench.write(out / "resolved.parquet", _RESOLVED)
    bench.view("resolved", out / "resolved.parquet")
    ours = "SEMI JOIN names a ON a.place = {}"
    sums = "sum(links_elsewhere), sum(links_wordless), sum(links_long), sum(links_set_apart)"
    apart = bench.run(f"SELECT {sums} FROM page {ours.format('page.place')}")[0]  # noqa: S608
    counted = bench.number(f"SELECT count(label) FROM links l {ours.format('l.page')}")  # noqa: S608
    led, ambiguous = bench.run("SELECT count(label), count(label) FILTER (NOT means) FROM resolved")[0]
    found = dict(zip((ELSEWHERE, WORDLESS, LONG, SET_APART), (int(each or 0) for each in apart), strict=True))
    found |= {MISSING: counted - led, AMBIGUOUS: ambiguous}
    missing = "FROM links ANTI JOIN names n ON n.name = links.target WHERE label IS NOT NULL"
    missed = bench.texts(f"SELECT target {missing} GROUP BY target ORDER BY count(*) DESC, target LIMIT {EXAMPLES}")
    return StageFacts({reason: count for reason, count in found.items() if count}, {MISSING: missed} if missed else {})


def count_senses(bench: DuckDBSession, sorted_out: Path, led: Path, out: Path) -> StageFacts:
    """Write ``sense`` (label, article, uses) and ``stem`` (phrase, stem, folded_stem)."""
    bench.view("names", sorted_out / "name.parquet")
    bench.view("category", sorted_out / "category.parquet")
    bench.view("resolved", led / "resolved.parquet")
    bench.write(out / "sense.parquet", _SENSES)
    bench.view("senses", out / "sense.parquet")
    phrases = out / "phrase.parquet"
    bench.write(phrases, _PHRASES)
    with pq.ParquetWriter(out / "stem.parquet", _STEMMED, compression="lz4") as writer:
        for rows in _stems(phrases):
            writer.write_batch(rows)
    phrases.unlink()
    return StageFacts()


def _stems(phrases: Path) -> Iterator[pa.RecordBatch]:
    stem = Stemmer()
    for number, batch in enumerate(pq.ParquetFile(phrases).iter_batches(_AT_ONCE), start=1):
        names = batch.column(0)
        texts = names.to_pylist()
        stems = [pa.array(map(each, texts), pa.string()) for each in (stem, stem.stem_folded)]
        yield pa.RecordBatch.from_arrays([names, *stems], schema=_STEMMED)
        if number % _REMEMBERED == 0:
            stem = Stemmer()
