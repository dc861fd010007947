"""What a HOP experiment gives back: plain frozen records that know how to show themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    import os


@dataclass(frozen=True, slots=True)
class Considered:
    """A link that was looked at: what a reader clicks, where it leads, and how near that is to the target (None: not asked)."""

    anchor: str
    title: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop: from which article, by which of the links that were looked at."""

    title: str
    chosen: int
    links: tuple[Considered, ...]


@dataclass(frozen=True, slots=True)
class Trail:
    """One traversal, hop by hop.

    - ``strategy``, ``target``, ``base``: how links were chosen, to reach which article of which wiki
    - ``ending``: ``reached``, ``cycle``, ``dead-end`` or ``limit``
    - ``hops``: how many links were followed
    - ``trail``: the titles, the starter first; in a cycle the last is one that stood there before
    - ``cycle``: how long the cycle is, if that was the end
    - ``steps``: what was looked at in each article
    """

    strategy: str
    target: str
    base: str
    ending: str
    hops: int
    trail: tuple[str, ...]
    cycle: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    steps: tuple[Hop, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["trail"] = list(self.trail)
        plain["steps"] = [{**step, "links": list(step["links"])} for step in plain["steps"]]
        return plain

    def to_cypher(self) -> str:
        """The statement that shows it in Neo4j Browser."""
        from .rendering.cypher import trail_to_cypher

        return trail_to_cypher(self)

    def draw(self, file: str | os.PathLike[str]) -> None:
        """Draw it to a file; its ending says how: .svg or .png."""
        from .rendering.picture import draw_trail

        draw_trail(self, file)

    def _repr_svg_(self) -> str:
        from ...search.rendering.svg import paint
        from .rendering.picture import trail_picture

        return paint(trail_picture(self), style="max-width:100%;height:auto")

    def __str__(self) -> str:
        from .rendering.words import trail_in_words

        return trail_in_words(self)


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of the traversals of an experiment.

    - ``strategy``, ``target``, ``base``, ``parameters``: how they went
    - ``starters``: how many there were; ``reached``, ``cycle``, ``dead_end`` and ``limit``: how they ended
    - ``share``: of the starters, those whose traversal reached the target
    - ``hop_value``: the mean hops of those, with their sample deviation ``std``, ``min`` and ``max``
    - ``longest_cycle``: hops around it
    - ``left_out``: what could be no starter, and why
    - ``exact``: of ``random``, what its traversals come to on average, worked out and not drawn
    - ``whole``: of all articles with a fixed strategy, the functional graph that they are
    - ``run``: its number in the ledger
    """

    strategy: str
    target: str
    base: str
    starters: int
    reached: int
    cycle: int
    dead_end: int
    limit: int
    share: float
    hop_value: float | None
    std: float | None
    min: int | None
    max: int | None
    longest_cycle: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    exact: dict[str, float | None] | None = None
    whole: dict[str, Any] | None = None
    run: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dictionary, ready for JSON."""
        plain = asdict(self)
        return {"run": plain.pop("run"), **plain}

    def __str__(self) -> str:
        from .rendering.words import summary_in_words

        return summary_in_words(self)


class Ended(Protocol):
    """How a traversal ended."""

    @property
    def ending(self) -> str:
        """``reached``, ``cycle``, ``dead-end`` or ``limit``."""

    @property
    def hops(self) -> int:
        """How many links were followed."""

    @property
    def cycle(self) -> int | None:
        """How long the cycle is, if that was the end."""


def summarise(traversals: Iterable[Ended], **said: Any) -> Summary:
    """The summary of traversals; what is ``said`` beside goes into it as it is.

    >>> from wayword.evaluation.hop.walking import Traversal
    >>> made = [Traversal(1, "reached", 2, 0), Traversal(2, "reached", 4, 0), Traversal(3, "cycle", 5, 4, 2)]
    >>> found = summarise(made, strategy="first", target="Philosophy", base="simplewiki")
    >>> found.starters, found.reached, found.share, found.hop_value, round(found.std, 3), found.longest_cycle
    (3, 2, 0.6666666666666666, 3.0, 1.414, 2)
    """
    counts: Counter[str] = Counter()
    hops, longest = [], None
    for each in traversals:
        counts[each.ending] += 1
        if each.ending == "reached":
            hops.append(each.hops)
        if each.cycle is not None:
            longest = max(each.cycle, longest or 0)
    hops.sort()  # a sum of the same numbers in another order may differ in its last digit
    starters = counts.total()
    return Summary(
        starters=starters,
        reached=counts["reached"],
        cycle=counts["cycle"],
        dead_end=counts["dead-end"],
        limit=counts["limit"],
        share=counts["reached"] / starters if starters else 0.0,
        hop_value=float(np.mean(hops)) if hops else None,
        std=float(np.std(hops, ddof=1)) if len(hops) > 1 else None,
        min=min(hops, default=None),
        max=max(hops, default=None),
        longest_cycle=longest,
        **said,
    )
