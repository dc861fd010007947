"""The hit ratio and the #REval-hit-ratio of one recommendation: equations (3) and (4) of the paper, as they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, log2
from typing import TYPE_CHECKING, Literal

from ...core.thesaurus import normalise_hashtag

if TYPE_CHECKING:
    from ...core.thesaurus import Thesaurus

Weights = Literal["none", "reciprocal", "logarithmic", "linear"]
"""How much a synonym counts: as much as the hashtag itself, as in the paper, or less the farther its rank is from 0."""


def hashtag_set(texts: Iterable[str]) -> set[str]:
    """Hashtags as they are compared, each once; what has no name is none.

    >>> sorted(hashtag_set(["#Flu", "flu", "Covid19", "#"]))
    ['#covid19', '#flu']
    """
    return {normalise_hashtag(text.strip()) for text in texts} - {"#"}


def hit_ratio(recommended: Iterable[str], gold: Iterable[str]) -> float | None:
    """How many recommended hashtags are right, of as many as could be: equation (3). None if there is nothing to compare.

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
    """The same when a recommended hashtag stands for its k nearest synonyms, too: equation (4).

    A hashtag that the thesaurus does not know has only itself for a synonym. With ``weights``, each hit counts as much as the
    best synonym that makes it one.

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
    """Syn_k of a hashtag with the rank of each; it is itself the one of rank 0."""
    return {each.hashtag: each.rank for each in thesaurus.of(hashtag, k) or ()} | {hashtag: 0}


def weight(rank: int, k: int, weights: Weights = "none") -> float:
    """How much a synonym of this rank counts among k.

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
    raise ValueError(f"no weights are called {weights!r}")
