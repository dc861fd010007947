"""From a dump to the bundle: the stages in their order, what each depends on, and what each is given."""

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
from .sql.join_input import NOTHING, write_sql_tables
from .sql.tables import open_sql_dumps
from .work_folder import FORMAT, StageFacts, WorkFolder

OF_READING = ("count_all_links", "longest_label", "openings", "parser")
OF_PAGES = ("keep_disambiguation", "keep_hidden", "hidden_patterns")
"""The options on which the stages so called depend; the rest is for the last one."""

COMPILED, COMPILING = 128 << 20, 512 << 20
"""Bytes of XML from which on the scanner in machine code is used where it lies ready, and compiled where it does not."""

READ, SQL, PAGES, LINKS, SENSES, GRAPH = "read", "sql", "pages", "links", "senses", "graph"


@dataclass(frozen=True, slots=True)
class Resources:
    """How the work is done; none of it changes what comes out.

    ``workers`` is how many processes read (None: one a processor), unless there is an ``executor``, whose workers must see the
    work folder under the same path. ``folder`` keeps the work in a place of the caller's; ``memory`` is what joins may hold.
    """

    workers: int | None = None
    executor: Executor | None = None
    folder: Path | None = None
    memory: int = MEMORY

    @property
    def count(self) -> int:
        """How many processes read."""
        return self.workers or cpu_count()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """All that the stages of one load are made from."""

    bundle: WorkFolder
    dump: Dump
    base: str
    options: Options
    language: Language
    sql: Path | None = None
    means: Resources = field(default_factory=Resources)

    def done(self, progress: Progress) -> Iterator[StageFacts]:
        """Do each stage that is not done yet, and give what each tells."""
        facts, at = self.options.facts(), self.bundle.path
        depends: dict[str, object] = {"format": FORMAT, "version": __version__, "dump": describe_file(self.dump.path)}
        depends |= {"language": plain_options(self.language), **{name: facts[name] for name in OF_READING}}
        yield self.bundle.stage(READ, depends, lambda out: self._read(progress, out))
        with ExitStack() as stack:

            @cache
            def bench() -> DuckDBSession:
                """One bench for all stages, if any of them is to be done."""
                scratch = stack.enter_context(self.bundle.scratch())
                return stack.enter_context(open_session(scratch, self.means.count, self.means.memory))

            def stage(name: str, doing: str, work: Callable[[DuckDBSession, Path], StageFacts], **more: object) -> StageFacts:
                progress(doing, 0, None)
                depends.update(more)
                return self.bundle.stage(name, depends, lambda out: work(bench(), out))

            if self.sql is not None:
                dumps = open_sql_dumps(self.sql, self.dump.site.name, Counter())
                files = [describe_file(path) for path in dumps.paths]
                yield stage(SQL, "reading SQL dumps", self._read_sql, sql=files)
            yield stage(PAGES, "sorting pages", self._sort_out, **{name: facts[name] for name in OF_PAGES})
            yield stage(LINKS, "leading links to articles", lambda bench, out: resolve_links(bench, at(READ), at(PAGES), out))
            yield stage(SENSES, "counting labels", lambda bench, out: count_senses(bench, at(PAGES), at(LINKS), out))
            yield stage(GRAPH, "writing tables", self._write, base=self.base, first_links=facts["first_links"])

    def _sort_out(self, bench: DuckDBSession, out: Path) -> StageFacts:
        for name, empty in NOTHING.items():
            if self.sql is None:
                bench.table(name, empty)
            else:
                bench.view(name, self.bundle.path(SQL) / f"{name}.parquet")
        return sort_pages(bench, self.bundle.path(READ), out, self.options)

    def _read_sql(self, bench: DuckDBSession, out: Path) -> StageFacts:
        assert self.sql is not None  # noqa: S101 - it is a stage only where there are any
        left_out: Counter[str] = Counter()
        return write_sql_tables(bench, open_sql_dumps(self.sql, self.dump.site.name, left_out), out, self.dump.site)

    def _write(self, bench: DuckDBSession, out: Path) -> StageFacts:
        return write_tables(bench, self.bundle.path, out, self.base, self.options)

    def _read(self, progress: Progress, out: Path) -> StageFacts:
        # A load from a ready bundle reads nothing, and these are most of what it would import.
        from .dump.extraction import IN_FLIGHT, ReadingTask, extract_all
        from .wikitext.compiled.compile_cache import getting_ready

        reading = ReadingTask(
            key=token_hex(8),
            site=self.dump.site,
            language=self.language,
            folder=out,
            count_all_links=self.options.count_all_links,
            longest_label=self.options.longest_label,
            openings=self.options.openings,
            parser=self.options.parser,
            compiled=self.options.parser == "fast" and self.dump.unpacked() >= COMPILED,
        )
        given, before = self.means.executor, describe_file(self.dump.path)

        def tell(characters: int) -> None:
            progress("reading the dump (MB)", characters >> 20, self.dump.share())

        if self.means.count > 1:  # this process waits while the others read
            Thread(target=stemming.preload, daemon=True).start()
        compiling = getting_ready() if reading.compiled and self.dump.unpacked() >= COMPILING else nullcontext()
        with compiling, nullcontext(given) if given is not None else process_pool(self.means.count) as executor:
            read = extract_all(reading, self.dump.blocks(), executor, IN_FLIGHT * self.means.count, tell)
        with translate_errors(self.dump.path):
            if describe_file(self.dump.path) != before:
                raise SourceDamaged(f"{self.dump.path} changed while it was read; load it again when it is complete")
        check_articles(self.dump.path, read.pages, read.articles, read.left_out)
        return StageFacts(read.left_out)


def plain_options(value: object) -> object:
    """A value in words and numbers, such that equal values give equal ones: patterns, sets and dataclasses taken apart."""
    if isinstance(value, re.Pattern):
        return [value.pattern, value.flags]
    if isinstance(value, Mapping):
        return {str(key): plain_options(each) for key, each in sorted(value.items())}
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return [plain_options(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: plain_options(getattr(value, each.name)) for each in fields(value)}  # type: ignore[arg-type]
    return value
