"""The tables of a wiki's SQL dumps: categories set by templates, and properties of pages.

Their files are named ``<wiki>-<date>-<table>.sql.gz``. ``categorylinks`` refers to categories by their title in dumps up to
2025, and later by the id of a row of ``linktarget``; ``page_props`` is optional. Pages have the same ids as in the XML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ....core.errors import hint
from ...archives import translate_errors
from ...errors import SourceInvalid, SourceMissing
from ..site import CATEGORY, database_of
from .parser import UNREADABLE_ROW, Table

LINKS = pa.schema([("page", pa.int64()), ("target", pa.int64()), ("name", pa.string())])
"""One row for each category link: the page's id, and the category's name or else the id of its link target."""

TARGETS = pa.schema([("id", pa.int64()), ("name", pa.string())])
"""One row for each link target that is a category."""

PROPS = pa.schema([("page", pa.int64()), ("hidden", pa.bool_()), ("disambiguation", pa.bool_())])
"""One row for each property that marks a page as hidden category or disambiguation page."""

HIDDEN, DISAMBIGUATION = b"hiddencat", b"disambiguation"
LINKS_TABLE, TARGETS_TABLE, PROPERTIES_TABLE = "categorylinks", "linktarget", "page_props"


@dataclass(frozen=True)
class SqlDumps:
    """The SQL dumps of a folder; ``left_out`` counts unreadable rows.

    Each method yields Arrow batches of the schema of that name. A link's category is
    ``coalesce(links.name, (SELECT name FROM targets WHERE id = links.target))``.
    """

    left_out: Counter[str]
    _links: Table
    _targets: Table | None
    _props: Table | None

    @property
    def paths(self) -> list[Path]:
        """The files to read."""
        return [table.path for table in (self._links, self._targets, self._props) if table is not None]

    def links(self) -> Iterator[pa.RecordBatch]:
        """Yield the category links of pages and categories, without those of files (``LINKS``)."""
        named = "cl_to" in self._links.columns
        types = {"cl_from": pa.int64(), **({"cl_to": pa.binary()} if named else {"cl_target_id": pa.int64()})}
        type_column = {"cl_type": pa.binary()} if "cl_type" in self._links.columns else {}
        for batch in self._links.batches(types | type_column):
            rows = batch.filter(pc.not_equal(batch["cl_type"], b"file")) if type_column else batch
            nulls = pa.nulls(rows.num_rows)
            if named:
                yield self._batch(LINKS, rows[0], nulls, _titles(rows[1]))
            else:
                yield self._batch(LINKS, rows[0], rows[1], nulls)

    def targets(self) -> Iterator[pa.RecordBatch]:
        """Yield the link targets that are categories (``TARGETS``); none if links contain the names of their categories."""
        if self._targets is not None:
            types = {"lt_id": pa.int64(), "lt_namespace": pa.int64(), "lt_title": pa.binary()}
            for batch in self._targets.batches(types):
                rows = batch.filter(pc.equal(batch["lt_namespace"], CATEGORY))
                yield self._batch(TARGETS, rows["lt_id"], _titles(rows["lt_title"]))

    def props(self) -> Iterator[pa.RecordBatch]:
        """Yield the pages marked as hidden category or as disambiguation (``PROPS``); none without the dump of page_props."""
        if self._props is not None:
            for batch in self._props.batches({"pp_page": pa.int64(), "pp_propname": pa.binary()}):
                rows = batch.filter(pc.is_in(batch["pp_propname"], pa.array([HIDDEN, DISAMBIGUATION])))
                flags = [pc.equal(rows["pp_propname"], mark) for mark in (HIDDEN, DISAMBIGUATION)]
                yield self._batch(PROPS, rows["pp_page"], *flags)

    def _batch(self, schema: pa.Schema, *columns: pa.Array) -> pa.RecordBatch:
        """Return the rows that have a first value and at least one other; count the others as unreadable."""
        batch = pa.record_batch([column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)
        has_value = reduce(pc.or_, [pc.is_valid(column) for column in batch.columns[1:]])
        usable = batch.filter(pc.and_(pc.is_valid(batch[0]), has_value))
        if usable.num_rows < batch.num_rows:
            self.left_out[UNREADABLE_ROW] += batch.num_rows - usable.num_rows
        return usable


def _titles(values: pa.Array) -> pa.Array:
    """Return titles with spaces for underscores; null if a title is not valid UTF-8."""
    try:
        texts = values.cast(pa.string())
    except pa.ArrowInvalid:  # one of them is cut off inside a character
        texts = pa.array([_decode(title) for title in values.to_pylist()], pa.string())
    return pc.replace_substring(texts, "_", " ")


def _decode(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def open_sql_dumps(folder: Path, wiki: str, left_out: Counter[str]) -> SqlDumps:
    """Open the SQL dumps of a wiki in a folder.

    Raises:
        SourceMissing: The folder or a needed dump does not exist.
        SourceInvalid: The folder is a file, or a dump is ambiguous or of another wiki.
    """
    if folder.is_file():
        raise SourceInvalid(f"{folder} is a file; give the folder that contains it")
    if not folder.is_dir():
        raise SourceMissing(f"there is no folder {str(folder)!r} of SQL dumps; check the path")
    links = _find_file(folder, wiki, LINKS_TABLE)
    if links is None:
        raise SourceMissing(
            f"{folder} has no {LINKS_TABLE}.sql or .sql.gz; download it from the site of the {wiki} dump, or",
            hint("omit", option="sql"),
        )
    table = Table(links, LINKS_TABLE, left_out)
    targets = None
    if "cl_to" not in table.columns:
        path = _find_file(folder, wiki, TARGETS_TABLE)
        if path is None:
            missing = links.name.replace(LINKS_TABLE, TARGETS_TABLE)
            raise SourceMissing(
                f"{folder} has no {missing}, and {links.name} names categories by their ids in {TARGETS_TABLE}, as dumps "
                f"do since 2025; download {missing} of the same day too"
            )
        targets = Table(path, TARGETS_TABLE, left_out)
    properties = _find_file(folder, wiki, PROPERTIES_TABLE)
    return SqlDumps(left_out, table, targets, None if properties is None else Table(properties, PROPERTIES_TABLE, left_out))


def _find_file(folder: Path, wiki: str, table: str) -> Path | None:
    """Return the dump of a table, preferably that of this wiki, or None."""
    with translate_errors(folder):
        dumps = rf"(?:^|[-_.]){table}\.sql(?:\.gz|\.bz2)?$"
        paths = [path for path in folder.iterdir() if re.search(dumps, path.name) and path.is_file()]
    if len(paths) > 1:
        paths = [path for path in paths if path.name.startswith(f"{wiki}-")] or paths
    if len(paths) > 1:
        names = " and ".join(sorted(path.name for path in paths)[:2])
        raise SourceInvalid(f"{folder} has more than one dump of {table} ({names}); remove all but one")
    if paths and (other := database_of(paths[0].name)) and database_of(wiki) and other != wiki:
        raise SourceInvalid(
            f"{paths[0]} is a dump of {other}, and the wiki is {wiki}; download the dump of {wiki}", hint("omit", option="sql")
        )
    return paths[0] if paths else None
