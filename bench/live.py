"""Time per pair straight over a store, embedded and Neo4j, warm, beside the projection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measure import milliseconds, repeated, short
from .pairs import Times, has_fast, random_pairs, session
from .report import goal, goals, table
from .setting import LeftOut

if TYPE_CHECKING:
    from pathlib import Path

    from wayword.search.bases.selection import ViewChoice

    from .pairs import Pairs
    from .setting import Setting

PAIRS = 300
"""A view with empty caches answers a few in a second; asked for all pairs of the other part it would take an hour."""

MOST = 20
"""How many times slower than the projection the live view on the embedded store may be."""


def measure(setting: Setting) -> str:
    """The section about the live view."""
    pairs, repeats = random_pairs(setting)[:PAIRS], setting.few(3)
    fast = has_fast()
    places: list[tuple[str, str | Path, ViewChoice, bool]] = [
        ("projection, plain Python", setting.store, "projection", False),
        ("live, embedded store", setting.store, "live", False),
    ]
    if fast:
        places.insert(0, ("projection, machine code", setting.store, "projection", True))
    missing = ""
    try:
        places += [
            ("live, Neo4j", setting.in_neo4j, "live", False),
            ("projection of a Neo4j", setting.in_neo4j, "projection", fast),
        ]
    except LeftOut as reason:
        missing = f" Without Neo4j: {reason}."
    found = {place[0]: _warm(setting, place, pairs, repeats) for place in places}
    least = found[places[0][0]][1].median.median
    rows = [
        [name, first.median, first.late, again.median, again.late, f"{short(again.median.median / least)}x"]
        for name, (first, again) in found.items()
    ]
    ratio = found["live, embedded store"][1].median.median / least
    what, wanted = f"live view on the embedded store, warm, to the {places[0][0]} (medians)", f"{MOST} times at most"
    head = ["", "first, median, ms", "first, p99", "warm, median, ms", "warm, p99", "warm median to that of the first row"]
    return "\n\n".join(
        [
            goals(goal(what, f"{short(ratio)} times", wanted, ratio <= MOST)),
            table(head, rows),
            f"The first {len(pairs):,} of those pairs, derivation `word`, in a new session each repeat: first with empty "
            f"caches, then warm, when the session is asked for all of them once again; {repeated(repeats)}: the median of the "
            f"repeats (lowest..highest).{missing} Neo4j is the one that the tests use; started from its jars it has "
            "1 GB of heap.",
        ]
    )


def _warm(setting: Setting, place: tuple[str, str | Path, ViewChoice, bool], pairs: Pairs, repeats: int) -> tuple[Times, Times]:
    name, address, view, fast = place
    first, again = Times(), Times()
    with session(address, view) as asked:
        asked.score(*pairs[0])  # what a store needs once: a projection, a connection
    for number in range(repeats):
        setting.note(f"{name}, repeat {number + 1} of {repeats}")
        with session(address, view, fast=fast) as asked:
            first.add(milliseconds(asked.score, pairs))
            again.add(milliseconds(asked.score, pairs))
    return first, again
