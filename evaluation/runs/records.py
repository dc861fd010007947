"""Frozen records of runs, traversals and trials, as they are read from the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from .liveness import is_alive

if TYPE_CHECKING:
    from .models import RunRow


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the ledger.

    - ``id``: its number
    - ``kind``: ``hop``, ``pairs``, ``reval``, ``evaluation`` or ``tuning``
    - ``state``: ``running``, ``interrupted``, ``failed`` or ``done``
    - ``begun``, ``ended``: times in UTC
    - ``parameters``, ``seed``: what was run
    - ``store``, ``bases``: the address of the store, and the bases that were read, with their revisions
    - ``versions``: the versions of the programs that the result may depend on
    - ``result``: the result; None until the run is done
    """

    id: int
    kind: str
    state: str
    begun: datetime
    ended: datetime | None
    parameters: dict[str, Any]
    seed: int | None
    store: str
    bases: list[dict[str, Any]]
    versions: dict[str, str]
    result: dict[str, Any] | None

    @property
    def seconds(self) -> float | None:
        """The duration, None if it has not ended."""
        return None if self.ended is None else (self.ended - self.begun).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        """Return the run as a plain dictionary, ready for JSON."""
        return {
            "run": self.id,
            "kind": self.kind,
            "state": self.state,
            "begun": self.begun.isoformat(timespec="seconds"),
            "ended": self.ended and self.ended.isoformat(timespec="seconds"),
            "seconds": self.seconds and round(self.seconds, 3),
            "parameters": self.parameters,
            "seed": self.seed,
            "store": self.store,
            "bases": self.bases,
            "versions": self.versions,
            "result": self.result,
        }


def read_run(row: RunRow) -> Run:
    """Convert a row to a record; a running run whose owner is dead was interrupted."""
    return Run(
        id=row.id,
        kind=row.kind,
        state="interrupted" if row.state == "running" and not is_alive(row.owner, row.heartbeat) else row.state,
        begun=row.begun,
        ended=row.ended,
        parameters=row.parameters,
        seed=row.seed,
        store=row.store,
        bases=row.bases,
        versions=row.versions,
        result=row.result,
    )


class RecordedTraversal(NamedTuple):
    """One traversal of a HOP run.

    - ``position``: the position of its starter in the list of starters
    - ``starter``, ``last``: the titles of its first and its last article; ``last`` is None at the limit
    - ``ending``, ``hops``, ``cycle``: how it ended (see ``Traversal``)
    - ``concreteness``: the rating of a balanced starter
    """

    position: int
    starter: str
    ending: str
    hops: int
    cycle: int | None = None
    last: str | None = None
    concreteness: float | None = None


class RecordedTrial(NamedTuple):
    """One trial of a tuning.

    - ``position``: its position among all trials, in the order in which they were proposed
    - ``fold``: the number of the fold that was held out, from 1; None if none was
    - ``training``, ``held_out``: the figure on the training items, and on the held-out items; None without items
    - ``point``: the values of the parameters that vary
    """

    position: int
    fold: int | None
    training: float
    held_out: float | None
    point: Mapping[str, float]
