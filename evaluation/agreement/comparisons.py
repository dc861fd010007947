"""How well matchers agree with people who compared two substitutions at a time (6.2 of the thesis)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, nan
from typing import Any

import numpy as np

from ...core.progress import Progress, no_progress
from ..matchers import Matcher
from .bradley_terry import Strengths, estimate_strengths
from .correlation import bootstrap_correlation, kendall_statistic
from .judgements import Judgement, Judgements, Substitution
from .pair_scores import score_pairs
from .question_measures import ROUNDING, SAME
from .significance import Comparison, compare_by_measures, permutation_test_of_means
from .statistics import Interval, bootstrap_mean

DECIMALS = 9
"""Strengths that differ less are ties; they are found by iteration."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The answers of all judges about two substitutions.

    - ``signs``: 1 for each judge who found the first better, -1 the second, 0 neither
    - ``judges``: the judges, in the same order; empty for one who is unknown
    """

    first: Substitution
    second: Substitution
    signs: tuple[int, ...]
    judges: tuple[str, ...]

    def share(self, sign: int) -> float:
        """Return the share of judges who gave this answer."""
        return self.signs.count(sign) / len(self.signs)

    @property
    def majority(self) -> int | None:
        """The answer with the most votes; None if two answers tie."""
        return find_majority(self.signs)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How well people agree with each other: each judge with the others who compared the same substitutions (5.1).

    - ``agreement``: the mean share of the others who give the same answer
    - ``majority``: how often a judge agrees with the majority of the others
    """

    agreement: Interval
    majority: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        return {"agreement": self.agreement.to_dict(), "majority": self.majority.to_dict()}


@dataclass(frozen=True, slots=True)
class MatcherVerdicts:
    """The verdicts of a matcher on comparisons, and how well they agree with people.

    - ``agreement``: the mean share of the judges who give the same answer; below 1 wherever judges disagree
    - ``majority``: the share of the comparisons with a majority on which it agrees with it
    - ``order``: Kendall's tau-b of its scores and the strengths of the substitutions, in the largest group
    - ``unknown``: the number of substitutions that it does not know; they score 0
    - ``by_comparison``: the shares behind ``agreement``
    """

    matcher: str
    agreement: Interval
    majority: Interval
    order: Interval
    unknown: int
    by_comparison: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, ready for JSON."""
        return {
            "matcher": self.matcher,
            "agreement": self.agreement.to_dict(),
            "majority": self.majority.to_dict(),
            "order": self.order.to_dict(),
            "unknown": self.unknown,
        }


@dataclass(frozen=True, slots=True)
class ComparisonAgreement:
    """How well matchers, and people themselves, agree with the judgements on comparisons.

    - ``comparisons``: the number of different comparisons, each of two substitutions
    - ``contested``: how many of them judges disagree on
    - ``without_majority``: on how many two answers have the most votes
    - ``same``: the largest difference of scores that says "as good"
    - ``ranking``: the order of the substitutions that the judgements imply
    - ``differences``: between the matchers, by permutation tests over comparisons
    """

    comparisons: int
    judgements: int
    judges: int
    contested: int
    without_majority: int
    same: float
    left_out: Mapping[str, int]
    people: Ceiling
    matchers: tuple[MatcherVerdicts, ...]
    differences: Comparison
    ranking: Strengths[Substitution]

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain values, ready for JSON."""
        strengths, groups = self.ranking.strengths, self.ranking.groups
        return {
            "comparisons": self.comparisons,
            "judgements": self.judgements,
            "judges": self.judges,
            "contested": self.contested,
            "without_majority": self.without_majority,
            "same": self.same,
            "left_out": dict(self.left_out),
            "people": self.people.to_dict(),
            "matchers": [each.to_dict() for each in self.matchers],
            **self.differences.to_dict(),
            "ranking": {
                "groups": len(set(groups.values())),
                "prior": self.ranking.has_prior,
                "converged": self.ranking.converged,
                "substitutions": [
                    {"substitute": each[0], "substitutee": each[1], "strength": strengths[each], "group": groups[each]}
                    for each in sorted(strengths, key=lambda each: (groups[each], -strengths[each], each))
                ],
            },
        }


def evaluate_comparisons(
    judgements: Judgements,
    matchers: Mapping[str, Matcher],
    *,
    same: float = SAME,
    resamples: int = 0,
    seed: int = 0,
    progress: Progress = no_progress,
) -> ComparisonAgreement:
    """Evaluate matchers by judgements of people.

    Args:
        judgements: The judgements; there is at least one.
        matchers: The matchers by name.
        same: The largest difference of a matcher's scores that counts as "as good".
        resamples: The number of resamples for the 95 % intervals, and of permutations for the tests; 0 for none.
        seed: The seed of both.
        progress: Receives the number of pairs scored.

    >>> from wayword.evaluation.agreement.judgements import Judgement
    >>> from wayword.evaluation.matchers.lexical import make_equal
    >>> better = Judgement(("fruit", "fruit"), ("pear", "apple"), "first")
    >>> evaluate_comparisons(Judgements((better,)), {"equal": make_equal()}).matchers[0].agreement.value
    1.0
    """
    ballots = collect_ballots(judgements.answered)
    ranking = rank_substitutions(judgements.answered)
    found = {
        name: _evaluate_matcher(name, matcher, ballots, ranking, same, resamples, seed, progress)
        for name, matcher in matchers.items()
    }

    def test(_measure: str, first: str, second: str) -> float:
        return permutation_test_of_means(
            found[first].by_comparison, found[second].by_comparison, permutations=resamples, seed=seed
        )

    tested = {"agreement": {name: each.agreement.value for name, each in found.items()}} if resamples else {}
    return ComparisonAgreement(
        comparisons=len(ballots),
        judgements=len(judgements.answered),
        judges=len({each.judge for each in judgements.answered if each.judge}),
        contested=sum(len(set(ballot.signs)) > 1 for ballot in ballots),
        without_majority=sum(ballot.majority is None for ballot in ballots),
        same=same,
        left_out=judgements.left_out,
        people=measure_ceiling(ballots, resamples=resamples, seed=seed),
        matchers=tuple(found.values()),
        differences=compare_by_measures(tested, test),
        ranking=ranking,
    )


def collect_ballots(judgements: Iterable[Judgement]) -> list[Ballot]:
    """Collect the judgements of the same two substitutions, whichever was shown first."""
    found: dict[tuple[Substitution, Substitution], list[Judgement]] = {}
    for judgement in judgements:
        found.setdefault(judgement.pair, []).append(judgement)
    return [
        Ballot(*pair, signs=tuple(each.sign for each in answers), judges=tuple(each.judge for each in answers))
        for pair, answers in found.items()
    ]


def find_majority(signs: Sequence[int]) -> int | None:
    """Return the answer with the most votes; None if two answers tie or there are no votes.

    >>> find_majority([1, 1, 0]), find_majority([1, -1])
    (1, None)
    """
    votes = Counter(signs).most_common(2)
    return votes[0][0] if votes and (len(votes) == 1 or votes[0][1] > votes[1][1]) else None


def rank_substitutions(judgements: Iterable[Judgement]) -> Strengths[Substitution]:
    """Order substitutions by all judgements together; a tie is half a win for both."""
    return estimate_strengths((*each.pair, (1 + each.sign) / 2) for each in judgements)


def measure_ceiling(ballots: Sequence[Ballot], *, resamples: int = 0, seed: int = 0) -> Ceiling:
    """Compare each judge with the others; comparisons with one judge do not count, and all others weigh the same."""
    shares, majorities = [], []
    for ballot in ballots:
        others = [ballot.signs[:index] + ballot.signs[index + 1 :] for index in range(len(ballot.signs))]
        voted = list(zip(ballot.signs, others, strict=True)) if len(ballot.signs) > 1 else []
        shares.append(_mean([rest.count(sign) / len(rest) for sign, rest in voted]))
        majorities.append(
            _mean([float(sign == majority) for sign, rest in voted if (majority := find_majority(rest)) is not None])
        )
    return Ceiling(
        bootstrap_mean(shares, resamples=resamples, seed=seed), bootstrap_mean(majorities, resamples=resamples, seed=seed)
    )


def compare_scores(first: float, second: float, same: float = SAME) -> int:
    """Compare two scores by (4.25): 1 if the first is better, -1 if the second is, 0 if they are as good.

    >>> compare_scores(0.9, 0.7), compare_scores(0.7, 0.8), compare_scores(0.7, 0.81)
    (1, 0, -1)
    """
    difference = first - second
    return 0 if abs(difference) <= same + ROUNDING else 1 if difference > 0 else -1


def _evaluate_matcher(
    name: str,
    matcher: Matcher,
    ballots: Sequence[Ballot],
    ranking: Strengths[Substitution],
    same: float,
    resamples: int,
    seed: int,
    progress: Progress,
) -> MatcherVerdicts:
    found = score_pairs(name, matcher, ranking.strengths, progress=progress)
    scores = dict(zip(ranking.strengths, np.nan_to_num(found).tolist(), strict=True))
    signs = [compare_scores(scores[ballot.first], scores[ballot.second], same) for ballot in ballots]
    shares = [ballot.share(sign) for ballot, sign in zip(ballots, signs, strict=True)]
    majorities = [
        nan if ballot.majority is None else float(ballot.majority == sign) for ballot, sign in zip(ballots, signs, strict=True)
    ]
    compared = [substitution for substitution, group in ranking.groups.items() if group == 0]
    return MatcherVerdicts(
        matcher=name,
        agreement=bootstrap_mean(shares, resamples=resamples, seed=seed),
        majority=bootstrap_mean(majorities, resamples=resamples, seed=seed),
        order=bootstrap_correlation(
            kendall_statistic,
            [scores[each] for each in compared],
            [round(ranking.strengths[each], DECIMALS) for each in compared],
            resamples=resamples,
            seed=seed,
        ),
        unknown=int(np.isnan(found).sum()),
        by_comparison=tuple(shares),
    )


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else nan
