"""Files of up to 500,000 pairs on a wiki with ``wayword score --pairs`` and two workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wayword.graph import open_store

from .bulk import FLAT, QUICK, SIZES, keyphrases, score, write_pairs
from .measure import ProcessRun, count_repeats, megabytes, run, short, spread
from .report import goal, goals, table
from .wikis import SCHOOLS

if TYPE_CHECKING:
    from pathlib import Path

    from .setting import Setting

WORKERS = 2
MOST = 8
"""The goal: seconds for the largest number of pairs."""

BASE = "schoolswiki"
LABELS, KEYPHRASES = "labels of the wiki", "keyphrases of SemEval-2010"


def measure(setting: Setting) -> str:
    """Measure files of pairs on a wiki."""
    store = setting.folder / "schoolswiki" / "graph"
    setting.note("loading schoolswiki into an embedded store")
    environment = {"XDG_CACHE_HOME": str(setting.folder / "cache")}
    run(setting.wayword(store, "load", "wikipedia", setting.file(SCHOOLS)), environment=environment, watch=False)
    run(setting.wayword(store, "score", "--base", BASE, "cat", "dog"), watch=False)
    labels = _labels(store)
    phrases = {LABELS: labels, KEYPHRASES: keyphrases(setting.file("human/semeval2010"))}
    sizes, repeats = QUICK if setting.quick else SIZES, setting.few(3)
    ran: dict[tuple[str, int], list[ProcessRun]] = {}
    for kind, size in [*((LABELS, size) for size in sizes), (KEYPHRASES, sizes[-1])]:
        file = write_pairs(setting, phrases[kind], size)
        for number in range(repeats):
            setting.note(f"{size:,} pairs of {kind}, repeat {number + 1} of {repeats}")
            done = score(setting, store, file, size, "--base", BASE, "--workers", str(WORKERS))
            ran.setdefault((kind, size), []).append(done)
    return _section(ran, {kind: len(each) for kind, each in phrases.items()}, repeats)


def _labels(store: Path) -> list[str]:
    with open_store(store) as opened:
        return sorted(name for rows in opened.stream_nodes("Label", BASE) for name in rows.column("name").to_pylist())


def _section(ran: dict[tuple[str, int], list[ProcessRun]], phrases: dict[str, int], repeats: int) -> str:
    rows, rows_of_goals = [], []
    greatest, least = max(size for _, size in ran), min(size for _, size in ran)
    peaks = {of: [each.peak for each in runs if each.peak is not None] for of, runs in ran.items()}
    for (kind, size), runs in ran.items():
        seconds = spread(each.seconds for each in runs)
        rows.append(
            [kind, f"{size:,}", seconds, f"{size / seconds.median:,.0f}", megabytes(max(peaks[kind, size], default=None))]
        )
        if size == greatest:
            what = f"{size:,} pairs of {kind}, {WORKERS} workers"
            rows_of_goals.append(goal(what, f"{short(seconds.median)} s", f"at most {MOST} s", seconds.median <= MOST))
    if peaks[LABELS, greatest]:
        growth = max(peaks[LABELS, greatest]) / max(peaks[LABELS, least])
        what, required = f"memory for {greatest:,} pairs, relative to {least:,}", f"constant: at most {FLAT} times"
        rows_of_goals.append(goal(what, f"{short(growth)} times", required, growth <= FLAT))
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(["random pairs of", "pairs", "seconds", "pairs per second", "peak memory of all processes"], rows),
            f"`wayword score --pairs FILE --output FILE --base {BASE} --workers {WORKERS}` in its own process, from start to "
            f"end, with random pairs of the {phrases[LABELS]:,} labels of the wiki, and of the {phrases[KEYPHRASES]:,} "
            "keyphrases (train, not stemmed), many of which the wiki knows only in parts. "
            f"{count_repeats(repeats)}: median (lowest..highest), and the highest memory, where shared pages count once.",
        ]
    )
