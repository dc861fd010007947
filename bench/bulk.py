"""Files of up to 500,000 pairs of keyphrases with ``wayword score --pairs``: time, memory, and how both grow."""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from wayword.core.executors import cpu_count
from wayword.evaluation.matchers.wordnet_similarity import best_over_senses

from .measure import ProcessRun, count_repeats, megabytes, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from .setting import Setting

SEED = 20160616
SIZES = (125_000, 250_000, 500_000)
QUICK = (500, 1_000, 2_000)
MOST = 12
"""The goal: seconds for the largest number of pairs, with two processors."""

FLAT = 1.25
"""Memory counts as constant if all pairs need at most this many times the memory of a quarter of them."""


def keyphrases(folder: Path) -> list[str]:
    """Return the distinct keyphrases of the training files, without the stemmed ones."""
    found: set[str] = set()
    for file in sorted(folder.glob("train.*.json")):
        if ".stem." not in file.name:
            for groups in json.loads(file.read_text(encoding="utf-8")).values():
                found.update(phrase for group in groups for phrase in group if phrase.strip())
    return sorted(found)


def random_pairs(phrases: list[str]) -> Iterator[tuple[str, str]]:
    """Yield random pairs without end; the same phrases give the same pairs."""
    rng = random.Random(SEED)
    while True:
        yield rng.choice(phrases), rng.choice(phrases)


def measure(setting: Setting) -> str:
    """Measure files of pairs."""
    phrases = keyphrases(setting.file("human/semeval2010"))
    sizes = QUICK if setting.quick else SIZES
    repeats = setting.few(3)
    ran: dict[int, list[ProcessRun]] = {}
    for size in sizes:
        file = write_pairs(setting, phrases, size)
        for number in range(repeats):
            setting.note(f"{size:,} pairs, repeat {number + 1} of {repeats}")
            ran.setdefault(size, []).append(score(setting, setting.store, file, size))
    peer = _measure_peer(setting, phrases, 100 if setting.quick else 2_000)
    return _section(ran, peer, len(phrases), repeats)


def write_pairs(setting: Setting, phrases: list[str], size: int) -> Path:
    """Write a file with this many random pairs of phrases."""
    file = setting.folder / f"pairs-{size}.csv"
    with file.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([("substitute", "substitutee"), *islice(random_pairs(phrases), size)])
    return file


def score(setting: Setting, store: Path, file: Path, size: int, *options: str) -> ProcessRun:
    """Score a file like a user would, and check the number of rows."""
    output = setting.folder / "scored.csv"
    done = run(setting.wayword(store, "score", "--pairs", file, "--output", output, *options))
    with output.open("rb") as lines:
        rows = sum(1 for _ in lines) - 1
    if rows != size:
        raise RuntimeError(f"scoring {size} pairs gave {rows} rows")
    return done


def _measure_peer(setting: Setting, phrases: list[str], number: int) -> tuple[int, int, float]:
    """Return the number of pairs given to NLTK, the number that it knows, and its pairs per second."""
    similarity = best_over_senses(setting.nltk, "path")
    pairs = list(islice(random_pairs(phrases), number))
    known = sum(similarity(one, other, None) is not None for one, other in pairs)
    start = time.perf_counter()
    for one, other in pairs:
        similarity(one, other, None)
    return number, known, number / (time.perf_counter() - start)


def _section(ran: dict[int, list[ProcessRun]], peer: tuple[int, int, float], phrases: int, repeats: int) -> str:
    seconds = {size: spread(each.seconds for each in runs) for size, runs in ran.items()}
    peaks = {size: [each.peak for each in runs if each.peak is not None] for size, runs in ran.items()}
    rows = []
    for size, spread_of_seconds in seconds.items():
        peak = megabytes(max(peaks[size], default=None))
        rows.append([f"{size:,}", spread_of_seconds, f"{size / spread_of_seconds.median:,.0f}", peak])
    greatest, least = max(ran), min(ran)
    took = seconds[greatest].median
    required = f"at most {MOST} s for {SIZES[-1]:,} on 2 cores"
    rows_of_goals = [goal(f"{greatest:,} pairs on {cpu_count()} cores", f"{short(took)} s", required, took <= MOST)]
    if peaks[greatest]:
        growth = max(peaks[greatest]) / max(peaks[least])
        what, required = f"memory for {greatest:,} pairs, relative to {least:,}", f"constant: at most {FLAT} times"
        rows_of_goals.append(goal(what, f"{short(growth)} times", required, growth <= FLAT))
    number, known, rate = peer
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(["pairs", "seconds", "pairs per second", "peak memory of all processes"], rows),
            "`wayword score --pairs FILE --output FILE` in its own process, from start to end, with random pairs of the "
            f"{phrases:,} keyphrases of SemEval-2010 (train, not stemmed). {count_repeats(repeats)}: median (lowest..highest), "
            "and the highest memory, where shared pages count once. For comparison, NLTK's `path_similarity` (best of all "
            f"senses, one warm process) scores {rate:,.0f} of the first {number:,} pairs per second. But it does not split "
            f"phrases, and so knows both phrases of only {known:,} of these pairs ({known / number:.0%}).",
        ]
    )
