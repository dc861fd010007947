"""Memory and time of loading wikis of three sizes, each invented and skewed as Wikipedia is."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from .invented import write_dump
from .measure import Ran, megabytes, run, short, size_of
from .report import goal, goals, table

if TYPE_CHECKING:
    from pathlib import Path

    from .setting import Setting

SIZES = (10_000, 100_000, 1_000_000)
QUICK = (300, 1_000)
WORKERS = 2
MOST = 2 << 30
"""Bytes below which the memory of all processes together has to stay at the greatest size."""


def measure(setting: Setting) -> str:
    """The section about how loads grow."""
    rows: list[list[object]] = []
    ran: dict[int, Ran] = {}
    run(
        [sys.executable, "-m", "wayword.loaders.wikipedia.wikitext.compiled.warm_up"], watch=False
    )  # compiled once, as for users who load often
    for pages in QUICK if setting.quick else SIZES:
        setting.note(f"inventing a wiki of {pages:,} pages")
        dump = setting.folder / f"invented-{pages}.xml"
        begun = time.perf_counter()
        size = write_dump(dump, pages)
        written = time.perf_counter() - begun
        setting.note(f"loading {pages:,} pages, {size / 1e6:,.0f} MB")
        store = setting.folder / f"invented-{pages}" / "graph"
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
        "microseconds a page",
        "peak memory of all processes",
        "store on disk",
        "seconds to invent it",
    ]
    return "\n\n".join([*_goals(ran), table(head, rows), _words()])


def _load(setting: Setting, dump: Path, store: Path) -> Ran:
    environment = {"XDG_CACHE_HOME": str(setting.folder / "cache")}
    return run(setting.wayword(store, "load", "wikipedia", dump, "--workers", str(WORKERS)), environment=environment)


def _goals(ran: dict[int, Ran]) -> list[str]:
    greatest, least = max(ran), min(ran)
    most, first = ran[greatest].peak, ran[least].peak
    if most is None or first is None:
        return []
    asked = goal(f"peak memory at {greatest:,} pages", megabytes(most), f"under 2 GiB ({megabytes(MOST)})", most < MOST)
    return [goals(asked)]


def _words() -> str:
    return (
        f"`wayword load wikipedia DUMP --workers {WORKERS}` into a new embedded store, in a process of its own, from its "
        "start to its end, once each: reading, joins, bundle and store. Memory is the most that all processes together had "
        "at any look, 20 a second, a shared page counted once; pages of mapped files count while the system keeps them. The "
        "wikis are invented, always the same for the same size: 54 % articles, 30 % redirects (one in fifty to a redirect), "
        "10 % categories (hubs, a few circles, one in fifty hidden), 2 % disambiguation pages, 4 % templates. Lengths are "
        "log-normal, one article in a hundred is twelve times as long; links, redirects and categories choose by Zipf's "
        "law; anchors are titles, plurals, parts of titles that many share, other names, and new words."
    )
