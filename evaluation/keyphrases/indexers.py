"""Evaluation of human indexers: how consistent they are under a matcher, and whether the matcher judges as they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import fsum
from typing import Any

from ...core.progress import Progress, no_progress
from ..agreement.significance import Comparison, compare_by_measures, permutation_test_of_means
from ..agreement.statistics import Interval, bootstrap_mean, none_if_nan
from ..errors import KeyphrasesInvalid
from ..matchers import Matcher
from .keyphrase_lists import Keyphrases, natural_order
from .match_table import MatchTable, pair_indexers
from .measures import score_forms, split_intervals
from .meta_evaluation import (
    Correlation,
    compare_verdicts,
    correlate,
    merge_pooled,
    merge_single_gold,
)

COEFFICIENTS = ("spearman", "kendall")


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """How well F under a matcher agrees with the verdicts of people.

    - ``spearman``, ``kendall``: the means of the documents' correlations
    - ``undefined``: the number of rankings without a correlation, because all values of one side are equal
    - ``over_all``: the correlation of F and verdicts that are first averaged over the documents
    - ``documents``: the correlations of the documents
    """

    spearman: Interval
    kendall: Interval
    undefined: int
    over_all: Correlation
    documents: tuple[Correlation, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the correlations as plain values, ready for JSON."""
        found: dict[str, Interval] = {name: getattr(self, name) for name in COEFFICIENTS}
        return {
            **split_intervals(found),
            "undefined": self.undefined,
            "over_all_documents": {name: none_if_nan(getattr(self.over_all, name)) for name in COEFFICIENTS},
        }


@dataclass(frozen=True, slots=True)
class IndexerFigures:
    """Human indexers under one matcher.

    - ``consistency``: the mean over documents of the mean over all pairs of indexers
    - ``teams``: the mean consistency of each indexer with the others, over its documents
    - ``single_gold``, ``pooled``: the meta-evaluation against one indexer's keyphrases, and against those of all others
    - ``unknown``: the number of different pairs of phrases that the matcher does not know; they count as 0
    """

    matcher: str
    consistency: Interval
    teams: Mapping[str, float]
    single_gold: MetaEvaluation
    pooled: MetaEvaluation
    unknown: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        return {
            "matcher": self.matcher,
            **split_intervals({"consistency": self.consistency}),
            "teams": dict(self.teams),
            "single_gold": self.single_gold.to_dict(),
            "pooled": self.pooled.to_dict(),
            "unknown": self.unknown,
        }


@dataclass(frozen=True, slots=True)
class IndexerEvaluation:
    """Human indexers under several matchers.

    - ``documents``: the number of documents with at least two indexers
    - ``meta_documents``: those with at least three, which the meta-evaluation needs
    - ``single_indexer``: the number of documents with fewer than two, which are left out
    - ``empty``: the number of empty lists, which are left out
    - ``differences``: between the matchers in how well they agree with people, by permutation tests over documents
    """

    matchers: tuple[IndexerFigures, ...]
    documents: int
    meta_documents: int
    single_indexer: int
    empty: int
    differences: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain values, ready for JSON."""
        return {
            "matchers": [figures.to_dict() for figures in self.matchers],
            "documents": self.documents,
            "meta_evaluation_documents": self.meta_documents,
            "left_out": {"single_indexer": self.single_indexer, "empty_list": self.empty},
            **self.differences.to_dict(),
        }


def evaluate_indexers(
    documents: Mapping[str, Mapping[str, Keyphrases]],
    matchers: Mapping[str, Matcher],
    *,
    resamples: int = 0,
    seed: int = 0,
    progress: Progress = no_progress,
) -> IndexerEvaluation:
    """Evaluate human indexers, and matchers by how well they agree with them.

    Args:
        documents: The keyphrases by document and indexer.
        matchers: The matchers by name.
        resamples: The number of resamples of documents for the 95 % intervals, and of permutations for the tests; 0 for none.
        seed: The seed of both.
        progress: Receives the number of pairs scored.

    Raises:
        KeyphrasesInvalid: No document has two indexers.
        MatcherError: A matcher fails, or does not score from 0 to 1.

    >>> from wayword.evaluation.matchers.lexical import make_equal
    >>> lists = {"ann": (("trees",), ("wood",)), "bob": (("trees",),)}
    >>> evaluate_indexers({"forestry": lists}, {"equal": make_equal()}).matchers[0].teams
    {'ann': 0.6666666666666666, 'bob': 0.6666666666666666}
    """
    chosen = {name: {who: keyphrases for who, keyphrases in lists.items() if keyphrases} for name, lists in documents.items()}
    shared = {name: lists for name, lists in chosen.items() if len(lists) >= 2}
    if not shared:
        raise KeyphrasesInvalid("no document has keyphrases of two indexers; give one that several people indexed")
    found = {name: _evaluate_matcher(name, matcher, shared, resamples, seed, progress) for name, matcher in matchers.items()}
    return IndexerEvaluation(
        matchers=tuple(found.values()),
        documents=len(shared),
        meta_documents=sum(len(lists) >= 3 for lists in shared.values()),
        single_indexer=len(chosen) - len(shared),
        empty=sum(not keyphrases for lists in documents.values() for keyphrases in lists.values()),
        differences=_compare_matchers(found, resamples, seed),
    )


def _compare_matchers(found: Mapping[str, IndexerFigures], resamples: int, seed: int) -> Comparison:
    """Test the differences between the mean correlations of matchers; none without permutations."""
    metas = {
        "single_gold.spearman": {name: each.single_gold for name, each in found.items()},
        "pooled.spearman": {name: each.pooled for name, each in found.items()},
    }

    def test(measure: str, first: str, second: str) -> float:
        ours, theirs = ([each.spearman for each in metas[measure][name].documents] for name in (first, second))
        return permutation_test_of_means(ours, theirs, permutations=resamples, seed=seed)

    values = {
        measure: {name: each.spearman.value for name, each in by_matcher.items()} for measure, by_matcher in metas.items()
    }
    return compare_by_measures(values if resamples else {}, test)


def _evaluate_matcher(
    name: str,
    matcher: Matcher,
    documents: Mapping[str, Mapping[str, Keyphrases]],
    resamples: int,
    seed: int,
    progress: Progress,
) -> IndexerFigures:
    pairs = (pair for lists in documents.values() for pair in pair_indexers(lists))
    scores, unknown = score_forms(name, matcher, pairs, progress)
    equality = {pair: float(pair[0] == pair[1]) for pair in scores}
    tables = [MatchTable(lists, scores) for lists in documents.values()]
    verdicts = [
        compare_verdicts(table, MatchTable(lists, equality))
        for table, lists in zip(tables, documents.values(), strict=True)
        if len(lists) >= 3
    ]
    consistency = [_mean([table.compute_consistency(*pair) for pair in combinations(table.indexers, 2)]) for table in tables]
    average = partial(bootstrap_mean, resamples=resamples, seed=seed)
    return IndexerFigures(
        matcher=name,
        consistency=average(consistency),
        teams=_average_teams(tables),
        single_gold=_evaluate_meta(
            [correlate(each.single_gold.values()) for each in verdicts], merge_single_gold(verdicts), average
        ),
        pooled=_evaluate_meta([correlate([each.pooled]) for each in verdicts], merge_pooled(verdicts), average),
        unknown=unknown,
    )


def _evaluate_meta(
    documents: Sequence[Correlation], over_all: Correlation, average: Callable[[Sequence[float]], Interval]
) -> MetaEvaluation:
    return MetaEvaluation(
        spearman=average([each.spearman for each in documents]),
        kendall=average([each.kendall for each in documents]),
        undefined=sum(each.undefined for each in documents),
        over_all=over_all,
        documents=tuple(documents),
    )


def _average_teams(tables: Sequence[MatchTable]) -> dict[str, float]:
    """Return the mean consistency of each indexer with the others."""
    found: dict[str, list[float]] = {}
    for table in tables:
        for indexer in table.indexers:
            found.setdefault(indexer, []).append(table.average_consistency(indexer))
    return {indexer: _mean(values) for indexer, values in sorted(found.items(), key=natural_order)}


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
