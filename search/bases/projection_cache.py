"""Cached projections: beside an embedded store, else in the user's cache directory; only in memory for a store in memory.

A cached file records the revisions of the bases that it was built from, and the ``state_id`` of the store at that time. So if a
store is unchanged, its projection is used without opening the store.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.atomic_files import FileError, atomic_write
from ...graph.errors import StoreError
from ...graph.records import CheckedPart
from .array_file import MAGIC, Arrays, write_arrays
from .projection import FORMAT

if TYPE_CHECKING:
    from ...graph.store import Store


T = TypeVar("T")

ATTEMPTS = 5
"""How many times reading a store is attempted while loads keep changing it."""


def load_cached(store: Store, name: str, *, revisions: list[list[Any]] | None = None, format: int = FORMAT) -> Arrays | None:
    """Return the cached projection of the store's current state, or None.

    Args:
        store: The store.
        name: The name under which the projection is cached: that of its base, or of its bases joined by ``+``.
        revisions: The bases with their current revisions. Without them a projection counts as current only if the store has a
            cheap state id and that is unchanged.
        format: The format of the arrays.
    """
    for path in _candidate_paths(store, name):
        try:
            arrays = _open(path)
        except (OSError, ValueError):  # missing or damaged: built again
            continue
        about = arrays.about
        if about["format"] != format or about["base"] != name:
            continue
        if revisions is not None:
            if about["revisions"] == revisions:
                return arrays
        elif store.cheap_state_id and about["state id"] == list(store.state_id()):
            return arrays
    return None


def build_projection(store: Store, name: str, build: Callable[[], tuple[dict[str, Any], dict[str, Any]]]) -> Arrays:
    """Build the metadata and arrays of a projection while the store does not change, and cache them under a name."""
    state_id, (about, arrays) = read_consistently(store, build)
    return store_projection(store, name, {**about, "state id": list(state_id)}, arrays)


def read_consistently(store: Store, read: Callable[[], T]) -> tuple[tuple[int, ...], T]:
    """Read a store while no load changes it, and return the id of that state with the result.

    Raises:
        StoreError: Loads changed the store during every attempt.
    """
    for _ in range(ATTEMPTS):
        state_id = store.state_id()
        result = read()
        if store.state_id() == state_id:
            return state_id, result
    raise StoreError(f"the store {store.address} changed {ATTEMPTS} times while it was read; try again after the loads")


def store_projection(store: Store, name: str, about: dict[str, Any], arrays: dict[str, Any]) -> Arrays:
    """Write a projection to the first writable path and map it into memory; without such a path keep it in memory."""
    for path in _candidate_paths(store, name):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():  # it may lead to another user's file
                continue
            with atomic_write(path) as target:
                write_arrays(target, about, arrays)
            return _open(path)
        except (OSError, FileError):
            continue
    content = BytesIO()
    write_arrays(content, about, arrays)
    return Arrays(content.getbuffer())


def check_cached(store: Store) -> list[CheckedPart]:
    """Verify all cached projections of a store; those of older versions are never used, and left out."""
    parts = []
    for path in _cached_paths(store):
        try:
            if not _is_outdated(path):
                Arrays.open(path).verify()
                parts.append(CheckedPart("projection", str(path), "sound"))
        except OSError:
            parts.append(CheckedPart("projection", str(path), "damaged", {"unreadable_file": 1}))
        except ValueError:
            parts.append(CheckedPart("projection", str(path), "damaged", {"changed_file": 1}))
    return parts


def _cached_paths(store: Store) -> Iterator[Path]:
    for path in _candidate_paths(store, ""):
        prefix = path.name.removesuffix(".projection")
        yield from sorted(path.parent.glob(f"{glob.escape(prefix)}*.projection"))


def _is_outdated(path: Path) -> bool:
    """Return whether a file begins like a projection of another version."""
    family = MAGIC.rpartition(b" ")[0]
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    return head.startswith(family) and head[len(family) :].strip().isdigit() and head != MAGIC


def remove_cached(store: Store, base: str) -> None:
    """Delete the cached projections of a base: its own, its link graph, and those in which it is united with others."""
    for path in _candidate_paths(store, base):
        prefix = path.name.removesuffix(f"{base}.projection")
        for cached in path.parent.glob(f"{glob.escape(prefix)}*.projection"):
            bases = cached.name.removeprefix(prefix).removesuffix(".projection").split("+")
            if base in (name.partition("~")[0] for name in bases) and _is_projection(cached):
                with suppress(OSError):  # it is never used again: a base that is loaded later has another revision
                    cached.unlink()


def _is_projection(path: Path) -> bool:
    """Return whether a file begins like a projection."""
    try:
        if not path.is_file():  # reading from a pipe would wait
            return False
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _open(path: Path) -> Arrays:
    """Open a cached projection; if a block turns out to be damaged, the file is deleted, so that it is built again."""
    return Arrays.open(path, partial(_delete, path))


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _candidate_paths(store: Store, name: str) -> Iterator[Path]:
    """Yield the paths where a projection may be cached, best first; none for a store in memory."""
    if not store.persistent:
        return
    path = getattr(store, "path", None)
    if path is not None:
        yield Path(path).with_name(f"{Path(path).name}.{name}.projection")
    from hashlib import sha256

    from platformdirs import user_cache_path

    key = sha256(store.address.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    yield user_cache_path("wayword") / f"{key}.{name}.projection"
