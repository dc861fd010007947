"""From a ready Parquet bundle into the embedded store, beside the engine's own COPY of the same rows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from .dump import bundled
from .invented import write_dump
from .measure import Ran, megabytes, python, repeated, run, short, size_of, spread
from .report import goal, goals, table
from .wikis import SCHOOLS

if TYPE_CHECKING:
    from .setting import Setting

MOST = 1.5
"""How many times as long as the engine's own COPY the product may take."""

PAGES, QUICK = 100_000, 1_000
"""Pages of the invented wiki."""

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
"""Tables with the columns that the files have, every row once, one checkpoint: what the engine needs at the least.

Nodes by one thread, since two of them wait for each other without end where there are half a million.
"""


def measure(setting: Setting) -> str:
    """The section about the last step of a load."""
    invented = setting.folder / "invented.xml"
    pages = QUICK if setting.quick else PAGES
    setting.note(f"inventing a wiki of {pages:,} pages")
    write_dump(invented, pages)
    repeats, rows, asked = setting.repeats, [], []
    for name, dump in {"schoolswiki": setting.file(SCHOOLS), f"invented, {pages:,} pages": invented}.items():
        setting.note(f"the bundle of {name}")
        bundle = setting.folder / "bundle"
        bundled(setting, dump, bundle)
        ours, theirs = [], []
        for number in range(repeats):
            setting.note(f"{name} into stores, repeat {number + 1} of {repeats}")
            ours.append(_load(setting, dump, bundle))
            theirs.append(_copy(setting, bundle))
        rows += _rows(name, bundle, ours, theirs)
        ratio = spread(each.seconds for each, _ in ours).median / spread(each.seconds for each, _ in theirs).median
        asked.append(goal(f"{name}, to the engine's COPY", f"{short(ratio)} times", f"{MOST} times at most", ratio <= MOST))
        shutil.rmtree(bundle)
    head = ["bundle", "on disk", "way", "seconds", "to COPY", "peak memory", "file made"]
    return "\n\n".join(
        [
            goals(*asked),
            table(head, rows),
            "From a bundle whose stages are all done: `wayword load wikipedia DUMP --bundle DIR` into a new store, and "
            "LadybugDB itself: tables of just these columns, `COPY ... FROM '...parquet'` for each, one checkpoint. Each in "
            f"a process of its own, from its start to its end, in turns; {repeated(repeats)}: median (lowest..highest), of "
            "memory the greatest. The product does more: it checks rows and ids, counts for its summary, and moves the "
            "finished file into place so that it is there after a power cut.",
        ]
    )


Made = tuple[Ran, int]


def _load(setting: Setting, dump: Path, bundle: Path) -> Made:
    store = setting.folder / "stored" / "graph"
    ran = run(setting.wayword(store, "load", "wikipedia", dump, "--bundle", bundle))
    size = size_of(store)
    shutil.rmtree(store.parent)
    return ran, size


def _copy(setting: Setting, bundle: Path) -> Made:
    target = setting.folder / "copied"
    ran = run(python(COPY, bundle / "graph", target))
    size = size_of(target)
    target.unlink()
    return ran, size


def _rows(name: str, bundle: Path, ours: list[Made], theirs: list[Made]) -> list[list[object]]:
    least = spread(ran.seconds for ran, _ in theirs).median
    found: list[list[object]] = []
    for way, made in (("LadybugDB's COPY", theirs), ("wayword", ours)):
        seconds = spread(ran.seconds for ran, _ in made)
        peak = max((ran.peak for ran, _ in made if ran.peak is not None), default=None)
        row = [name, megabytes(size_of(bundle / "graph")), way, seconds, f"{short(seconds.median / least)}x", megabytes(peak)]
        found.append([*row, megabytes(made[0][1])])
    return found
