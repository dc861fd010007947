"""The kinds of transitions between entities, and how long each makes a path."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

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

    Not in the thesis, which has no parameters of their own for these steps in a hierarchy:

    - ``VERB_SPECIALISATION``, ``VERB_GENERALISATION``: between two verbs
    - ``INSTANCE_SPECIALISATION``, ``INSTANCE_GENERALISATION``: between a concept and an instance, such as *capital* and Paris
    - ``CATEGORY_SPECIALISATION``, ``CATEGORY_GENERALISATION``: from a category to its articles and subcategories, and back

    Not in the thesis, and not followed unless their parameters are above 0:

    - ``PART_OF``, ``MEMBER_OF``, ``SUBSTANCE_OF``: from a part to the whole, from a member to the group, and from a substance
      to what consists of it; ``HAS_PART``, ``HAS_MEMBER``, ``HAS_SUBSTANCE``: the other way
    - ``VERB_GROUP``, ``ENTAILMENT``, ``CAUSE``, ``ATTRIBUTE``, ``PERTAINYM``, ``PARTICIPLE``: these relations of WordNet, in
      both directions
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
    VERB_SPECIALISATION = 10
    VERB_GENERALISATION = 11
    INSTANCE_SPECIALISATION = 12
    INSTANCE_GENERALISATION = 13
    PART_OF = 14
    HAS_PART = 15
    MEMBER_OF = 16
    HAS_MEMBER = 17
    SUBSTANCE_OF = 18
    HAS_SUBSTANCE = 19
    VERB_GROUP = 20
    ENTAILMENT = 21
    CAUSE = 22
    ATTRIBUTE = 23
    PERTAINYM = 24
    PARTICIPLE = 25
    CATEGORY_SPECIALISATION = 26
    CATEGORY_GENERALISATION = 27

    @property
    def step(self) -> str:
        """The name of the kind in results."""
        return _STEPS.get(self) or self.name.lower()

    @property
    def has_breadth(self) -> bool:
        """Whether transitions of this kind have a breadth."""
        return self in SPECIALISATIONS or self in GENERALISATIONS

    @property
    def length(self) -> int:
        """What a transition of this kind adds to the length of a path."""
        return STEP_LENGTH + IMPLIED_LENGTH if self is TransitionKind.WORD_DERIVATION else STEP_LENGTH


SPECIALISATIONS = frozenset(
    {
        TransitionKind.SPECIALISATION,
        TransitionKind.VERB_SPECIALISATION,
        TransitionKind.INSTANCE_SPECIALISATION,
        TransitionKind.CATEGORY_SPECIALISATION,
    }
)
"""The kinds that lead down a hierarchy."""

GENERALISATIONS = frozenset(
    {
        TransitionKind.GENERALISATION,
        TransitionKind.VERB_GENERALISATION,
        TransitionKind.INSTANCE_GENERALISATION,
        TransitionKind.CATEGORY_GENERALISATION,
    }
)
"""The kinds that lead up a hierarchy."""

FURTHER_KINDS = tuple(kind for kind in TransitionKind if TransitionKind.PART_OF <= kind <= TransitionKind.PARTICIPLE)
"""The kinds that the thesis does not follow; the parameter of each has the name of its step."""

ASIDE = frozenset(
    {TransitionKind.SIMILAR, TransitionKind.ALSO, TransitionKind.DERIVATION, TransitionKind.WORD_DERIVATION, *FURTHER_KINDS}
)
"""The kinds between concepts of a WordNet that lead neither up nor down."""

_STEPS = {
    TransitionKind.WORD_DERIVATION: "derivation",
    TransitionKind.CROSSING_ON: "crossing",
    TransitionKind.CROSSING_BACK: "crossing",
    **dict.fromkeys(SPECIALISATIONS, "specialisation"),
    **dict.fromkeys(GENERALISATIONS, "generalisation"),
}


class TransitionClass(NamedTuple):
    """What the weight of a transition depends on beside the parameters: transitions of one class have one weight.

    - ``kind``: a ``TransitionKind``, or its number
    - ``breadth``: the number of children of the broader concept; 0 if the kind has no breadth
    - ``changes_pos``: whether it leads to another part of speech
    - ``share``: in a hierarchy (1 + all that is below the narrower concept) / (1 + all that is below the broader one), which is
      a ratio of their probabilities where each concept occurs once; of a step aside 1 / (1 + all that is below the concept that
      it leads to); 1 for other kinds, and where the base does not store it
    """

    kind: int
    breadth: int = 0
    changes_pos: bool = False
    share: float = 1.0
