"""The result of a #REval experiment: the curves of figure 3 of the paper, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

POINT_COLUMNS = ("encoder", "recommended", "k", "reval_hit_ratio", "hit_ratio", "pairs", "left_out")
"""The columns of the exported points."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The averages for one encoder and one number of recommended hashtags.

    ``points`` has the dictionary of an ``Evaluation`` for each k.
    """

    encoder: str
    recommended: int
    points: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """The result of an experiment.

    - ``name``: the names of the files of tweets
    - ``tweets``, ``training``, ``test``: the number of cleaned tweets with a hashtag, and how they were split
    - ``hashtags``, ``uses``: the number of distinct hashtags, and of all
    - ``curves``: a curve for each encoder and number of recommended hashtags
    - ``left_out``: the tweets that were left out, counted by code
    - ``run``: the number of the run in the ledger
    """

    name: str
    tweets: int
    training: int
    test: int
    hashtags: int
    uses: int
    curves: tuple[Curve, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    run: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain dictionaries and lists, ready for JSON."""
        return {
            "run": self.run,
            "name": self.name,
            "tweets": self.tweets,
            "training": self.training,
            "test": self.test,
            "hashtags": self.hashtags,
            "uses": self.uses,
            "curves": [
                {"encoder": each.encoder, "recommended": each.recommended, "points": list(each.points)} for each in self.curves
            ],
            "left_out": dict(self.left_out),
            "parameters": dict(self.parameters),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ExperimentResult:
        """Restore a result from what ``to_dict`` returned."""
        curves = tuple(Curve(each["encoder"], each["recommended"], tuple(each["points"])) for each in document["curves"])
        return cls(**{**document, "curves": curves})

    def __str__(self) -> str:
        from .tables import result_text

        return result_text(self)


def read_points(result: Mapping[str, Any] | None) -> Iterator[tuple[Any, ...]]:
    """Yield the points of all curves of a run's result, as rows of ``POINT_COLUMNS``; none if the run has no result."""
    for each in (result or {"curves": []})["curves"]:
        for point in each["points"]:
            yield each["encoder"], each["recommended"], *(point[name] for name in POINT_COLUMNS[2:])
