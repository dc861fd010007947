"""Which view a question gets: a projection where one can be had, else the live view, both for the store as it is now.

The projection of an embedded store lies beside it, that of a server in the user's cache directory. The file says which
revision it was made of and by what the store could be told at that time (its ``stamp``), so that a store that has not changed
need not even be opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..graph.errors import StoreError, StoreMissing
from ..graph.files import FileError, replaced
from ..graph.schema import BASE_NAME
from ..graph.store import Progress, silent
from .arrayfile import Arrays, write_arrays
from .errors import BaseUnknown
from .live import LiveView
from .projection import FORMAT, Projection

if TYPE_CHECKING:
    from ..graph.store import Store

Choice = Literal["auto", "projection", "live"]
DEFAULT = "wordnet"


def open_view(store: Store, base: str | None, choice: Choice = "auto", progress: Progress = silent) -> Projection | LiveView:
    """The view of a base of this store; of ``wordnet``, or of the only base, where none is named."""
    if base is not None and not BASE_NAME.fullmatch(base):
        raise BaseUnknown(f"no base is called {base!r}: names are made of a to z, 0 to 9 and _ . -; wayword info lists them")
    if choice != "live" and (ready := _ready(store, base or DEFAULT)) is not None:
        return ready
    name = _choose(store, base)
    if choice == "live":
        return LiveView(store, name)
    ready = _ready(store, name, asked=True)
    return ready if ready is not None else _make(store, name, progress)


def _choose(store: Store, base: str | None) -> str:
    kinds = {each.id: each.kind for each in store.bases()}
    if not kinds:
        raise StoreMissing(f"the store {store.address} holds no base yet; load one with: wayword load wordnet")
    if base is None:
        base = DEFAULT if DEFAULT in kinds else next(iter(kinds)) if len(kinds) == 1 else None
    if base is None:
        raise BaseUnknown(f"the store holds several bases: choose one of {', '.join(kinds)} with --base")
    if base not in kinds:
        raise BaseUnknown(f"the store {store.address} has no base {base!r}; it has {', '.join(kinds)}")
    if kinds[base] != "wordnet":
        raise BaseUnknown(f"the base {base!r} is a {kinds[base]}; phrases are matched in a base of the kind wordnet")
    return base


def _places(store: Store, base: str) -> Iterator[Path]:
    """Where the projection may lie, the best place first."""
    path = getattr(store, "path", None)
    if path is not None:
        yield Path(path).with_name(f"{Path(path).name}.{base}.projection")
    from platformdirs import user_cache_path

    key = hashlib.sha256(store.address.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    yield user_cache_path("wayword") / f"{key}.{base}.projection"


def _ready(store: Store, base: str, *, asked: bool = False) -> Projection | None:
    """A projection that was made of the store as it is now; unless ``asked``, only if that can be told for nothing."""
    for place in _places(store, base):
        try:
            arrays = Arrays.open(place)
        except (OSError, ValueError):
            continue
        about = arrays.about
        if about["format"] != FORMAT or about["base"] != base:
            continue
        if asked:
            if about["revision"] == _revision(store, base):
                return Projection(arrays)
        elif store.cheap_stamp and about["stamp"] == list(store.stamp()):
            return Projection(arrays)
    return None


def _revision(store: Store, base: str) -> int:
    return next((each.revision for each in store.bases() if each.id == base), 0)


def _make(store: Store, base: str, progress: Progress) -> Projection:
    from .projecting import project

    for _ in range(5):
        stamp = list(store.stamp())
        about, arrays = project(store, base, progress)
        if list(store.stamp()) == stamp:
            break
    else:
        raise StoreError(f"the store {store.address} changed five times while it was read: ask again when the loads are done")
    about["stamp"] = stamp
    for place in _places(store, base):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():  # somebody else's: what it points to is not ours to write
                continue
            with replaced(place) as target:
                write_arrays(target, about, arrays)
            return Projection(Arrays.open(place))
        except (OSError, FileError):
            continue
    return Projection(_in_memory(about, arrays))


def _in_memory(about: dict[str, Any], arrays: dict[str, Any]) -> Arrays:
    from io import BytesIO

    content = BytesIO()
    write_arrays(content, about, arrays)
    return Arrays(content.getbuffer())
