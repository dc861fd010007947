"""Several bases as one: their projections beside each other, and crossings where one base knows what another calls by a name.

A crossing leads from an entity to whatever one of its plain names matches, as a whole, in another base (section 5.3.6 of the
thesis). Crossings depend on how labels are matched, so a union is made for one set of those parameters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ....core.progress import Progress, no_progress
from ...errors import PhraseError
from ...scoring.aspects import split_words
from ...scoring.transitions import TransitionKind
from ..array_builder import flat_transitions, transition_arrays
from ..projection import FORMAT, PhraseProjection
from ..view import Entity

if TYPE_CHECKING:
    import numpy as np

    from ....graph.store import Store
    from ...results import Target
    from ...scoring.parameters import Parameters
    from ..array_file import Arrays


class UnionProjection(PhraseProjection):
    """The projections of several bases as one view; the nodes of a base come behind those of the bases before it.

    ``parts`` are in the order in which the bases were named, nodes in the order of the entities' ids.
    """

    def __init__(self, arrays: Arrays, parts: Sequence[PhraseProjection]) -> None:
        super().__init__(arrays)
        self.bases = tuple(part.base for part in parts)
        self.parts = parts
        self.has_word_derivations = any(part.has_word_derivations for part in parts)
        self.languages = tuple(language for part in parts for language in part.languages)
        self._sorted = sorted(parts, key=_order)
        self._first = [0, *accumulate(part.size for part in self._sorted)]
        self._begin = {part.base: first for part, first in zip(self._sorted, self._first, strict=False)}

    def _local(self, node: int) -> tuple[PhraseProjection, int]:
        number = bisect_right(self._first, node) - 1
        return self._sorted[number], node - self._first[number]

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, str]:
        """What the phrase means in each base, in the order in which they were named."""
        return {
            self._begin[part.base] + node: label
            for part in self.parts
            for node, label in part.targets(words, parameters).items()
        }

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """What the phrase means in each base, in the order in which they were named."""
        for part in self.parts:
            yield from part.senses(store, text, parameters)

    def names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """The plain names of all parts."""
        for part in self.parts:
            begin = self._begin[part.base]
            yield from ((name, [begin + node for node in nodes]) for name, nodes in part.names())

    def word(self, node: int, following: int) -> str | None:
        """The word that a derivation leads to; None for another transition."""
        (part, here), (other, there) = self._local(node), self._local(following)
        return part.word(here, there) if part is other else None

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """What people read of these nodes."""
        found = []
        for node in nodes:
            part, here = self._local(node)
            found += part.entities([here])
        return found

    def called(self, entity: Entity, label: str) -> Entity:
        """An end of a path as its base calls it."""
        part = max((each for each in self.parts if entity.id.startswith(f"{each.base}:")), key=lambda each: len(each.base))
        found: Entity = part.called(entity, label)
        return found


def unite_projections(
    parts: Sequence[PhraseProjection], parameters: Parameters, progress: Progress = no_progress
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What is to be known about a union, and its arrays: the transitions of all parts, and the crossings between them."""
    import numpy as np

    ordered = sorted(parts, key=_order)
    begin = dict(zip((part.base for part in ordered), [0, *accumulate(part.size for part in ordered)], strict=False))
    columns: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
    for part in ordered:
        offsets = np.frombuffer(part.arrays["out offsets"], np.int64)
        start = np.repeat(np.arange(part.size), np.diff(offsets)) + begin[part.base]
        end = np.frombuffer(part.arrays["out next"], np.int32) + begin[part.base]
        kind, breadth = np.frombuffer(part.arrays["out kind"], np.uint8), np.frombuffer(part.arrays["out breadth"], np.int32)
        columns.append((start, end, kind, breadth))
    start, end, kind, breadth = (np.concatenate(column) for column in zip(*columns, strict=True))
    pieces = [(start[kind == each], end[kind == each], TransitionKind(each), breadth[kind == each]) for each in np.unique(kind)]
    for number, part in enumerate(parts):
        for other in parts:
            if other is not part:
                crossing = TransitionKind.CROSSING_ON if parts.index(other) > number else TransitionKind.CROSSING_BACK
                found = np.array(list(_crossings(part, other, parameters, progress)), np.int64).reshape(-1, 2)
                pieces.append(flat_transitions((found[:, 0] + begin[part.base], found[:, 1] + begin[other.base]), crossing))
    size = sum(part.size for part in parts)
    about = {
        "format": FORMAT,
        "kind": "union",
        "base": "+".join(part.base for part in parts),
        "made of": [[part.base, part.arrays.about["revision"]] for part in parts],
        "matching": crossing_parameters(parameters),
        "nodes": size,
        "node labels": [],
        "twinned": any(part.twinned for part in parts),
    }
    return about, transition_arrays(pieces, size)


def crossing_parameters(parameters: Parameters) -> list[float]:
    """The parameters on which crossings depend."""
    return [parameters.prior_coverage, parameters.prior_least, float(parameters.bracketed)]


def _order(part: PhraseProjection) -> str:
    return f"{part.base}:"


def _crossings(
    part: PhraseProjection, other: PhraseProjection, parameters: Parameters, progress: Progress
) -> Iterator[tuple[int, int]]:
    """From the entities of one base to what their names match in the other."""
    for number, (name, nodes) in enumerate(part.names()):
        if number % 10_000 == 0:
            progress(f"crossing from {part.base} to {other.base}", number, None)
        try:
            words = split_words(name)
        except PhraseError:  # no phrase that could be asked for, such as a title of 300 characters
            continue
        for target in other.targets(words, parameters):
            for node in nodes:
                yield node, target
