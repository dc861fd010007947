"""Find the names that are spelt most like one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import Hint, hint

LONGEST = 60
"""Longer names are not suggested."""


def similar_names(name: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """Return the names that are spelt most like a name, the most similar first; upper and lower case are equal.

    >>> similar_names("Philosphy", ["Philosophy", "Philology", "Biology"])
    ['Philosophy']
    """
    from rapidfuzz import fuzz, process

    choices = [each for each in names if len(each) <= LONGEST]
    found = process.extract(name, choices, scorer=fuzz.ratio, processor=str.casefold, limit=limit, score_cutoff=70)
    return [each for each, _, _ in found]


def suggest(name: str, names: Iterable[str]) -> list[Hint]:
    """Return a hint with similar names, or no hint.

    >>> suggest("wordnt", ["wordnet", "simplewiki"])
    [Hint(code='did_you_mean', values={'names': ['wordnet']})]
    """
    found = similar_names(name, names)
    return [hint("did_you_mean", names=found)] if found else []
