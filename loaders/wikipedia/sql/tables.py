"""What only the SQL dumps of a wiki know: the categories that templates make, and which pages are hidden or disambiguation.

A folder has them as ``<wiki>-<date>-<table>.sql.gz``. ``categorylinks`` names its categories by title in dumps up to 2025,
later by a number that ``linktarget`` explains; ``page_props`` is optional. Pages are told by their id, which the XML has too.
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

from ...archives import translate_errors
from ...errors import SourceInvalid, SourceMissing
from ..site import CATEGORY, database_of
from .parser import UNREADABLE, Table

LINKS = pa.schema([("page", pa.int64()), ("target", pa.int64()), ("name", pa.string())])
"""One row a category link: the page's id, and the category's name or else the id of its link target."""

TARGETS = pa.schema([("id", pa.int64()), ("name", pa.string())])
"""One row a link target that is a category."""

PROPS = pa.schema([("page", pa.int64()), ("hidden", pa.bool_()), ("disambiguation", pa.bool_())])
"""One row a mark of a page."""

HIDDEN, DISAMBIGUATION = b"hiddencat", b"disambiguation"
NEEDED, TARGET, MARKED = "categorylinks", "linktarget", "page_props"


@dataclass(frozen=True)
class SqlDumps:
    """The SQL dumps of a folder; ``left_out`` counts what could not be read of them.

    Each method gives Arrow batches of the schema of that name. A link's category is
    ``coalesce(links.name, (SELECT name FROM targets WHERE id = links.target))``.
    """

    left_out: Counter[str]
    _links: Table
    _targets: Table | None
    _props: Table | None

    @property
    def paths(self) -> list[Path]:
        """The files that are read."""
        return [table.path for table in (self._links, self._targets, self._props) if table is not None]

    def links(self) -> Iterator[pa.RecordBatch]:
        """The category links of pages and categories, those of files left aside (``LINKS``)."""
        named = "cl_to" in self._links.columns
        wanted = {"cl_from": pa.int64(), **({"cl_to": pa.binary()} if named else {"cl_target_id": pa.int64()})}
        typed = {"cl_type": pa.binary()} if "cl_type" in self._links.columns else {}
        for batch in self._links.batches(wanted | typed):
            kept = batch.filter(pc.not_equal(batch["cl_type"], b"file")) if typed else batch
            nothing = pa.nulls(kept.num_rows)
            if named:
                yield self._batch(LINKS, kept[0], nothing, _titles(kept[1]))
            else:
                yield self._batch(LINKS, kept[0], kept[1], nothing)

    def targets(self) -> Iterator[pa.RecordBatch]:
        """The link targets that are categories (``TARGETS``); none where links name their categories themselves."""
        if self._targets is not None:
            wanted = {"lt_id": pa.int64(), "lt_namespace": pa.int64(), "lt_title": pa.binary()}
            for batch in self._targets.batches(wanted):
                kept = batch.filter(pc.equal(batch["lt_namespace"], CATEGORY))
                yield self._batch(TARGETS, kept["lt_id"], _titles(kept["lt_title"]))

    def props(self) -> Iterator[pa.RecordBatch]:
        """The pages marked as hidden category or as disambiguation (``PROPS``); none without the dump of page_props."""
        if self._props is not None:
            for batch in self._props.batches({"pp_page": pa.int64(), "pp_propname": pa.binary()}):
                kept = batch.filter(pc.is_in(batch["pp_propname"], pa.array([HIDDEN, DISAMBIGUATION])))
                marks = [pc.equal(kept["pp_propname"], mark) for mark in (HIDDEN, DISAMBIGUATION)]
                yield self._batch(PROPS, kept["pp_page"], *marks)

    def _batch(self, schema: pa.Schema, *columns: pa.Array) -> pa.RecordBatch:
        """The rows whose first value, and one of whose others, is known; the rest is counted."""
        batch = pa.record_batch([each.cast(field.type) for each, field in zip(columns, schema, strict=True)], schema=schema)
        told = reduce(pc.or_, [pc.is_valid(each) for each in batch.columns[1:]])
        known = batch.filter(pc.and_(pc.is_valid(batch[0]), told))
        if known.num_rows < batch.num_rows:
            self.left_out[UNREADABLE] += batch.num_rows - known.num_rows
        return known


def _titles(written: pa.Array) -> pa.Array:
    """Titles with blanks, not underscores; null for what is no text."""
    try:
        texts = written.cast(pa.string())
    except pa.ArrowInvalid:  # one of them is cut off in the middle of a letter
        texts = pa.array([_text(each) for each in written.to_pylist()], pa.string())
    return pc.replace_substring(texts, "_", " ")


def _text(written: bytes | None) -> str | None:
    try:
        return None if written is None else written.decode()
    except UnicodeDecodeError:
        return None


def open_sql_dumps(folder: Path, wiki: str, left_out: Counter[str]) -> SqlDumps:
    """The SQL dumps of a wiki in a folder; a ``SourceMissing`` says which is needed and not there."""
    if folder.is_file():
        raise SourceInvalid(f"{folder} is a file; give the folder of SQL dumps that it lies in")
    if not folder.is_dir():
        raise SourceMissing(f"there is no folder {str(folder)!r} of SQL dumps; check the path")
    links = _file(folder, wiki, NEEDED)
    if links is None:
        raise SourceMissing(
            f"{folder} has no {NEEDED}.sql or .sql.gz; get {wiki}'s from where its dump is from, or leave --sql out"
        )
    table = Table(links, NEEDED, left_out)
    targets = None
    if "cl_to" not in table.columns:
        place = _file(folder, wiki, TARGET)
        if place is None:
            lacking = links.name.replace(NEEDED, TARGET)
            raise SourceMissing(
                f"{folder} has no {lacking}, and {links.name} is of the form since 2025, which names categories by "
                f"their number in {TARGET}; get {lacking} too, of the same day"
            )
        targets = Table(place, TARGET, left_out)
    marks = _file(folder, wiki, MARKED)
    return SqlDumps(left_out, table, targets, None if marks is None else Table(marks, MARKED, left_out))


def _file(folder: Path, wiki: str, table: str) -> Path | None:
    """The dump of a table; of several that of this wiki."""
    with translate_errors(folder):
        dumps = rf"(?:^|[-_.]){table}\.sql(?:\.gz|\.bz2)?$"
        found = [each for each in folder.iterdir() if re.search(dumps, each.name) and each.is_file()]
    if len(found) > 1:
        found = [each for each in found if each.name.startswith(f"{wiki}-")] or found
    if len(found) > 1:
        names = " and ".join(sorted(each.name for each in found)[:2])
        raise SourceInvalid(f"{folder} has more than one dump of {table} ({names}); leave one of them there")
    if found and (other := database_of(found[0].name)) and database_of(wiki) and other != wiki:
        raise SourceInvalid(f"{found[0]} is a dump of {other}, and the wiki is {wiki}: get {wiki}'s, or leave --sql out")
    return found[0] if found else None
