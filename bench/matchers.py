"""Matchers of phrases, correlations and keyphrases; the peers are NLTK, rapidfuzz and scipy on the same data."""

from __future__ import annotations

import csv
import random
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np

import wayword
from wayword.evaluation.agreement.correlation import bootstrap_correlation, spearman_statistic
from wayword.evaluation.keyphrases.extraction import evaluate_extraction
from wayword.evaluation.keyphrases.keyphrase_lists import read_keyphrases
from wayword.evaluation.matchers.registry import open_matchers
from wayword.evaluation.matchers.resources import Resources

from .measure import Spread, count_repeats, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from wayword.evaluation.matchers import Matcher

    from .setting import Setting

LEXICAL = (
    *("equal", "exact", "r_precision", "r_precision_stem", "modified_r_precision", "bleu", "bleu_stem", "rouge1", "rouge2"),
    *("nist", "meteor"),
)
CHECKS, SEMEVAL = "checks/baselines", "human/semeval2010"
REPEATED = 200
"""How often the pairs of the checks are scored."""

Rates = list[Spread | None]
"""Pairs a second in each column; None where there is nothing to measure."""

PEER_PAIRS, CANDIDATES = 2_000, 15
JUDGED, RESAMPLES = 999, 10_000
USUAL = "scipy with `spearmanr`"
LEAST_BLEU, LEAST_METEOR, LEAST_BOOTSTRAP, MOST_SECONDS = 5, 20, 20, 1.0
"""The goals: times as fast as NLTK's BLEU and METEOR and as scipy's bootstrap, and the seconds of a matcher on SemEval."""


def measure(setting: Setting) -> str:
    """Measure the matchers, the bootstrap and the evaluation of keyphrases."""
    with (setting.file(CHECKS) / "pairs.csv").open(encoding="utf-8", newline="") as file:
        related = [(row["candidate"], row["gold"]) for row in csv.DictReader(file)]
    corpus = setting.file(CHECKS) / "nist_corpus.txt"
    phrases = random.Random(0).sample(corpus.read_text(encoding="utf-8").split("\n")[:-1], 40 if setting.quick else 600)
    grid = [(one, other) for one in phrases for other in phrases]
    setting.note("matchers")
    with wayword.open(setting.store, profile="thesis") as graph:
        matchers = open_matchers(LEXICAL, Resources(lambda _: graph, corpus=str(corpus)))
        repeated = related * (2 if setting.quick else REPEATED)
        ours: dict[str, Rates] = {
            name: [
                _rate(setting, partial(_drain, matcher, repeated), len(repeated)),
                _rate(setting, partial(_drain, matcher, grid), len(grid)),
                _rate(setting, partial(_score_grid, matcher, phrases), len(grid)),
            ]
            for name, matcher in matchers.items()
        }
        documents = _measure_documents(setting, matchers)
    theirs = _measure_peers(setting, related, grid, phrases)
    bootstrap = _measure_bootstrap(setting)
    rows = [[f"`{name}`", *rates] for name, rates in ours.items()]
    rows += [[name, *("" if rate is None else rate for rate in rates)] for name, rates in theirs.items()]
    return "\n\n".join(
        [
            goals(*_goals(ours, theirs, documents, bootstrap)),
            table(
                [
                    "matcher, pairs a second",
                    f"{len(related)} related pairs, repeated",
                    "all pairs of a list",
                    "the same at once",
                ],
                rows,
            ),
            table(
                ["bootstrap of Spearman, seconds", f"{JUDGED} pairs, {RESAMPLES:,} resamples"],
                [list(each) for each in bootstrap.items()],
            ),
            f"{count_repeats(setting.repeats)}: the median (lowest..highest), on one core. Phrases of the list are related to "
            "few others, and most matchers see at once that two phrases share nothing. NLTK scores the first "
            f"{PEER_PAIRS:,} of the same pairs, split into words before. The slowest of {len(documents)} lexical matchers "
            f"evaluates the {CANDIDATES} candidates of each document of SemEval-2010 in {short(max(documents.values()))} s.",
        ]
    )


def _score_grid(matcher: Any, phrases: Sequence[str]) -> None:
    matcher.score_all(phrases, phrases)


def _drain(matcher: Matcher, pairs: Sequence[tuple[str, str]]) -> None:
    for _ in matcher.score_many(pairs):
        pass


def _score_all(score: Callable[[list[str], list[str]], float], pairs: Sequence[tuple[list[str], list[str]]]) -> None:
    for pair in pairs:
        score(*pair)


def _rate(setting: Setting, score: Callable[[], object], pairs: int) -> Spread:
    """Return pairs a second; the first call, which fills caches, does not count."""
    score()
    return spread(pairs / _seconds(score) for _ in range(setting.repeats))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _measure_documents(setting: Setting, matchers: dict[str, Any]) -> dict[str, float]:
    """Return the seconds in which each matcher evaluates the documents of SemEval-2010."""
    folder = setting.file(SEMEVAL)
    gold = read_keyphrases(folder / "train.combined.json")
    candidates = {name: each[:CANDIDATES] for name, each in read_keyphrases(folder / "train.reader.json").items()}
    return {
        name: _seconds(partial(evaluate_extraction, candidates, gold, {name: matcher})) for name, matcher in matchers.items()
    }


def _measure_peers(
    setting: Setting, related: Sequence[tuple[str, str]], grid: Sequence[tuple[str, str]], phrases: Sequence[str]
) -> dict[str, Rates]:
    from nltk.translate.bleu_score import sentence_bleu
    from nltk.translate.meteor_score import single_meteor_score
    from rapidfuzz import fuzz
    from rapidfuzz.process import cdist

    def bleu(one: list[str], other: list[str]) -> float:
        score: float = sentence_bleu([other], one, weights=[1 / len(one)] * len(one))
        return score

    def meteor(one: list[str], other: list[str]) -> float:
        score: float = single_meteor_score(other, one, wordnet=setting.nltk)
        return score

    most = 50 if setting.quick else PEER_PAIRS
    pairs = [[(one.split(), other.split()) for one, other in islice(cycle(each), most)] for each in (related, grid)]
    found: dict[str, Rates] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns of every pair without a shared n-gram
        for name, score in (("NLTK `sentence_bleu`", bleu), ("NLTK `single_meteor_score`", meteor)):
            setting.note(name)
            found[name] = [*(_rate(setting, partial(_score_all, score, chosen), len(chosen)) for chosen in pairs), None]
    for name, scorer in (
        ("rapidfuzz `cdist`, `ratio`", fuzz.ratio),
        ("rapidfuzz `cdist`, `token_sort_ratio`", fuzz.token_sort_ratio),
    ):
        found[name] = [None, None, _rate(setting, partial(cdist, phrases, phrases, scorer=scorer, workers=1), len(grid))]
    return found


def _measure_bootstrap(setting: Setting) -> dict[str, Spread]:
    """Return the seconds of a bootstrap of Spearman's correlation: ours, scipy's with its own statistic, and vectorised."""
    from scipy.stats import bootstrap, rankdata, spearmanr

    generator = np.random.default_rng(0)
    gold = generator.integers(0, 61, JUDGED) / 10.0
    scores = gold / 6 + generator.normal(0, 0.3, JUDGED)
    resamples = 200 if setting.quick else RESAMPLES

    def spearman(one: Any, other: Any, axis: int = -1) -> Any:
        first, second = (rankdata(each, axis=axis) for each in (one, other))
        first, second = (each - each.mean(axis=axis, keepdims=True) for each in (first, second))
        return (first * second).sum(axis=axis) / np.sqrt((first**2).sum(axis=axis) * (second**2).sum(axis=axis))

    def ours() -> None:
        bootstrap_correlation(spearman_statistic, scores, gold, resamples=resamples)

    def theirs() -> None:
        bootstrap((scores, gold), spearman, n_resamples=resamples, paired=True, vectorized=True, method="percentile", batch=500)

    def usual() -> None:
        def statistic(one: Any, other: Any) -> Any:
            return spearmanr(one, other).statistic

        bootstrap((scores, gold), statistic, n_resamples=resamples, paired=True, vectorized=False, method="percentile")

    setting.note("bootstrap")
    return {
        "wayword": spread(_seconds(ours) for _ in range(setting.repeats)),
        USUAL: spread(_seconds(usual) for _ in range(setting.few(3))),
        "scipy, vectorised by hand": spread(_seconds(theirs) for _ in range(setting.few(3))),
    }


def _ratio(ours: Spread | None, theirs: Spread | None) -> float:
    assert ours is not None
    assert theirs is not None
    return ours.median / theirs.median


def _goals(
    ours: dict[str, Rates],
    theirs: dict[str, Rates],
    documents: dict[str, float],
    bootstrap: dict[str, Spread],
) -> list[list[str]]:
    rows = []
    for name, peer, least in (
        ("bleu", "NLTK `sentence_bleu`", LEAST_BLEU),
        ("meteor", "NLTK `single_meteor_score`", LEAST_METEOR),
    ):
        for number, what in enumerate(("related pairs", "all pairs of a list")):
            faster = _ratio(ours[name][number], theirs[peer][number])
            rows.append(
                goal(
                    f"`{name}` relative to {peer}, {what}", f"{short(faster)} times", f"at least {least} times", faster >= least
                )
            )
    level = _ratio(ours["r_precision"][2], theirs["rapidfuzz `cdist`, `token_sort_ratio`"][2])
    rows.append(
        goal(
            "`r_precision`, all pairs of a list at once, relative to `cdist`, `token_sort_ratio`",
            f"{short(level)} times",
            "at least 1 times",
            level >= 1,
        )
    )
    faster = bootstrap[USUAL].median / bootstrap["wayword"].median
    rows.append(
        goal(
            f"bootstrap of Spearman, relative to {USUAL}",
            f"{short(faster)} times",
            f"at least {LEAST_BOOTSTRAP} times",
            faster >= LEAST_BOOTSTRAP,
        )
    )
    slowest = max(documents.values())
    rows.append(
        goal(
            "SemEval-2010 by the slowest matcher",
            f"{short(slowest)} s",
            f"at most {short(MOST_SECONDS)} s",
            slowest <= MOST_SECONDS,
        )
    )
    return rows
