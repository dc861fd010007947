"""Time per pair of words with the live view, on the embedded store and on Neo4j, compared with the projection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measure import count_repeats, milliseconds, short
from .pairs import Times, random_pairs, session
from .report import goal, goals, table
from .setting import NotAvailable

if TYPE_CHECKING:
    from pathlib import Path

    from wayword.search.bases.selection import ViewChoice

    from .pairs import Pairs
    from .setting import Setting

PAIRS = 300
"""With empty caches a live view scores a few pairs per second; all pairs of the other part would take an hour."""

MOST = 2
"""The goal: once its caches are full, a live view takes at most this many times as long as the same search of a projection."""


def measure(setting: Setting) -> str:
    """Measure the live view."""
    pairs, repeats = random_pairs(setting)[:PAIRS], setting.few(3)
    stores: list[tuple[str, str | Path, ViewChoice, bool]] = [
        ("projection, in C", setting.store, "projection", True),
        ("projection, in Python", setting.store, "projection", False),
        ("live, embedded store", setting.store, "live", False),
    ]
    missing = ""
    try:
        stores += [
            ("live, Neo4j", setting.in_neo4j, "live", False),
            ("projection of a Neo4j store", setting.in_neo4j, "projection", True),
        ]
    except NotAvailable as reason:
        missing = f" Without Neo4j: {reason}."
    found = {store[0]: _measure_store(setting, store, pairs, repeats) for store in stores}
    least = found[stores[0][0]][1].median.median
    rows = [
        [name, first.median, first.late, again.median, again.late, f"{short(again.median.median / least)}x"]
        for name, (first, again) in found.items()
    ]
    (in_python, *_), (live, *_) = stores[1:3]
    ratio = found[live][1].median.median / found[in_python][1].median.median
    what = f"{live}, repeated query, relative to {in_python} (medians)"
    head = ["", "first query: median, ms", "p99, ms", "repeated query: median, ms", "p99, ms", "relative to first row"]
    return "\n\n".join(
        [
            goals(goal(what, f"{short(ratio)} times", f"at most {MOST} times", ratio <= MOST)),
            table(head, rows),
            f"The first {len(pairs):,} of the pairs above, derivation `word`, in a new session for each repeat: first with "
            f"empty caches, then all of them again. {count_repeats(repeats)}: the median of the repeats "
            f"(lowest..highest).{missing} Neo4j is the server that the tests start, with 1 GB of heap.",
        ]
    )


def _measure_store(
    setting: Setting, store: tuple[str, str | Path, ViewChoice, bool], pairs: Pairs, repeats: int
) -> tuple[Times, Times]:
    name, address, view, fast = store
    first, again = Times(), Times()
    with session(address, view) as scorer:
        scorer.score(*pairs[0])  # the first question creates the projection or the connection
    for number in range(repeats):
        setting.note(f"{name}, repeat {number + 1} of {repeats}")
        with session(address, view, fast=fast) as scorer:
            first.add(milliseconds(scorer.score, pairs))
            again.add(milliseconds(scorer.score, pairs))
    return first, again
