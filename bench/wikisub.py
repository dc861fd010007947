"""Time per pair of target sets on a graph as large as English Wikipedia's, beside WordNet's, both in machine code."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .measure import PROC, repeated, run, short
from .pairs import Times, has_fast, random_pairs, session
from .report import goal, goals, table
from .setting import LeftOut
from .wikigraph import Sizes, beside_of

if TYPE_CHECKING:
    from wayword.search.paths.best_first import BestPath

    from .setting import Setting

SIZES = Sizes(7_500_000, 2_500_000, 33_500_000, 6_500_000)
QUICK = Sizes(7_500, 2_500, 33_500, 6_500)
PAIRS = 3_000
NEEDED = 12 << 30
"""Bytes of memory that the great graph takes while it is made."""

HUB = 10_000
"""Members and subcategories of a category from which on the article that it is about counts as a hub."""

LATE, TIMES = 1.0, 5
"""Milliseconds of the 99th percentile, and how many times what a pair of words costs."""

Targets = tuple[int, ...]
Asked = Sequence[tuple[Targets, Targets]]
Search = Callable[[Targets, Targets], "BestPath[int] | None"]


class Row(NamedTuple):
    """Pairs of one kind: their times, and how many of them have a path."""

    pairs: Asked
    times: Times
    found: int


WORDSUB, ALL = "WordSub on WordNet 3.1, words of four senses or more", "pairs as links choose them"
SOURCE, TARGET, NEITHER = "of these, a hub among the sources", "a hub among the targets only", "no hub"
ANY = "pairs of any articles"


def measure(setting: Setting) -> str:
    """The section about pairs on a great wiki."""
    if not has_fast():
        raise LeftOut("needs wayword[fast], for machine code")
    if not setting.quick and (there := _available()) is not None and there < NEEDED:
        raise LeftOut(f"needs {NEEDED >> 30} GiB of free memory, and {there / 2**30:.1f} are there")
    sizes = QUICK if setting.quick else SIZES
    graph = setting.folder / "wiki.arrays"
    setting.note(f"inventing a graph of {sizes.articles + sizes.categories:,} nodes")
    run([sys.executable, "-m", "bench.wikigraph", graph, *map(str, sizes)], cwd=Path(__file__).parents[1], watch=False)
    words, wordsub = _words(setting)
    wikisub, ready, about = _ready(graph)
    kinds = {WORDSUB: words, **_drawn(graph, 60 if setting.quick else PAIRS)}
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


def _available() -> int | None:
    """Bytes of memory that a process may still take, None where nobody says."""
    try:
        lines = (PROC / "meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _words(setting: Setting) -> tuple[Asked, Search]:
    """The target sets of the pairs of words that the part about pairs asks for, and how they are searched."""
    from wayword.search.paths.compiled.searcher import CompiledSearch

    with session(setting.store, "projection") as asked:
        pairs = [
            (one.targets, other.targets)
            for phrases in random_pairs(setting)
            for one in asked.aspects(phrases[0])
            for other in asked.aspects(phrases[1])
        ]
        return pairs, CompiledSearch(asked.view.view, asked.view.parameters).search  # type: ignore[arg-type]


def _ready(graph: Path) -> tuple[Search, float, dict[str, int]]:
    """The search over the great graph, how many seconds it took to get ready, and what is known of the graph."""
    from wayword.search.bases.array_file import Arrays
    from wayword.search.bases.projection import Projection
    from wayword.search.paths.compiled.searcher import CompiledSearch
    from wayword.search.scoring.parameters import Parameters

    begun = time.perf_counter()
    projection = Projection(Arrays.open(graph))
    found = CompiledSearch(projection, Parameters()).search
    return found, time.perf_counter() - begun, projection.arrays.about


def _drawn(graph: Path, number: int) -> dict[str, Asked]:
    """Pairs as links choose articles, parted by the hubs among them, and as many of any articles."""
    from .invented import SEED, skewed

    chance, sizes = np.random.default_rng(SEED), random.Random(SEED)
    nodes, hubs = np.load(beside_of(graph))
    broad = set(nodes[hubs >= HUB].tolist())

    def targets(articles: list[int]) -> Targets:
        taken = [articles.pop() for _ in range(sizes.choice((1, 1, 2, 3)))]
        return tuple(dict.fromkeys(int(nodes[each]) for each in taken))

    def drawn(articles: list[int]) -> list[tuple[Targets, Targets]]:
        return [(targets(articles), targets(articles)) for _ in range(number)]

    pairs = drawn(skewed(chance, 6 * number, len(nodes)).tolist())
    kinds: dict[str, Asked] = {
        ALL: pairs,
        SOURCE: [pair for pair in pairs if broad.intersection(pair[0])],
        TARGET: [pair for pair in pairs if broad.intersection(pair[1]) and not broad.intersection(pair[0])],
        NEITHER: [pair for pair in pairs if not broad.intersection(pair[0] + pair[1])],
        ANY: drawn(chance.integers(0, len(nodes), 6 * number).tolist()),
    }
    return {name: each for name, each in kinds.items() if each}


def _milliseconds(search: Search, pairs: Asked) -> list[float]:
    clock, times = time.perf_counter_ns, []
    for sources, targets in pairs:
        begun = clock()
        search(sources, targets)
        times.append((clock() - begun) / 1e6)
    return times


def _cells(name: str, row: Row, least: float) -> list[object]:
    share, times = f"{row.found / len(row.pairs):.0%}", row.times
    return [name, f"{len(row.pairs):,}", share, times.median, times.late, f"{short(times.median.median / least)}x"]


def _section(rows: dict[str, Row], about: dict[str, int], ready: float, repeats: int) -> str:
    words, asked = rows[WORDSUB].times, []
    for kind in (ANY, ALL):
        wiki = rows[kind].times
        late = wiki.late.median
        asked.append(goal(f"99th percentile, {kind}", f"{short(late)} ms", f"under {short(LATE)} ms", late < LATE))
        for name, ours, theirs in (("median", wiki.median, words.median), ("99th percentile", wiki.late, words.late)):
            ratio = ours.median / theirs.median
            wanted = f"{TIMES} times at most"
            asked.append(goal(f"{name} to that of WordSub, {kind}", f"{short(ratio)} times", wanted, ratio <= TIMES))
    return "\n\n".join(
        [
            goals(*asked),
            table(
                ["", "pairs", "with a path", "median, ms", "p99, ms", "median to that of the first row"],
                [_cells(name, row, words.median.median) for name, row in rows.items()],
            ),
            f"An invented wiki of {about['nodes']:,} articles and categories with {about['relationships']:,} memberships, "
            f"subcategories and central articles, sizes by Zipf's law; the broadest category has {about['broadest']:,} below "
            "it. A question is a pair of target sets of one to three articles, chosen as links choose them, mostly "
            "well-known ones, and those are what the greatest categories are about; an article about a category with "
            f"{HUB:,} below it or more is a hub. WordNet is asked for the target sets of the pairs of words of the part "
            "above. The search alone, without what leads from words to target sets, by the profile `thesis`; "
            f"{repeated(repeats)}: the median of the repeats (lowest..highest). Getting ready, which is not counted, took "
            f"{short(ready)} s for the wiki.",
        ]
    )
