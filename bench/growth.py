"""Memory and time of loading synthetic wikis of different sizes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .measure import ProcessRun, megabytes, run, short, size_of
from .report import goal, goals, table
from .synthetic_dump import write_dump

if TYPE_CHECKING:
    from pathlib import Path

    from .setting import Setting

SIZES = (10_000, 100_000, 1_000_000)
QUICK = (300, 1_000)
WORKERS = 2
MOST = 2 << 30
"""The goal: bytes that all processes together may use for the largest wiki."""


def measure(setting: Setting) -> str:
    """Measure how loads grow."""
    rows: list[list[object]] = []
    ran: dict[int, ProcessRun] = {}
    for pages in QUICK if setting.quick else SIZES:
        setting.note(f"generating a wiki of {pages:,} pages")
        dump = setting.folder / f"synthetic-{pages}.xml"
        start = time.perf_counter()
        size = write_dump(dump, pages)
        written = time.perf_counter() - start
        setting.note(f"loading {pages:,} pages, {size / 1e6:,.0f} MB")
        store = setting.folder / f"synthetic-{pages}" / "graph"
        done = ran[pages] = _load(setting, dump, store)
        each = done.seconds / pages * 1e6
        rows.append(
            [
                f"{pages:,}",
                f"{size / 1e6:,.0f} MB",
                short(done.seconds),
                short(each),
                megabytes(done.peak),
                megabytes(size_of(store)),
                short(written),
            ]
        )
        dump.unlink()
        store.unlink()
    head = [
        "pages",
        "plain XML",
        "seconds",
        "microseconds per page",
        "peak memory of all processes",
        "size of the store",
        "seconds to generate the dump",
    ]
    return "\n\n".join([*_goals(ran), table(head, rows), _describe()])


def _load(setting: Setting, dump: Path, store: Path) -> ProcessRun:
    environment = {"XDG_CACHE_HOME": str(setting.folder / "cache")}
    return run(setting.wayword(store, "load", "wikipedia", dump, "--workers", str(WORKERS)), environment=environment)


def _goals(ran: dict[int, ProcessRun]) -> list[str]:
    greatest, least = max(ran), min(ran)
    most, first = ran[greatest].peak, ran[least].peak
    if most is None or first is None:
        return []
    row = goal(f"peak memory for {greatest:,} pages", megabytes(most), f"under 2 GiB ({megabytes(MOST)})", most < MOST)
    return [goals(row)]


def _describe() -> str:
    return (
        f"`wayword load wikipedia DUMP --workers {WORKERS}` into a new embedded store, in its own process, from start to end, "
        "once for each size. Memory is the highest of all processes together, sampled 20 times per second. Shared pages count "
        "once, and pages of mapped files count while the system caches them. The wikis are synthetic, and always the same for "
        "the same size: 54 % articles, 30 % redirects (one in fifty leads to a redirect), 10 % categories (with hubs and a few "
        "cycles; one in fifty is hidden), 2 % disambiguation pages and 4 % templates. The lengths of articles are log-normal, "
        "and one article in a hundred is twelve times as long. Links, redirects and categories follow Zipf's law. Link texts "
        "are titles, plurals, parts that many titles share, other names, and new words."
    )
