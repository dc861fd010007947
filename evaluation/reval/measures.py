"""The hit ratio and the #REval-hit-ratio of one recommendation: equations (3) and (4) of the paper."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, log2
from typing import TYPE_CHECKING, Literal

from ...core.thesaurus import normalise_hashtag

if TYPE_CHECKING:
    from ...core.thesaurus import Thesaurus

Weights = Literal["none", "reciprocal", "logarithmic", "linear"]
"""How much a synonym counts: 1, as in the paper, or less with a higher rank (proposed in its section 5)."""


def hashtag_set(texts: Iterable[str]) -> set[str]:
    """Normalise hashtags as they are compared, without duplicates and empty ones.

    >>> sorted(hashtag_set(["#Flu", "flu", "Covid19", "#"]))
    ['#covid19', '#flu']
    """
    return {normalise_hashtag(text.strip()) for text in texts} - {"#"}


def hit_ratio(recommended: Iterable[str], gold: Iterable[str]) -> float | None:
    """Compute the hit ratio, equation (3): |R ∩ G| / min(|R|, |G|).

    Args:
        recommended: The recommended hashtags R.
        gold: The hashtags G of the tweet.

    Returns:
        A number from 0 to 1; None if R or G is empty.

    >>> hit_ratio({"#hockey", "#sport"}, {"#sport", "#rugby", "#golf"})
    0.5
    >>> hit_ratio(set(), {"#sport"}) is None
    True
    """
    r, g = hashtag_set(recommended), hashtag_set(gold)
    return len(r & g) / min(len(r), len(g)) if r and g else None


def reval_hit_ratio(
    recommended: Iterable[str], gold: Iterable[str], thesaurus: Thesaurus, k: int, weights: Weights = "none"
) -> float | None:
    """Compute the #REval-hit-ratio, equation (4): the hit ratio where Syn_k(R) counts instead of R.

    The hits are counted in the smaller of the two sets (algorithm 2), in R if they are equal in size: the recommended hashtags
    with a synonym in G, or the gold hashtags that are synonyms of one in R.

    Args:
        recommended: The recommended hashtags R.
        gold: The hashtags G of the tweet.
        thesaurus: The synonyms; a hashtag that is not in it has only itself.
        k: The number of synonyms of each hashtag; 0 gives the hit ratio.
        weights: How much a hit counts by the rank of its best synonym.

    Returns:
        A number from 0 to 1; None if R or G is empty.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> swim = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 2]), np.array([1, 2]), np.array([0.1, 0.2]))
    >>> [reval_hit_ratio({"#swim"}, {"#sport"}, swim, k) for k in (0, 1, 2)]
    [0.0, 0.0, 1.0]
    >>> reval_hit_ratio({"#swim"}, {"#sport"}, swim, 2, "linear")
    0.33333333333333337
    """
    r, g = hashtag_set(recommended), hashtag_set(gold)
    if not r or not g:
        return None
    ranks = {each: synonyms(each, thesaurus, k) for each in r}
    if len(r) <= len(g):
        hits = (max((weight(ranks[one][h], k, weights) for h in g if h in ranks[one]), default=0.0) for one in r)
    else:
        hits = (max((weight(ranks[one][h], k, weights) for one in r if h in ranks[one]), default=0.0) for h in g)
    return fsum(hits) / min(len(r), len(g))


def synonyms(hashtag: str, thesaurus: Thesaurus, k: int) -> dict[str, int]:
    """Return Syn_k of a hashtag (algorithm 1) with the rank of each synonym; the hashtag itself has rank 0."""
    return {each.hashtag: each.rank for each in thesaurus.of(hashtag, k) or ()} | {hashtag: 0}


def weight(rank: int, k: int, weights: Weights = "none") -> float:
    """Return how much a hit by a synonym of this rank counts, of k synonyms.

    >>> [weight(2, 3, each) for each in ("none", "reciprocal", "logarithmic", "linear")]
    [1.0, 0.3333333333333333, 0.5, 0.5]
    """
    match weights:
        case "none":
            return 1.0
        case "reciprocal":
            return 1 / (1 + rank)
        case "logarithmic":
            return 1 / log2(2 + rank)
        case "linear":
            return 1 - rank / (k + 1)
    raise ValueError(f"unknown weights {weights!r}; choose none, reciprocal, logarithmic or linear")
