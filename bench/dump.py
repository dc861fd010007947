"""From a dump to the Parquet bundle, in megabytes of unpacked XML a second, beside wikipedia2vec's ``build-dump-db``."""

from __future__ import annotations

import bz2
import importlib.util
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wayword.core.executors import cpu_count

from .invented import write_dump
from .measure import Ran, megabytes, repeated, run, short, spread
from .report import goal, goals, table
from .wikis import SCHOOLS, enwik8_closed, packed, schools

if TYPE_CHECKING:
    from .setting import Setting

WORKERS = 2
MOST, TIMES = 50, 10
"""Megabytes a second that are to be reached, and how many times more than the peer."""

PREPARE = """
import sys
from wayword import loaders

if __name__ == "__main__":
    with loaders.open_wikipedia(sys.argv[1], bundle=sys.argv[2], workers=int(sys.argv[3])) as loader:
        loader.prepare()
"""
PEER = "wikipedia2vec"

PAGES, QUICK = 200_000, 1_000
"""Pages of an invented wiki, so large that what a load takes to begin matters little."""

INVENTED = "invented"

UNPACKED = 8 << 20
"""Bytes of a packed dump that are unpacked to see how fast that goes."""


def measure(setting: Setting) -> str:
    """The section about reading dumps."""
    repeats, peer = setting.few(3), importlib.util.find_spec(PEER) is not None
    plain = {"schoolswiki": schools(setting), "enwik8": enwik8_closed(setting), INVENTED: _invented(setting)}
    run(
        [sys.executable, "-m", "wayword.loaders.wikipedia.wikitext.compiled.warm_up"], watch=False
    )  # compile it, once for all that follows
    files: dict[str, tuple[Path, int]] = {}
    for name, file in plain.items():
        size = file.stat().st_size
        setting.note(f"packing {name}")
        files[f"{name}, plain XML"] = file, size
        if name == "schoolswiki":
            files[f"{name}, .bz2 of many streams"] = setting.file(SCHOOLS), size
        if name != INVENTED:
            files[f"{name}, .bz2 of one stream"] = packed(file), size
    ours: dict[str, list[Ran]] = {}
    theirs: dict[str, list[Ran]] = {}
    for number in range(repeats):
        for name, (file, _) in files.items():
            setting.note(f"{name}, repeat {number + 1} of {repeats}")
            ours.setdefault(name, []).append(bundled(setting, file))
            if peer and file.suffix == ".bz2" and number == 0 and not setting.quick:
                setting.note(f"{name} by {PEER}")
                theirs[name] = [_peer(setting, file)]
    unpacking = _unpacking(setting.file(SCHOOLS))
    return _section(files, ours, theirs, repeats, peer=peer) + (
        f" bzip2 itself unpacks {short(unpacking)} MB a second on one core of this machine: so nothing that reads .bz2 on "
        f"{WORKERS} cores can come to more than {short(WORKERS * unpacking)}, whatever it does beside."
    )


def _invented(setting: Setting) -> Path:
    dump = setting.folder / "invented-dump.xml"
    write_dump(dump, QUICK if setting.quick else PAGES)
    return dump


def bundled(setting: Setting, dump: Path, folder: Path | None = None) -> Ran:
    """Make the bundle of a dump in a process of its own, in a new folder, which goes unless it is named."""
    place = folder or setting.folder / "bundle"
    shutil.rmtree(place, ignore_errors=True)
    script = setting.folder / "prepare.py"  # a file, because processes that are started anew read it again
    script.write_text(PREPARE, encoding="utf-8")
    done = run([sys.executable, script, dump, place, str(WORKERS)])
    if folder is None:
        shutil.rmtree(place)
    return done


def _peer(setting: Setting, file: Path) -> Ran:
    database = setting.folder / "dump.db"
    try:
        return run([Path(sys.executable).with_name(PEER), "build-dump-db", file, database, "--pool-size", str(WORKERS)])
    finally:
        for left in setting.folder.glob(f"{database.name}*"):
            left.unlink()


def _unpacking(file: Path) -> float:
    """Megabytes a second that bzip2 itself unpacks on one core."""
    packed = file.read_bytes()[:UNPACKED]
    begun, size = time.perf_counter(), 0
    while packed:
        unpacker = bz2.BZ2Decompressor()
        size += len(unpacker.decompress(packed))
        packed = unpacker.unused_data if unpacker.eof else b""
    return size / 1e6 / (time.perf_counter() - begun)


def _rate(size: int, runs: list[Ran]) -> float:
    return size / 1e6 / spread(each.seconds for each in runs).median


def _section(
    files: dict[str, tuple[Path, int]],
    ours: dict[str, list[Ran]],
    theirs: dict[str, list[Ran]],
    repeats: int,
    *,
    peer: bool,
) -> str:
    rows, asked = [], []
    for name, (_, size) in files.items():
        rate = _rate(size, ours[name])
        row = [name, f"{size / 1e6:.1f} MB", spread(each.seconds for each in ours[name]), short(rate)]
        row.append(megabytes(max((each.peak for each in ours[name] if each.peak is not None), default=None)))
        asked.append(goal(f"{name}, {WORKERS} workers", f"{short(rate)} MB/s", f"{MOST} MB/s at least", rate >= MOST))
        if name in theirs:
            other = _rate(size, theirs[name])
            row += [f"{short(other)} ({short(theirs[name][0].seconds)} s)", f"{short(rate / other)} times"]
            what, wanted = f"{name}, to {PEER}", f"{TIMES} times at least"
            asked.append(goal(what, f"{short(rate / other)} times as fast", wanted, rate >= TIMES * other))
        else:
            row += ["", ""]
        rows.append(row)
    head = ["dump", "unpacked", "seconds", "MB a second", "peak memory", f"`{PEER} build-dump-db`, MB a second", "to that"]
    about = (
        f"{PEER} 2 reads .bz2 only, and pages that tell their namespace: so enwik8 is given to both with `<ns>` at each page, "
        "closed behind its last whole page. It stores pages with their text, links and redirects in one file, once each."
    )
    if not peer:
        head, rows = head[:-2], [row[:-2] for row in rows]
        about = f"{PEER} is not installed (`pip install --group bench`), so its row is left out."
    return "\n\n".join(
        [
            goals(*asked),
            table(head, rows),
            f"The whole work on a dump to the Parquet bundle, XML, wikitext and joins, in a process of its own with {WORKERS} "
            f"workers on {cpu_count()} cores, from its start to its end; {repeated(repeats)}: median (lowest..highest), of "
            f"memory the greatest of all processes together. Megabytes are those of the unpacked XML. {about}",
        ]
    )
