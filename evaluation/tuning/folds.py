"""Folds: the training items and the held-out items of each objective."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..agreement.statistics import Indices
from ..errors import TuningError
from .objectives import Objective


@dataclass(frozen=True, slots=True)
class Split:
    """For each objective the numbers of its training items and of its held-out items."""

    training: tuple[Indices, ...]
    held_out: tuple[Indices, ...]


def make_folds(size: int, folds: int, seed: int) -> list[Indices]:
    """Divide items at random into folds whose sizes differ by one at most.

    >>> [fold.tolist() for fold in make_folds(5, 2, seed=0)]
    [[1, 2, 3], [0, 4]]
    """
    order = np.random.default_rng(seed).permutation(size)
    return [np.sort(order[number::folds]) for number in range(folds)]


def make_splits(objectives: Sequence[Objective], known: Sequence[Indices], folds: int, seed: int) -> list[Split]:
    """Return a split for each fold, and a last one with all items for training.

    Args:
        objectives: The objectives.
        known: For each objective the numbers of the items that may be used for training.
        folds: The number of folds, at least 2.
        seed: The seed of the division.

    Raises:
        TuningError: A fold would be empty, or leave too few training items.
    """
    divided = [_divide(objective, folds, seed + number) for number, objective in enumerate(objectives)]
    splits = []
    for fold in range(folds):
        held_out = tuple(each[fold] for each in divided)
        training = tuple(np.setdiff1d(items, held) for items, held in zip(known, held_out, strict=True))
        splits.append(Split(training, held_out))
    splits.append(Split(tuple(known), tuple(np.zeros(0, dtype=np.intp) for _ in objectives)))
    for number, split in enumerate(splits, start=1):
        for objective, items in zip(objectives, split.training, strict=True):
            if not objective.kind.is_defined(objective.select(items).items):
                rest = f"without fold {number}, {objective.file}" if number <= folds else objective.file
                raise TuningError(
                    f"{rest} has too few judgements for training ({objective.kind.figure} is undefined); "
                    "give fewer folds or more judgements"
                )
    return splits


def _divide(objective: Objective, folds: int, seed: int) -> list[Indices]:
    """Divide the items of an objective; a figure of ranks needs two different judgements in each fold."""
    size = len(objective.items)
    divided = make_folds(size, folds, seed)
    for number, fold in enumerate(divided, start=1):
        enough = len(fold) if objective.kind.is_absolute else objective.kind.is_defined(objective.select(fold).items)
        if not enough:
            raise TuningError(
                f"{objective.file} has {size:,} items, too few for {folds} folds: fold {number} has nothing to measure; "
                "give fewer folds or more judgements"
            )
    return divided
