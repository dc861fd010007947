"""Agreement of matchers with human judgements of several kinds; for docs/papers.md."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

import wayword
from wayword.evaluation.agreement import (
    evaluate_graded,
    evaluate_questions,
    evaluate_substitutes,
    read_judged_pairs,
    read_questions,
    read_swords,
    score_both_directions,
    score_pairs,
)
from wayword.evaluation.agreement.presentation import name_measure
from wayword.evaluation.agreement.questions import PRINTED_FILE
from wayword.evaluation.matchers.registry import open_matchers
from wayword.evaluation.matchers.resources import Resources

from .report import table
from .setting import GLOVE, MINILM, NotAvailable

if TYPE_CHECKING:
    from wayword.core.arrays import FloatArray
    from wayword.evaluation.agreement.significance import Comparison
    from wayword.evaluation.agreement.statistics import Interval
    from wayword.evaluation.matchers import Matcher

    from .setting import Setting

GRADED = {
    "HyperLex": ("human/hyperlex/hyperlex_training_all_random.txt", "human/hyperlex/hyperlex_dev_all_random.txt"),
    "SimLex-999": ("human/word-sim/EN-SIMLEX-999.txt",),
    "SimVerb-3500": ("human/word-sim/EN-SimVerb-3500.txt",),
    "WordSim-353": ("human/word-sim/EN-WS-353-ALL.txt",),
    "MEN": ("human/word-sim/EN-MEN-TR-3k.txt",),
}
"""The files of each data set of graded judgements."""

DIRECTED = ("HyperLex",)
"""The sets whose pairs have a direction; of the others the mean of both directions counts."""

SWORDS = "human/swords/swords-v1.1_dev.json.gz"
PROFILES = ("wayword:people", "wayword:entailment", "wayword:tuned", "wayword:thesis")
TUNED_ON = {
    "wayword:people": ("HyperLex", "SimLex-999", "SimVerb-3500", "SWORDS", "questions"),
    "wayword:entailment": ("HyperLex",),
}
"""The judgements to which our profiles are tuned."""

IN_WORDNET = ("path", "wup", "lch")
LEXICAL = (
    "equal",
    "exact",
    "r_precision_stem",
    "modified_r_precision_stem",
    "bleu_stem",
    "rouge1_stem",
    "rouge2_stem",
    "meteor",
)
EMBEDDINGS = {"vectors": GLOVE, "encoder": MINILM}
"""The packages of the matchers by embeddings; without its package a matcher has no row."""

RESAMPLES, QUICK_RESAMPLES = 2_000, 50


def measure(setting: Setting) -> str:
    """Return the tables."""
    setting.file(SWORDS)  # before a WordNet is loaded in vain
    resamples = QUICK_RESAMPLES if setting.quick else RESAMPLES
    with ExitStack() as stack:

        def open_graph(profile: str | None) -> wayword.Graph:
            return stack.enter_context(wayword.open(setting.store, profile=profile or "people"))

        embeddings = _find_embeddings(setting)
        names = (*PROFILES, *IN_WORDNET, *embeddings)
        matchers = open_matchers(
            (*names, *LEXICAL), Resources(open_graph, vectors=embeddings.get("vectors"), encoder=embeddings.get("encoder"))
        )
        of_words = {name: matchers[name] for name in names}
        cells = {
            name: _measure_graded(setting, name, of_words, resamples) for name in list(GRADED)[: 2 if setting.quick else None]
        }
        cells["SWORDS"] = _measure_substitutes(setting, of_words, resamples)
        pairs = table(["matcher", *cells], [[f"`{name}`", *(each[name] for each in cells.values())] for name in of_words])
        return f"{pairs}\n\n{_measure_questions(setting, matchers, resamples)}"


def _find_embeddings(setting: Setting) -> dict[str, str]:
    """Return the file or folder of each matcher by embeddings that is installed."""
    found = {}
    for name, package in EMBEDDINGS.items():
        try:
            found[name] = str(setting.package_file(*package))
        except NotAvailable as reason:
            setting.note(f"no row for {name}: {reason}")
    return found


def _measure_graded(setting: Setting, name: str, matchers: Mapping[str, Matcher], resamples: int) -> dict[str, str]:
    """Return a cell for each matcher: Spearman's correlation."""
    judged = [pair for file in GRADED[name] for pair in read_judged_pairs(setting.file(file))]
    pairs = [(pair.substitute, pair.substitutee) for pair in judged]
    scores: dict[str, FloatArray] = {}
    for matcher, each in matchers.items():
        setting.note(f"{name}, {matcher}")
        scores[matcher] = (score_pairs if name in DIRECTED else score_both_directions)(matcher, each, pairs)
    setting.note(f"{name}, intervals")
    found = evaluate_graded(judged, scores, resamples=resamples)
    return _cells(name, {each.matcher: each.spearman for each in found.matchers}, found.comparison, "spearman")


def _measure_substitutes(setting: Setting, matchers: Mapping[str, Matcher], resamples: int) -> dict[str, str]:
    """Return a cell for each matcher: GAP."""
    swords = read_swords(setting.file(SWORDS))
    pairs = [(substitute, target.word) for target in swords.targets for substitute in target.substitutes]
    setting.note("SWORDS")
    found = evaluate_substitutes(
        swords, {name: score_pairs(name, matcher, pairs) for name, matcher in matchers.items()}, resamples=resamples
    )
    return _cells("SWORDS", {each.matcher: each.measures["gap"] for each in found.matchers}, found.comparison, "gap")


def _measure_questions(setting: Setting, matchers: Mapping[str, Matcher], resamples: int) -> str:
    """Return the table of all measures on the printed questions."""
    questions = read_questions(PRINTED_FILE)
    pairs = [pair for question in questions for pair in question.pairs()]
    setting.note("questions")
    scores = {
        name: np.clip(score_pairs(name, matcher, pairs).reshape(len(questions), -1), 0.0, 1.0)
        for name, matcher in matchers.items()
    }
    systems = evaluate_questions(questions, scores, resamples=resamples).systems
    measures = list(systems[0].measures)
    rows = [
        [f"`{each.system}`{_mark(each.system, 'questions')}", *(_format(each.measures[name].interval) for name in measures)]
        for each in systems
    ]
    return table(["matcher", *map(name_measure, measures)], rows)


def _cells(name: str, figures: Mapping[str, Interval], comparison: Comparison, measured: str) -> dict[str, str]:
    """Return a cell for each matcher, with the ranks that the tests allow."""
    ranks: Mapping[str, Any] = {each.system: each for each in comparison.rankings[measured]}

    def rank(matcher: str) -> str:
        first, last = ranks[matcher].rank, ranks[matcher].last_rank
        return str(first) if first == last else f"{first} to {last}"

    return {
        matcher: f"{_format(interval)}{_mark(matcher, name)}, {rank(matcher)}" if matcher in ranks else "-"
        for matcher, interval in figures.items()
    }


def _mark(matcher: str, data: str) -> str:
    return "†" if data in TUNED_ON.get(matcher, ()) else ""


def _format(interval: Interval) -> str:
    return f"{interval.value:.2f} ({interval.low:.2f} to {interval.high:.2f})"
