"""Meta-evaluation of a matcher: whether it ranks indexers by F as the other people would (6.2 of the thesis).

The verdict of people on an indexer is the mean of its consistency with the others, by equal keyphrases. F is computed against
one indexer's keyphrases, or against those of all others, and both rankings are correlated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isnan, nan

from ..agreement.correlation import kendall, spearman
from .match_table import MatchTable

DECIMALS = 9
"""Numbers that differ less are ties: their sums were rounded differently."""

Column = Mapping[str, tuple[float, float]]
"""For each indexer its F and the verdict of people."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rank correlations, each a mean over those that are defined; NaN if none is.

    - ``undefined``: how many are not, because all indexers have the same F or the same verdict
    """

    spearman: float
    kendall: float
    undefined: int


@dataclass(frozen=True, slots=True)
class DocumentVerdicts:
    """F and human verdicts of the indexers of one document.

    - ``pooled``: against the keyphrases of all others
    - ``single_gold``: against those of each indexer; that one has no part in the verdicts on the others
    """

    pooled: Column
    single_gold: Mapping[str, Column]


def compare_verdicts(table: MatchTable, equality: MatchTable) -> DocumentVerdicts:
    """Evaluate the indexers of a document, of whom there are at least three.

    Args:
        table: Their matches under the matcher that is evaluated.
        equality: Their matches by equal keyphrases, for the verdicts.
    """
    return DocumentVerdicts(
        pooled={
            indexer: (table.count_pooled_matches(indexer).f, equality.average_consistency(indexer))
            for indexer in table.indexers
        },
        single_gold={
            gold: {
                indexer: (table.count_matches(indexer, gold).f, equality.average_consistency(indexer, excluding=gold))
                for indexer in table.indexers
                if indexer != gold
            }
            for gold in table.indexers
        },
    )


def correlate(columns: Iterable[Column]) -> Correlation:
    """Correlate F with the verdicts in each column, and average the correlations that are defined.

    >>> correlate([{"ann": (0.2, 0.1), "bob": (0.4, 0.3), "eve": (0.3, 0.2)}, {"ann": (0.5, 0.1), "bob": (0.5, 0.3)}])
    Correlation(spearman=1.0, kendall=1.0, undefined=1)
    """
    spearmans, kendalls = [], []
    for column in columns:
        ours, theirs = ([round(pair[side], DECIMALS) for pair in column.values()] for side in (0, 1))
        spearmans.append(spearman(ours, theirs))
        kendalls.append(kendall(ours, theirs))
    return Correlation(_mean_defined(spearmans), _mean_defined(kendalls), sum(map(isnan, spearmans)))


def merge_pooled(verdicts: Sequence[DocumentVerdicts]) -> Correlation:
    """Average F and verdicts over all documents, indexer by indexer, and correlate once."""
    return correlate([_average_column([each.pooled for each in verdicts])])


def merge_single_gold(verdicts: Sequence[DocumentVerdicts]) -> Correlation:
    """Average F and verdicts over all documents that two indexers share, and correlate once for each gold indexer."""
    by_gold: dict[str, list[Column]] = {}
    for each in verdicts:
        for gold, column in each.single_gold.items():
            by_gold.setdefault(gold, []).append(column)
    return correlate(map(_average_column, by_gold.values()))


def _average_column(columns: Sequence[Column]) -> Column:
    found: dict[str, list[tuple[float, float]]] = {}
    for column in columns:
        for indexer, pair in column.items():
            found.setdefault(indexer, []).append(pair)
    return {
        indexer: (fsum(f for f, _ in pairs) / len(pairs), fsum(verdict for _, verdict in pairs) / len(pairs))
        for indexer, pairs in found.items()
    }


def _mean_defined(values: Sequence[float]) -> float:
    defined = [value for value in values if not isnan(value)]
    return fsum(defined) / len(defined) if defined else nan
