"""What a HOP experiment gives back: plain frozen records that know how to show themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np


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
        from .presentation.text import summary_text

        return summary_text(self)


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

    >>> from wayword.search.traversal.walk import Traversal
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
