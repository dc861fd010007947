"""Combine the scores of all pairs of aspects into one: the greedy cover and the harmonic mean of Algorithm 3."""

from __future__ import annotations

from collections.abc import Sequence


def greedy_cover(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Choose pairs, best first, until every row (substitute) and every column (substitutee) is covered.

    A pair is chosen if its row or its column is not covered yet; of equal scores the first row, then the first column wins. The
    example of section 3.1.2, aspects A, B, C against X, Y:

    >>> chosen = greedy_cover([[0.10, 0.60], [1.00, 0.35], [0.85, 0.80]])
    >>> chosen
    [(1, 0), (2, 0), (2, 1), (0, 1)]
    """
    if len(scores) == 1 and len(scores[0]) == 1:  # as for most pairs of words
        return [(0, 0)]
    pairs = [(row, column) for row, line in enumerate(scores) for column in range(len(line))]
    pairs.sort(key=lambda pair: -scores[pair[0]][pair[1]])
    rows, columns = set(range(len(scores))), set(range(len(scores[0]) if scores else 0))
    chosen = []
    for row, column in pairs:
        if row in rows or column in columns:
            rows.discard(row)
            columns.discard(column)
            chosen.append((row, column))
            if not rows and not columns:
                break
    return chosen


def harmonic_mean(values: Sequence[float]) -> float:
    """Return the harmonic mean, equation (3.1); 0 if a value is 0 or there are no values.

    >>> round(harmonic_mean([1.00, 0.85, 0.80, 0.60]), 2), harmonic_mean([0.5, 0.0])
    (0.79, 0.0)
    """
    if not values or not all(values):
        return 0.0
    return values[0] if len(values) == 1 else len(values) / sum(1 / value for value in values)
