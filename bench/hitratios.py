"""#REval: both ratios of very many recommendations by the command, for all k at once, beside the plain functions in a loop."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from wayword.core.thesaurus import Thesaurus
from wayword.evaluation.reval import KS
from wayword.evaluation.reval.batch_measures import evaluate
from wayword.evaluation.reval.hashtag_lists import read_parallel
from wayword.evaluation.reval.measures import reval_hit_ratio

from .measure import Failed, megabytes, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from .setting import Setting

SIZES, QUICK = (10_000, 100_000, 1_000_000), (100, 200, 400)
HASHTAGS, SYNONYMS = 100_000, 70
RECOMMENDED, GOLD = 10, 2
BULK, MEMORY = 30.0, 1.25
"""What is to be reached: seconds for the most lists, and how much more memory they may take than the fewest."""

PLAIN, BESIDE = 2_000, 100_000
"""So many recommendations are judged one after the other, and beside them so many at once."""


def measure(setting: Setting) -> str:
    """The tables of sizes and of goals."""
    sizes, hashtags = (QUICK, 1_000) if setting.quick else (SIZES, HASHTAGS)
    thesaurus = invented(hashtags)
    file = setting.folder / "thesaurus.parquet"
    write_thesaurus(thesaurus, file)
    rows, seconds, peaks = [], [], []
    for size in sizes:
        setting.note(f"{size:,} recommendations")
        lists = [write_lists(setting.folder / f"{name}-{size}.txt", size, each) for name, each in _WIDTHS.items()]
        command = setting.wayword(setting.folder / "none", "hashtags", "evaluate", "--thesaurus", file, "--json")
        ran = [run([*command, "--recommended", lists[0], "--gold", lists[1]]) for _ in range(setting.few(3))]
        told = [json.loads(line) for line in ran[0].said.splitlines()]
        if [each["k"] for each in told] != list(KS) or {each["pairs"] for each in told} != {size}:
            raise Failed(f"{size:,} recommendations: the answer is not one of all of them for each k: {ran[0].said[:200]}")
        taken = spread(each.seconds for each in ran)
        seconds.append(taken.median)
        peaks.append(max(each.peak or 0 for each in ran))
        rows.append(
            [f"{size:,}", taken, short(size / taken.median), megabytes(peaks[-1]), f"{told[-1]['reval_hit_ratio']:.3f}"]
        )
    ratio, text = _beside(setting, thesaurus, sizes)
    more = peaks[-1] / peaks[0] if peaks[0] else 0.0
    asked = goals(
        goal(f"{sizes[-1]:,} recommendations", f"{short(seconds[-1])} s", f"under {BULK:.0f} s", seconds[-1] < BULK),
        goal(f"memory, to that of {sizes[0]:,}", f"{more:.2f} times", f"at most {MEMORY} times", more <= MEMORY),
        goal("to the functions in a loop", f"{short(ratio)} times as fast", "10 times or more", ratio >= 10),
    )
    head = ["recommendations", "seconds", "a second", "memory", f"#REval-hit-ratio, k = {KS[-1]}"]
    what = (
        f"`wayword hashtags evaluate` with a thesaurus of {hashtags:,} hashtags with {SYNONYMS} synonyms each, in Parquet; "
        f"{RECOMMENDED} hashtags are recommended and {GOLD} are gold; {len(KS)} values of k at once; start and reading count."
    )
    return f"{what}\n\n{table(head, rows)}\n\n{asked}\n\n{text}"


_WIDTHS = {"recommended": RECOMMENDED, "gold": GOLD}


def invented(hashtags: int) -> Thesaurus:
    """A thesaurus in which the synonyms of a hashtag are among those near to it in number, nearest first."""
    chance = np.random.default_rng(1)
    steps = np.argsort(chance.random((hashtags, 3 * SYNONYMS)), axis=1)[:, :SYNONYMS] + 1
    synonyms = (np.arange(hashtags)[:, None] + steps) % hashtags
    distances = np.sort(chance.random((hashtags, SYNONYMS)), axis=1)
    names = [f"#tag{number}" for number in range(hashtags)]
    offsets = np.arange(hashtags + 1, dtype=np.int64) * SYNONYMS
    return Thesaurus(names, offsets, synonyms.ravel(), distances.ravel())


def write_thesaurus(thesaurus: Thesaurus, file: Path) -> None:
    """A thesaurus as ``wayword hashtags train`` writes it, without its vectors."""
    names = pa.array(thesaurus.hashtags)
    sizes = np.diff(thesaurus.offsets)
    hashtag = np.repeat(np.arange(len(sizes)), sizes)
    columns = {
        "hashtag": names.take(pa.array(hashtag)),
        "synonym": names.take(pa.array(thesaurus.synonyms)),
        "rank": pa.array((np.arange(len(hashtag)) - thesaurus.offsets[hashtag] + 1).astype(np.int32)),
        "distance": pa.array(thesaurus.distances),
    }
    pq.write_table(pa.table(columns), file)


def write_lists(file: Path, count: int, hashtags: int) -> Path:
    """So many lists; a few hashtags are in very many of them, and one in a hundred is of no thesaurus."""
    chance = np.random.default_rng([hashtags, 2])
    with file.open("w", encoding="utf-8") as target:
        for start in range(0, count, 10_000):
            rows = min(10_000, count - start)
            numbers = (HASHTAGS * 1.01 * chance.random((rows, hashtags)) ** 3).astype(np.int64)
            target.writelines(" ".join(f"#tag{number}" for number in row) + "\n" for row in numbers.tolist())
    return file


def _beside(setting: Setting, thesaurus: Thesaurus, sizes: tuple[int, ...]) -> tuple[float, str]:
    """How many times as fast many are judged at once, in memory, as by the plain functions one after the other."""
    size = max(each for each in sizes if each <= BESIDE)
    setting.note("the plain functions in a loop")
    pairs = list(read_parallel(*(str(setting.folder / f"{name}-{size}.txt") for name in _WIDTHS)))
    some = pairs[: min(PLAIN, size)]
    assert thesaurus.numbers  # made once, for both
    ours, theirs = [], []
    for _ in range(setting.few(3)):
        begun = time.perf_counter()
        evaluate(pairs, thesaurus, KS)
        ours.append(len(pairs) / (time.perf_counter() - begun))
        begun = time.perf_counter()
        plain = [[reval_hit_ratio(*pair, thesaurus, k) or 0.0 for pair in some] for k in KS]
        theirs.append(len(some) / (time.perf_counter() - begun))
    found = [each.reval_hit_ratio or 0.0 for each in evaluate(some, thesaurus, KS)]
    if not np.allclose(found, [sum(each) / len(each) for each in plain], atol=1e-12):
        raise Failed("at once and one after the other the ratios are not the same")
    ratio = spread(ours).median / spread(theirs).median
    text = (
        f"In memory, {len(pairs):,} at once: {spread(ours)} recommendations a second for all k; the plain functions one after "
        f"the other: {spread(theirs)}. The averages are the same."
    )
    return ratio, text
