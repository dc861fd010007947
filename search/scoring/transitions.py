"""The kinds of transitions between entities, and how long each makes a path."""

from __future__ import annotations

from enum import IntEnum

STEP_LENGTH, IMPLIED_LENGTH, MAX_POSITION = 1 << 16, 1 << 8, (1 << 7) - 1
"""The length of a step, and what is added for one that words alone imply; the last place of a sense that counts.

Of paths with equal scores the shortest is taken: fewest steps, then fewest that no pointer between the two entities supports,
then from the most used sense of the one phrase to the most used of the other.
"""


class TransitionKind(IntEnum):
    """What a transition is; the numbers are those of the projection's arrays.

    A ``WORD_DERIVATION`` is there only when derivation is read as a relation between words. ``CENTRAL`` joins an article and
    the category that it is central to. A crossing leads to what another base calls by the same name: ``CROSSING_ON`` to a base
    that was named later, ``CROSSING_BACK`` to one that was named earlier.
    """

    SAME = 0
    SIMILAR = 1
    ALSO = 2
    DERIVATION = 3
    WORD_DERIVATION = 4
    SPECIALISATION = 5
    GENERALISATION = 6
    CENTRAL = 7
    CROSSING_ON = 8
    CROSSING_BACK = 9

    @property
    def step(self) -> str:
        """The name of the kind in a result."""
        return _STEPS.get(self) or self.name.lower()

    @property
    def length(self) -> int:
        """What a transition of this kind adds to the length of a path."""
        return STEP_LENGTH + IMPLIED_LENGTH if self is TransitionKind.WORD_DERIVATION else STEP_LENGTH


_STEPS = {
    TransitionKind.WORD_DERIVATION: "derivation",
    TransitionKind.CROSSING_ON: "crossing",
    TransitionKind.CROSSING_BACK: "crossing",
}
