"""Several bases as one projection: their projections side by side, and the crossings between them.

A crossing leads from an entity to every entity of another base that one of its plain names matches as a whole (inter-knowledge
transitions, section 5.3.6 of the thesis). Crossings depend on how labels are matched, so a union is built for one set of those
parameters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ....core.progress import Progress, no_progress
from ....graph.schema import base_of
from ...scoring.aspects import is_valid
from ...scoring.transitions import TransitionKind
from ..array_builder import Transitions, flat_transitions, transition_arrays
from ..projection import FORMAT, PhraseProjection
from ..view import Entity, TargetLabel

if TYPE_CHECKING:
    import numpy as np

    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..array_file import Arrays


class UnionProjection(PhraseProjection):
    """The projections of several bases as one view.

    Args:
        arrays: The transitions, built by ``unite_projections``.
        parts: The projections, in the order in which the bases were named. The nodes of the union are in the order of the
            entities' ids, so all nodes of one base come before those of the next.
    """

    def __init__(self, arrays: Arrays, parts: Sequence[PhraseProjection]) -> None:
        super().__init__(arrays)
        self.bases = tuple(part.base for part in parts)
        self.parts = parts
        self.has_word_derivations = any(part.has_word_derivations for part in parts)
        self.languages = tuple(language for part in parts for language in part.languages)
        self._sorted = sorted(parts, key=_id_prefix)
        self._first = [0, *accumulate(part.size for part in self._sorted)]
        self._first_node = {part.base: first for part, first in zip(self._sorted, self._first, strict=False)}

    def _local(self, node: int) -> tuple[PhraseProjection, int]:
        number = bisect_right(self._first, node) - 1
        return self._sorted[number], node - self._first[number]

    @property
    def is_verified(self) -> bool:
        """Whether all arrays of all parts have been verified."""
        return self.arrays.is_verified and all(part.is_verified for part in self.parts)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        """Return the target set in all bases, in the order in which they were named; a share of uses is that in its base."""
        found: dict[int, TargetLabel] = {}
        for part in self.parts:
            first = self._first_node[part.base]
            for node, label in part.targets(words, parameters).items():
                found[first + node] = label._replace(opposites=[first + each for each in label.opposites])
        return found

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """Yield the target set in all bases, in the order in which they were named."""
        for part in self.parts:
            yield from part.senses(store, text, parameters)

    def plain_names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the plain names of all parts, each with the entities that it names."""
        for part in self.parts:
            first = self._first_node[part.base]
            yield from ((name, [first + node for node in nodes]) for name, nodes in part.plain_names())

    def linking_word(self, node: int, following: int) -> str | None:
        """Return the word that a derivation leads to; None for other transitions."""
        (part, local), (other, local_following) = self._local(node), self._local(following)
        return part.linking_word(local, local_following) if part is other else None

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """Return these nodes as people read them."""
        found = []
        for node in nodes:
            part, local = self._local(node)
            found += part.entities([local])
        return found

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        """Return the entity under the label by which a phrase found it, as its base does."""
        part = next(each for each in self.parts if each.base == base_of(entity.id))
        return part.rename_to_label(entity, label)


def unite_projections(
    parts: Sequence[PhraseProjection], parameters: Parameters, progress: Progress = no_progress
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the metadata and the arrays of a union: the transitions of all parts, and the crossings between them."""
    import numpy as np

    ordered = sorted(parts, key=_id_prefix)
    first_node = dict(zip((part.base for part in ordered), [0, *accumulate(part.size for part in ordered)], strict=False))
    columns: list[tuple[np.ndarray, ...]] = []
    for part in ordered:
        offsets = np.frombuffer(part.arrays.whole("out offsets"), np.int64)
        start = np.repeat(np.arange(part.size), np.diff(offsets)) + first_node[part.base]
        end = np.frombuffer(part.arrays.whole("out next"), np.int32) + first_node[part.base]
        rows = np.frombuffer(part.arrays.whole("out class"), np.int32)
        group = np.frombuffer(part.arrays.whole("class group"), np.int32)[rows]
        kind, breadth, changes_pos = (
            np.asarray(part.arrays.whole(f"group {name}"))[group] for name in ("kind", "breadth", "changes pos")
        )
        share = np.asarray(part.arrays.whole("class share"))[rows]
        columns.append((kind, start, end, breadth, changes_pos, share))
    kind, *others = (np.concatenate(column) for column in zip(*columns, strict=True))
    pieces = []
    for each in np.unique(kind):
        start, end, *fields = (column[kind == each] for column in others)
        pieces.append(Transitions(start, end, TransitionKind(each), *fields))
    for number, part in enumerate(parts):
        for other in parts:
            if other is not part:
                crossing = TransitionKind.CROSSING_ON if parts.index(other) > number else TransitionKind.CROSSING_BACK
                pairs = np.array(list(_crossings(part, other, parameters, progress)), np.int64).reshape(-1, 2)
                ends = pairs[:, 0] + first_node[part.base], pairs[:, 1] + first_node[other.base]
                pieces.append(flat_transitions(ends, crossing))
    size = sum(part.size for part in parts)
    about = {
        "format": FORMAT,
        "kind": "union",
        "base": "+".join(part.base for part in parts),
        "revisions": [[part.base, part.arrays.about["revision"]] for part in parts],
        "matching": crossing_parameters(parameters),
        "nodes": size,
        "node labels": [],
        "has equivalents": any(part.has_equivalents for part in parts),
    }
    return about, transition_arrays(pieces, size)


def crossing_parameters(parameters: Parameters) -> list[float]:
    """Return the parameters that crossings depend on."""
    return [parameters.prior_coverage, parameters.prior_least, float(parameters.bracketed)]


def _id_prefix(part: PhraseProjection) -> str:
    return f"{part.base}:"


def _crossings(
    part: PhraseProjection, other: PhraseProjection, parameters: Parameters, progress: Progress
) -> Iterator[tuple[int, int]]:
    """Yield each entity of one base with every entity of the other that one of its names matches."""
    for number, (name, nodes) in enumerate(part.plain_names()):
        if number % 10_000 == 0:
            progress(f"crossing from {part.base} to {other.base}", number, None)
        if not is_valid(name):
            continue
        for target in other.targets(tuple(name.split(" ")), parameters):
            for node in nodes:
                yield node, target
