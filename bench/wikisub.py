"""Time per pair of target sets on a graph as large as the English Wikipedia, compared with WordNet; the search in C."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .measure import PROC, count_repeats, run, short
from .pairs import Times, open_search, random_pairs, session
from .report import goal, goals, table
from .setting import NotAvailable
from .synthetic_graph import Sizes, companion_file

if TYPE_CHECKING:
    from wayword.search.paths.best_first import BestPath

    from .setting import Setting

SIZES = Sizes(7_500_000, 2_500_000, 33_500_000, 6_500_000)
QUICK = Sizes(7_500, 2_500, 33_500, 6_500)
PAIRS = 3_000
NEEDED = 12 << 30
"""Bytes of memory needed to generate the graph."""

HUB = 10_000
"""An article counts as a hub if it is central to a category with this many members and subcategories."""

LATE, TIMES = 0.7, 5
"""The goals: milliseconds of the 99th percentile, and times a pair of words."""

Targets = tuple[int, ...]
TargetPairs = Sequence[tuple[Targets, Targets]]
Search = Callable[[Targets, Targets], "BestPath[int] | None"]


class Row(NamedTuple):
    """Pairs of one kind, their times, and the number that have a path."""

    pairs: TargetPairs
    times: Times
    found: int


WORDSUB, ALL = "WordSub on WordNet 3.1, words with four senses or more", "articles drawn like links"
SOURCE, TARGET, NEITHER = "of these, with a hub among the sources", "with a hub among the targets only", "without a hub"
ANY = "articles drawn uniformly"


def measure(setting: Setting) -> str:
    """Measure pairs on a large wiki."""
    if not setting.quick and (free := _available_memory()) is not None and free < NEEDED:
        raise NotAvailable(f"needs {NEEDED >> 30} GiB of free memory, and {free / 2**30:.1f} GiB are available")
    sizes = QUICK if setting.quick else SIZES
    graph = setting.folder / "wiki.arrays"
    setting.note(f"generating a graph of {sizes.articles + sizes.categories:,} nodes")
    run([sys.executable, "-m", "bench.synthetic_graph", graph, *map(str, sizes)], cwd=Path(__file__).parents[1], watch=False)
    words, wordsub = _word_pairs(setting)
    wikisub, ready, about = _open_graph(graph)
    kinds = {WORDSUB: words, **_draw_pairs(graph, 60 if setting.quick else PAIRS)}
    rows = {
        name: Row(pairs, Times(), sum((wordsub if name == WORDSUB else wikisub)(*pair) is not None for pair in pairs))
        for name, pairs in kinds.items()
    }
    for number in range(setting.repeats):
        setting.note(f"target sets, repeat {number + 1} of {setting.repeats}")
        for name, row in rows.items():
            row.times.add(_milliseconds(wordsub if name == WORDSUB else wikisub, row.pairs))
    graph.unlink()
    return _section(rows, about, ready, setting.repeats)


def _available_memory() -> int | None:
    """Return the bytes of available memory, None if unknown."""
    try:
        lines = (PROC / "meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _word_pairs(setting: Setting) -> tuple[TargetPairs, Search]:
    """Return the target sets of the pairs of words in the part ``pairs``, and the search over WordNet."""
    with session(setting.store, "projection") as scorer:
        pairs = [
            (one.targets, other.targets)
            for phrases in random_pairs(setting)
            for one in scorer.aspects(phrases[0])
            for other in scorer.aspects(phrases[1])
        ]
        return pairs, open_search(scorer.view.view, scorer.view.parameters)


def _open_graph(graph: Path) -> tuple[Search, float, dict[str, int]]:
    """Return the search over the large graph, the seconds to open it, and the description of the graph."""
    from wayword.search.bases.array_file import Arrays
    from wayword.search.bases.projection import Projection
    from wayword.search.scoring.parameters import Parameters

    start = time.perf_counter()
    projection = Projection(Arrays.open(graph))
    found = open_search(projection, Parameters())
    return found, time.perf_counter() - start, projection.arrays.about


def _draw_pairs(graph: Path, number: int) -> dict[str, TargetPairs]:
    """Draw pairs of articles like links do, grouped by their hubs, and as many pairs of uniformly drawn articles."""
    from .synthetic_dump import SEED, skewed

    rng, sizes = np.random.default_rng(SEED), random.Random(SEED)
    nodes, hubs = np.load(companion_file(graph))
    broad = set(nodes[hubs >= HUB].tolist())

    def targets(articles: list[int]) -> Targets:
        drawn = [articles.pop() for _ in range(sizes.choice((1, 1, 2, 3)))]
        return tuple(dict.fromkeys(int(nodes[each]) for each in drawn))

    def draw(articles: list[int]) -> list[tuple[Targets, Targets]]:
        return [(targets(articles), targets(articles)) for _ in range(number)]

    pairs = draw(skewed(rng, 6 * number, len(nodes)).tolist())
    kinds: dict[str, TargetPairs] = {
        ALL: pairs,
        SOURCE: [pair for pair in pairs if broad.intersection(pair[0])],
        TARGET: [pair for pair in pairs if broad.intersection(pair[1]) and not broad.intersection(pair[0])],
        NEITHER: [pair for pair in pairs if not broad.intersection(pair[0] + pair[1])],
        ANY: draw(rng.integers(0, len(nodes), 6 * number).tolist()),
    }
    return {name: each for name, each in kinds.items() if each}


def _milliseconds(search: Search, pairs: TargetPairs) -> list[float]:
    clock, times = time.perf_counter_ns, []
    for sources, targets in pairs:
        start = clock()
        search(sources, targets)
        times.append((clock() - start) / 1e6)
    return times


def _cells(name: str, row: Row, least: float) -> list[object]:
    share, times = f"{row.found / len(row.pairs):.0%}", row.times
    return [name, f"{len(row.pairs):,}", share, times.median, times.late, f"{short(times.median.median / least)}x"]


def _section(rows: dict[str, Row], about: dict[str, int], ready: float, repeats: int) -> str:
    words, rows_of_goals = rows[WORDSUB].times, []
    for kind in (ANY, ALL):
        wiki = rows[kind].times
        late = wiki.late.median
        rows_of_goals.append(goal(f"99th percentile, {kind}", f"{short(late)} ms", f"under {short(LATE)} ms", late < LATE))
        for name, ours, theirs in (("median", wiki.median, words.median), ("99th percentile", wiki.late, words.late)):
            ratio = ours.median / theirs.median
            required = f"at most {TIMES} times"
            rows_of_goals.append(goal(f"{name} relative to WordSub, {kind}", f"{short(ratio)} times", required, ratio <= TIMES))
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(
                ["", "pairs", "with a path", "median, ms", "p99, ms", "relative to first row"],
                [_cells(name, row, words.median.median) for name, row in rows.items()],
            ),
            f"A synthetic wiki with {about['nodes']:,} articles and categories and {about['relationships']:,} memberships, "
            "subcategories and central articles. Sizes follow Zipf's law; the broadest category has "
            f"{about['broadest']:,} children. Each query is a pair of target sets of one to three articles. Articles drawn "
            "like links are mostly popular ones, which the largest categories are about; an article that is central to a "
            f"category with {HUB:,} children or more is a hub. For WordNet, the target sets are those of the pairs of words "
            "above. Only the search is measured, not finding the target sets of words, with the profile `thesis`. "
            f"{count_repeats(repeats)}: the median of the repeats (lowest..highest). Opening the graph took {short(ready)} s "
            "and is not counted.",
        ]
    )
