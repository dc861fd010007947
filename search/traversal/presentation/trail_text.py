"""A trail as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rendering.tables import align_columns
from ....rendering.text import clean, format_score

if TYPE_CHECKING:
    from ..results import Trail


_ENDINGS = {
    "reached": "{target} is reached with {hops}",
    "cycle": "a cycle of {cycle} is closed with {hops}",
    "dead-end": "a dead end after {hops}",
    "limit": "given up after {hops}",
}


def trail_text(trail: Trail) -> str:
    """The trail as a table, and how it ended.

    >>> from wayword.search.traversal.results import Considered, Hop, Trail
    >>> step = Hop("Dog", 2, (Considered("pet", "Pet"), Considered("animal", "Animal")))
    >>> print(trail_text(Trail("second", "Animal", "simplewiki", "reached", 1, ("Dog", "Animal"), steps=(step,))))
    Dog → Animal  by the second link: Animal is reached with 1 hop
    <BLANKLINE>
    hop  article  link  anchor
      0  Dog
      1  Animal      2  animal
    """
    scored = any(link.score is not None for step in trail.steps for link in step.links)
    rows: list[tuple[object, ...]] = [(0, trail.trail[0], None, "", "")]
    for number, (step, title) in enumerate(zip(trail.steps, trail.trail[1:], strict=True), start=1):
        link = step.links[step.chosen - 1]
        rows.append((number, title, step.chosen, link.anchor, "" if link.score is None else format_score(link.score)))
    head = ("hop", "article", "link", "anchor", "score")
    columns = 5 if scored else 4
    table = align_columns(head[:columns], [row[:columns] for row in rows])
    return f"{trail_heading(trail)}\n\n{table}"


def trail_heading(trail: Trail) -> str:
    """From where to where, by which strategy, and how it ended."""
    many = f"{trail.hops} hop{'' if trail.hops == 1 else 's'}"
    cycle = f"{trail.cycle} article{'' if trail.cycle == 1 else 's'}"
    end = _ENDINGS[trail.ending].format(target=clean(trail.target), hops=many, cycle=cycle)
    return f"{clean(trail.trail[0])} → {clean(trail.target)}  by {strategy_text(trail.strategy)}: {end}"


def strategy_text(strategy: str) -> str:
    """A strategy in words.

    >>> strategy_text("first"), strategy_text("vectors")
    ('the first link', 'vectors')
    """
    return {"first": "the first link", "second": "the second link", "random": "any link"}.get(strategy, strategy)
