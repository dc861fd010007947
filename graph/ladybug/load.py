"""Makes the next file of an embedded store: everything that is kept, and the rows of one base anew.

The store's file is never changed. All work happens in a folder beside it; the last step moves the finished file into place.
A load that dies leaves that folder, and the next load removes it. Rows wait in Arrow files until all have come.
"""

from __future__ import annotations

import errno
import glob
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.messages import first_line
from ...core.progress import Progress
from ..arrow_schema import node_columns, relationship_columns
from ..errors import StoreError, StoreFull
from ..records import Base, Batch
from ..schema import NODES, RELATIONSHIPS
from ..validation import check_base, conform
from .bulk_writer import write_file
from .load_lock import load_lock
from .reader import NO_MEMORY, WINDOW, Reader, file_signature, translate_errors
from .spool import Spool

if TYPE_CHECKING:
    import pyarrow as pa

_ROOM = 1 << 20
"""Bytes below which a disk is full: the engine writes pages, and some of them go when it gives up."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_ROOM_TEXT = ("No space left", "quota exceeded", "File too large")


def replace_base(path: Path, base: Base, batches: Iterable[Batch], progress: Progress) -> Base:
    """Put a base into the store at this path in the place of the old one, atomically; ``Store.replace`` tells the rest."""
    check_base(base)
    file_signature(path)  # refuses what can be no path
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with load_lock(path):
        _sweep(path)
        with ExitStack() as stack:
            old = stack.enter_context(Reader(path)) if file_signature(path) else None
            work = path.with_name(f"{path.name}.loading-{os.getpid()}")
            with _writing(path):
                work.mkdir()
            stack.callback(shutil.rmtree, work, ignore_errors=True)
            return _replace(path, work, old, base, batches, progress)


def _replace(path: Path, work: Path, old: Reader | None, base: Base, batches: Iterable[Batch], progress: Progress) -> Base:
    with ExitStack() as stack:
        spool = Spool(work)
        stack.callback(spool.close)
        kept = [] if old is None else [entry for entry in read_bases(old) if entry.id != base.id]
        newest = 0 if old is None else max((entry.revision for entry in read_bases(old)), default=0)
        if old is not None and kept:
            with _writing(path):
                _keep(old, base.id, spool)
        taken = 0
        for batch in batches:
            rows = conform(batch, base.id)
            with _writing(path):
                spool.add((batch.type, batch.ends), rows)
            taken += rows.num_rows
            progress("reading", taken, None)
        done = replace(base, revision=max(newest + 1, time.time_ns() // 1000), left_out=dict(base.left_out))
        with _writing(path):
            spool.add(("Base", None), _base_rows([*kept, done]))
            spool.finish()
            write_file(work / "graph", spool, progress)
            _move(work / "graph", path)
    return done


def read_bases(reader: Reader) -> list[Base]:
    """The bases in an open file, by id."""
    columns = "b.id, b.kind, b.source, b.revision, b.left_out, b.language, b.load_options"
    found = reader.rows(f"MATCH (b:Base) RETURN {columns} ORDER BY b.id")
    with translate_errors(reader.path):
        return [
            Base(key, kind, source, revision, json.loads(left), language, json.loads(options))
            for key, kind, source, revision, left, language, options in found
        ]


def _base_rows(bases: Iterable[Base]) -> pa.RecordBatch:
    import pyarrow as pa

    rows = [
        {
            "id": base.id,
            "kind": base.kind,
            "source": base.source,
            "revision": base.revision,
            "state": "ready",
            "left_out": json.dumps(dict(base.left_out), sort_keys=True),
            "language": base.language,
            "load_options": json.dumps(dict(base.options), sort_keys=True),
        }
        for base in bases
    ]
    return pa.RecordBatch.from_pylist(rows, schema=node_columns("Base"))


def _keep(old: Reader, replaced: str, spool: Spool) -> None:
    """Spool everything that is not of the base to be replaced; of the stems those that still lead to a label."""
    without = {"base": replaced}
    for label, node in NODES.items():
        if node.shared or label == "Base":
            continue
        columns = ", ".join(f"n.`{name}`" for name in node.properties)
        statement = f"MATCH (n:`{label}`) WHERE {WINDOW.format('n')} AND n.base <> $base RETURN {columns}"
        for rows in old.windows(label, statement, without, node_columns(label)):
            spool.add((label, None), rows)
    for name, relationship in RELATIONSHIPS.items():
        columns = "".join(f", r.`{column}`" for column in relationship.properties)
        for start, end in relationship.ends:
            match = f"MATCH (a:`{start}`)-[r:`{name}`]->(b:`{end}`)"
            statement = f"{match} WHERE {WINDOW.format('a')} AND b.base <> $base RETURN a.id, b.id{columns}"
            for rows in old.windows(start, statement, without, relationship_columns(name)):
                spool.add((name, (start, end)), rows)
                if NODES[start].shared:
                    spool.add((start, None), rows.select(["from"]).rename_columns(["id"]))


def _move(file: Path, path: Path) -> None:
    """Make the finished file the store, so that it is there after a power cut as well."""
    _sync(file)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    file.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what loads that died left behind; we hold the lock, so none of it is in use."""
    for stray in path.parent.glob(f"{glob.escape(path.name)}.loading-*"):
        shutil.rmtree(stray, ignore_errors=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say in our words that the store could not be written; it is as it was before."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM or any(text in str(error) for text in _NO_ROOM_TEXT):
            raise _full(path) from error
        if any(text in str(error) for text in NO_MEMORY):
            raise _no_memory(path, error) from error
        blocked = isinstance(error, FileExistsError | NotADirectoryError)
        reason = "what should be its folder is a file" if blocked else error.strerror or first_line(error)
        raise StoreFull(f"cannot write the store {path}: {reason}; choose a path that you may write") from error
    except (RuntimeError, MemoryError) as error:
        if any(text in str(error) for text in _NO_ROOM_TEXT) or _left(path) < _ROOM:
            raise _full(path) from error
        if isinstance(error, MemoryError) or any(text in str(error) for text in NO_MEMORY):
            raise _no_memory(path, error) from error
        raise StoreError(
            f"the embedded engine could not write the store {path}: {first_line(error)}; it is as it was: load again"
        ) from error


def _left(path: Path) -> int:
    """Bytes that may still be written beside a store; of a full disk the engine often says nothing but that a read failed."""
    there = os.statvfs(path.parent)
    return there.f_bavail * there.f_frsize


def _full(path: Path) -> StoreFull:
    return StoreFull(f"no room on the disk of {path}; the store is as it was: free some space and load again")


def _no_memory(path: Path, error: BaseException) -> StoreFull:
    return StoreFull(
        f"too little memory to write the store {path} ({first_line(error)}); it is as it was: give the process more"
    )
