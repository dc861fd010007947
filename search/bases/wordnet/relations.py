"""Which transitions the stored relations between synsets become: the same in the live view and in the projection."""

from __future__ import annotations

from collections.abc import Mapping

from ...scoring.transitions import TransitionKind

VERB = "v"
"""The part of speech of verbs."""

THESIS_RELATIONS: Mapping[str, tuple[TransitionKind, TransitionKind | None]] = {
    "SIMILAR": (TransitionKind.SIMILAR, None),
    "ALSO": (TransitionKind.ALSO, None),
    "DERIVATION": (TransitionKind.DERIVATION, None),
}
"""The relations of the thesis beside the hierarchy, followed in the direction in which they are stored.

Of each type of relationship, the kind of a transition in its direction, and of one against it; None if it is not followed so.
"""

FURTHER_RELATIONS: Mapping[str, tuple[TransitionKind, TransitionKind | None]] = {
    "PART_OF": (TransitionKind.PART_OF, TransitionKind.HAS_PART),
    "MEMBER_OF": (TransitionKind.MEMBER_OF, TransitionKind.HAS_MEMBER),
    "SUBSTANCE_OF": (TransitionKind.SUBSTANCE_OF, TransitionKind.HAS_SUBSTANCE),
    "VERB_GROUP": (TransitionKind.VERB_GROUP, TransitionKind.VERB_GROUP),
    "ENTAILS": (TransitionKind.ENTAILMENT, TransitionKind.ENTAILMENT),
    "CAUSES": (TransitionKind.CAUSE, TransitionKind.CAUSE),
    "ATTRIBUTE": (TransitionKind.ATTRIBUTE, TransitionKind.ATTRIBUTE),
    "PERTAINS_TO": (TransitionKind.PERTAINYM, TransitionKind.PERTAINYM),
    "PARTICIPLE_OF": (TransitionKind.PARTICIPLE, TransitionKind.PARTICIPLE),
}
"""The relations that only ``FURTHER_KINDS`` follow, with the same kinds."""

NOUN_HIERARCHY = TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION
VERB_HIERARCHY = TransitionKind.VERB_SPECIALISATION, TransitionKind.VERB_GENERALISATION
INSTANCES = TransitionKind.INSTANCE_SPECIALISATION, TransitionKind.INSTANCE_GENERALISATION
"""The kinds down and up each part of the hierarchy, all of whose relationships are HYPERNYM."""


def hierarchy_kinds(
    specific_pos: str | None, general_pos: str | None, *, instance: bool
) -> tuple[TransitionKind, TransitionKind]:
    """Return the kinds of the transitions down and up a HYPERNYM."""
    if instance:
        return INSTANCES
    return VERB_HIERARCHY if specific_pos == general_pos == VERB else NOUN_HIERARCHY


def share_aside(descendants: int | None) -> float:
    """Return ``TransitionClass.share`` of a step aside from the descendants of the concept that it leads to.

    >>> share_aside(3), share_aside(None)
    (0.25, 1.0)
    """
    return 1 / (1 + (descendants or 0))


def share_below(specific: int | None, general: int | None) -> float:
    """Return ``TransitionClass.share`` of a HYPERNYM from the descendants of its ends.

    >>> share_below(0, 3), share_below(None, None)
    (0.25, 1.0)
    """
    return min(1.0, (1 + (specific or 0)) / (1 + (general or 0)))
