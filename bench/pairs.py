"""Time per pair of ambiguous words, in memory; the peers are NLTK's similarities on the same pairs."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import wayword
from wayword.evaluation.matchers.wordnet_similarity import Measure, best_over_senses
from wayword.graph import open_store
from wayword.search.bases.selection import open_view
from wayword.search.paths.native_search import open_native_search
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from .measure import Spread, count_repeats, milliseconds, percentile, short, spread
from .report import goal, goals, table
from .setting import NotAvailable

if TYPE_CHECKING:
    from wayword.search.bases.selection import ViewChoice
    from wayword.search.scoring.parameters import DerivationReading

    from .setting import Setting

SEED = 20140401
SENSES = 4

Pairs = Sequence[tuple[str, str]]
ScorePair = Callable[[str, str], object]


def words_of_many_senses(store: Path) -> list[str]:
    """Return the words (no collocations) with four senses or more over all parts of speech."""
    senses: Counter[str] = Counter()
    with open_store(store) as opened:
        for rows in opened.stream_edges("SENSE", "wordnet"):
            senses.update(rows.column("from").to_pylist())
    words = (label.removeprefix("wordnet/") for label, number in senses.items() if number >= SENSES)
    return sorted(word for word in words if " " not in word)


def random_pairs(setting: Setting) -> list[tuple[str, str]]:
    """Return the pairs of this part and the next; the same WordNet gives the same pairs."""
    words = words_of_many_senses(setting.store)
    rng = random.Random(SEED)
    return [(rng.choice(words), rng.choice(words)) for _ in range(40 if setting.quick else 1000)]


@contextmanager
def session(
    address: str | Path, view: ViewChoice, derivation: DerivationReading = "word", *, fast: bool = False
) -> Iterator[Scorer[Any]]:
    """Open a new session with empty caches; with ``fast`` it uses the search in C."""
    with open_store(address) as store:
        weighted: WeightedView[Any] = WeightedView(open_view(store, "wordnet", view), Parameters(derivation=derivation))
        scorer: Scorer[Any] = Scorer(weighted)
        if fast:
            scorer.find_path = open_search(weighted.view, weighted.parameters)
        yield scorer


def open_search(projection: Any, parameters: Parameters) -> Any:
    """Return the search in C over a projection."""
    native = open_native_search(projection, parameters)
    if native is None:
        raise NotAvailable("needs the search in C: install wayword where there is a C compiler")
    return native.search


class Times:
    """Medians and 99th percentiles of all repeats."""

    def __init__(self) -> None:
        self._medians: list[float] = []
        self._lates: list[float] = []

    def add(self, times: Sequence[float]) -> None:
        """Add the times of one repeat, in milliseconds."""
        self._medians.append(percentile(times, 0.5))
        self._lates.append(percentile(times, 0.99))

    @property
    def median(self) -> Spread:
        """The medians of the repeats."""
        return spread(self._medians)

    @property
    def late(self) -> Spread:
        """The 99th percentiles of the repeats."""
        return spread(self._lates)


FAST, PLAIN = "in C", "in Python"
MATCH, PROOF = "by `graph.score`", "with path and glosses"
PEOPLE = "profile `people`"
UNRELATED, UNKNOWN = "pairs that score 0", "pairs with an unknown word"
FIRST, AGAIN = "first query", "repeated query"
READINGS: tuple[DerivationReading, ...] = ("word", "synset")
PEERS: tuple[Measure, ...] = ("path", "wup")
SEARCHES = "searches alone"
LEAST_THREADS = 1.8
"""The goal: how many times as fast two threads are as one."""

LEAST_MEDIAN, LEAST_LATE, LEAST_PYTHON = 25, 30, 3.5
"""The goals: how many times faster than NLTK's wup the median and p99 of a whole match are, and the median in Python."""

MOST_PEOPLE = 1.5
"""The goal: the median of a match with `people` relative to one with `thesis`."""


def measure(setting: Setting) -> str:
    """Measure pairs in memory."""
    wordnet = setting.nltk
    pairs = random_pairs(setting)
    ways = [FAST, PLAIN]
    times: dict[str, dict[str, Times]] = {}
    for number in range(setting.repeats):
        setting.note(f"pairs, repeat {number + 1} of {setting.repeats}")
        for name, when, milliseconds_each in chain(_ours(setting.store, pairs, ways), _theirs(wordnet, pairs)):
            times.setdefault(name, {FIRST: Times(), AGAIN: Times()})[when].add(milliseconds_each)
    threads = _measure_threads(setting.store, pairs, setting.repeats)
    return _section(times, ways, threads, len(pairs), setting.repeats)


def _name(way: str, reading: DerivationReading) -> str:
    return f"WordSub, {way}, derivation `{reading}`"


def _peer_name(measured: Measure, *, all_pairs: bool = False) -> str:
    return f"NLTK `{measured}_similarity`{', all pairs of senses' if all_pairs else ''}"


Measurement = tuple[str, str, list[float]]


def _ours(store: Path, pairs: Pairs, ways: list[str]) -> Iterator[Measurement]:
    for way in ways:
        for reading in READINGS:
            with session(store, "projection", reading, fast=way == FAST) as scorer:
                for when in (FIRST, AGAIN):
                    yield _name(way, reading), when, milliseconds(scorer.score, pairs)
        for reading in READINGS:
            for described in (False, True):
                name = f"{_name(way, reading)}, {MATCH}{f', {PROOF}' * described}"
                with _open_graph(store, reading, way) as graph:
                    ask = partial(_describe, graph) if described else graph.score
                    for when in (FIRST, AGAIN):
                        yield name, when, milliseconds(ask, pairs)
    for way in ways:
        with _open_graph(store, "word", way, "people") as graph:
            for when in (FIRST, AGAIN):
                yield f"{_name(way, 'word')}, {MATCH}, {PEOPLE}", when, milliseconds(graph.score, pairs)
    with session(store, "projection", "synset", fast=True) as scorer:
        unrelated = [pair for pair in pairs if not scorer.score(*pair)]
        unknown = [(f"{one}xq", other) for one, other in pairs]
    for name, few in ((UNRELATED, unrelated), (UNKNOWN, unknown)):
        with _open_graph(store, "synset", FAST) as graph:
            for when in (FIRST, AGAIN):
                yield f"{_name(FAST, 'synset')}, {MATCH}, {name}", when, milliseconds(graph.score, few)


@contextmanager
def _open_graph(store: Path, reading: DerivationReading, way: str, profile: str = "thesis") -> Iterator[wayword.Graph]:
    with wayword.open(store, base="wordnet", profile=profile, derivation=reading) as graph:
        if way == PLAIN:
            graph._scorers[graph._bases] = Scorer(graph._scorer().view)
        yield graph


def _describe(graph: wayword.Graph, substitute: str, substitutee: str) -> object:
    return graph.score(substitute, substitutee).path


def _theirs(wordnet: Any, pairs: Pairs) -> Iterator[Measurement]:
    for measured in PEERS:
        functions: dict[str, ScorePair] = {
            _peer_name(measured): best_over_senses(wordnet, measured),
            _peer_name(measured, all_pairs=True): best_over_all_pairs(wordnet, measured),
        }
        for name, function in functions.items():
            wordnet._synset_offset_cache.clear()  # the state after loading: the index has been read, but no synset
            for when in (FIRST, AGAIN):
                yield name, when, milliseconds(function, pairs)


def best_over_all_pairs(wordnet: Any, measured: Measure) -> ScorePair:
    """Return the usual implementation: the greatest similarity of all pairs of senses, over all parts of speech."""
    name = f"{measured}_similarity"

    def similarity(one: str, other: str) -> float:
        pairs = product(wordnet.synsets(one), wordnet.synsets(other))
        return max((getattr(synset, name)(against) or 0.0 for synset, against in pairs), default=0.0)

    return similarity


def _measure_threads(store: Path, pairs: Pairs, repeats: int) -> dict[str, Spread]:
    """Return how many times as fast two threads of one process are as one, with all phrases looked up before."""
    with wayword.open(store, base="wordnet", profile="thesis") as graph:
        scorer = graph._scorer()
        sets = [
            (one.targets, other.targets)
            for pair in pairs
            for one in scorer.aspects(pair[0])
            for other in scorer.aspects(pair[1])
        ]
        ways: dict[str, tuple[Callable[..., object], Sequence[tuple[Any, Any]]]] = {
            SEARCHES: (scorer.find_path, sets),
            "scores without paths": (scorer.score, pairs),
            "`graph.score`": (graph.score, pairs),
        }
        for function, each in ways.values():
            _seconds(function, each, 1)
        return {
            name: spread(_seconds(function, each, 1) / _seconds(function, each, 2) for _ in range(repeats))
            for name, (function, each) in ways.items()
        }


def _seconds(function: Callable[..., object], arguments: Sequence[tuple[Any, Any]], count: int) -> float:
    """Return the seconds in which some threads together call a function with all arguments four times."""

    def work(first: int) -> None:
        for _ in range(4):
            for pair in arguments[first::count]:
                function(*pair)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(count)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def _section(times: dict[str, dict[str, Times]], ways: list[str], threads: dict[str, Spread], number: int, repeats: int) -> str:
    ratio = threads[SEARCHES].median
    return "\n\n".join(
        [
            goals(
                *_goals(times),
                goal(
                    "two threads, searches", f"{short(ratio)} times", f"at least {LEAST_THREADS} times", ratio >= LEAST_THREADS
                ),
            ),
            _table(times, times[_name(ways[0], "word")]),
            table(["two threads of one process, relative to one", "times as fast"], [list(each) for each in threads.items()]),
            f"The profile is `thesis` unless a row says otherwise. {number:,} random pairs of words with {SENSES} senses or "
            "more (no collocations), the same for every row. "
            f"{count_repeats(repeats)}: the median of the repeats (lowest..highest). Each repeat of WordSub is a new session "
            "with empty caches over the projection, and NLTK's cache of synsets is emptied too. Each pair is scored once, and "
            "after the last pair all are scored again. `graph.score` describes a path when it is first asked for. Threads hold "
            "the interpreter while they look phrases up and describe paths, not while they search. NLTK compares the senses "
            "of the two words that have the same part of speech and takes the best. Comparing all pairs of senses takes longer "
            "and means less, but it is what most programs do, and what the goals refer to.",
        ]
    )


def _goals(times: dict[str, dict[str, Times]]) -> Iterator[list[str]]:
    wup = _peer_name("wup", all_pairs=True)
    for when in (FIRST, AGAIN):
        for reading in READINGS:
            theirs, ours = times[wup][when], times[f"{_name(FAST, reading)}, {MATCH}"][when]
            median, late = theirs.median.median / ours.median.median, theirs.late.median / ours.late.median
            what = f"{MATCH}, `{reading}`, relative to {wup}, {when}: median / p99"
            required, met = f"at least {LEAST_MEDIAN} / {LEAST_LATE} times", median >= LEAST_MEDIAN and late >= LEAST_LATE
            yield goal(what, f"{short(median)} / {short(late)} times faster", required, met)
    for when in (FIRST, AGAIN):
        plain = f"{_name(FAST, 'word')}, {MATCH}"
        slower = times[f"{plain}, {PEOPLE}"][when].median.median / times[plain][when].median.median
        what = f"{MATCH}, {PEOPLE}, relative to `thesis`, {when}: median"
        yield goal(what, f"{short(slower)} times", f"at most {MOST_PEOPLE} times", slower <= MOST_PEOPLE)
    for reading in READINGS:
        faster = times[wup][FIRST].median.median / times[f"{_name(PLAIN, reading)}, {MATCH}"][FIRST].median.median
        what = f"the same {PLAIN}, `{reading}`, relative to {wup}, {FIRST}: median"
        yield goal(what, f"{short(faster)} times faster", f"at least {LEAST_PYTHON} times", faster >= LEAST_PYTHON)


def _table(times: dict[str, dict[str, Times]], ours: dict[str, Times]) -> str:
    head, rows = [""], []
    for when in (FIRST, AGAIN):
        head += [f"{when}: median, ms", "p99, ms", "relative to first row"]
    for name, found in times.items():
        row: list[object] = [name]
        for when in (FIRST, AGAIN):
            median = found[when].median
            row += [median, found[when].late, f"{short(median.median / ours[when].median.median)}x"]
        rows.append(row)
    return table(head, rows)
