"""The kinds of transitions between entities, and how long each makes a path."""

from __future__ import annotations

from enum import IntEnum

STEP_LENGTH, IMPLIED_LENGTH, MAX_POSITION = 1 << 16, 1 << 8, (1 << 7) - 1
"""The length of a step, the extra length of a step without a pointer, and the greatest length that a position adds.

Of paths with equal scores the shortest is taken: fewest steps, then fewest steps without a pointer between the two entities,
then from the most used sense of one phrase to the most used sense of the other.
"""


class TransitionKind(IntEnum):
    """The kind of a transition (section 3.1.3 of the thesis); the numbers are those in the arrays of a projection.

    - ``SAME``: the same meaning
    - ``SIMILAR``, ``ALSO``: *similar to* and *see also*
    - ``DERIVATION``: a pointer between derivationally related forms
    - ``WORD_DERIVATION``: the further derivations if derivation is read as a relation between words
    - ``SPECIALISATION``, ``GENERALISATION``: down and up a hierarchy
    - ``CENTRAL``: between an article and the category that it is central to, in both directions
    - ``CROSSING_ON``, ``CROSSING_BACK``: to an entity of another base with the same name (section 5.3.6); on to a base that was
      named later, back to a base that was named earlier
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
        """The name of the kind in results."""
        return _STEPS.get(self) or self.name.lower()

    @property
    def has_breadth(self) -> bool:
        """Whether transitions of this kind have a breadth."""
        return self in (TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION)

    @property
    def length(self) -> int:
        """What a transition of this kind adds to the length of a path."""
        return STEP_LENGTH + IMPLIED_LENGTH if self is TransitionKind.WORD_DERIVATION else STEP_LENGTH


_STEPS = {
    TransitionKind.WORD_DERIVATION: "derivation",
    TransitionKind.CROSSING_ON: "crossing",
    TransitionKind.CROSSING_BACK: "crossing",
}
