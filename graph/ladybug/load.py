"""Write the next file of an embedded store: a copy of every other base, and the new base if there is one.

A load never changes the store's file. It works in the folder ``<store>.loading-<pid>`` beside it, in these phases:

A base is removed in the same way, without the third phase.

1. *Lock.* Take the load lock and remove the folders of crashed loads; the lock guarantees that they are not in use.
2. *Copy.* Verify the current file, and spool the rows of all other bases from it.
3. *Read.* Spool the rows of the loader. If the loader fails, the load fails.
4. *Build.* Copy the spool into a new file of the engine, in an order and in pieces that need little memory (``bulk_writer``).
5. *Switch.* Append the digest, sync the new file and rename it over the store's path.

The rename is atomic, so readers see either the old file or the new one, and a file that is open stays readable. A crash before
the rename leaves the old store and a stray folder, a crash after it the new store.
"""

from __future__ import annotations

import errno
import glob
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.progress import Progress
from ..arrow_schema import node_columns, relationship_columns
from ..errors import StoreUnreadable
from ..records import Base, Batch
from ..schema import NODES, RELATIONSHIPS
from ..validation import check_base, check_kind, conform, missing_base
from .bulk_writer import write_file
from .digest import append_digest
from .errors import check_space, translate_write_errors
from .load_lock import load_lock
from .reader import WINDOW, FileSignature, Reader, check_file, file_signature, missing_store
from .spool import Spool, Table
from .verification import refuse_leftovers, verify

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of a store in progress, under its load lock: the current file, if there is one, and the spool of the next."""

    path: Path
    folder: Path
    current: Reader | None
    spool: Spool
    stored: list[Base]

    def find(self, name: str) -> Base | None:
        """Return the stored base of a name."""
        return next((base for base in self.stored if base.id == name), None)

    def copy_others(self, name: str, progress: Progress) -> list[Base]:
        """Spool all rows but those of one base, and return the other bases."""
        others = [base for base in self.stored if base.id != name]
        if self.current is not None and others:
            with translate_write_errors(self.path):
                _copy_others(self.current, name, self.spool, progress)
        return others

    def switch(self, bases: Iterable[Base], progress: Progress, copied: Mapping[Table, int]) -> None:
        """Build the next file from the spooled rows, and put it in the place of the current one."""
        with translate_write_errors(self.path):
            rows = _base_rows(bases)
            self.spool.add(("Base", None), rows)
            self.spool.finish()
            check_space(self.path)
            write_file(self.folder / "graph", self.spool, progress, {**copied, ("Base", None): rows.num_rows})
            append_digest(self.folder / "graph")
            before = None if self.current is None else self.current.signature
            if _content_signature(file_signature(self.path)) != _content_signature(before):
                raise StoreUnreadable(
                    f"another program changed {self.path} meanwhile, so it was left as it is; choose another path"
                )
            _switch(self.folder / "graph", self.path)


def _content_signature(signature: FileSignature | None) -> tuple[int, ...] | None:
    """Return a signature without the time of the last change of the inode, which some programs for backups set."""
    return signature and signature[:3]


@contextmanager
def _change(path: Path, *, thorough: bool = True) -> Iterator[_Change]:
    file_signature(path)  # raises if the path cannot exist
    with translate_write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with load_lock(path), ExitStack() as stack:
        _remove_stray_folders(path)
        refuse_leftovers(path)  # the engine would apply them to the new file
        if file_signature(path) is None:
            current = None
        else:
            check_file(path)
            current = stack.enter_context(Reader(path, verified=verify(path, thorough=thorough)))
        folder = path.with_name(f"{path.name}.loading-{os.getpid()}")
        with translate_write_errors(path):
            folder.mkdir()
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        spool = Spool(folder)
        stack.callback(spool.close)
        yield _Change(path, folder, current, spool, [] if current is None else current.bases())


def check_load(path: Path, base: Base) -> None:
    """Raise the error with which ``replace_base`` would refuse a base at once; see ``Store.check_load``."""
    check_base(base)
    with _change(path, thorough=False) as change:
        check_kind(base, change.find(base.id))


def replace_base(path: Path, base: Base, batches: Iterable[Batch], progress: Progress) -> Base:
    """Replace a base of the store at a path; see ``Store.replace_base``."""
    check_base(base)
    with _change(path) as change:
        old = change.find(base.id)
        check_kind(base, old)
        others = change.copy_others(base.id, progress)
        copied = dict(change.spool.rows)
        count = 0
        for batch in batches:
            rows = conform(batch, base.id)
            with translate_write_errors(path):
                change.spool.add((batch.type, batch.ends), rows)
            count += rows.num_rows
            progress("reading", count, None)
        # The clock makes revisions unique across stores; the maximum makes them grow even if the clock is set back.
        revision = max(max((each.revision for each in change.stored), default=0) + 1, time.time_ns() // 1000)
        new = replace(base, revision=revision, left_out=dict(base.left_out), replaced_revision=old.revision if old else None)
        change.switch([*others, new], progress, copied)
    return new


def remove_base(path: Path, name: str, progress: Progress) -> Base:
    """Remove a base of the store at a path; see ``Store.remove_base``."""
    if file_signature(path) is None:
        raise missing_store(path)
    with _change(path) as change:
        removed = change.find(name)
        if removed is None:
            raise missing_base(path, name, (base.id for base in change.stored))
        others = change.copy_others(name, progress)
        change.switch(others, progress, dict(change.spool.rows))
    return removed


def _base_rows(bases: Iterable[Base]) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist([base.to_row() for base in bases], schema=node_columns("Base"))


def _copy_others(current: Reader, replaced: str, spool: Spool, progress: Progress) -> None:
    """Spool the nodes and relationships of every base but one, and the stems that these relationships still need."""
    parameters = {"base": replaced}
    statements = [f"MATCH (n:`{label}`) RETURN count(*)" for label, node in NODES.items() if not node.shared]
    statements += [f"MATCH ()-[r:`{name}`]->() RETURN count(*)" for name in RELATIONSHIPS]
    total = sum(current.rows(statement)[0][0] for statement in statements)
    count = 0

    def add(table: Table, rows: pa.RecordBatch) -> None:
        nonlocal count
        spool.add(table, rows)
        count += rows.num_rows
        # Without the number: the rows of bases that are not being loaded would be taken for those that are.
        progress("copying the other bases", 0, min(1.0, count / total))

    for label, node in NODES.items():
        if node.shared or label == "Base":
            continue
        columns = ", ".join(f"n.`{name}`" for name in node.properties)
        statement = f"MATCH (n:`{label}`) WHERE {WINDOW.format('n')} AND n.base <> $base RETURN {columns}"
        for rows in current.stream(label, statement, parameters, node_columns(label)):
            add((label, None), rows)
    for name, relationship in RELATIONSHIPS.items():
        columns = "".join(f", r.`{column}`" for column in relationship.properties)
        for start, end in relationship.ends:
            # The target decides the base: only stems, which are shared, have relationships into several bases.
            match = f"MATCH (a:`{start}`)-[r:`{name}`]->(b:`{end}`)"
            statement = f"{match} WHERE {WINDOW.format('a')} AND b.base <> $base RETURN a.id, b.id{columns}"
            for rows in current.stream(start, statement, parameters, relationship_columns(name)):
                add((name, (start, end)), rows)
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
        if folder.name.removeprefix(f"{path.name}.loading-").isdecimal():
            shutil.rmtree(folder, ignore_errors=True)
