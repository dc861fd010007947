"""Question sheets for people: which of two substitutions is better (6.2 of the thesis)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ...core.normalisation import normalise
from ..errors import SheetsImpossible
from .judgements import Substitution

Choice = tuple[Substitution, Substitution]
"""Two substitutions, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """Question sheets.

    - ``sheets``: the comparisons of each sheet, in the order of the questions; the first substitution is shown first
    - ``comparisons``: the number of different comparisons
    """

    sheets: tuple[tuple[Choice, ...], ...]
    comparisons: int

    def rows(self) -> Iterator[tuple[int | str, ...]]:
        """Yield a row of ``judgements.COLUMNS`` for each question; the verdict and the judge are blank."""
        for sheet, questions in enumerate(self.sheets, start=1):
            for question, (first, second) in enumerate(questions, start=1):
                yield sheet, question, *first, *second, "", ""


def make_sheets(
    substitutions: Sequence[Substitution], *, sheets: int, questions: int = 10, judges: int = 3, seed: int = 0
) -> Sheets:
    """Make question sheets, the same for the same seed.

    All substitutions are compared about equally often, and all through each other, so that one order follows from the answers.
    Each comparison is on as many sheets as any other, give or take one, and never twice on one sheet; each of its substitutions
    is shown first as often as the other, give or take one.

    Args:
        substitutions: The substitutions to compare; repeated ones count once.
        sheets: The number of sheets, one for each person.
        questions: The number of questions on a sheet.
        judges: The number of sheets that ask each comparison, at least.
        seed: The seed of all that is random.

    Raises:
        SheetsImpossible: There are too few substitutions, or too few questions to compare all of them.

    >>> pairs = [("fruit", "apple"), ("pear", "apple"), ("food", "apple")]
    >>> made = make_sheets(pairs, sheets=3, questions=3)
    >>> made.comparisons, next(made.rows())
    (3, (1, 1, 'food', 'apple', 'fruit', 'apple', '', ''))
    """
    written: dict[Substitution, Substitution] = {}
    for substitute, substitutee in substitutions:
        written.setdefault((normalise(substitute), normalise(substitutee)), (substitute, substitutee))
    unique = list(written.values())
    count = min(sheets * questions // judges, len(unique) * (len(unique) - 1) // 2)
    _check_sizes(len(unique), count, questions, judges)
    random = Random(seed)  # noqa: S311 - the order of questions is no secret
    random.shuffle(unique)
    comparisons = [pair for _, pair in zip(range(count), _pair_all(unique), strict=False)]
    asked = [0] * count
    flipped = [random.random() < 0.5 for _ in comparisons]
    made = []
    for _ in range(sheets):
        # The comparisons that were asked least often; which of them, and in which order, is random.
        chosen = sorted(range(count), key=lambda index: (asked[index], random.random()))[:questions]
        random.shuffle(chosen)
        made.append(tuple(_orient(comparisons[index], flip=flipped[index]) for index in chosen))
        for index in chosen:
            asked[index] += 1
            flipped[index] = not flipped[index]
    return Sheets(tuple(made), count)


def _check_sizes(size: int, count: int, questions: int, judges: int) -> None:
    if size < 2:
        raise SheetsImpossible(f"{size} different pair{'' if size == 1 else 's'} cannot be compared; give at least two")
    if count < size - 1:
        raise SheetsImpossible(
            f"{count} comparisons, each by {judges} judges, do not connect {size} pairs, which takes {size - 1}; ask for more "
            "sheets or questions, or for fewer judges"
        )
    if questions > count:
        raise SheetsImpossible(
            f"{questions} questions on a sheet are more than the {count} different comparisons; ask for fewer questions or "
            "more sheets"
        )


def _orient(choice: Choice, *, flip: bool) -> Choice:
    return (choice[1], choice[0]) if flip else choice


def _pair_all(things: Sequence[Substitution]) -> Iterator[Choice]:
    """Yield all pairs in rounds in which each thing occurs once, as in a tournament.

    By the circle method one thing stays and the others rotate. Two rounds in succession form a cycle through all things, so
    that as many comparisons as there are things, less one, connect them. Of an odd number, one thing sits out each round.
    """
    circle = list(things)
    fixed = circle.pop() if len(circle) % 2 == 0 else None
    for _ in range(len(circle)):
        if fixed is not None:
            yield fixed, circle[0]
        for offset in range(1, len(circle) // 2 + 1):
            yield circle[offset], circle[-offset]
        circle = [*circle[1:], circle[0]]
