"""What is read from the ledger: plain frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from .liveness import is_alive

if TYPE_CHECKING:
    from .models import RunRow


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the ledger.

    - ``id``, ``kind``: its number, and what it was: ``hop``, or ``pairs``
    - ``state``: ``running``, ``cut off``, ``failed`` or ``done``
    - ``begun``, ``ended``: when, in UTC
    - ``parameters``, ``seed``: what was asked
    - ``store``, ``bases``: of which store, and of which revisions of its bases
    - ``versions``: of the programs that matter
    - ``result``: what came of it; None until it is done
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
        """How long it took, if it has ended."""
        return None if self.ended is None else (self.ended - self.begun).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dictionary, ready for JSON."""
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
    """The record of a row."""
    return Run(
        id=row.id,
        kind=row.kind,
        state="cut off" if row.state == "running" and not is_alive(row.process, row.beat) else row.state,
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
    """One traversal as the ledger has it: from which starter, how it ended, and in which article."""

    place: int
    starter: str
    ending: str
    hops: int
    cycle: int | None = None
    last: str | None = None
    concreteness: float | None = None
