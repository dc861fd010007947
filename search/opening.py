"""Which view a question gets: a projection where one can be had, else the live view, both for the store as it is now.

The projection of an embedded store lies beside it, that of a server in the user's cache directory. The file says which
revision it was made of and by what the store could be told at that time (its ``stamp``), so that a store that has not changed
need not even be opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from ..graph.errors import StoreError, StoreMissing
from ..graph.files import FileError, replaced
from ..graph.schema import BASE_NAME
from ..graph.store import Progress, silent
from .arrayfile import Arrays, write_arrays
from .errors import BaseUnknown
from .projection import FORMAT

if TYPE_CHECKING:
    from ..graph.store import Base, Store
    from .live_union import LiveUnion
    from .live_wiki import LiveWiki
    from .live_wordnet import LiveWordNet
    from .transitions import Parameters
    from .union import Union
    from .wiki_projection import WikiProjection
    from .wordnet_projection import WordNetProjection
    from .world import World

    Live = LiveWordNet | LiveWiki
    Mapped = WordNetProjection | WikiProjection

T = TypeVar("T")
Choice = Literal["auto", "projection", "live"]
DEFAULT = "wordnet"
KINDS = ("wordnet", "wikipedia")


def open_view(store: Store, base: str | None, choice: Choice = "auto", progress: Progress = silent) -> Mapped | Live:
    """The view of a base of this store; of ``wordnet``, or of the only base, where none is named."""
    if base is not None and not BASE_NAME.fullmatch(base):
        raise BaseUnknown(f"no base is called {base!r}: names are made of a to z, 0 to 9 and _ . -; wayword info lists them")
    if choice != "live" and (ready := _ready(store, base or DEFAULT)) is not None:
        return mapped(ready)
    found = choose_base(store, base)
    if choice == "live":
        return _live(store, found)
    ready = _ready(store, found.id, made=[[found.id, found.revision]])
    return mapped(ready or _made(store, found.id, partial(_projected, store, found.id, progress)))


def _projected(store: Store, base: str, progress: Progress) -> tuple[dict[str, Any], dict[str, Any]]:
    from .projecting import project

    return project(store, base, progress)


def open_world(store: Store, bases: Sequence[str] = (), progress: Progress = silent) -> World:
    """The articles and links of the wiki among these bases, or of the only one in the store."""
    from .links import choose_wiki
    from .world import FORMAT as LINKS
    from .world import World, kept_as, make_world

    found = choose_wiki(store, bases)
    revision = next(each.revision for each in store.bases() if each.id == found)
    arrays = _ready(store, kept_as(found), made=[[found, revision]], form=LINKS)
    return World(arrays or _made(store, kept_as(found), partial(make_world, store, found, progress)))


def open_union(
    store: Store,
    bases: Sequence[str],
    parameters: Parameters,
    choice: Choice = "auto",
    progress: Progress = silent,
) -> Union | LiveUnion:
    """The view of several bases of this store as one."""
    parts = [open_view(store, base, choice, progress) for base in bases]
    if choice == "live":
        from .live_union import LiveUnion

        return LiveUnion(store, parts, parameters)  # type: ignore[arg-type]
    from .union import Union, matching, unite

    projections = cast("list[Mapped]", parts)
    made = [[part.base, part.arrays.about["revision"]] for part in projections]
    name = "+".join(bases)
    arrays = _ready(store, name, made=made)
    if arrays is None or arrays.about["matching"] != matching(parameters):
        arrays = _kept(store, name, *unite(projections, parameters, progress))
    return Union(arrays, projections)


def choose_base(store: Store, base: str | None) -> Base:
    """The base of this name; ``wordnet``, or the only base with phrases, where none is named."""
    bases = {each.id: each for each in store.bases()}
    if not bases:
        raise StoreMissing(f"the store {store.address} holds no base yet; load one with: wayword load wordnet")
    fit = [name for name, each in bases.items() if each.kind in KINDS]
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
    if bases[base].kind not in KINDS:
        raise BaseUnknown(
            f"the base {base!r} is of the kind {bases[base].kind}; phrases are matched in one of the kind {' or '.join(KINDS)}"
        )
    return bases[base]


def _live(store: Store, base: Base) -> Live:
    if base.kind == "wordnet":
        from .live_wordnet import LiveWordNet

        return LiveWordNet(store, base.id)
    from .live_wiki import LiveWiki

    return LiveWiki(store, base.id)


def mapped(arrays: Arrays) -> Mapped:
    """The projection whose arrays these are."""
    if arrays.about["kind"] == "wordnet":
        from .wordnet_projection import WordNetProjection

        return WordNetProjection(arrays)
    from .wiki_projection import WikiProjection

    return WikiProjection(arrays)


def _places(store: Store, base: str) -> Iterator[Path]:
    """Where the projection may lie, the best place first."""
    path = getattr(store, "path", None)
    if path is not None:
        yield Path(path).with_name(f"{Path(path).name}.{base}.projection")
    from platformdirs import user_cache_path

    key = hashlib.sha256(store.address.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    yield user_cache_path("wayword") / f"{key}.{base}.projection"


def _ready(store: Store, name: str, *, made: list[list[Any]] | None = None, form: int = FORMAT) -> Arrays | None:
    """A projection of the store as it is now: made of these revisions, or, if that can be told for nothing, of its state."""
    for place in _places(store, name):
        try:
            arrays = Arrays.open(place)
        except (OSError, ValueError):
            continue
        about = arrays.about
        if about["format"] != form or about["base"] != name:
            continue
        if made is not None:
            if about["made of"] == made:
                return arrays
        elif store.cheap_stamp and about["stamp"] == list(store.stamp()):
            return arrays
    return None


def _made(store: Store, name: str, make: Callable[[], tuple[dict[str, Any], dict[str, Any]]]) -> Arrays:
    """What is made of the store as it is now, kept under a name."""
    stamp, (about, arrays) = steadily(store, make)
    return _kept(store, name, {**about, "stamp": list(stamp)}, arrays)


def steadily(store: Store, read: Callable[[], T]) -> tuple[tuple[int, ...], T]:
    """What is read of the store while nothing is loaded into it, and the stamp of that state."""
    for _ in range(5):
        stamp = store.stamp()
        found = read()
        if store.stamp() == stamp:
            return stamp, found
    raise StoreError(f"the store {store.address} changed five times while it was read: ask again when the loads are done")


def _kept(store: Store, name: str, about: dict[str, Any], arrays: dict[str, Any]) -> Arrays:
    """The arrays, from a file where one can be written, else from memory."""
    for place in _places(store, name):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():  # somebody else's: what it points to is not ours to write
                continue
            with replaced(place) as target:
                write_arrays(target, about, arrays)
            return Arrays.open(place)
        except (OSError, FileError):
            continue
    content = BytesIO()
    write_arrays(content, about, arrays)
    return Arrays(content.getbuffer())
