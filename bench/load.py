"""Loading WordNet into the embedded store and Neo4j, and lexicons of different sizes; the peers are NLTK and ``wn``."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .measure import ProcessRun, count_repeats, megabytes, python, run, short, size_of, spread
from .report import goal, goals, table
from .setting import ARCHIVE, LMF, NotAvailable
from .smaller_lexicon import SHARES, write_smaller

if TYPE_CHECKING:
    from .setting import Setting

NLTK_INDEX = """
import sys, nltk.data
nltk.data.path.insert(0, sys.argv[1])
from nltk.corpus import wordnet
wordnet.ensure_loaded()
"""
NLTK_ALL = NLTK_INDEX + "for _ in wordnet.all_synsets(): pass\n"
WN = """
import sys, wn
wn.config.data_directory = sys.argv[1]
wn.add(sys.argv[2], progress_handler=None)
"""
EMBEDDED, NEO4J = "`wayword load wordnet`, embedded", "`wayword load wordnet`, empty Neo4j (memory of the client)"
AGAIN = "the same again, replacing the first load"
FIRST, PLAIN = "first query after a load (builds the projection)", "any later query"


def measure(setting: Setting) -> str:
    """Measure loading."""
    repeats = setting.few(3)
    found: dict[str, list[ProcessRun]] = {}

    def repeat(name: str, times: int, action: Callable[[], ProcessRun]) -> None:
        for number in range(times):
            setting.note(f"{name}, repeat {number + 1} of {times}")
            found.setdefault(name, []).append(action())

    store = setting.folder / "loaded" / "graph"
    for _ in range(repeats):
        repeat(EMBEDDED, 1, lambda: _load_new_store(setting, store, setting.file(ARCHIVE)))
        repeat(FIRST, 1, lambda: run(setting.wayword(store, "score", "enclose", "birdcage")))
        repeat(PLAIN, 1, lambda: run(setting.wayword(store, "score", "enclose", "birdcage")))
    missing = ""
    try:
        repeat(NEO4J, 1, lambda: setting.first_load)
        if not setting.quick:
            repeat(AGAIN, 1, setting.load_neo4j)
    except NotAvailable as reason:
        missing = f" Without Neo4j: {reason}."
    repeat("NLTK, `ensure_loaded()`: the index", repeats, lambda: run(python(NLTK_INDEX, setting.nltk_data)))
    repeat("NLTK, `all_synsets()`: all data, not stored", repeats, lambda: run(python(NLTK_ALL, setting.nltk_data)))
    return "\n\n".join([_goals(found), _table(found), *_growth(setting), _describe(repeats, missing)])


def _load_new_store(setting: Setting, store: Path, source: Path) -> ProcessRun:
    """Load into a new store."""
    for file in store.parent.glob("*"):
        file.unlink()
    return run(setting.wayword(store, "load", "wordnet", source))


def _seconds(runs: list[ProcessRun]) -> float:
    return spread(each.seconds for each in runs).median


def _peak(runs: list[ProcessRun]) -> str:
    return megabytes(max((each.peak for each in runs if each.peak is not None), default=None))


def _goals(found: dict[str, list[ProcessRun]]) -> str:
    rows = []
    for name, most in ((EMBEDDED, 15), (NEO4J, 90)):
        if name in found:
            seconds = _seconds(found[name])
            rows.append(goal(name.partition(" (")[0], f"{short(seconds)} s", f"under {most} s", seconds < most))
    return goals(*rows)


def _table(found: dict[str, list[ProcessRun]]) -> str:
    ours = _seconds(found[EMBEDDED])
    rows = []
    for name, runs in found.items():
        seconds = spread(each.seconds for each in runs)
        rows.append([name, seconds, f"{short(seconds.median / ours)}x", _peak(runs)])
    return table(["WordNet 3.1, database files", "seconds", "relative to first row", "peak memory"], rows)


def _growth(setting: Setting) -> list[str]:
    """Measure one lexicon in three sizes, with wayword and, if it is installed, with ``wn``."""
    source = setting.file(LMF)
    peer = importlib.util.find_spec("wn") is not None
    rows = []
    for quarters in (1,) if setting.quick else (1, 2, SHARES):
        file = setting.folder / f"lexicon-{quarters}.xml"
        setting.note(f"Open English WordNet, {quarters} of {SHARES} quarters")
        number = write_smaller(source, file, quarters)
        store = setting.folder / f"lexicon-{quarters}" / "graph"
        runs = [_load_new_store(setting, store, file) for _ in range(setting.few(3))]
        seconds, took = spread(each.seconds for each in runs), _seconds(runs)
        row = [f"{number:,}", f"{size_of(file) / 1e6:.0f} MB", seconds, _peak(runs), megabytes(size_of(store))]
        if peer:
            folder = setting.folder / f"wn-{quarters}"
            folder.mkdir()
            added = run(python(WN, folder, file))
            took_them = f"{short(added.seconds)} ({short(added.seconds / took)}x)"
            row += [took_them, megabytes(added.peak), megabytes(size_of(folder))]
        rows.append(row)
        file.unlink()
    head = ["synsets", "WN-LMF file", "wayword, seconds", "peak memory", "on disk"]
    head += ["`wn.add`, seconds (once)", "peak memory", "on disk"] if peer else []
    without = [] if peer else ["The package `wn` is not installed (`pip install --group bench`), so it is not compared."]
    return [table(head, rows), *without]


def _describe(repeats: int, missing: str) -> str:
    return (
        f"Each in its own process, from start to end. {count_repeats(repeats)} (into Neo4j once): median (lowest..highest), "
        "and the highest memory of the process and its children, where shared pages count once. Embedded loads go into a new "
        "store. The smaller lexicons are Open English WordNet with a quarter and a half of its synsets, and the relations "
        f"between them.{missing}"
    )
