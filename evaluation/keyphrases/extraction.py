"""Evaluation of extracted keyphrases: precision, recall and F under matchers, by document and over all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from ...core.progress import Progress, no_progress
from ..agreement.statistics import Interval, bootstrap_counts, bootstrap_mean, divide
from ..errors import KeyphrasesInvalid
from ..matchers import Matcher
from .keyphrase_lists import Keyphrases
from .measures import Tally, count_matches, pair_forms, score_forms, split_intervals

FIGURES = ("precision", "recall", "f")


@dataclass(frozen=True, slots=True)
class MatcherFigures:
    """Precision, recall and F under one matcher.

    - ``macro``: the means of the documents' figures
    - ``micro``: the figures of the sums over all documents
    - ``documents``: the tally of each document
    - ``unknown``: the number of different pairs that the matcher does not know; they count as 0
    """

    matcher: str
    macro: Mapping[str, Interval]
    micro: Mapping[str, Interval]
    documents: Mapping[str, Tally]
    unknown: int

    @property
    def over_recalled(self) -> int:
        """The number of documents with a recall above 1: several candidates match one gold keyphrase (1.4)."""
        return sum(tally.recall > 1 for tally in self.documents.values())

    def to_dict(self, *, each: bool = False) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON; with ``each`` those of every document too."""
        return {
            "matcher": self.matcher,
            "macro": split_intervals(self.macro),
            "micro": split_intervals(self.micro),
            "unknown": self.unknown,
            "recall_above_1": self.over_recalled,
            **({"documents": {name: tally.to_dict() for name, tally in self.documents.items()}} if each else {}),
        }


@dataclass(frozen=True, slots=True)
class ExtractionEvaluation:
    """Extracted keyphrases under several matchers.

    - ``documents``: the number of documents with gold keyphrases, all of which count
    - ``without_candidates``: how many of them have no candidates, and so figures of 0
    - ``left_out``: the number of documents that have candidates but are not in the gold standard
    """

    matchers: tuple[MatcherFigures, ...]
    documents: int
    without_candidates: int
    left_out: int

    def to_dict(self, *, each: bool = False) -> dict[str, Any]:
        """Return the evaluation as plain values, ready for JSON; with ``each`` the figures of every document too."""
        return {
            "matchers": [figures.to_dict(each=each) for figures in self.matchers],
            "evaluated": self.documents,
            "without_candidates": self.without_candidates,
            "left_out": {"document_without_gold": self.left_out},
        }


def evaluate_extraction(
    candidates: Mapping[str, Keyphrases],
    gold: Mapping[str, Keyphrases],
    matchers: Mapping[str, Matcher],
    *,
    resamples: int = 0,
    seed: int = 0,
    progress: Progress = no_progress,
) -> ExtractionEvaluation:
    """Evaluate extracted keyphrases.

    Args:
        candidates: The extracted keyphrases by document.
        gold: The gold keyphrases by document. Documents without candidates count; those that are not here are left out.
        matchers: The matchers by name.
        resamples: The number of resamples of documents for the 95 % intervals; 0 for none.
        seed: The seed of the resamples.
        progress: Receives the number of pairs scored.

    Raises:
        KeyphrasesInvalid: No document has both.
        MatcherError: A matcher fails, or does not score from 0 to 1.

    >>> from wayword.evaluation.keyphrases.keyphrase_lists import unite_forms
    >>> from wayword.evaluation.matchers.lexical import make_equal
    >>> mine, theirs = unite_forms([["Game theory"], ["poker"]]), unite_forms([["game theory"]])
    >>> result = evaluate_extraction({"J-37": mine}, {"J-37": theirs}, {"equal": make_equal()})
    >>> result.matchers[0].documents["J-37"]
    Tally(tp=1.0, candidates=2, gold=1)
    """
    if not candidates.keys() & gold.keys():
        raise KeyphrasesInvalid(
            f"no document has both candidates and gold keyphrases: {next(iter(candidates), 'none')!r} is the first with "
            f"candidates, {next(iter(gold), 'none')!r} the first with gold; use the same names in both"
        )
    return ExtractionEvaluation(
        matchers=tuple(
            _evaluate_matcher(name, matcher, candidates, gold, resamples, seed, progress) for name, matcher in matchers.items()
        ),
        documents=len(gold),
        without_candidates=sum(not candidates.get(document) for document in gold),
        left_out=len(candidates.keys() - gold.keys()),
    )


def _evaluate_matcher(
    name: str,
    matcher: Matcher,
    candidates: Mapping[str, Keyphrases],
    gold: Mapping[str, Keyphrases],
    resamples: int,
    seed: int,
    progress: Progress,
) -> MatcherFigures:
    sets = {document: (candidates.get(document, ()), keyphrases) for document, keyphrases in gold.items()}
    pairs = (pair for extracted, keyphrases in sets.values() for pair in pair_forms(extracted, keyphrases))
    scores, unknown = score_forms(name, matcher, pairs, progress)
    tallies = {document: count_matches(extracted, keyphrases, scores) for document, (extracted, keyphrases) in sets.items()}
    drawing = {"resamples": resamples, "seed": seed}
    return MatcherFigures(
        matcher=name,
        macro={figure: bootstrap_mean([getattr(each, figure) for each in tallies.values()], **drawing) for figure in FIGURES},
        micro=_average_micro(list(tallies.values()), **drawing),
        documents=tallies,
        unknown=unknown,
    )


def _average_micro(tallies: Sequence[Tally], **drawing: int) -> dict[str, Interval]:
    """Compute the figures of sums over the documents."""
    tp, candidates, gold = (np.array([getattr(each, size) for each in tallies], float) for size in ("tp", "candidates", "gold"))

    def average(hits: FloatArray, sizes: FloatArray) -> Interval:
        # Of empty sets the figures are 0, as in a tally.
        return bootstrap_counts(lambda counts: np.nan_to_num(divide(hits @ counts, sizes @ counts)), len(tallies), **drawing)

    return {"precision": average(tp, candidates), "recall": average(tp, gold), "f": average(2 * tp, candidates + gold)}
