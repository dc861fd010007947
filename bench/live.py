"""Time per pair straight over a store, embedded and Neo4j, warm, beside the projection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measure import milliseconds, repeated, short
from .pairs import Times, random_pairs, session
from .report import goal, goals, table
from .setting import LeftOut

if TYPE_CHECKING:
    from pathlib import Path

    from wayword.search.opening import Choice

    from .pairs import Pairs
    from .setting import Setting

MOST = 20
"""How many times slower than the projection the live view on the embedded store may be."""


def measure(setting: Setting) -> str:
    """The section about the live view."""
    pairs = random_pairs(setting)
    places: list[tuple[str, str | Path, Choice, int]] = [
        ("projection", setting.store, "projection", setting.repeats),
        ("live, embedded store", setting.store, "live", setting.repeats),
    ]
    try:
        places += [
            ("live, Neo4j", setting.in_neo4j, "live", setting.few(2)),
            ("projection of a Neo4j", setting.in_neo4j, "projection", setting.few(2)),
        ]
        missing = ""
    except LeftOut as reason:
        missing = f" Without Neo4j: {reason}."
    found = {name: _warm(setting, name, place, view, pairs, repeats) for name, place, view, repeats in places}
    least = found["projection"][1].median.median
    rows = [
        [name, first.median, first.late, again.median, again.late, f"{short(again.median.median / least)}x"]
        for name, (first, again) in found.items()
    ]
    ratio = found["live, embedded store"][1].median.median / least
    what, wanted = "live view on the embedded store, warm, to the projection (medians)", f"{MOST} times at most"
    head = ["", "first, median, ms", "first, p99", "warm, median, ms", "warm, p99", "warm median to the projection's"]
    return "\n\n".join(
        [
            goals(goal(what, f"{short(ratio)} times", wanted, ratio <= MOST)),
            table(head, rows),
            f"The same {len(pairs):,} pairs, derivation `word`, in a new session each repeat: first with empty caches, then "
            f"warm, when the session is asked for all of them once again; {repeated(setting.repeats)} (on Neo4j "
            f"{setting.few(2)}): the median of the repeats (lowest..highest).{missing} Neo4j is the one that the tests use; "
            "started from its jars it has 1 GB of heap and only the quicker of Java's two compilers.",
        ]
    )


def _warm(setting: Setting, name: str, place: str | Path, view: Choice, pairs: Pairs, repeats: int) -> tuple[Times, Times]:
    first, again = Times(), Times()
    with session(place, view) as asked:
        asked.score(*pairs[0])  # what a store needs once: a projection, a connection
    for number in range(repeats):
        setting.note(f"{name}, repeat {number + 1} of {repeats}")
        with session(place, view) as asked:
            first.add(milliseconds(asked.score, pairs))
            again.add(milliseconds(asked.score, pairs))
    return first, again
