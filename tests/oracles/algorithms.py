"""Algorithms 1 to 5 of the thesis, transcribed line by line: the oracle of the searches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

Expand = Callable[[Any], Iterable[tuple[Any, float]]]


def search(ts1: Collection[Any], ts2: Collection[Any], expand: Expand, threshold: float) -> float:
    """SEARCH, Algorithm 4, with the stopping threshold of section 5.3.1."""
    frontier = [(1.0, t) for t in ts1]
    visited = set()
    while frontier:
        node = max(frontier, key=lambda each: each[0])
        frontier.remove(node)
        score, entity = node
        if entity in visited:
            continue
        if entity in ts2:
            return score
        visited.add(entity)
        if score <= 0.0 or score < threshold:
            continue
        for following, transition in expand(entity):
            if following not in visited:
                frontier.append((score * transition, following))
    return 0.0


def multi_search(ts1: Collection[Any], tss2: Sequence[Collection[Any]], expand: Expand, threshold: float) -> list[float]:
    """MULTISEARCH, Algorithm 5."""
    frontier = [(1.0, t) for t in ts1]
    visited = set()
    scores = [-1.0] * len(tss2)
    while frontier:
        node = max(frontier, key=lambda each: each[0])
        frontier.remove(node)
        score, entity = node
        if entity in visited:
            continue
        for i, targets in enumerate(tss2):
            if scores[i] == -1 and entity in targets:
                scores[i] = score
        if -1 not in scores:
            break
        visited.add(entity)
        if score < threshold:
            continue
        for following, transition in expand(entity):
            if following not in visited and transition > 0.0:
                frontier.append((score * transition, following))
    return [0.0 if score == -1 else score for score in scores]


def find_targets(phrase: list[str], match: Callable[[list[str]], set[Any]], stop_words: Collection[str]) -> list[set[Any]]:
    """FINDTARGETS, Algorithm 1; a phrase of nothing but stop words keeps them."""
    ts = match(phrase)
    if ts:
        return [ts]
    p = [word for word in phrase if word not in stop_words] or phrase
    for i in range(1, len(p) + 1):
        tss = find_aspects(p, i, match)
        if tss:
            return tss
    return []


def find_aspects(p: list[str], n: int, match: Callable[[list[str]], set[Any]]) -> list[set[Any]]:
    """FINDASPECTS, Algorithm 2."""
    if n == 1:
        ts = match(p)
        return [ts] if ts else []
    for i in range(1, len(p) - n + 2):
        ts = match(p[0:i])
        if not ts:
            continue
        rest = find_aspects(p[i:], n - 1, match)
        if rest:
            return [ts, *rest]
    return []


def substitutability(tss1: list[set[Any]], tss2: list[set[Any]], score_of: Callable[[set[Any], set[Any]], float]) -> float:
    """Algorithm 3 from line 6; a target set is identified by its index."""
    if not tss1 or not tss2:
        return 0.0
    subs = [(score_of(a, b), ("from", i), ("to", j)) for i, a in enumerate(tss1) for j, b in enumerate(tss2)]
    subs.sort(key=lambda sub: sub[0], reverse=True)
    left = {sub[1] for sub in subs} | {sub[2] for sub in subs}
    top = []
    for score, ts1, ts2 in subs:
        if ts1 in left or ts2 in left:
            left -= {ts1, ts2}
            top.append(score)
            if not left:
                break
    return 0.0 if 0.0 in top else len(top) / sum(1 / score for score in top)
