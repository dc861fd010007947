"""The loader of a wiki's dump: it runs the pipeline and yields the rows that the pipeline wrote."""

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

from ...core.errors import hint
from ...core.messages import quote_value
from ...core.progress import Progress, no_progress
from ...graph.errors import LoadError
from ...graph.records import Base, Batch
from ...graph.schema import BASE_NAME
from ..errors import SourceDamaged
from .dump.dump_file import Dump
from .joins.duckdb import check_patterns
from .joins.graph_tables import ENDS, NODES
from .languages import Language, find_language, fold_name
from .options import HIDDEN_PATTERNS, PARSERS, Options
from .pipeline import GRAPH, Pipeline, Resources
from .site import LONGEST_NAME
from .sql.tables import open_sql_dumps
from .work_folder import WorkFolder, default_folder

BATCH_ROWS = 50_000


class WikiLoader:
    """A dump that can be loaded: ``with wikipedia(path) as loader: ingest(store, loader)``.

    ``prepare`` runs the stages that are not complete and fills ``base.left_out`` and ``examples``, which are some examples of
    what was left out, by code. ``batches`` yields the rows, after ``prepare`` if that has not been called. The work folder is
    removed when the block ends without an error, unless the caller named it.
    """

    def __init__(
        self,
        dump: Dump,
        name: str | None,
        options: Options,
        language: Language | None,
        sql: Path | None,
        resources: Resources,
    ) -> None:
        if name is not None and not (BASE_NAME.fullmatch(name) and len(name) <= LONGEST_NAME):
            raise LoadError(
                f"{quote_value(name)} cannot name a base; "
                f"use at most {LONGEST_NAME} lower-case letters, digits, '.', '-' and '_'"
            )
        if options.parser not in PARSERS:
            raise LoadError(f"{quote_value(options.parser)} is not a parser", hint("choose", option="parser", choices=PARSERS))
        check_patterns(set(options.hidden_patterns) - set(HIDDEN_PATTERNS))
        self._keeps_folder = resources.folder is not None
        self._left_out: Counter[str] = Counter()
        self._is_prepared = False
        self._rows_read = self._rows_total = 0
        self.examples: dict[str, list[str]] = {}
        file = os.fsencode(dump.path.name).decode(errors="replace")
        of = f"{file} of {dump.site.name}"
        self._folder = WorkFolder(resources.folder or default_folder(dump.path), of, share=resources.folder is None)
        self.base = Base(
            name or dump.site.name,
            "wikipedia",
            file,
            left_out=self._left_out,
            language=dump.site.language,
            options={**options.to_record(), **({"sql": sql.name} if sql else {})},
        )
        if sql is not None:
            open_sql_dumps(sql, dump.site.name, Counter())  # raises before the dump is read if a file is missing
        language = language or find_language(dump.site.language)
        templates = language.disambiguation | set(map(fold_name, options.disambiguation_templates))
        language = replace(language, disambiguation=templates)
        self._pipeline = Pipeline(self._folder, dump, self.base.id, options, language, sql, resources)

    def __enter__(self) -> Self:
        self._folder.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        # The work on a damaged dump cannot be resumed: it has to be downloaded again.
        if (kind is None or isinstance(error, SourceDamaged)) and not self._keeps_folder:
            self._folder.remove()
        self._folder.__exit__(kind, error, traceback)

    def prepare(self, progress: Progress = no_progress) -> None:
        """Run the stages of the load that are not complete."""
        self._left_out.clear()
        self.examples.clear()
        for facts in self._pipeline.run(progress):
            self._left_out.update(facts.left_out)
            self.examples.update(facts.examples)
        self._is_prepared = True

    def batches(self) -> Iterator[Batch]:
        """Yield the rows, nodes first."""
        if not self._is_prepared:
            self.prepare()
        folder, names = self._folder.path(GRAPH), (*NODES, *ENDS)
        self._rows_read = 0
        with self._folder.translate_read_errors():
            self._rows_total = sum(pq.read_metadata(folder / f"{name}.parquet").num_rows for name in names)
        for name in names:
            for rows in self._read_rows(folder / f"{name}.parquet"):
                yield Batch(name, rows, ENDS.get(name))
                self._rows_read += rows.num_rows

    def _read_rows(self, path: Path) -> Iterator[pa.RecordBatch]:
        with self._folder.translate_read_errors(), pq.ParquetFile(path) as file:
            yield from file.iter_batches(BATCH_ROWS)

    def most_used_label(self) -> str | None:
        """Return the label with the most uses, None if there are no labels."""
        with pq.ParquetFile(self._folder.path(GRAPH) / "Label.parquet") as file:
            groups = range(file.num_row_groups)
            highest = [pc.max(file.read_row_group(group, ["uses"])["uses"]).as_py() or 0 for group in groups]
            if not highest:
                return None
            rows = file.read_row_group(highest.index(max(highest)), ["name", "uses"])
        return str(rows["name"][pc.index(rows["uses"], max(highest)).as_py()]) if rows.num_rows else None

    def share(self) -> float | None:
        """Return the share of the rows that have been read, 0 to 1; None if there are no rows."""
        return self._rows_read / self._rows_total if self._rows_total else None
