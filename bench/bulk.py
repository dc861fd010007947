"""Very many pairs of keyphrases with ``wayword score --pairs``: time, memory, and how both grow."""

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

from .measure import Ran, megabytes, repeated, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from .setting import Setting

SEED = 20160616
SIZES = (125_000, 250_000, 500_000)
QUICK = (500, 1_000, 2_000)
FLAT = 1.25
"""Memory counts as flat if the greatest number of pairs takes at most so many times what a quarter of them takes."""


def keyphrases(folder: Path) -> list[str]:
    """The keyphrases of the training files as they were written (not the stemmed ones), each once."""
    found: set[str] = set()
    for file in sorted(folder.glob("train.*.json")):
        if ".stem." not in file.name:
            for groups in json.loads(file.read_text(encoding="utf-8")).values():
                found.update(phrase for group in groups for phrase in group if phrase.strip())
    return sorted(found)


def random_pairs(phrases: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs without end, always the same for the same phrases."""
    chance = random.Random(SEED)
    while True:
        yield chance.choice(phrases), chance.choice(phrases)


def measure(setting: Setting) -> str:
    """The section about many pairs."""
    phrases = keyphrases(setting.file("human/semeval2010"))
    sizes = QUICK if setting.quick else SIZES
    repeats = setting.few(3)
    ran: dict[int, list[Ran]] = {}
    for size in sizes:
        file = written(setting, phrases, size)
        for number in range(repeats):
            setting.note(f"{size:,} pairs, repeat {number + 1} of {repeats}")
            ran.setdefault(size, []).append(score(setting, setting.store, file, size))
    peer = _peer(setting, phrases, 100 if setting.quick else 2_000)
    return _section(ran, peer, len(phrases), repeats)


def written(setting: Setting, phrases: list[str], size: int) -> Path:
    """A file with so many random pairs of these phrases."""
    file = setting.folder / f"pairs-{size}.csv"
    with file.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([("substitute", "substitutee"), *islice(random_pairs(phrases), size)])
    return file


def score(setting: Setting, store: Path, file: Path, size: int, *options: str) -> Ran:
    """Score so many pairs as a user would, and see that all of them come out."""
    output = setting.folder / "scored.csv"
    done = run(setting.wayword(store, "score", "--pairs", file, "--output", output, *options))
    with output.open("rb") as lines:
        rows = sum(1 for _ in lines) - 1
    if rows != size:
        raise RuntimeError(f"{size} pairs went in and {rows} came out")
    return done


def _peer(setting: Setting, phrases: list[str], number: int) -> tuple[int, int, float]:
    """How many pairs NLTK was asked, how many of them it knows, and how many it answers in a second."""
    similarity = best_over_senses(setting.nltk, "path")
    pairs = list(islice(random_pairs(phrases), number))
    known = sum(similarity(one, other, None) is not None for one, other in pairs)
    begun = time.perf_counter()
    for one, other in pairs:
        similarity(one, other, None)
    return number, known, number / (time.perf_counter() - begun)


def _section(ran: dict[int, list[Ran]], peer: tuple[int, int, float], phrases: int, repeats: int) -> str:
    seconds = {size: spread(each.seconds for each in runs) for size, runs in ran.items()}
    peaks = {size: [each.peak for each in runs if each.peak is not None] for size, runs in ran.items()}
    rows = []
    for size, time_taken in seconds.items():
        peak = megabytes(max(peaks[size], default=None))
        rows.append([f"{size:,}", time_taken, f"{size / time_taken.median:,.0f}", peak])
    greatest, least = max(ran), min(ran)
    took = seconds[greatest].median
    wanted = "60 s at most for 500,000 on 2 cores"
    asked = [goal(f"{greatest:,} pairs on {cpu_count()} cores", f"{short(took)} s", wanted, took <= 60)]
    if peaks[greatest]:
        growth = max(peaks[greatest]) / max(peaks[least])
        what, wanted = f"memory at {greatest:,} to that at {least:,} pairs", f"flat: {FLAT} times at most"
        asked.append(goal(what, f"{short(growth)} times", wanted, growth <= FLAT))
    number, known, rate = peer
    return "\n\n".join(
        [
            goals(*asked),
            table(["pairs", "seconds", "pairs a second", "peak memory of all processes"], rows),
            "`wayword score --pairs FILE --output FILE` in a process of its own, from its start to its end; random pairs of "
            f"the {phrases:,} keyphrases of SemEval-2010 (train, not stemmed); {repeated(repeats)}: median (lowest..highest), "
            "of memory the greatest, a shared page counted once. Beside it: NLTK's `path_similarity`, best of all senses, in "
            f"one warm process, answers {rate:,.0f} pairs a second of the first {number:,}, most of them for nothing: it knows "
            f"both phrases of {known:,} ({known / number:.0%}), since it takes phrases whole.",
        ]
    )
