"""Write the next file of an embedded store: a copy of every other base, and the new base.

A load never changes the store's file. It works in the folder ``<store>.loading-<pid>`` beside it, in these phases:

1. *Lock.* Take the load lock and remove the folders of crashed loads; the lock guarantees that they are not in use.
2. *Copy.* Spool the rows of all other bases from the current file.
3. *Read.* Spool the rows of the loader. If the loader fails, the load fails.
4. *Build.* Copy the spool into a new file of the engine, in an order and in pieces that need little memory (``bulk_writer``).
5. *Switch.* Sync the new file and rename it over the store's path.

The rename is atomic, so readers see either the old file or the new one, and a file that is open stays readable. A crash before
the rename leaves the old store and a stray folder, a crash after it the new store.
"""

from __future__ import annotations

import errno
import glob
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.progress import Progress
from ..arrow_schema import node_columns, relationship_columns
from ..records import Base, Batch
from ..schema import NODES, RELATIONSHIPS
from ..validation import check_base, conform
from .bulk_writer import write_file
from .errors import translate_errors, translate_write_errors
from .load_lock import load_lock
from .reader import WINDOW, Reader, file_signature
from .spool import Spool

if TYPE_CHECKING:
    import pyarrow as pa


def replace_base(path: Path, base: Base, batches: Iterable[Batch], progress: Progress) -> Base:
    """Replace a base of the store at a path; see ``Store.replace_base``."""
    check_base(base)
    file_signature(path)  # raises if the path cannot exist
    with translate_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with load_lock(path):
        _remove_stray_folders(path)
        with ExitStack() as stack:
            current = stack.enter_context(Reader(path)) if file_signature(path) else None
            folder = path.with_name(f"{path.name}.loading-{os.getpid()}")
            with translate_write_errors(path):
                folder.mkdir()
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            return _load(path, folder, current, base, batches, progress)


def _load(path: Path, folder: Path, current: Reader | None, base: Base, batches: Iterable[Batch], progress: Progress) -> Base:
    with ExitStack() as stack:
        spool = Spool(folder)
        stack.callback(spool.close)
        stored = [] if current is None else read_bases(current)
        others = [other for other in stored if other.id != base.id]
        if current is not None and others:
            with translate_write_errors(path):
                _copy_others(current, base.id, spool)
        count = 0
        for batch in batches:
            rows = conform(batch, base.id)
            with translate_write_errors(path):
                spool.add((batch.type, batch.ends), rows)
            count += rows.num_rows
            progress("reading", count, None)
        # The clock makes revisions unique across stores; the maximum makes them grow even if the clock is set back.
        revision = max(max((other.revision for other in stored), default=0) + 1, time.time_ns() // 1000)
        new = replace(base, revision=revision, left_out=dict(base.left_out))
        with translate_write_errors(path):
            spool.add(("Base", None), _base_rows([*others, new]))
            spool.finish()
            write_file(folder / "graph", spool, progress)
            _switch(folder / "graph", path)
    return new


def read_bases(reader: Reader) -> list[Base]:
    """Return the bases in an open file, ordered by id."""
    names = list(NODES["Base"].properties)
    rows = reader.rows(f"MATCH (b:Base) RETURN {', '.join(f'b.`{name}`' for name in names)} ORDER BY b.id")
    with translate_errors(reader.path):
        return [Base.from_row(dict(zip(names, row, strict=True))) for row in rows]


def _base_rows(bases: Iterable[Base]) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist([base.to_row() for base in bases], schema=node_columns("Base"))


def _copy_others(current: Reader, replaced: str, spool: Spool) -> None:
    """Spool the nodes and relationships of every base but one, and the stems that these relationships still need."""
    parameters = {"base": replaced}
    for label, node in NODES.items():
        if node.shared or label == "Base":
            continue
        columns = ", ".join(f"n.`{name}`" for name in node.properties)
        statement = f"MATCH (n:`{label}`) WHERE {WINDOW.format('n')} AND n.base <> $base RETURN {columns}"
        for rows in current.stream(label, statement, parameters, node_columns(label)):
            spool.add((label, None), rows)
    for name, relationship in RELATIONSHIPS.items():
        columns = "".join(f", r.`{column}`" for column in relationship.properties)
        for start, end in relationship.ends:
            # The target decides the base: only stems, which are shared, have relationships into several bases.
            match = f"MATCH (a:`{start}`)-[r:`{name}`]->(b:`{end}`)"
            statement = f"{match} WHERE {WINDOW.format('a')} AND b.base <> $base RETURN a.id, b.id{columns}"
            for rows in current.stream(start, statement, parameters, relationship_columns(name)):
                spool.add((name, (start, end)), rows)
                if NODES[start].shared:
                    spool.add((start, None), rows.select(["from"]).rename_columns(["id"]))


def _switch(file: Path, path: Path) -> None:
    """Rename the finished file to the store's path, durably: a power cut leaves either the old or the new file complete."""
    _sync(file)  # before the rename; otherwise the path could lead to a file whose content was never written
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


def _remove_stray_folders(path: Path) -> None:
    """Remove the folders of crashed loads. The caller holds the load lock, so none of them is in use."""
    for folder in path.parent.glob(f"{glob.escape(path.name)}.loading-*"):
        shutil.rmtree(folder, ignore_errors=True)
