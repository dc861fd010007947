"""A projection: a snapshot of a base as flat, memory-mapped arrays, with the transitions in both directions.

It is built once for each revision of a base (``projector``). It holds the classes of transitions, never weights: those are
computed from the parameters of a search. Classes that differ only in their ``share`` form a group: a WordNet has many thousands
of classes but only a few hundred groups. A search under parameters that ignore shares reads the groups. Nodes are numbered in
the order of the entities' ids. How phrases are looked up is defined by each kind of base.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..scoring.transitions import TransitionClass, TransitionKind
from .string_table import StringTable
from .view import CacheInfo, Entity, TargetLabel, Transition

if TYPE_CHECKING:
    from ...graph.records import Direction
    from ...graph.store import Store
    from ..results import Target
    from ..scoring.parameters import Parameters
    from .array_file import Arrays, IntArray

CACHED_ENTITIES = 10_000
"""How many entities are kept as people read them: the same few occur in many paths."""

FORMAT = 13
"""The version of the array layout; cached projections of another version are rebuilt."""


Column = Literal["class", "group"]
"""Which array numbers the transitions. There is no ``group`` where every group has a single class."""


class Weighting(NamedTuple):
    """The transitions of a projection weighted by one set of parameters.

    - ``column``: what the other fields are numbered by: groups if shares do not count, otherwise classes
    - ``weights``: 0 for a hierarchy's transition without a breadth
    - ``lengths``: what a transition adds to the length of a path
    - ``central``: the number of ``TransitionKind.CENTRAL``, None where there are no equivalents
    """

    column: Column
    weights: Sequence[float]
    lengths: Sequence[int]
    central: int | None


class Projection:
    """The transitions and entities of a projection, as a graph to search in."""

    has_word_derivations = False
    forward_only = False

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.base: str = arrays.about["base"]
        self.bases: tuple[str, ...] = (self.base,)
        self.languages: tuple[str, ...] = (arrays.about.get("language", ""),)
        self.size: int = arrays.about["nodes"]
        self.has_equivalents: bool = arrays.about["has equivalents"]
        kinds, breadths, changes_pos = (arrays.whole(f"group {name}") for name in ("kind", "breadth", "changes pos"))
        self._groups = [
            (TransitionKind(kind), breadth, bool(changes))
            for kind, breadth, changes in zip(kinds, breadths, changes_pos, strict=True)
        ]
        self._class_groups = arrays.whole("class group")
        self._class_shares: memoryview[float] = arrays.whole("class share")  # type: ignore[assignment]
        self._has_groups = len(self._class_groups) > len(self._groups)
        self.central_class = self._find_central_class() if self.has_equivalents else None
        self._entity = lru_cache(CACHED_ENTITIES)(self._read_entity)
        self.weigh = lru_cache(1)(self._weigh)  # the same for all searches of a session
        self._transitions = {
            (direction, column): tuple(arrays[f"{direction} {name}"] for name in ("offsets", "next", column))
            for direction in ("out", "in")
            for column in (("class", "group") if self._has_groups else ("class",))
        }

    @property
    def is_verified(self) -> bool:
        """Whether all arrays have been verified, so that nothing read from them can turn out to be damaged."""
        return self.arrays.is_verified

    def transitions(
        self,
        node: int,
        direction: Direction,
        *,
        without: Collection[TransitionKind] = (),  # noqa: ARG002
        shares_aside: bool = True,  # noqa: ARG002
    ) -> Iterable[Transition[int]]:
        """Return all transitions out of a node, or into it. No kind is left out."""
        nodes, classes = self.rows(node, direction)
        return [(other, self.transition_class(number)) for other, number in zip(nodes, classes, strict=True)]

    def transition_class(self, number: int) -> TransitionClass:
        """Return the class with this number."""
        return TransitionClass(*self._groups[self._class_groups[number]], self._class_shares[number])

    def _find_central_class(self) -> int:
        group = next(index for index, (kind, *_) in enumerate(self._groups) if kind is TransitionKind.CENTRAL)
        return self._class_groups.tolist().index(group)

    def rows(self, node: int, direction: Direction, column: Column = "class") -> tuple[memoryview[int], memoryview[int]]:
        """Return for the transitions out of a node, or into it, the other nodes and the classes or groups."""
        offsets, following, numbers = self._transitions[direction, column]
        first, last = offsets[node], offsets[node + 1]
        return following[first:last], numbers[first:last]

    def find_class(self, node: int, following: int, column: Column, number: int) -> TransitionClass:
        """Return the class of the transition from one node to another that has this number, of several in a group the first."""
        if column == "group":
            classes = self._transitions["out", "class"][2]
            found = (classes[row] for row in self.rows_between(node, following))
            number = next(each for each in found if self._class_groups[each] == number)
        return self.transition_class(number)

    def rows_between(self, node: int, following: int) -> list[int]:
        """Return the numbers of the rows that lead from one node to another."""
        offsets, others, _ = self._transitions["out", "class"]
        first = offsets[node]
        nodes = others[first : offsets[node + 1]].tolist()
        if nodes.count(following) == 1:  # as for most
            return [first + nodes.index(following)]
        return [row for row, other in enumerate(nodes, first) if other == following]

    def equivalents(self, node: int) -> Sequence[int]:
        """Return the nodes joined to this one by a transition of ``TransitionKind.CENTRAL``."""
        if self.central_class is None:
            return ()
        offsets, following, classes = self._transitions["out", "class"]
        first, last = offsets[node], offsets[node + 1]
        return [following[row] for row in range(first, last) if classes[row] == self.central_class]

    def _weigh(self, parameters: Parameters) -> Weighting:
        """Weight the transitions."""
        weights = [
            parameters.weight_before_content(kind, breadth, changes_pos=changes_pos) if breadth or not kind.has_breadth else 0.0
            for kind, breadth, changes_pos in self._groups
        ]
        lengths = [kind.length for kind, *_ in self._groups]
        powers = [parameters.content_power(kind) for kind, *_ in self._groups]
        if self._has_groups and not any(powers):
            central = None if self.central_class is None else self._class_groups[self.central_class]
            return Weighting("group", weights, lengths, central)
        classes = list(zip(self._class_groups, self._class_shares, strict=True))
        return Weighting(
            "class",
            [weights[group] * share ** powers[group] for group, share in classes],
            [lengths[group] for group, _ in classes],
            self.central_class,
        )

    def linking_word(self, node: int, following: int) -> str | None:  # noqa: ARG002
        """Return the word that a transition leads to; None by default."""
        return None

    def prefetch_from(self, direction: Direction, frontier: Sequence[tuple[float, Sequence[int]]]) -> None:
        """Do nothing: the arrays need no prefetching."""

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        """Return these nodes as people read them."""
        return [self._entity(node) for node in nodes]

    def _read_entity(self, node: int) -> Entity:
        ids, names, glosses, labels, label_names = self._descriptions
        return Entity(ids.read(node), names.read(node), glosses.read(node) or None, label_names[labels[node]])

    @cached_property
    def _descriptions(self) -> tuple[StringTable, StringTable, StringTable, IntArray, list[str]]:
        """What people read of nodes: their ids, names and glosses, and their labels in the graph by number."""
        ids, names, glosses = (self.texts(table) for table in ("id", "name", "gloss"))
        return ids, names, glosses, self.arrays["node label"], self.arrays.about["node labels"]

    def rename_to_label(self, entity: Entity, label: str) -> Entity:  # noqa: ARG002
        """Return the entity under the label by which a phrase found it; by default under its own name."""
        return entity

    def texts(self, name: str) -> StringTable:
        """Return the table of strings of this name."""
        return StringTable(self.arrays[name], self.arrays[f"{name} offsets"])

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return nothing: the operating system caches the pages of the file."""
        return {}


class PhraseProjection(Projection, ABC):
    """A projection in which phrases can be looked up: a complete view."""

    @abstractmethod
    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        """Return the target set of a phrase, most used first, each entity with a label that leads to it."""

    @abstractmethod
    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        """Yield the target set of a phrase with the details that people read, if need be from the store."""

    @abstractmethod
    def plain_names(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the names under which another base may know entities, each with the entities that it names."""
