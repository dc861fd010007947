"""The result of a HOP experiment, as a frozen record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from ...rendering.tabular import HtmlTable, Rows


@dataclass(frozen=True, slots=True)
class Summary(HtmlTable):
    """The endings of an experiment's traversals.

    - ``strategy``, ``target``, ``base``, ``parameters``: the experiment
    - ``starters``: the number of traversals; ``reached``, ``cycle``, ``dead_end``, ``limit``: how many ended in each way
    - ``share``: the share of the starters whose traversal reached the target
    - ``hop_value``: the mean hops of those, with their sample deviation ``std``, ``min`` and ``max``; None if there are none
    - ``longest_cycle``: the length of the longest cycle
    - ``left_out``: articles that could not be starters and vectors that were invalid, counted by code
    - ``exact``: for ``random`` the exact expectation, without sampling
    - ``whole``: for a deterministic strategy from all articles, their functional graph
    - ``run``: the number of the run in the ledger
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
        """Return the summary as a plain dictionary, ready for JSON."""
        plain = asdict(self)
        return {"run": plain.pop("run"), **plain}

    def _rows(self) -> Rows:
        names = ["run", "strategy", "target", "base", "starters", "reached", "share", "hop_value", "std", "min", "max"]
        names += ["cycle", "dead_end", "limit", "longest_cycle"]
        return [name.replace("_", " ") for name in names], [[getattr(self, name) for name in names]]

    def __str__(self) -> str:
        from .presentation.text import summary_text

        return summary_text(self)


class EndedTraversal(Protocol):
    """How a traversal ended."""

    @property
    def ending(self) -> str:
        """``reached``, ``cycle``, ``dead-end`` or ``limit``."""

    @property
    def hops(self) -> int:
        """The number of links followed."""

    @property
    def cycle(self) -> int | None:
        """The length of the cycle, if it ended in one."""


def summarise(traversals: Iterable[EndedTraversal], **fields: Any) -> Summary:
    """Summarise traversals; the other ``fields`` of the summary are given.

    >>> from wayword.search.traversal.walk import Traversal
    >>> traversals = [Traversal(1, "reached", 2, 0), Traversal(2, "reached", 4, 0), Traversal(3, "cycle", 5, 4, 2)]
    >>> found = summarise(traversals, strategy="first", target="Philosophy", base="simplewiki")
    >>> found.starters, found.reached, found.share, found.hop_value, round(found.std, 3), found.longest_cycle
    (3, 2, 0.6666666666666666, 3.0, 1.414, 2)
    """
    counts: Counter[str] = Counter()
    hops, longest_cycle = [], None
    for each in traversals:
        counts[each.ending] += 1
        if each.ending == "reached":
            hops.append(each.hops)
        if each.cycle is not None:
            longest_cycle = max(each.cycle, longest_cycle or 0)
    hops.sort()  # so that the last digit of the mean does not depend on the order of the traversals
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
        longest_cycle=longest_cycle,
        **fields,
    )
