"""Time per pair of words that mean much, in memory, beside the similarities of NLTK on the same pairs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wayword.evaluation.baselines import best_over_senses
from wayword.graph import open_store
from wayword.search.opening import open_view
from wayword.search.substitutability import Substitutability
from wayword.search.transitions import Parameters
from wayword.search.view import Weighted

from .measure import Spread, milliseconds, percentile, repeated, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from wayword.search.opening import Choice
    from wayword.search.transitions import Reading

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
def session(address: str | Path, view: Choice, derivation: Reading = "word") -> Iterator[Substitutability[Any]]:
    """A new session that has answered nothing yet."""
    with open_store(address) as store:
        weighted: Weighted[Any] = Weighted(open_view(store, "wordnet", view), Parameters(derivation=derivation))
        yield Substitutability(weighted)


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


WORD, SYNSET = "WordSub, projection, derivation `word`", "WordSub, projection, derivation `synset`"
PROOF = "the same as a `Match` with its path and glosses, derivation `word`"
PATH, WUP = "NLTK `path_similarity`", "NLTK `wup_similarity`"


def measure(setting: Setting) -> str:
    """The section about pairs in memory."""
    wordnet = setting.nltk
    pairs = random_pairs(setting)
    peers: dict[str, Ask] = {
        PATH: best_over_senses(wordnet, "path"),
        WUP: best_over_senses(wordnet, "wup"),
    }
    for ask in peers.values():
        milliseconds(ask, pairs)
    names = [WORD, f"{WORD}, asked again", SYNSET, f"{SYNSET}, asked again", PROOF, *peers]
    times = {name: Times() for name in names}
    for number in range(setting.repeats):
        setting.note(f"pairs, repeat {number + 1} of {setting.repeats}")
        _repeat(setting.store, pairs, peers, times)
    return _section(times, len(pairs), setting.repeats)


def _repeat(store: Path, pairs: Pairs, peers: dict[str, Ask], times: dict[str, Times]) -> None:
    readings: dict[str, Reading] = {WORD: "word", SYNSET: "synset"}
    for name, derivation in readings.items():
        with session(store, "projection", derivation) as asked:
            times[name].add(milliseconds(asked.score, pairs))
            times[f"{name}, asked again"].add(milliseconds(asked.score, pairs))
    with session(store, "projection") as asked:
        times[PROOF].add(milliseconds(asked.match, pairs))
    for name, ask in peers.items():
        times[name].add(milliseconds(ask, pairs))


def _section(times: dict[str, Times], number: int, repeats: int) -> str:
    ours = times[WORD].median.median
    rows = [[name, each.median, each.late, f"{short(each.median.median / ours)}x"] for name, each in times.items()]
    asked = []
    for name, reading in ((WORD, "word"), (SYNSET, "synset")):
        median, late = times[name].median.median, times[name].late.median
        measured, wanted = f"{short(median)} / {short(late)} ms", "0.2 / 0.8 ms on the machine of the lab"
        asked.append(goal(f"median / p99, `{reading}`", measured, wanted, median <= 0.2 and late <= 0.8))
    for name, least in ((PATH, 5), (WUP, 10)):
        faster = times[name].median.median / ours
        asked.append(goal(f"faster than {name} (`word`, medians)", f"{short(faster)} times", f"{least} times", faster >= least))
    return "\n\n".join(
        [
            goals(*asked),
            table(["", "median, ms", "p99, ms", "median as a multiple of the first row"], rows),
            f"{number:,} random pairs of the words with {SENSES} senses or more (no collocations), the same for every row; "
            f"{repeated(repeats)}: the median of the repeats (lowest..highest). Every repeat of WordSub is a new session whose "
            "caches are empty, in which each pair is asked once, and then once again. NLTK has been asked all pairs before the "
            "first repeat; it compares all senses of the two words that are of one part of speech, and takes the best.",
        ]
    )
