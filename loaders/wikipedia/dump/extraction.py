"""The reading of a dump: workers turn its blocks into shards of rows, a bounded number of blocks at a time."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ....core.executors import WORKER_LOST_ADVICE
from ...errors import SourceError
from ..languages import Language, fold_name
from ..options import Parser
from ..site import Site
from ..wikitext.compiled.compile_cache import ready
from ..wikitext.lead import read_gloss, read_openings
from ..wikitext.scanner import Scanner
from ..wikitext.targets import Targets
from ..wikitext.titles import Titles
from .dump_file import Block, Page, read_pages
from .shards import Shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ARTICLE, CATEGORY = 0, 14
OTHERS = "other_namespace"
NOT_BY_REFERENCE = "page_read_by_fast_parser"

IN_FLIGHT = 2
"""Blocks handed out for each worker: one to work at, one to go on with."""

AT_ONCE = 1 << 21
"""Characters of pages that are scanned together."""

_BRACKETED = re.compile(r"\(([^()]*)\)\Z")


class WorkerLost(SourceError):
    """A process that read the dump has ended before its time."""


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """What every worker is told: the wiki, its language, where the shards go, and what counts. ``key`` tells it from others.

    ``compiled`` means to scan in machine code as soon as that is ready; it pays for many pages only.
    """

    key: str
    site: Site
    language: Language
    folder: Path
    count_all_links: bool
    longest_label: int
    openings: int = 0
    parser: Parser = "fast"
    compiled: bool = False


@dataclass(slots=True)
class BlockResult:
    """What a worker tells of a block: characters of text, pages that can be read, articles among them, what was left out."""

    characters: int = 0
    pages: int = 0
    articles: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def extract_block(reading: ReadingTask, block: Block, number: int) -> BlockResult:
    """Read one block and write its shard; runs in a worker.

    A block makes a million small objects and no cycles: looking for those takes a third of the time, so it has to wait.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _worker(reading).extract(block, number)
    finally:
        if collecting:
            gc.enable()


def extract_all(
    reading: ReadingTask, blocks: Iterable[Block], executor: Executor | None, at_once: int, done: Callable[[int], None]
) -> BlockResult:
    """Read every block, in this process or by an executor; ``done`` is told how many characters have been read."""
    whole = BlockResult()
    if executor is None:
        results: Iterator[BlockResult] = (extract_block(reading, block, number) for number, block in enumerate(blocks))
    else:
        results = _handed_out(reading, blocks, executor, at_once)
    Shard(Targets(Titles(reading.site))).write(reading.folder, "none")  # so that there is one of each kind
    for read in results:
        whole.characters += read.characters
        whole.pages += read.pages
        whole.articles += read.articles
        whole.left_out += read.left_out
        done(whole.characters)
    return whole


def _handed_out(reading: ReadingTask, blocks: Iterable[Block], executor: Executor, at_once: int) -> Iterator[BlockResult]:
    running: set[Future[BlockResult]] = set()
    try:
        for number, block in enumerate(blocks):
            running.add(executor.submit(extract_block, reading, block, number))
            if len(running) >= at_once:
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in ready)
        while running:
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in ready)
    except BrokenProcessPool as error:
        raise WorkerLost(f"a process that read the dump has ended before its time: {WORKER_LOST_ADVICE}") from error
    finally:
        for each in running:
            each.cancel()


class _Worker:
    """Reads blocks; what it has worked out for one it remembers for the next."""

    def __init__(self, reading: ReadingTask) -> None:
        self._reading = reading
        self._titles = Titles(reading.site)
        self._scanner = self._make_scanner()
        self._is_compiled = False

    def _make_scanner(self) -> Scanner:
        if self._reading.parser == "reference":
            from ..wikitext.reference.parser import ReferenceScanner

            return ReferenceScanner(self._titles, self._reading.language)
        return Scanner(self._titles, self._reading.language)

    def extract(self, block: Block, number: int) -> BlockResult:
        if self._reading.compiled and not self._is_compiled and ready():
            from ..wikitext.compiled.scanner import CompiledScanner

            self._scanner, self._is_compiled = CompiledScanner(self._titles, self._reading.language), True
        read, shard = BlockResult(), Shard(self._scanner.targets, self._reading.count_all_links, self._reading.longest_label)
        waiting: list[Page] = []
        size = 0
        for page in read_pages(block, self._reading.site, read.left_out):
            size += len(page.text)
            read.pages += 1
            read.articles += page.title.namespace == ARTICLE and page.redirect is None
            if page.title.namespace in (ARTICLE, CATEGORY):
                waiting.append(page)
            else:
                read.left_out[OTHERS] += 1
            if size > AT_ONCE:
                self._take(shard, waiting, read.left_out)
                read.characters += size
                waiting.clear()
                size = 0
        self._take(shard, waiting, read.left_out)
        read.characters += size
        shard.write(self._reading.folder, f"{number:06}")
        return read

    def _take(self, shard: Shard, pages: list[Page], left_out: Counter[str]) -> None:
        """Put pages into a shard, in their order."""
        before = self._scanner.given_up
        found, links = self._scanner.read_all([page.text for page in pages if page.redirect is None])
        if given_up := self._scanner.given_up - before:
            left_out[NOT_BY_REFERENCE] += given_up
        sights, numbers = iter(found), []
        for page in pages:
            if page.redirect is not None:
                shard.add(page, self._titles.parse(page.redirect), False, False, None)
                continue
            seen = next(sights)
            article = page.title.namespace == ARTICLE
            ambiguous = article and (seen.disambiguation or self._says_so(page.title.name))
            gloss = first = None
            if article:
                gloss = read_gloss(seen.filled, self._titles.site.namespaces)
                if self._reading.openings:
                    first = read_openings(seen.filled, self._reading.openings, self._titles.site.namespaces)
            numbers.append(shard.add(page, None, ambiguous, seen.hidden, gloss, first))
        shard.add_links(links.of_pages(numbers))

    def _says_so(self, name: str) -> bool:
        """Whether a title ends in a bracketed word that is for disambiguation pages."""
        end = _BRACKETED.search(name)
        return end is not None and fold_name(end[1]) in self._reading.language.disambiguation_brackets


_workers: dict[str, _Worker] = {}


def _worker(reading: ReadingTask) -> _Worker:
    """The worker of this process for this reading."""
    worker = _workers.get(reading.key)
    if worker is None:
        worker = _Worker(reading)
        _workers.clear()
        _workers[reading.key] = worker
    return worker
