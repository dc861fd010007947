"""Read a dump: workers turn its blocks into shards of rows, a bounded number of blocks at a time."""

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
from ..site import OTHER_WIKI, Site
from ..wikitext.lead import read_gloss, read_openings
from ..wikitext.native_scanner import make_scanner
from ..wikitext.scanner import Scanner
from ..wikitext.targets import Targets
from ..wikitext.titles import Title, Titles
from .dump_file import Block, Page, read_pages
from .shards import Shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ARTICLE, CATEGORY = 0, 14
OTHER_NAMESPACE = "other_namespace"
READ_BY_FAST_PARSER = "page_read_by_fast_parser"

IN_FLIGHT = 2
"""Blocks in flight for each worker: the one that it reads and the next."""

BATCH_CHARACTERS = 1 << 21
"""Characters of pages that are scanned together."""

_BRACKETED = re.compile(r"\(([^()]*)\)\Z")


class WorkerLost(SourceError):
    """A process that read the dump has ended unexpectedly."""


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """The input of a worker: the wiki, its language, the folder of the shards, and the options. ``key`` identifies the task."""

    key: str
    site: Site
    language: Language
    folder: Path
    count_all_links: bool
    longest_label: int
    openings: int = 0
    parser: Parser = "fast"


@dataclass(slots=True)
class BlockResult:
    """The counts of a block: characters of text, readable pages, articles among them, and what was left out."""

    characters: int = 0
    pages: int = 0
    articles: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def extract_block(task: ReadingTask, block: Block, number: int) -> BlockResult:
    """Read one block and write its shard; runs in a worker.

    The garbage collector is disabled meanwhile: a block creates a million small objects but no cycles, and searching for cycles
    would take a third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _worker_of(task).extract(block, number)
    finally:
        if was_enabled:
            gc.enable()


def extract_all(
    task: ReadingTask, blocks: Iterable[Block], executor: Executor | None, in_flight: int, report: Callable[[int], None]
) -> BlockResult:
    """Read every block, in this process or by an executor; ``report`` receives the number of characters read so far."""
    total = BlockResult()
    if executor is None:
        results: Iterator[BlockResult] = (extract_block(task, block, number) for number, block in enumerate(blocks))
    else:
        results = _submit_blocks(task, blocks, executor, in_flight)
    Shard(Targets(Titles(task.site))).write(task.folder, "none")  # an empty shard, so that there is a file of each kind
    for result in results:
        total.characters += result.characters
        total.pages += result.pages
        total.articles += result.articles
        total.left_out += result.left_out
        report(total.characters)
    return total


def _submit_blocks(task: ReadingTask, blocks: Iterable[Block], executor: Executor, in_flight: int) -> Iterator[BlockResult]:
    running: set[Future[BlockResult]] = set()
    try:
        for number, block in enumerate(blocks):
            running.add(executor.submit(extract_block, task, block, number))
            if len(running) >= in_flight:
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in ready)
        while running:
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in ready)
    except BrokenProcessPool as error:
        raise WorkerLost(f"a process that read the dump has ended unexpectedly: {WORKER_LOST_ADVICE}") from error
    finally:
        for future in running:
            future.cancel()


class _Worker:
    """Reads blocks; its caches of titles and targets serve all blocks of a process."""

    def __init__(self, task: ReadingTask) -> None:
        self._task = task
        self._titles = Titles(task.site)
        self._scanner = self._make_scanner()

    def _make_scanner(self) -> Scanner:
        if self._task.parser == "reference":
            from ..wikitext.reference.parser import ReferenceScanner

            return ReferenceScanner(self._titles, self._task.language)
        return make_scanner(self._titles, self._task.language)

    def extract(self, block: Block, number: int) -> BlockResult:
        result, shard = BlockResult(), Shard(self._scanner.targets, self._task.count_all_links, self._task.longest_label)
        pending: list[Page] = []
        size = 0
        for page in read_pages(block, self._task.site, result.left_out):
            size += len(page.text)
            result.pages += 1
            result.articles += page.title.namespace == ARTICLE and page.redirect is None
            if page.title.namespace in (ARTICLE, CATEGORY):
                pending.append(page)
            else:
                result.left_out[OTHER_NAMESPACE] += 1
            if size > BATCH_CHARACTERS:
                self._add_pages(shard, pending, result.left_out)
                result.characters += size
                pending.clear()
                size = 0
        self._add_pages(shard, pending, result.left_out)
        result.characters += size
        shard.write(self._task.folder, f"{number:06}")
        return result

    def _add_pages(self, shard: Shard, pages: list[Page], left_out: Counter[str]) -> None:
        """Add pages to a shard, in their order."""
        previous = self._scanner.fallback_count
        all_facts, links = self._scanner.read_all([page.text for page in pages if page.redirect is None])
        if fallbacks := self._scanner.fallback_count - previous:
            left_out[READ_BY_FAST_PARSER] += fallbacks
        facts, numbers = iter(all_facts), []
        for page in pages:
            if page.redirect is not None:
                shard.add(page, self._redirect_target(page.redirect), False, False, None)
                continue
            page_facts = next(facts)
            article = page.title.namespace == ARTICLE
            ambiguous = article and (page_facts.disambiguation or self._has_disambiguation_title(page.title.name))
            gloss = opening = None
            if article:
                gloss = read_gloss(page_facts.masked, self._titles.site.namespaces)
                if self._task.openings:
                    opening = read_openings(page_facts.masked, self._task.openings, self._titles.site.namespaces)
            numbers.append(shard.add(page, None, ambiguous, page_facts.hidden, gloss, opening))
        shard.add_links(links.of_pages(numbers))

    def _redirect_target(self, target: str) -> Title | None:
        """Return the title to which a redirect leads; if the prefix is that of another wiki, an article may have that title."""
        title = self._titles.parse(target)
        return title._replace(namespace=ARTICLE) if title and title.namespace == OTHER_WIKI else title

    def _has_disambiguation_title(self, name: str) -> bool:
        """Whether a title ends in a word in brackets that marks disambiguation pages."""
        end = _BRACKETED.search(name)
        return end is not None and fold_name(end[1]) in self._task.language.disambiguation_brackets


_workers: dict[str, _Worker] = {}


def _worker_of(task: ReadingTask) -> _Worker:
    """Return the worker of this process for this task."""
    worker = _workers.get(task.key)
    if worker is None:
        worker = _Worker(task)
        _workers.clear()
        _workers[task.key] = worker
    return worker
