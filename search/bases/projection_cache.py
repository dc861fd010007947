"""Where projections are cached: beside an embedded store, in the user's cache directory, or nowhere for a store in memory.

A cached file says which revision it was made of and the ``stamp`` of the store at that time, so that a store that has not
changed need not even be opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.atomic_files import FileError, atomic_write
from ...graph.errors import StoreError
from .array_file import Arrays, write_arrays
from .projection import FORMAT

if TYPE_CHECKING:
    from ...graph.store import Store


T = TypeVar("T")


def _places(store: Store, base: str) -> Iterator[Path]:
    """Where the projection may lie, the best place first; nowhere if the store ends with its handle."""
    if not store.persistent:
        return
    path = getattr(store, "path", None)
    if path is not None:
        yield Path(path).with_name(f"{Path(path).name}.{base}.projection")
    from platformdirs import user_cache_path

    key = hashlib.sha256(store.address.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    yield user_cache_path("wayword") / f"{key}.{base}.projection"


def load_cached(store: Store, name: str, *, made: list[list[Any]] | None = None, form: int = FORMAT) -> Arrays | None:
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
        elif store.cheap_state_id and about["stamp"] == list(store.state_id()):
            return arrays
    return None


def build_projection(store: Store, name: str, make: Callable[[], tuple[dict[str, Any], dict[str, Any]]]) -> Arrays:
    """What is made of the store as it is now, kept under a name."""
    stamp, (about, arrays) = read_consistently(store, make)
    return store_projection(store, name, {**about, "stamp": list(stamp)}, arrays)


def read_consistently(store: Store, read: Callable[[], T]) -> tuple[tuple[int, ...], T]:
    """What is read of the store while nothing is loaded into it, and the stamp of that state."""
    for _ in range(5):
        stamp = store.state_id()
        found = read()
        if store.state_id() == stamp:
            return stamp, found
    raise StoreError(f"the store {store.address} changed five times while it was read: ask again when the loads are done")


def store_projection(store: Store, name: str, about: dict[str, Any], arrays: dict[str, Any]) -> Arrays:
    """The arrays, from a file where one can be written, else from memory."""
    for place in _places(store, name):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():  # somebody else's: what it points to is not ours to write
                continue
            with atomic_write(place) as target:
                write_arrays(target, about, arrays)
            return Arrays.open(place)
        except (OSError, FileError):
            continue
    content = BytesIO()
    write_arrays(content, about, arrays)
    return Arrays(content.getbuffer())
