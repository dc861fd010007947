"""Time per pair of words that mean much, in memory, beside the similarities of NLTK on the same pairs."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wayword.evaluation.matchers.wordnet_similarity import Measure, best_over_senses
from wayword.graph import open_store
from wayword.search.bases.selection import open_view
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from .measure import Spread, milliseconds, percentile, repeated, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from wayword.search.bases.selection import ViewChoice
    from wayword.search.scoring.parameters import DerivationReading

    from .setting import Setting

SEED = 20140401
SENSES = 4

Pairs = Sequence[tuple[str, str]]
Ask = Callable[[str, str], object]


def words_of_many_senses(store: Path) -> list[str]:
    """The words (no collocations) with four senses or more in all parts of speech together."""
    senses: Counter[str] = Counter()
    with open_store(store) as opened:
        for rows in opened.stream_edges("SENSE", "wordnet"):
            senses.update(rows.column("from").to_pylist())
    words = (label.removeprefix("wordnet/") for label, number in senses.items() if number >= SENSES)
    return sorted(word for word in words if " " not in word)


def random_pairs(setting: Setting) -> list[tuple[str, str]]:
    """The pairs that this part and the next are measured on; always the same for the same WordNet."""
    words = words_of_many_senses(setting.store)
    chance = random.Random(SEED)
    return [(chance.choice(words), chance.choice(words)) for _ in range(40 if setting.quick else 1000)]


@contextmanager
def session(
    address: str | Path, view: ViewChoice, derivation: DerivationReading = "word", *, fast: bool = False
) -> Iterator[Scorer[Any]]:
    """A new session that has answered nothing yet; with ``fast`` it searches in machine code."""
    with open_store(address) as store:
        weighted: WeightedView[Any] = WeightedView(open_view(store, "wordnet", view), Parameters(derivation=derivation))
        asked: Scorer[Any] = Scorer(weighted)
        if fast:
            from wayword.search.paths.compiled.searcher import CompiledSearch

            asked.find = CompiledSearch(weighted.view, weighted.parameters).search  # type: ignore[arg-type]
        yield asked


def has_fast() -> bool:
    """Whether ``wayword[fast]`` is installed."""
    return importlib.util.find_spec("numba") is not None


class Times:
    """The median and the 99th percentile of each repeat."""

    def __init__(self) -> None:
        self._medians: list[float] = []
        self._lates: list[float] = []

    def add(self, times: Sequence[float]) -> None:
        """Take the times of one repeat, in milliseconds."""
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


FAST, PLAIN = "machine code", "plain Python"
PROOF = "as a `Match` with its path and glosses"
FIRST, AGAIN = "asked first", "asked again"
READINGS: tuple[DerivationReading, ...] = ("word", "synset")
LEAST: Mapping[Measure, int] = {"path": 5, "wup": 10}
"""How many times faster than each similarity of NLTK a score should be."""


def measure(setting: Setting) -> str:
    """The section about pairs in memory."""
    wordnet = setting.nltk
    pairs = random_pairs(setting)
    ways = [FAST, PLAIN] if has_fast() else [PLAIN]
    times: dict[str, dict[str, Times]] = {}
    for number in range(setting.repeats):
        setting.note(f"pairs, repeat {number + 1} of {setting.repeats}")
        for name, when, took in chain(_ours(setting.store, pairs, ways), _theirs(wordnet, pairs)):
            times.setdefault(name, {FIRST: Times(), AGAIN: Times()})[when].add(took)
    return _section(times, ways, len(pairs), setting.repeats)


def _name(way: str, reading: DerivationReading) -> str:
    return f"WordSub, {way}, derivation `{reading}`"


def _peer(measured: Measure, *, everything: bool = False) -> str:
    return f"NLTK `{measured}_similarity`{', all pairs of senses' if everything else ''}"


Took = tuple[str, str, list[float]]


def _ours(store: Path, pairs: Pairs, ways: list[str]) -> Iterator[Took]:
    for way in ways:
        for reading in READINGS:
            with session(store, "projection", reading, fast=way == FAST) as asked:
                for when in (FIRST, AGAIN):
                    yield _name(way, reading), when, milliseconds(asked.score, pairs)
    with session(store, "projection", fast=ways[0] == FAST) as asked:
        for when in (FIRST, AGAIN):
            yield f"{_name(ways[0], 'word')}, {PROOF}", when, milliseconds(asked.match, pairs)


def _theirs(wordnet: Any, pairs: Pairs) -> Iterator[Took]:
    for measured in LEAST:
        asks: dict[str, Ask] = {
            _peer(measured): best_over_senses(wordnet, measured),
            _peer(measured, everything=True): best_over_all_pairs(wordnet, measured),
        }
        for name, ask in asks.items():
            wordnet._synset_offset_cache.clear()  # as it is after loading: the index is read, no synset is
            for when in (FIRST, AGAIN):
                yield name, when, milliseconds(ask, pairs)


def best_over_all_pairs(wordnet: Any, measured: Measure) -> Ask:
    """What is mostly written: the greatest similarity of all pairs of senses, those of different parts of speech too."""
    name = f"{measured}_similarity"

    def similarity(one: str, other: str) -> float:
        pairs = product(wordnet.synsets(one), wordnet.synsets(other))
        return max((getattr(synset, name)(against) or 0.0 for synset, against in pairs), default=0.0)

    return similarity


def _section(times: dict[str, dict[str, Times]], ways: list[str], number: int, repeats: int) -> str:
    without = "" if has_fast() else " `wayword[fast]` is not installed, so machine code is left out."
    return "\n\n".join(
        [
            goals(*_goals(times, ways[0])),
            _table(times, times[_name(ways[0], "word")]),
            f"{number:,} random pairs of the words with {SENSES} senses or more (no collocations), the same for every row; "
            f"{repeated(repeats)}: the median of the repeats (lowest..highest). Each repeat of WordSub is a new session over "
            "the projection with empty caches, and NLTK's cache of synsets is emptied too; each pair is asked once, and when "
            "all have been asked once again. Machine code is what a session with `wayword[fast]` comes to use after many "
            "questions; getting ready for it is not counted. NLTK compares the senses of the two words that are of one part of "
            f"speech, which takes less time and means more than all pairs of senses, and takes the best.{without}",
        ]
    )


def _goals(times: dict[str, dict[str, Times]], way: str) -> Iterator[list[str]]:
    for when in (FIRST, AGAIN):
        for reading in READINGS:
            found = times[_name(way, reading)][when]
            median, late = found.median.median, found.late.median
            reached, wanted = median <= 0.2 and late <= 0.8, "0.2 / 0.8 ms"
            yield goal(f"median / p99, `{reading}`, {when}", f"{short(median)} / {short(late)} ms", wanted, reached)
    for measured, least in LEAST.items():
        for when in (FIRST, AGAIN):
            for reading in READINGS:
                faster = times[_peer(measured)][when].median.median / times[_name(way, reading)][when].median.median
                what = f"`{reading}` to {_peer(measured)} (medians), {when}"
                yield goal(what, f"{short(faster)} times faster", f"{least} times at least", faster >= least)


def _table(times: dict[str, dict[str, Times]], ours: dict[str, Times]) -> str:
    head, rows = [""], []
    for when in (FIRST, AGAIN):
        head += [f"{when}: median, ms", "p99, ms", "median to that of the first row"]
    for name, found in times.items():
        row: list[object] = [name]
        for when in (FIRST, AGAIN):
            median = found[when].median
            row += [median, found[when].late, f"{short(median.median / ours[when].median.median)}x"]
        rows.append(row)
    return table(head, rows)
