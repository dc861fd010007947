"""Very many pairs on a wiki with ``wayword score --pairs``, two workers, as a user would ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wayword.graph import open_store

from .bulk import FLAT, QUICK, SIZES, keyphrases, score, written
from .measure import Ran, megabytes, repeated, run, short, spread
from .report import goal, goals, table
from .wikis import SCHOOLS

if TYPE_CHECKING:
    from pathlib import Path

    from .setting import Setting

WORKERS = 2
MOST = 300
"""Seconds for the greatest number of pairs."""

BASE = "schoolswiki"
LABELS, KEYPHRASES = "labels of the wiki", "keyphrases of SemEval-2010"


def measure(setting: Setting) -> str:
    """The section about many pairs on a wiki."""
    store = setting.folder / "schoolswiki" / "graph"
    setting.note("loading schoolswiki into an embedded store")
    environment = {"XDG_CACHE_HOME": str(setting.folder / "cache")}
    run(setting.wayword(store, "load", "wikipedia", setting.file(SCHOOLS)), environment=environment, watch=False)
    run(setting.wayword(store, "score", "--base", BASE, "cat", "dog"), watch=False)
    labels = _labels(store)
    phrases = {LABELS: labels, KEYPHRASES: keyphrases(setting.file("human/semeval2010"))}
    sizes, repeats = QUICK if setting.quick else SIZES, setting.few(3)
    ran: dict[tuple[str, int], list[Ran]] = {}
    for kind, size in [*((LABELS, size) for size in sizes), (KEYPHRASES, sizes[-1])]:
        file = written(setting, phrases[kind], size)
        for number in range(repeats):
            setting.note(f"{size:,} pairs of {kind}, repeat {number + 1} of {repeats}")
            done = score(setting, store, file, size, "--base", BASE, "--workers", str(WORKERS))
            ran.setdefault((kind, size), []).append(done)
    return _section(ran, {kind: len(each) for kind, each in phrases.items()}, repeats)


def _labels(store: Path) -> list[str]:
    with open_store(store) as opened:
        return sorted(name for rows in opened.stream_nodes("Label", BASE) for name in rows.column("name").to_pylist())


def _section(ran: dict[tuple[str, int], list[Ran]], phrases: dict[str, int], repeats: int) -> str:
    rows, asked = [], []
    greatest, least = max(size for _, size in ran), min(size for _, size in ran)
    peaks = {of: [each.peak for each in runs if each.peak is not None] for of, runs in ran.items()}
    for (kind, size), runs in ran.items():
        seconds = spread(each.seconds for each in runs)
        rows.append(
            [kind, f"{size:,}", seconds, f"{size / seconds.median:,.0f}", megabytes(max(peaks[kind, size], default=None))]
        )
        if size == greatest:
            what = f"{size:,} pairs of {kind}, {WORKERS} workers"
            asked.append(goal(what, f"{short(seconds.median)} s", f"under {MOST} s", seconds.median < MOST))
    if peaks[LABELS, greatest]:
        growth = max(peaks[LABELS, greatest]) / max(peaks[LABELS, least])
        what, wanted = f"memory at {greatest:,} to that at {least:,} pairs", f"flat: {FLAT} times at most"
        asked.append(goal(what, f"{short(growth)} times", wanted, growth <= FLAT))
    return "\n\n".join(
        [
            goals(*asked),
            table(["random pairs of", "pairs", "seconds", "pairs a second", "peak memory of all processes"], rows),
            f"`wayword score --pairs FILE --output FILE --base {BASE} --workers {WORKERS}` in a process of its own, from its "
            f"start to its end; random pairs of the {phrases[LABELS]:,} labels of the wiki, and of the "
            f"{phrases[KEYPHRASES]:,} keyphrases (train, not stemmed), many of which the wiki knows only in parts; "
            f"{repeated(repeats)}: median (lowest..highest), of memory the greatest, a shared page counted once.",
        ]
    )
