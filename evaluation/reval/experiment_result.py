"""What an experiment of #REval gives back: the curves of figure 3, as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

POINT = ("encoder", "recommended", "k", "reval_hit_ratio", "hit_ratio", "pairs", "left_out")
"""What a row tells of a point of a curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One encoder and one number of recommended hashtags: the average #REval-hit-ratio for each k.

    ``points`` holds what ``Evaluation.to_dict`` tells for each k.
    """

    encoder: str
    recommended: int
    points: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """An experiment: how many tweets it had, what was left out, and a curve for each encoder and number of hashtags.

    - ``tweets``, ``training``, ``test``: cleaned tweets with a hashtag, and how they were parted
    - ``hashtags``, ``uses``: different hashtags, and all
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
        """The same as plain dictionaries and lists, ready for JSON."""
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
    def of(cls, given: Mapping[str, Any]) -> ExperimentResult:
        """The outcome in a row of the ledger."""
        curves = tuple(Curve(each["encoder"], each["recommended"], tuple(each["points"])) for each in given["curves"])
        return cls(**{**given, "curves": curves})

    def __str__(self) -> str:
        from .tables import result_text

        return result_text(self)


def read_points(result: Mapping[str, Any] | None) -> Iterator[tuple[Any, ...]]:
    """All points of the curves in a row of the ledger; none where it has not come to its end."""
    for each in (result or {"curves": []})["curves"]:
        for point in each["points"]:
            yield each["encoder"], each["recommended"], *(point[name] for name in POINT[2:])
