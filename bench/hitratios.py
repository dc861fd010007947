"""#REval: both ratios of up to a million recommendations, for all k at once, compared with the plain functions in a loop."""

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

from .measure import CommandFailed, megabytes, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from .setting import Setting

SIZES, QUICK = (10_000, 100_000, 1_000_000), (100, 200, 400)
HASHTAGS, SYNONYMS = 100_000, 70
RECOMMENDED, GOLD = 10, 2
BULK, MEMORY = 30.0, 1.25
"""The goals: seconds for the largest number of lists, and their memory relative to the smallest number."""

PLAIN, AT_ONCE = 2_000, 100_000
"""Recommendations that are evaluated one by one, and all at once."""


def measure(setting: Setting) -> str:
    """Measure the evaluation of recommendations."""
    sizes, hashtags = (QUICK, 1_000) if setting.quick else (SIZES, HASHTAGS)
    thesaurus = synthetic_thesaurus(hashtags)
    file = setting.folder / "thesaurus.parquet"
    write_thesaurus(thesaurus, file)
    rows, seconds, peaks = [], [], []
    for size in sizes:
        setting.note(f"{size:,} recommendations")
        lists = [write_lists(setting.folder / f"{name}-{size}.txt", size, each) for name, each in _WIDTHS.items()]
        command = setting.wayword(setting.folder / "none", "hashtags", "evaluate", "--thesaurus", file, "--json")
        ran = [run([*command, "--recommended", lists[0], "--gold", lists[1]]) for _ in range(setting.few(3))]
        answers = [json.loads(line) for line in ran[0].output.splitlines()]
        if [each["k"] for each in answers] != list(KS) or {each["pairs"] for each in answers} != {size}:
            raise CommandFailed(
                f"{size:,} recommendations: expected one answer for each k over all of them: {ran[0].output[:200]}"
            )
        seconds_each = spread(each.seconds for each in ran)
        seconds.append(seconds_each.median)
        peaks.append(max(each.peak or 0 for each in ran))
        rows.append(
            [
                f"{size:,}",
                seconds_each,
                short(size / seconds_each.median),
                megabytes(peaks[-1]),
                f"{answers[-1]['reval_hit_ratio']:.3f}",
            ]
        )
    ratio, text = _compare_with_loop(setting, thesaurus, sizes)
    more = peaks[-1] / peaks[0] if peaks[0] else 0.0
    goal_table = goals(
        goal(f"{sizes[-1]:,} recommendations", f"{short(seconds[-1])} s", f"under {BULK:.0f} s", seconds[-1] < BULK),
        goal(f"memory, relative to {sizes[0]:,}", f"{more:.2f} times", f"at most {MEMORY} times", more <= MEMORY),
        goal("relative to the functions in a loop", f"{short(ratio)} times as fast", "at least 10 times", ratio >= 10),
    )
    head = ["recommendations", "seconds", "per second", "memory", f"#REval-hit-ratio, k = {KS[-1]}"]
    what = (
        f"`wayword hashtags evaluate` from start to end, with a Parquet thesaurus of {hashtags:,} hashtags with {SYNONYMS} "
        f"synonyms each, for {len(KS)} values of k at once. Each tweet has {RECOMMENDED} recommended and {GOLD} gold hashtags."
    )
    return f"{what}\n\n{table(head, rows)}\n\n{goal_table}\n\n{text}"


_WIDTHS = {"recommended": RECOMMENDED, "gold": GOLD}


def synthetic_thesaurus(hashtags: int) -> Thesaurus:
    """Return a thesaurus in which the synonyms of a hashtag have numbers close to its own."""
    rng = np.random.default_rng(1)
    steps = np.argsort(rng.random((hashtags, 3 * SYNONYMS)), axis=1)[:, :SYNONYMS] + 1
    synonyms = (np.arange(hashtags)[:, None] + steps) % hashtags
    distances = np.sort(rng.random((hashtags, SYNONYMS)), axis=1)
    names = [f"#tag{number}" for number in range(hashtags)]
    offsets = np.arange(hashtags + 1, dtype=np.int64) * SYNONYMS
    return Thesaurus(names, offsets, synonyms.ravel(), distances.ravel())


def write_thesaurus(thesaurus: Thesaurus, file: Path) -> None:
    """Write a thesaurus like ``wayword hashtags train`` does, without vectors."""
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
    """Write this many lists. A few hashtags are in very many of them, and one in a hundred is not in the thesaurus."""
    rng = np.random.default_rng([hashtags, 2])
    with file.open("w", encoding="utf-8") as target:
        for start in range(0, count, 10_000):
            rows = min(10_000, count - start)
            numbers = (HASHTAGS * 1.01 * rng.random((rows, hashtags)) ** 3).astype(np.int64)
            target.writelines(" ".join(f"#tag{number}" for number in row) + "\n" for row in numbers.tolist())
    return file


def _compare_with_loop(setting: Setting, thesaurus: Thesaurus, sizes: tuple[int, ...]) -> tuple[float, str]:
    """Return how many times faster many lists are evaluated at once than by the plain functions one by one."""
    size = max(each for each in sizes if each <= AT_ONCE)
    setting.note("the plain functions in a loop")
    pairs = list(read_parallel(*(str(setting.folder / f"{name}-{size}.txt") for name in _WIDTHS)))
    some = pairs[: min(PLAIN, size)]
    assert thesaurus.numbers  # computed once, before both measurements
    ours, theirs = [], []
    for _ in range(setting.few(3)):
        start = time.perf_counter()
        evaluate(pairs, thesaurus, KS)
        ours.append(len(pairs) / (time.perf_counter() - start))
        start = time.perf_counter()
        plain = [[reval_hit_ratio(*pair, thesaurus, k) or 0.0 for pair in some] for k in KS]
        theirs.append(len(some) / (time.perf_counter() - start))
    found = [each.reval_hit_ratio or 0.0 for each in evaluate(some, thesaurus, KS)]
    if not np.allclose(found, [sum(each) / len(each) for each in plain], atol=1e-12):
        raise CommandFailed("evaluating all at once and one by one gave different ratios")
    ratio = spread(ours).median / spread(theirs).median
    text = (
        f"In memory, {len(pairs):,} at once: {spread(ours)} recommendations per second for all k. The plain functions one by "
        f"one: {spread(theirs)}. The averages are the same."
    )
    return ratio, text
