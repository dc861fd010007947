"""The kinds of bases. Everything in which kinds differ is in their ``BaseKind``, and nowhere else.

To add a kind: write its loader in ``loaders``, declare its node labels in ``graph.schema``, put its views into a folder beside
this module, and register one ``BaseKind``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import BaseUnknown

if TYPE_CHECKING:
    import numpy as np

    from ...graph.store import Store
    from ...rendering.line_styles import LineStyle
    from ..presentation.match_cypher import PathStatement
    from ..results import Step
    from .array_file import Arrays
    from .live import LiveView
    from .projection import PhraseProjection
    from .projector import TableReader


@dataclass(frozen=True, slots=True)
class PhraseSearch:
    """How phrases are searched for in the bases of one kind.

    - ``live``: opens the live view of a base of a store
    - ``projection``: opens the arrays of a projection as a view
    - ``project``: builds the arrays from the tables of a base; returns the number of nodes and the arrays
    - ``tables``: how many tables ``project`` reads, for the progress
    - ``plain_names``: returns for each entity id the names under which another base may know it, normalised
    - ``write_step``: adds a step to the Cypher statement of its path; its arguments are the statement, the previous step, the
      step, and how derivation is read; raises ``KeyError`` for a step that this kind does not have
    - ``line_styles``: the line styles of the steps that only this kind has, by step
    - ``title_prefixes``: the prefixes of names shown to people, by node label
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

    - ``name``: as in ``Base.kind`` and in ``wayword load``
    - ``noun``, ``plural``: what messages call such bases: a wiki, several wikis
    - ``node_labels``: the labels of its entities, which no other kind has
    - ``phrases``: how phrases are searched for; None for a kind without phrases
    """

    name: str
    noun: str
    plural: str
    node_labels: tuple[str, ...]
    phrases: PhraseSearch | None = None


_kinds: dict[str, BaseKind] = {}


def register(kind: BaseKind) -> None:
    """Register a kind of base; it replaces a kind of the same name.

    Raises:
        ValueError: Another kind has one of its node labels.
    """
    others = {label: each.name for each in _kinds.values() if each.name != kind.name for label in each.node_labels}
    for label in kind.node_labels:
        if label in others:
            raise ValueError(f"nodes {label} belong to bases of the kind {others[label]}; choose another label")
    _kinds[kind.name] = kind


def unregister(name: str) -> None:
    """Remove a kind of base from the registry."""
    del _kinds[name]


def registered_kinds() -> tuple[BaseKind, ...]:
    """Return all registered kinds, in the order of their registration."""
    return tuple(_kinds.values())


def kinds_with_phrases() -> tuple[str, ...]:
    """Return the names of the registered kinds that have phrases."""
    return tuple(each.name for each in _kinds.values() if each.phrases is not None)


def get_kind(name: str) -> BaseKind:
    """Return the kind of this name.

    Raises:
        BaseUnknown: The kind is not registered.
    """
    if name not in _kinds:
        raise BaseUnknown(f"no kind of base {name!r} is registered; the registered kinds are {', '.join(_kinds)}")
    return _kinds[name]


def get_phrase_search(name: str) -> PhraseSearch:
    """Return how phrases are searched for in bases of this kind.

    Raises:
        BaseUnknown: The kind is not registered, or has no phrases.
    """
    phrases = get_kind(name).phrases
    if phrases is None:
        raise BaseUnknown(f"bases of the kind {name} have no phrases; kinds with phrases are {', '.join(kinds_with_phrases())}")
    return phrases


def find_phrase_search(node_label: str) -> PhraseSearch | None:
    """Return how phrases are searched for in the kind whose entities have this label, None if no kind has."""
    return next((each.phrases for each in _kinds.values() if node_label in each.node_labels), None)
