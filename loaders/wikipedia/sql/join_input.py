"""What SQL dumps say of pages, as tables for the joins: categories that templates make, and marks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..joins.duckdb import DuckDBSession
from ..site import CATEGORY, Site
from ..wikitext.titles import Titles
from ..work_folder import StageFacts
from .tables import LINKS, PROPS, TARGETS, SqlDumps

NOTHING = {
    "extra": "SELECT 0::BIGINT AS id, '' AS name WHERE false",
    "props": "SELECT 0::BIGINT AS id, true AS hidden, true AS disambiguation WHERE false",
}
"""The tables that come of it, where there are no SQL dumps."""

NAMELESS = "untitled_sql_category_link"

_EXTRA = """
SELECT l.page AS id, coalesce(l.name, t.name) AS name FROM links_sql l LEFT JOIN targets_sql t ON t.id = l.target
WHERE coalesce(l.name, t.name) IS NOT NULL"""

_PROPS = "SELECT page AS id, bool_or(hidden) AS hidden, bool_or(disambiguation) AS disambiguation FROM props_sql GROUP BY page"


def write_sql_tables(bench: DuckDBSession, dumps: SqlDumps, out: Path, site: Site) -> StageFacts:
    """Write ``extra`` (page id, category) and ``props`` (page id, hidden, disambiguation)."""
    titles = Titles(site)
    for name, schema, batches in (
        ("links_sql", LINKS, _titled(dumps.links(), titles)),
        ("targets_sql", TARGETS, _titled(dumps.targets(), titles)),
        ("props_sql", PROPS, dumps.props()),
    ):
        file = out / f"{name}.parquet"
        with pq.ParquetWriter(file, schema, compression="lz4") as writer:
            for batch in batches:
                writer.write_batch(batch)
        bench.view(name, file)
    bench.write(out / "extra.parquet", _EXTRA)
    bench.write(out / "props.parquet", _PROPS)
    lost = bench.number("SELECT count(*) FROM links_sql") - bench.number(f"SELECT count(*) FROM ({_EXTRA})")  # noqa: S608
    if lost:
        dumps.left_out[NAMELESS] += lost
    return StageFacts(dumps.left_out)


def _titled(batches: Iterator[pa.RecordBatch], titles: Titles) -> Iterator[pa.RecordBatch]:
    """The batches with their names as titles are written; null where a name is none."""
    for batch in batches:
        names = batch["name"].dictionary_encode()
        made = [titles.page(f"Category:{name}", CATEGORY) for name in names.dictionary.to_pylist()]
        written = pa.array([title and title.name for title in made], pa.string()).take(names.indices)
        yield batch.set_column(batch.schema.get_field_index("name"), "name", written)
