"""Scores that a matcher gives to pairs, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite, nan
from numbers import Real

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import WaywordError
from ...core.messages import first_line, quote_value
from ...core.progress import Progress, no_progress
from ..errors import MatcherError
from ..matchers import Matcher

REPORT_EVERY = 100


def score_pairs(
    name: str,
    matcher: Matcher,
    pairs: Iterable[tuple[str, str]],
    *,
    low: float = -np.inf,
    high: float = np.inf,
    progress: Progress = no_progress,
) -> FloatArray:
    """Score pairs by a matcher; a pair that occurs more than once is scored once.

    Args:
        name: The name of the matcher, for errors.
        matcher: The matcher.
        pairs: Substitutes, each with its substitutee.
        low: The lowest valid score.
        high: The highest valid score.
        progress: Receives the number of pairs scored.

    Returns:
        The scores in the order of the pairs; NaN for a pair that the matcher does not know.

    Raises:
        MatcherError: The matcher raises an error, or a score is not a number from ``low`` to ``high``.
    """
    pairs = list(pairs)
    distinct = list(dict.fromkeys(pairs))
    scores: list[float] = []
    for score in _guard(name, matcher, distinct):
        if score is not None and not (isfinite(score) and low <= score <= high):
            limits = f"a number from {low:g} to {high:g}" if isfinite(low) else "a finite number"
            pair = _describe(distinct[len(scores)])
            raise MatcherError(f"the matcher {name} scores {pair} {score}, which is not {limits}; use another matcher")
        scores.append(nan if score is None else float(score))
        if not len(scores) % REPORT_EVERY:
            progress(f"scoring pairs by {name}", len(scores), len(scores) / len(distinct))
    found = dict(zip(distinct, scores, strict=True))
    return np.array([found[pair] for pair in pairs])


def score_both_directions(
    name: str, matcher: Matcher, pairs: Iterable[tuple[str, str]], *, progress: Progress = no_progress
) -> FloatArray:
    """Return the mean scores of pairs and of the same pairs the other way round; see ``score_pairs``."""
    pairs = list(pairs)
    mean: FloatArray = np.mean(
        [score_pairs(name, matcher, each, progress=progress) for each in (pairs, [pair[::-1] for pair in pairs])], axis=0
    )
    return mean


def _guard(name: str, matcher: Matcher, pairs: list[tuple[str, str]]) -> Iterator[float | None]:
    """Yield a score for each pair; turn any fault of the matcher into an error that names the pair."""
    number = 0
    try:
        for score in matcher.score_many(pairs):
            if score is not None and not isinstance(score, Real):
                raise TypeError(f"{quote_value(score)} is not a number")
            number += 1
            if number > len(pairs):
                break
            yield score
    except WaywordError:
        raise
    except Exception as error:  # code of another package may raise anything
        pair = f" at {_describe(pairs[number])}" if number < len(pairs) else ""
        raise MatcherError(
            f"the matcher {name} fails{pair} ({type(error).__name__}: {first_line(error)}); repair it"
        ) from error
    if number != len(pairs):
        count = f"more than {len(pairs):,}" if number > len(pairs) else f"{number:,}"
        raise MatcherError(f"the matcher {name} returns {count} scores for {len(pairs):,} pairs; repair it")


def _describe(pair: tuple[str, str]) -> str:
    return f"{quote_value(pair[0])} for {quote_value(pair[1])}"
