"""Scores of very many pairs: chunks of them are taken apart, and each source is asked for all its targets together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from .bulk import Bulk
from .substitutability import Substitutability, combine

FIRST, LARGEST = 64, 65_536
"""Pairs of the first chunk, so that the first scores come at once, and of the largest; each chunk is twice the last."""

FEW = 4
"""Up to so many targets of one source are searched one by one, from both ends."""


def score_all(question: Substitutability[int], bulk: Bulk, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
    """The scores of pairs, in order; no more than a chunk is taken ahead."""
    waiting = iter(pairs)
    size = FIRST
    while chunk := list(islice(waiting, size)):
        yield from _score_chunk(question, bulk, chunk)
        size = min(size * 2, LARGEST)


def _score_chunk(question: Substitutability[int], bulk: Bulk, pairs: list[tuple[str, str]]) -> list[float]:
    numbers: dict[tuple[int, ...], int] = {}
    phrases: dict[str, tuple[int, ...]] = {}
    wanted: dict[int, dict[int, float]] = {}
    for pair in pairs:
        for phrase in pair:
            if phrase not in phrases:
                aspects = question.aspects(phrase)
                phrases[phrase] = tuple(numbers.setdefault(each.targets, len(numbers)) for each in aspects)
        for source in phrases[pair[0]]:
            wanted.setdefault(source, {}).update(dict.fromkeys(phrases[pair[1]], 0.0))
    target_sets = list(numbers)
    for source, found in wanted.items():
        if len(found) > FEW:
            bulk.search(target_sets[source])
            found.update(zip(found, bulk.scores([target_sets[each] for each in found]), strict=True))
        else:
            for target in found:
                found[target] = question.search(target_sets[source], target_sets[target])
    scores = []
    for substitute, substitutee in pairs:
        theirs = phrases[substitutee]
        scores.append(combine([[wanted[each][other] for other in theirs] for each in phrases[substitute]]))
    return scores
