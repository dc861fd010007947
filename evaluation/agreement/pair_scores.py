"""Scores that a matcher gives to pairs, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite, nan

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
    found: dict[tuple[str, str], float] = {}
    for pair, score in zip(distinct, _guard(name, matcher.score_many(distinct), distinct), strict=True):
        if score is None:
            found[pair] = nan
        elif not isfinite(score) or not low <= score <= high:
            limits = f"a number from {low:g} to {high:g}" if isfinite(low) else "a finite number"
            raise MatcherError(
                f"the matcher {name} scores {_describe(pair)} {score}, which is not {limits}; use another matcher"
            )
        else:
            found[pair] = float(score)
        if not len(found) % REPORT_EVERY:
            progress(f"scoring pairs by {name}", len(found), len(found) / len(distinct))
    return np.array([found[pair] for pair in pairs])


def _guard(name: str, scores: Iterator[float | None], pairs: list[tuple[str, str]]) -> Iterator[float | None]:
    """Yield the scores; what the code of the matcher raises becomes an error that names the next pair."""
    number = 0
    try:
        for number, score in enumerate(scores, start=1):  # noqa: B007 - read when an error is raised
            yield score
    except WaywordError:
        raise
    except Exception as error:
        pair = f" at {_describe(pairs[number])}" if number < len(pairs) else ""
        raise MatcherError(
            f"the matcher {name} fails{pair} ({type(error).__name__}: {first_line(error)}); repair it"
        ) from error
    if number < len(pairs):
        raise MatcherError(f"the matcher {name} scores {number:,} of {len(pairs):,} pairs; repair it")


def _describe(pair: tuple[str, str]) -> str:
    return f"{quote_value(pair[0])} for {quote_value(pair[1])}"
