"""From a dump to the Parquet files of a work folder, in MB of XML per second; the peer is wikipedia2vec."""

from __future__ import annotations

import bz2
import importlib.util
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wayword.core.executors import cpu_count

from .measure import ProcessRun, count_repeats, megabytes, run, short, spread
from .report import goal, goals, table
from .synthetic_dump import write_dump
from .wikis import SCHOOLS, compress, enwik8_closed, schools

if TYPE_CHECKING:
    from .setting import Setting

WORKERS = 2
MOST, TIMES = 50, 10
"""The goals: megabytes per second, and how many times the peer's."""

PREPARE = """
import sys
from wayword import loaders

if __name__ == "__main__":
    with loaders.open_wikipedia(sys.argv[1], bundle=sys.argv[2], workers=int(sys.argv[3])) as loader:
        loader.prepare()
"""
PEER = "wikipedia2vec"

PAGES, QUICK = 200_000, 1_000
"""Pages of a synthetic wiki, so large that start-up time does not matter."""

SYNTHETIC = "synthetic"

COMPRESSED = 8 << 20
"""Compressed bytes that are used to measure how fast bzip2 decompresses."""


def measure(setting: Setting) -> str:
    """Measure reading dumps."""
    repeats, peer = setting.few(3), importlib.util.find_spec(PEER) is not None
    plain = {"schoolswiki": schools(setting), "enwik8": enwik8_closed(setting), SYNTHETIC: _write_synthetic(setting)}
    files: dict[str, tuple[Path, int]] = {}
    for name, file in plain.items():
        size = file.stat().st_size
        setting.note(f"compressing {name}")
        files[f"{name}, plain XML"] = file, size
        if name == "schoolswiki":
            files[f"{name}, .bz2 with many streams"] = setting.file(SCHOOLS), size
        if name != SYNTHETIC:
            files[f"{name}, .bz2 with one stream"] = compress(file), size
    ours: dict[str, list[ProcessRun]] = {}
    theirs: dict[str, list[ProcessRun]] = {}
    for number in range(repeats):
        for name, (file, _) in files.items():
            setting.note(f"{name}, repeat {number + 1} of {repeats}")
            ours.setdefault(name, []).append(prepare_bundle(setting, file))
            if peer and file.suffix == ".bz2" and number == 0 and not setting.quick:
                setting.note(f"{name} with {PEER}")
                theirs[name] = [_run_peer(setting, file)]
    bzip2_rate = _bzip2_rate(setting.file(SCHOOLS))
    return _section(files, ours, theirs, repeats, peer=peer) + (
        f" bzip2 itself decompresses {short(bzip2_rate)} MB per second on one core of this machine. This limits everything "
        f"that reads .bz2 on {WORKERS} cores to {short(WORKERS * bzip2_rate)} MB per second."
    )


def _write_synthetic(setting: Setting) -> Path:
    dump = setting.folder / "synthetic-dump.xml"
    write_dump(dump, QUICK if setting.quick else PAGES)
    return dump


def prepare_bundle(setting: Setting, dump: Path, folder: Path | None = None) -> ProcessRun:
    """Prepare the work folder of a dump in its own process; without ``folder``, in a temporary folder."""
    bundle = folder or setting.folder / "bundle"
    shutil.rmtree(bundle, ignore_errors=True)
    script = setting.folder / "prepare.py"  # a file, because spawned processes import it again
    script.write_text(PREPARE, encoding="utf-8")
    done = run([sys.executable, script, dump, bundle, str(WORKERS)])
    if folder is None:
        shutil.rmtree(bundle)
    return done


def _run_peer(setting: Setting, file: Path) -> ProcessRun:
    database = setting.folder / "dump.db"
    try:
        return run([Path(sys.executable).with_name(PEER), "build-dump-db", file, database, "--pool-size", str(WORKERS)])
    finally:
        for left in setting.folder.glob(f"{database.name}*"):
            left.unlink()


def _bzip2_rate(file: Path) -> float:
    """Return the megabytes per second that bzip2 decompresses on one core."""
    compressed = file.read_bytes()[:COMPRESSED]
    start, size = time.perf_counter(), 0
    while compressed:
        decompressor = bz2.BZ2Decompressor()
        size += len(decompressor.decompress(compressed))
        compressed = decompressor.unused_data if decompressor.eof else b""
    return size / 1e6 / (time.perf_counter() - start)


def _rate(size: int, runs: list[ProcessRun]) -> float:
    return size / 1e6 / spread(each.seconds for each in runs).median


def _section(
    files: dict[str, tuple[Path, int]],
    ours: dict[str, list[ProcessRun]],
    theirs: dict[str, list[ProcessRun]],
    repeats: int,
    *,
    peer: bool,
) -> str:
    rows, rows_of_goals = [], []
    for name, (_, size) in files.items():
        rate = _rate(size, ours[name])
        row = [name, f"{size / 1e6:.1f} MB", spread(each.seconds for each in ours[name]), short(rate)]
        row.append(megabytes(max((each.peak for each in ours[name] if each.peak is not None), default=None)))
        rows_of_goals.append(goal(f"{name}, {WORKERS} workers", f"{short(rate)} MB/s", f"at least {MOST} MB/s", rate >= MOST))
        if name in theirs:
            other = _rate(size, theirs[name])
            row += [f"{short(other)} ({short(theirs[name][0].seconds)} s)", f"{short(rate / other)} times"]
            what, required = f"{name}, relative to {PEER}", f"at least {TIMES} times"
            rows_of_goals.append(goal(what, f"{short(rate / other)} times as fast", required, rate >= TIMES * other))
        else:
            row += ["", ""]
        rows.append(row)
    head = ["dump", "XML", "seconds", "MB/s", "peak memory", f"`{PEER} build-dump-db`, MB/s", "wayword is faster by"]
    about = (
        f"{PEER} 2 only reads .bz2, and needs the namespace of each page; both therefore read enwik8 with `<ns>` added to each "
        "page, and closed after its last complete page. It stores pages with text, links and redirects in one file, and ran "
        "once each."
    )
    if not peer:
        head, rows = head[:-2], [row[:-2] for row in rows]
        about = f"{PEER} is not installed (`pip install --group bench`), so it is not compared."
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(head, rows),
            "Everything from the dump to the Parquet files of the work folder (XML, wikitext and joins) in its own process "
            f"with {WORKERS} workers on {cpu_count()} cores, from start to end. {count_repeats(repeats)}: median "
            "(lowest..highest), and the highest memory of all processes together. Megabytes are those of the uncompressed "
            f"XML. {about}",
        ]
    )
