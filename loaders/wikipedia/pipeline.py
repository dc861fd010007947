"""The stages of a load in their order, with the inputs and options on which each depends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from secrets import token_hex
from threading import Thread

from ... import __version__
from ...core import stemming
from ...core.atomic_files import describe_file
from ...core.executors import cpu_count, process_pool
from ...core.progress import Progress
from ..archives import translate_errors
from ..errors import SourceDamaged
from .dump.dump_file import Dump, check_articles
from .joins.duckdb import MEMORY, DuckDBSession, open_session
from .joins.graph_tables import write_tables
from .joins.labels import count_senses, resolve_links
from .joins.pages import sort_pages
from .languages import Language
from .options import Options
from .sql.join_input import EMPTY_TABLES, write_sql_tables
from .sql.tables import open_sql_dumps
from .work_folder import FORMAT, StageFacts, WorkFolder

READ_OPTIONS = ("count_all_links", "longest_label", "openings", "parser")
PAGES_OPTIONS = ("keep_disambiguation", "keep_hidden", "hidden_patterns")
"""The options on which these stages depend; the last stage depends on the others."""

READ, SQL, PAGES, LINKS, SENSES, GRAPH = "read", "sql", "pages", "links", "senses", "graph"


@dataclass(frozen=True, slots=True)
class Resources:
    """The resources of a load, which do not affect its result.

    Attributes:
        workers: Processes that read the dump (None: one per processor).
        executor: Reads the dump instead; its workers must see the work folder under the same path.
        folder: The work folder, if the caller names one.
        memory: Bytes that the joins may use.
    """

    workers: int | None = None
    executor: Executor | None = None
    folder: Path | None = None
    memory: int = MEMORY

    @property
    def count(self) -> int:
        """Processes that read the dump."""
        return self.workers or cpu_count()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages of one load."""

    folder: WorkFolder
    dump: Dump
    base: str
    options: Options
    language: Language
    sql: Path | None = None
    resources: Resources = field(default_factory=Resources)

    def run(self, progress: Progress) -> Iterator[StageFacts]:
        """Run each stage that is not complete, and yield the facts of all."""
        facts, path = self.options.facts(), self.folder.path
        # Each stage adds to these facts, so its key covers all stages before it.
        depends: dict[str, object] = {"format": FORMAT, "version": __version__, "dump": describe_file(self.dump.path)}
        depends |= {"language": plain_options(self.language), **{name: facts[name] for name in READ_OPTIONS}}
        yield self.folder.run_stage(READ, depends, lambda out: self._read(progress, out))
        with ExitStack() as stack:

            @cache
            def session() -> DuckDBSession:
                """Open one session for all stages, if any of them has to run."""
                scratch = stack.enter_context(self.folder.scratch())
                return stack.enter_context(open_session(scratch, self.resources.count, self.resources.memory))

            def stage(name: str, label: str, work: Callable[[DuckDBSession, Path], StageFacts], **more: object) -> StageFacts:
                progress(label, 0, None)
                depends.update(more)
                return self.folder.run_stage(name, depends, lambda out: work(session(), out))

            if self.sql is not None:
                dumps = open_sql_dumps(self.sql, self.dump.site.name, Counter())
                files = [describe_file(path) for path in dumps.paths]
                yield stage(SQL, "reading SQL dumps", self._read_sql, sql=files)
            yield stage(PAGES, "sorting pages", self._sort_pages, **{name: facts[name] for name in PAGES_OPTIONS})
            yield stage(LINKS, "resolving links", lambda session, out: resolve_links(session, path(READ), path(PAGES), out))
            yield stage(SENSES, "counting labels", lambda session, out: count_senses(session, path(PAGES), path(LINKS), out))
            yield stage(GRAPH, "writing tables", self._write, base=self.base, first_links=facts["first_links"])

    def _sort_pages(self, session: DuckDBSession, out: Path) -> StageFacts:
        for name, empty in EMPTY_TABLES.items():
            if self.sql is None:
                session.create_table(name, empty)
            else:
                session.create_view(name, self.folder.path(SQL) / f"{name}.parquet")
        return sort_pages(session, self.folder.path(READ), out, self.options)

    def _read_sql(self, session: DuckDBSession, out: Path) -> StageFacts:
        assert self.sql is not None  # noqa: S101 - the stage exists only with SQL dumps
        left_out: Counter[str] = Counter()
        return write_sql_tables(session, open_sql_dumps(self.sql, self.dump.site.name, left_out), out, self.dump.site)

    def _write(self, session: DuckDBSession, out: Path) -> StageFacts:
        return write_tables(session, self.folder.path, out, self.base, self.options)

    def _read(self, progress: Progress, out: Path) -> StageFacts:
        # Imported here, because they are slow to import and a load from a complete work folder does not need them.
        from .dump.extraction import IN_FLIGHT, ReadingTask, extract_all

        task = ReadingTask(
            key=token_hex(8),
            site=self.dump.site,
            language=self.language,
            folder=out,
            count_all_links=self.options.count_all_links,
            longest_label=self.options.longest_label,
            openings=self.options.openings,
            parser=self.options.parser,
        )
        shared_executor, before = self.resources.executor, describe_file(self.dump.path)
        count = self.resources.count

        def report(characters: int) -> None:
            progress("reading the dump (MB)", characters >> 20, self.dump.share())

        if count > 1:  # this process is idle while the others read
            Thread(target=stemming.preload, daemon=True).start()
        pool = process_pool(count) if shared_executor is None else nullcontext(shared_executor)
        with pool as executor:
            result = extract_all(task, self.dump.blocks(), executor, IN_FLIGHT * count, report)
        with translate_errors(self.dump.path):
            if describe_file(self.dump.path) != before:
                raise SourceDamaged(f"{self.dump.path} changed while it was read; load it again when it is complete")
        check_articles(self.dump.path, result.pages, result.articles, result.left_out)
        return StageFacts(result.left_out)


def plain_options(value: object) -> object:
    """Convert patterns, sets and dataclasses in a value to plain JSON data, which is equal for equal values."""
    if isinstance(value, re.Pattern):
        return [value.pattern, value.flags]
    if isinstance(value, Mapping):
        return {str(key): plain_options(item) for key, item in sorted(value.items())}
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return [plain_options(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {option.name: plain_options(getattr(value, option.name)) for option in fields(value)}  # type: ignore[arg-type]
    return value
