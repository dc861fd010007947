"""A wiki's dump as something that can be loaded: the work on it, and the rows of the bundle that this ends in."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...core.messages import quote_value
from ...core.progress import Progress, no_progress
from ...graph.errors import LoadError
from ...graph.records import Base, Batch
from ...graph.schema import BASE_NAME
from .dump.dump_file import Dump
from .joins.duckdb import check_patterns
from .joins.graph_tables import ENDS, NODES
from .languages import Language, find_language, fold_name
from .options import HIDDEN_PATTERNS, Options
from .pipeline import GRAPH, Pipeline, Resources
from .site import LONGEST_NAME
from .sql.tables import open_sql_dumps
from .work_folder import WorkFolder, default_folder

AT_ONCE = 50_000
"""Rows of a batch."""


class WikiLoader:
    """A dump that can be loaded: ``with wikipedia(path) as loader: ingest(store, loader)``.

    ``prepare`` works on the dump, as far as that has not been done before; ``batches`` calls it if need be and gives the rows.
    ``base.left_out`` is filled by then, and ``examples`` has some of each. Where the block ends without an error, the work is
    no longer needed and its folder goes, unless the caller named it.
    """

    def __init__(
        self,
        dump: Dump,
        name: str | None,
        options: Options,
        words: Language | None,
        sql: Path | None,
        means: Resources,
    ) -> None:
        if name is not None and not (BASE_NAME.fullmatch(name) and len(name) <= LONGEST_NAME):
            raise LoadError(
                f"{quote_value(name)} cannot name a base; "
                f"use at most {LONGEST_NAME} lower-case letters, digits, '.', '-' and '_'"
            )
        check_patterns(set(options.hidden_patterns) - set(HIDDEN_PATTERNS))
        self._keep = means.folder is not None
        self._left_out: Counter[str] = Counter()
        self._ready = False
        self._done = self._total = 0
        self.examples: dict[str, list[str]] = {}
        file = os.fsencode(dump.path.name).decode(errors="replace")
        self._bundle = WorkFolder(means.folder or default_folder(dump.path), f"{file} of {dump.site.name}")
        self.base = Base(
            name or dump.site.name,
            "wikipedia",
            file,
            left_out=self._left_out,
            language=dump.site.language,
            options={**options.recorded(), **({"sql": sql.name} if sql else {})},
        )
        if sql is not None:
            open_sql_dumps(
                sql, dump.site.name, Counter()
            )  # what is missing there is better told now than when the dump is read
        known = words or find_language(dump.site.language)
        known = replace(known, disambiguation=known.disambiguation | set(map(fold_name, options.disambiguation_templates)))
        self._work = Pipeline(self._bundle, dump, self.base.id, options, known, sql, means)

    def __enter__(self) -> Self:
        self._bundle.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if kind is None and not self._keep:
            self._bundle.remove()
        self._bundle.__exit__(kind, error, traceback)

    def prepare(self, progress: Progress = no_progress) -> None:
        """Read the dump and join what was read, as far as that has not been done before."""
        self._left_out.clear()
        self.examples.clear()
        for facts in self._work.done(progress):
            self._left_out.update(facts.left_out)
            self.examples.update(facts.examples)
        self._ready = True

    def batches(self) -> Iterator[Batch]:
        """The rows, nodes first."""
        if not self._ready:
            self.prepare()
        folder, names = self._bundle.path(GRAPH), (*NODES, *ENDS)
        self._done = 0
        with self._bundle.reading():
            self._total = sum(pq.read_metadata(folder / f"{name}.parquet").num_rows for name in names)
        for name in names:
            for rows in self._rows(folder / f"{name}.parquet"):
                yield Batch(name, rows, ENDS.get(name))
                self._done += rows.num_rows

    def _rows(self, place: Path) -> Iterator[pa.RecordBatch]:
        with self._bundle.reading(), pq.ParquetFile(place) as file:
            yield from file.iter_batches(AT_ONCE)

    def most_used_label(self) -> str | None:
        """The label that links use most, None where there are no labels."""
        with pq.ParquetFile(self._bundle.path(GRAPH) / "Label.parquet") as file:
            groups = range(file.num_row_groups)
            most = [pc.max(file.read_row_group(group, ["uses"])["uses"]).as_py() or 0 for group in groups]
            if not most:
                return None
            rows = file.read_row_group(most.index(max(most)), ["name", "uses"])
        return str(rows["name"][pc.index(rows["uses"], max(most)).as_py()]) if rows.num_rows else None

    def share(self) -> float | None:
        """How much of the rows has been taken, 0 to 1; None while there are none."""
        return self._done / self._total if self._total else None
