"""Write the rows of SQL dumps as tables for the joins: categories set by templates, and properties of pages."""

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

EMPTY_TABLES = {
    "extra": "SELECT 0::BIGINT AS id, '' AS name WHERE false",
    "props": "SELECT 0::BIGINT AS id, true AS hidden, true AS disambiguation WHERE false",
}
"""The same tables for a load without SQL dumps."""

UNTITLED_CATEGORY_LINK = "untitled_sql_category_link"

_EXTRA = """
SELECT l.page AS id, coalesce(l.name, t.name) AS name FROM links_sql l LEFT JOIN targets_sql t ON t.id = l.target
WHERE coalesce(l.name, t.name) IS NOT NULL"""

_PROPS = "SELECT page AS id, bool_or(hidden) AS hidden, bool_or(disambiguation) AS disambiguation FROM props_sql GROUP BY page"


def write_sql_tables(session: DuckDBSession, dumps: SqlDumps, out: Path, site: Site) -> StageFacts:
    """Write ``extra`` (page id, category) and ``props`` (page id, hidden, disambiguation)."""
    titles = Titles(site)
    for name, schema, batches in (
        ("links_sql", LINKS, _normalise_names(dumps.links(), titles)),
        ("targets_sql", TARGETS, _normalise_names(dumps.targets(), titles)),
        ("props_sql", PROPS, dumps.props()),
    ):
        file = out / f"{name}.parquet"
        with pq.ParquetWriter(file, schema, compression="lz4") as writer:
            for batch in batches:
                writer.write_batch(batch)
        session.create_view(name, file)
    session.write_parquet(out / "extra.parquet", _EXTRA)
    session.write_parquet(out / "props.parquet", _PROPS)
    lost = session.read_number("SELECT count(*) FROM links_sql") - session.read_number(f"SELECT count(*) FROM ({_EXTRA})")  # noqa: S608
    if lost:
        dumps.left_out[UNTITLED_CATEGORY_LINK] += lost
    return StageFacts(dumps.left_out)


def _normalise_names(batches: Iterator[pa.RecordBatch], titles: Titles) -> Iterator[pa.RecordBatch]:
    """Yield the batches with their names in the normal form of titles, null if a name is not a title."""
    for batch in batches:
        names = batch["name"].dictionary_encode()
        parsed = [titles.parse_page(f"Category:{name}", CATEGORY) for name in names.dictionary.to_pylist()]
        normalised = pa.array([title and title.name for title in parsed], pa.string()).take(names.indices)
        yield batch.set_column(batch.schema.get_field_index("name"), "name", normalised)
