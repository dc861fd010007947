"""Loading WordNet, embedded and Neo4j, and how that grows; beside NLTK's reading of the same and the package ``wn``."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .measure import Ran, megabytes, python, repeated, run, short, size_of, spread
from .report import goal, goals, table
from .setting import ARCHIVE, LMF, LeftOut
from .smaller import SHARES, thin

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
EMBEDDED, NEO4J = "`wayword load wordnet`, embedded", "`wayword load wordnet`, an empty Neo4j (memory: the client's)"
AGAIN = "the same once more, in the place of the first"
FIRST, PLAIN = "the first question after a load (it makes the projection)", "any later question"


def measure(setting: Setting) -> str:
    """The section about loading."""
    repeats = setting.few(3)
    found: dict[str, list[Ran]] = {}

    def take(name: str, times: int, ask: Callable[[], Ran]) -> None:
        for number in range(times):
            setting.note(f"{name}, repeat {number + 1} of {times}")
            found.setdefault(name, []).append(ask())

    store = setting.folder / "loaded" / "graph"
    for _ in range(repeats):
        take(EMBEDDED, 1, lambda: _afresh(setting, store, setting.file(ARCHIVE)))
        take(FIRST, 1, lambda: run(setting.wayword(store, "score", "enclose", "birdcage")))
        take(PLAIN, 1, lambda: run(setting.wayword(store, "score", "enclose", "birdcage")))
    missing = ""
    try:
        take(NEO4J, 1, lambda: setting.first_load)
        if not setting.quick:
            take(AGAIN, 1, setting.load_neo4j)
    except LeftOut as reason:
        missing = f" Without Neo4j: {reason}."
    take("NLTK, `ensure_loaded()`: the index", repeats, lambda: run(python(NLTK_INDEX, setting.nltk_data)))
    take("NLTK, `all_synsets()`: everything, kept nowhere", repeats, lambda: run(python(NLTK_ALL, setting.nltk_data)))
    return "\n\n".join([_goals(found), _table(found), *_growth(setting), _words(repeats, missing)])


def _afresh(setting: Setting, store: Path, source: Path) -> Ran:
    """Load into a store that is not there yet."""
    for file in store.parent.glob("*"):
        file.unlink()
    return run(setting.wayword(store, "load", "wordnet", source))


def _seconds(runs: list[Ran]) -> float:
    return spread(each.seconds for each in runs).median


def _peak(runs: list[Ran]) -> str:
    return megabytes(max((each.peak for each in runs if each.peak is not None), default=None))


def _goals(found: dict[str, list[Ran]]) -> str:
    rows = []
    for name, most in ((EMBEDDED, 15), (NEO4J, 90)):
        if name in found:
            took = _seconds(found[name])
            rows.append(goal(name.partition(" (")[0], f"{short(took)} s", f"under {most} s", took < most))
    return goals(*rows)


def _table(found: dict[str, list[Ran]]) -> str:
    ours = _seconds(found[EMBEDDED])
    rows = []
    for name, runs in found.items():
        taken = spread(each.seconds for each in runs)
        rows.append([name, taken, f"{short(taken.median / ours)}x", _peak(runs)])
    return table(["WordNet 3.1, database files", "seconds", "as a multiple of the first row", "peak memory"], rows)


def _growth(setting: Setting) -> list[str]:
    """Three sizes of one lexicon: by wayword and, where it is installed, by ``wn``."""
    source = setting.file(LMF)
    peer = importlib.util.find_spec("wn") is not None
    rows = []
    for quarters in (1,) if setting.quick else (1, 2, SHARES):
        file = setting.folder / f"lexicon-{quarters}.xml"
        setting.note(f"Open English WordNet, {quarters} of {SHARES} quarters")
        number = thin(source, file, quarters)
        store = setting.folder / f"lexicon-{quarters}" / "graph"
        runs = [_afresh(setting, store, file) for _ in range(setting.few(3))]
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
    without = [] if peer else ["The package `wn` is not installed (`pip install --group bench`), so it is not beside these."]
    return [table(head, rows), *without]


def _words(repeats: int, missing: str) -> str:
    return (
        f"Each in a process of its own, from its start to its end, {repeated(repeats)} (into Neo4j once): median "
        "(lowest..highest); of memory the greatest, with all children, a shared page counted once. Embedded loads go into a "
        "new store. The smaller lexicons are Open English WordNet with a quarter and a half of its synsets, and the relations "
        f"between them.{missing}"
    )
