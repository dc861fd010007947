"""Choose the base that a question is put to, and open the view that answers it.

A question gets a projection where one can be had, else the live view; both show the store as it is now.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from ...core.progress import Progress, no_progress
from ...graph.errors import StoreMissing
from ...graph.schema import BASE_NAME
from ..errors import BaseUnknown
from .projection_cache import build_projection, load_cached, store_projection
from .registry import find_kind, kinds, phrase_kind

if TYPE_CHECKING:
    from ...graph.records import Base
    from ...graph.store import Store
    from ..scoring.parameters import Parameters
    from .array_file import Arrays
    from .live import LiveView
    from .projection import PhraseProjection
    from .union.live import LiveUnion
    from .union.projection import UnionProjection

ViewChoice = Literal["auto", "projection", "live"]
DEFAULT = "wordnet"
"""The base that is asked where none is named."""


def open_view(
    store: Store, base: str | None, choice: ViewChoice = "auto", progress: Progress = no_progress
) -> PhraseProjection | LiveView:
    """Open a view of a base; of the default one, or of the only one with phrases, where none is named."""
    if base is not None and not BASE_NAME.fullmatch(base):
        raise BaseUnknown(f"no base is called {base!r}: names are made of a to z, 0 to 9 and _ . -; wayword info lists them")
    if choice != "live" and (ready := load_cached(store, base or DEFAULT)) is not None:
        return open_projection(ready)
    found = choose_base(store, base)
    if choice == "live":
        _, phrases = phrase_kind(found.kind)
        return phrases.live(store, found.id)
    ready = load_cached(store, found.id, made=[[found.id, found.revision]])
    return open_projection(ready or build_projection(store, found.id, partial(_project, store, found.id, progress)))


def _project(store: Store, base: str, progress: Progress) -> tuple[dict[str, Any], dict[str, Any]]:
    from .projector import project

    return project(store, base, progress)


def open_projection(arrays: Arrays) -> PhraseProjection:
    """Open arrays as the view of the kind of base that they were built from."""
    _, phrases = phrase_kind(arrays.about["kind"])
    return phrases.projection(arrays)


def open_union(
    store: Store,
    bases: Sequence[str],
    parameters: Parameters,
    choice: ViewChoice = "auto",
    progress: Progress = no_progress,
) -> UnionProjection | LiveUnion:
    """Open several bases of a store as one view."""
    parts = [open_view(store, base, choice, progress) for base in bases]
    if choice == "live":
        from .union.live import LiveUnion

        return LiveUnion(store, cast("list[LiveView]", parts), parameters)
    from .union.projection import UnionProjection, crossing_parameters, unite_projections

    projections = cast("list[PhraseProjection]", parts)
    made = [[part.base, part.arrays.about["revision"]] for part in projections]
    name = "+".join(bases)
    arrays = load_cached(store, name, made=made)
    if arrays is None or arrays.about["matching"] != crossing_parameters(parameters):
        arrays = store_projection(store, name, *unite_projections(projections, parameters, progress))
    return UnionProjection(arrays, projections)


def choose_base(store: Store, base: str | None) -> Base:
    """The base of this name; the default one, or the only one with phrases, where none is named."""
    bases = {each.id: each for each in store.bases()}
    if not bases:
        raise StoreMissing(f"the store {store.address} holds no base yet; load one with: wayword load wordnet")
    with_phrases = [each.name for each in kinds() if each.phrases is not None]
    fit = [name for name, each in bases.items() if each.kind in with_phrases]
    if base is None and not fit:
        raise BaseUnknown(
            f"the store {store.address} has nothing to look phrases up in, only {', '.join(bases)}; first: wayword load wordnet"
        )
    if base is None:
        base = DEFAULT if DEFAULT in fit else fit[0] if len(fit) == 1 else None
    if base is None:
        raise BaseUnknown(f"the store holds several bases: choose one of {', '.join(fit)} with --base")
    if base not in bases:
        raise BaseUnknown(f"the store {store.address} has no base {base!r}; it has {', '.join(bases)}")
    if base not in fit:
        raise BaseUnknown(
            f"the base {base!r} is of the kind {bases[base].kind}; "
            f"phrases are matched in one of the kind {' or '.join(with_phrases)}"
        )
    return bases[base]


def choose_of_kind(store: Store, kind: str, bases: Sequence[str]) -> Base:
    """The base of one kind among these, or the only one of that kind in the store."""
    about = find_kind(kind)
    assert about is not None  # noqa: S101 - callers name kinds that are built in
    held = {each.id: each for each in store.bases() if each.kind == kind}
    wanted = [name for name in bases if name in held] if bases else list(held)
    if len(wanted) == 1:
        return held[wanted[0]]
    if not held:
        raise BaseUnknown(f"the store {store.address} holds no {about.noun}; load one with: wayword load {kind}")
    if bases and not wanted:
        raise BaseUnknown(f"the base {bases[0]!r} is no {about.noun} of the store {store.address}; it has {', '.join(held)}")
    raise BaseUnknown(f"the store holds several {about.plural}: choose one of {', '.join(wanted or held)} with --base")
