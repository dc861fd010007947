"""Choose the base that a question is put to, and open the view that answers it.

A question gets a projection if there is one or one can be built, else the live view; both show the store as it is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...core.suggestions import suggest
from ...graph.errors import StoreMissing
from ...graph.schema import BASE_NAME
from ..errors import BaseUnknown
from .projection_cache import build_projection, load_cached, store_projection
from .registry import get_phrase_search, kinds_with_phrases

if TYPE_CHECKING:
    from ...graph.records import Base
    from ...graph.store import Store
    from ..scoring.parameters import Parameters
    from .array_file import Arrays
    from .live import LiveView
    from .projection import PhraseProjection
    from .registry import BaseKind
    from .union.live import LiveUnion
    from .union.projection import UnionProjection

ViewChoice = Literal["auto", "projection", "live"]
DEFAULT_BASE = "wordnet"
"""The base that is searched if none is named and the store has it."""


def open_view(
    store: Store, base: str | None, choice: ViewChoice = "auto", progress: Progress = no_progress
) -> PhraseProjection | LiveView:
    """Open a view of a base.

    Args:
        store: The store.
        base: The name of the base; by default ``DEFAULT_BASE``, else the only base with phrases.
        choice: ``live`` for the live view; otherwise the projection, which is built if it is not cached.
        progress: Receives the progress of building a projection.

    Raises:
        BaseUnknown: The store has no such base, or it has no phrases, or none is named and there are several.
    """
    if base is not None and not BASE_NAME.fullmatch(base):
        raise BaseUnknown(
            f"{base!r} is not a valid name of a base: names consist of a to z, 0 to 9, _, . and -", hint("list_bases")
        )
    if choice != "live" and (cached := load_cached(store, base or DEFAULT_BASE)) is not None:
        return open_projection(cached)
    chosen = choose_base(store, base)
    if choice == "live":
        return get_phrase_search(chosen.kind).live(store, chosen.id)
    cached = load_cached(store, chosen.id, revisions=[[chosen.id, chosen.revision]])
    return open_projection(cached or build_projection(store, chosen.id, partial(_project, store, chosen.id, progress)))


def _project(store: Store, base: str, progress: Progress) -> tuple[dict[str, Any], dict[str, Any]]:
    from .projector import project

    return project(store, base, progress)


def open_projection(arrays: Arrays) -> PhraseProjection:
    """Open arrays as the view of the kind of base that they were built from."""
    return get_phrase_search(arrays.about["kind"]).projection(arrays)


def open_union(
    store: Store,
    bases: Sequence[str],
    parameters: Parameters,
    choice: ViewChoice = "auto",
    progress: Progress = no_progress,
) -> UnionProjection | LiveUnion:
    """Open several bases of a store as one view.

    Args:
        store: The store.
        bases: The names of the bases. Their order decides ties, and which crossings lead on and which lead back.
        parameters: Decide which labels match in a crossing.
        choice: As in ``open_view``.
        progress: As in ``open_view``.
    """
    parts = [open_view(store, base, choice, progress) for base in bases]
    if choice == "live":
        from .union.live import LiveUnion

        return LiveUnion(store, cast("list[LiveView]", parts), parameters)
    from .union.projection import UnionProjection, crossing_parameters, unite_projections

    projections = cast("list[PhraseProjection]", parts)
    revisions = [[part.base, part.arrays.about["revision"]] for part in projections]
    name = "+".join(bases)
    arrays = load_cached(store, name, revisions=revisions)
    if arrays is None or arrays.about["matching"] != crossing_parameters(parameters):
        arrays = store_projection(store, name, *unite_projections(projections, parameters, progress))
    return UnionProjection(arrays, projections)


def choose_base(store: Store, base: str | None) -> Base:
    """Return the base of this name; without one ``DEFAULT_BASE``, else the only base with phrases.

    Raises:
        StoreMissing: The store holds no base.
        BaseUnknown: The store has no such base, or it has no phrases, or none is named and there are several.
    """
    bases = {each.id: each for each in store.bases()}
    if not bases:
        raise StoreMissing(f"the store {store.address} holds no base", hint("load", kind="wordnet"))
    kinds = kinds_with_phrases()
    candidates = [name for name, each in bases.items() if each.kind in kinds]
    if base is None and not candidates:
        raise BaseUnknown(
            f"the store {store.address} holds no base with phrases, only {', '.join(bases)}", hint("load", kind="wordnet")
        )
    if base is None:
        base = DEFAULT_BASE if DEFAULT_BASE in candidates else candidates[0] if len(candidates) == 1 else None
    if base is None:
        raise BaseUnknown("the store holds several bases with phrases", hint("choose", option="base", choices=candidates))
    if base not in bases:
        raise BaseUnknown(f"the store {store.address} has no base {base!r}, only {', '.join(bases)}", *suggest(base, bases))
    if base not in candidates:
        raise BaseUnknown(
            f"the base {base!r} is of the kind {bases[base].kind}, which has no phrases; "
            f"kinds with phrases are {', '.join(kinds)}"
        )
    return bases[base]


def choose_base_of_kind(store: Store, kind: BaseKind, bases: Sequence[str]) -> Base:
    """Return the base of one kind among these, or without names the only one of that kind in the store.

    Raises:
        BaseUnknown: There is no such base, or more than one.
    """
    stored = {each.id: each for each in store.bases() if each.kind == kind.name}
    candidates = [name for name in bases if name in stored] if bases else list(stored)
    if len(candidates) == 1:
        return stored[candidates[0]]
    if not stored:
        raise BaseUnknown(f"the store {store.address} holds no {kind.noun}", hint("load", kind=kind.name))
    if not candidates:
        raise BaseUnknown(
            f"the base {bases[0]!r} is not a {kind.noun} of the store {store.address}; it has {', '.join(stored)}"
        )
    raise BaseUnknown(f"there are several {kind.plural} to choose from", hint("choose", option="base", choices=candidates))
