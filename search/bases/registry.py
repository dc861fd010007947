"""The kinds of bases. All that sets one kind apart from another is in its ``BaseKind``, and nowhere else.

To add a kind: write its loader in ``loaders``, declare its node labels in ``graph.schema``, put its views into a folder beside
this module, and register one ``BaseKind``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from ...graph.store import Store
    from ...rendering.shapes import LineStyle
    from ..presentation.match_cypher import PathStatement
    from ..results import Step
    from .array_file import Arrays
    from .live import LiveView
    from .projection import PhraseProjection
    from .projector import TableReader


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """How phrases are searched for in the bases of one kind.

    - ``live``: opens the live view of a base
    - ``projection``: opens the arrays of a projection as a view
    - ``project``: builds the arrays from the tables of a base; also returns the number of nodes
    - ``tables``: how many tables ``project`` reads, for the progress
    - ``plain_names``: the names under which entities may be known to another base, by entity id
    - ``write_step``: adds a step of a path to the Cypher statement that shows the path
    - ``line_styles``: how the steps that only this kind has are drawn, by step
    - ``title_prefixes``: what stands before a name where people read it, by node label
    """

    live: Callable[[Store, str], LiveView]
    projection: Callable[[Arrays], PhraseProjection]
    project: Callable[[TableReader], tuple[int, dict[str, np.ndarray]]]
    tables: int
    plain_names: Callable[[Store, Sequence[str]], dict[str, list[str]]]
    write_step: Callable[[PathStatement, Step, Step, str | None], None]
    line_styles: Mapping[str, LineStyle] = field(default_factory=dict)
    title_prefixes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaseKind:
    """A kind of base.

    - ``name``: as ``Base.kind`` has it, and as ``wayword load`` calls it
    - ``noun``, ``plural``: what messages call such bases: a wiki, several wikis
    - ``node_labels``: the labels of its entities; no other kind has them
    - ``phrases``: how phrases are searched for; None for a kind that has no phrases
    """

    name: str
    noun: str
    plural: str
    node_labels: tuple[str, ...]
    phrases: PhraseSearch | None = None


_kinds: dict[str, BaseKind] = {}


def register(kind: BaseKind) -> None:
    """Make a kind of base known. Registering a name again replaces the kind.

    Raises:
        ValueError: Another kind has one of its node labels.
    """
    taken = {label: each.name for each in _kinds.values() if each.name != kind.name for label in each.node_labels}
    for label in kind.node_labels:
        if label in taken:
            raise ValueError(f"nodes {label} belong to bases of the kind {taken[label]}; choose another label")
    _kinds[kind.name] = kind


def unregister(name: str) -> None:
    """Forget a kind of base."""
    del _kinds[name]


def kinds() -> tuple[BaseKind, ...]:
    """All registered kinds."""
    return tuple(_kinds.values())


def find_kind(name: str) -> BaseKind | None:
    """The kind of this name, None if it is not registered."""
    return _kinds.get(name)


def phrase_kind(name: str) -> tuple[BaseKind, PhraseSearch]:
    """A kind whose bases have phrases, and how these are searched for.

    Raises:
        KeyError: The kind is not registered, or has no phrases.
    """
    found = _kinds[name]
    if found.phrases is None:
        raise KeyError(f"bases of the kind {name} have no phrases")
    return found, found.phrases


def phrase_search_of(node_label: str) -> PhraseSearch | None:
    """How phrases are searched for in the kind whose entities have this label; None if no kind has."""
    return next((each.phrases for each in _kinds.values() if node_label in each.node_labels), None)
