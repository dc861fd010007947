"""Load a complete work folder into the embedded store; the peer is the engine's own COPY of the same rows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from .dump import prepare_bundle
from .measure import ProcessRun, count_repeats, megabytes, python, run, short, size_of, spread
from .report import goal, goals, table
from .synthetic_dump import write_dump
from .wikis import SCHOOLS

if TYPE_CHECKING:
    from .setting import Setting

MOST = 1.5
"""The goal: at most this many times the time of the engine's own COPY."""

PAGES, QUICK = 100_000, 1_000
"""Pages of the synthetic wiki."""

COPY = """
import sys
from pathlib import Path
import ladybug
import pyarrow.parquet as parquet
from wayword.loaders.wikipedia.joins.graph_tables import ENDS, NODES

TYPES = {"string": "STRING", "int64": "INT64", "int32": "INT32", "double": "DOUBLE", "bool": "BOOL"}
folder, target = Path(sys.argv[1]), sys.argv[2]
database = ladybug.Database(target, auto_checkpoint=False)
connection = ladybug.Connection(database)
for name in (*NODES, *ENDS):
    file = folder / f"{name}.parquet"
    columns = [(column.name, TYPES[str(column.type)]) for column in parquet.read_schema(file)]
    ends = [] if name in NODES else ["FROM `%s` TO `%s`" % ENDS[name]]
    if ends:
        columns = columns[2:]
    declared = [f"`{column}` {kind}" for column, kind in columns]
    last = ["PRIMARY KEY (`id`)"] if name in NODES else []
    kind = "NODE" if name in NODES else "REL"
    connection.execute(f"CREATE {kind} TABLE `{name}`({', '.join([*ends, *declared, *last])})")
for name in (*NODES, *ENDS):
    connection.set_max_threads_for_exec(1 if name in NODES else 0)
    if parquet.read_metadata(folder / f"{name}.parquet").num_rows:
        connection.execute(f"COPY `{name}` FROM '{folder / name}.parquet'")
connection.execute("CHECKPOINT")
connection.close()
database.close()
"""
"""The least that the engine has to do: tables with the columns of the files, every row once, one checkpoint.

Nodes are copied by one thread, because two threads deadlock on half a million nodes.
"""


def measure(setting: Setting) -> str:
    """Measure the last stage of a load."""
    synthetic = setting.folder / "synthetic.xml"
    pages = QUICK if setting.quick else PAGES
    setting.note(f"generating a wiki of {pages:,} pages")
    write_dump(synthetic, pages)
    repeats, rows, rows_of_goals = setting.repeats, [], []
    for name, dump in {"schoolswiki": setting.file(SCHOOLS), f"synthetic, {pages:,} pages": synthetic}.items():
        setting.note(f"preparing the work folder of {name}")
        bundle = setting.folder / "bundle"
        prepare_bundle(setting, dump, bundle)
        ours, theirs = [], []
        for number in range(repeats):
            setting.note(f"storing {name}, repeat {number + 1} of {repeats}")
            ours.append(_load(setting, dump, bundle))
            theirs.append(_copy(setting, bundle))
        rows += _rows(name, bundle, ours, theirs)
        ratio = spread(each.seconds for each, _ in ours).median / spread(each.seconds for each, _ in theirs).median
        rows_of_goals.append(goal(f"{name}, relative to COPY", f"{short(ratio)} times", f"at most {MOST} times", ratio <= MOST))
        shutil.rmtree(bundle)
    head = ["work folder of", "its size", "method", "seconds", "relative to COPY", "peak memory", "size of the store"]
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(head, rows),
            "The work folder is complete, so that only the last stage runs: `wayword load wikipedia DUMP --bundle DIR` into a "
            "new store. LadybugDB itself creates tables with the same columns, runs `COPY ... FROM '...parquet'` for each, and "
            f"one checkpoint. Each runs in its own process, in turns, from start to end. {count_repeats(repeats)}: median "
            "(lowest..highest), and the highest memory. wayword does more: it validates rows and ids, counts for its summary, "
            "and replaces the store atomically, so that it survives a power cut.",
        ]
    )


StoreRun = tuple[ProcessRun, int]


def _load(setting: Setting, dump: Path, bundle: Path) -> StoreRun:
    store = setting.folder / "stored" / "graph"
    ran = run(setting.wayword(store, "load", "wikipedia", dump, "--bundle", bundle))
    size = size_of(store)
    shutil.rmtree(store.parent)
    return ran, size


def _copy(setting: Setting, bundle: Path) -> StoreRun:
    target = setting.folder / "copied"
    ran = run(python(COPY, bundle / "graph", target))
    size = size_of(target)
    target.unlink()
    return ran, size


def _rows(name: str, bundle: Path, ours: list[StoreRun], theirs: list[StoreRun]) -> list[list[object]]:
    least = spread(ran.seconds for ran, _ in theirs).median
    found: list[list[object]] = []
    for method, runs in (("LadybugDB's COPY", theirs), ("wayword", ours)):
        seconds = spread(ran.seconds for ran, _ in runs)
        peak = max((ran.peak for ran, _ in runs if ran.peak is not None), default=None)
        row = [
            name,
            megabytes(size_of(bundle / "graph")),
            method,
            seconds,
            f"{short(seconds.median / least)}x",
            megabytes(peak),
        ]
        found.append([*row, megabytes(runs[0][1])])
    return found
