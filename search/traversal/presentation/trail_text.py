"""A trail as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rendering.tables import align_columns
from ....rendering.text import clean, format_score
from ..strategies import STRATEGIES

if TYPE_CHECKING:
    from ..results import Trail


_ENDINGS = {
    "reached": "reached {target} after {hops}",
    "cycle": "closed a cycle of {cycle} after {hops}",
    "dead-end": "reached a dead end after {hops}",
    "limit": "stopped at the limit of {hops}",
}


def trail_text(trail: Trail) -> str:
    """Return the trail as a table below its heading.

    >>> from wayword.search.traversal.results import CandidateLink, Hop, Trail
    >>> step = Hop("Dog", 2, (CandidateLink("pet", "Pet"), CandidateLink("animal", "Animal")))
    >>> print(trail_text(Trail("second", "Animal", "simplewiki", "reached", 1, ("Dog", "Animal"), steps=(step,))))
    Dog → Animal  by the second link: reached Animal after 1 hop
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
    """Return the route, the strategy and the ending of a trail."""
    route = f"{clean(trail.trail[0])} → {clean(trail.target)}"
    return f"{route}  by {strategy_phrase(trail.strategy)}: {ending_phrase(trail)}"


def ending_phrase(trail: Trail) -> str:
    """Return how a trail ended, such as "reached Philosophy after 2 hops"."""
    hops = f"{trail.hops} hop{'' if trail.hops == 1 else 's'}"
    cycle = f"{trail.cycle} article{'' if trail.cycle == 1 else 's'}"
    return _ENDINGS[trail.ending].format(target=clean(trail.target), hops=hops, cycle=cycle)


def strategy_phrase(name: str) -> str:
    """Return the phrase of a strategy, such as "the first link"; for an unregistered strategy its name.

    >>> strategy_phrase("first"), strategy_phrase("vectors")
    ('the first link', 'vectors')
    """
    return STRATEGIES[name].phrase if name in STRATEGIES else name
