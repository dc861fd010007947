"""The space of a tuning: which parameters vary, and between which bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import TYPE_CHECKING

from ...core.messages import quote_value
from ...core.suggestions import suggest
from ...search.errors import ParameterError
from ...search.scoring.parameters import LEAST, UNIT_INTERVAL, WIKI, Parameters
from ..errors import TuningError

if TYPE_CHECKING:
    from ...search.bases.projection import Projection

Point = Mapping[str, float]
"""The values of the parameters that vary, by name."""

MAX_NUMBER = 3.0
"""The upper bound of exponents and factors: with greater ones hardly any transition keeps a score."""

MAX_SCORE = 0.99
"""The usual upper bound of a transition score: with steps at no cost a search may visit most of a WordNet."""

MATCHING = ("prior_coverage", "prior_least")
"""The parameters that decide which entities a phrase means."""

ALL = "all"
BISECTIONS = 60

_REQUEST = re.compile(r"(?P<name>[^=]+)(=(?P<low>[^=]+?)\.\.(?P<high>[^=]+))?")


@dataclass(frozen=True, slots=True)
class Dimension:
    """A parameter that varies, and its bounds."""

    name: str
    low: float
    high: float


def list_dimensions() -> dict[str, Dimension]:
    """Return every parameter that is a number, with the bounds between which it is searched.

    >>> list_dimensions()["sim"], list_dimensions()["sp_power"]
    (Dimension(name='sim', low=0.0, high=1.0), Dimension(name='sp_power', low=0.0, high=3.0))
    """
    numeric = [each.name for each in fields(Parameters) if each.type in ("float", "float | None")]
    # With a negative gn_shift a generalisation keeps something at any breadth.
    least = {"gn_shift": -1.0, WIKI + "gn_shift": -1.0, **LEAST}
    return {name: Dimension(name, least.get(name, 0.0), 1.0 if name in UNIT_INTERVAL else MAX_NUMBER) for name in numeric}


def find_transition_scores(projection: Projection, base: Parameters) -> list[Dimension]:
    """Return the parameters from 0 to 1 that change the weight of a transition of a base, up to ``MAX_SCORE``.

    A value of the profile that is greater is still the bound of its parameter.
    """
    weighting = projection.weigh(base)

    def matters(dimension: Dimension) -> bool:
        value = base.value(dimension.name)
        for bound in (dimension.low, dimension.high):
            try:
                changed = replace(base, **{dimension.name: (value + bound) / 2})  # type: ignore[arg-type]
            except ParameterError:
                continue
            if projection.weigh(changed) != weighting:
                return True
        return False

    return [
        replace(each, high=max(MAX_SCORE, base.value(each.name)))
        for each in list_dimensions().values()
        if each.name in UNIT_INTERVAL and getattr(base, each.name) is not None and matters(each)
    ]


def parse_dimensions(requests: Iterable[str]) -> list[Dimension]:
    """Parse requests to vary parameters.

    Args:
        requests: Each ``NAME``, for the usual bounds, or ``NAME=LOW..HIGH``; ``all`` stands for all of ``list_dimensions`` but
            those of which a wiki usually has none of its own.

    Raises:
        TuningError: A parameter does not exist or is named twice, or its bounds are invalid.

    >>> parse_dimensions(["der", "sim=0.2..0.8"])
    [Dimension(name='der', low=0.0, high=1.0), Dimension(name='sim', low=0.2, high=0.8)]
    """
    known = list_dimensions()
    found: dict[str, Dimension] = {}
    for request in requests:
        everywhere = [each for each in known.values() if not each.name.startswith(WIKI)]
        named = everywhere if request == ALL else [_parse_dimension(request, known)]
        for dimension in named:
            if dimension.name in found and request != ALL:
                raise TuningError(f"the parameter {dimension.name} is named twice; name it once")
            found[dimension.name] = found.get(dimension.name, dimension)
    return list(found.values())


def _parse_dimension(request: str, known: Mapping[str, Dimension]) -> Dimension:
    match = _REQUEST.fullmatch(request)
    name = (match["name"] if match else request.partition("=")[0]).strip().replace("-", "_")
    if name not in known:
        raise TuningError(
            f"there is no parameter {quote_value(name)} to tune; there are {', '.join(known)}", *suggest(name, known)
        )
    usual = known[name]
    if match and match["low"] is None:
        return usual
    try:
        low, high = (float(match[side]) for side in ("low", "high")) if match else (0.0, 0.0)
        if not isfinite(low) or not isfinite(high) or not match:
            raise ValueError
    except ValueError:
        raise TuningError(f"{quote_value(request)} is not NAME or NAME=LOW..HIGH; write it like {name}=0.2..0.8") from None
    if low >= high:
        raise TuningError(f"the bounds of {name} are {low:g}..{high:g}; the first must be the lower one")
    for bound in (low, high):
        if not usual.low <= bound <= (1.0 if name in UNIT_INTERVAL else bound):
            raise TuningError(f"the bound {bound:g} of {name} is out of range; {_describe_range(usual)}")
    return Dimension(name, low, high)


def _describe_range(usual: Dimension) -> str:
    return f"give numbers from {usual.low:g}" + (" to 1" if usual.name in UNIT_INTERVAL else "")


class Space:
    """The parameters that vary around a profile.

    Args:
        base: The profile; what does not vary is as there.
        dimensions: The parameters that vary, at least one.

    >>> space = Space(Parameters(), parse_dimensions(["sp_min", "der"]))
    >>> space.parameters({"sp_min": 0.4, "der": 0.6}).sp_min
    0.4
    """

    def __init__(self, base: Parameters, dimensions: Sequence[Dimension]) -> None:
        self.base = base
        self.dimensions = tuple(dimensions)
        names = list_dimensions()
        self._ordered = [(name, name[:-3] + "max") for name in names if name.endswith("_min") and name[:-3] + "max" in names]

    def limits(self, dimension: Dimension, point: Point) -> tuple[float, float]:
        """Return the bounds of a parameter at a point: a minimum is at most its maximum, as in (5.1)."""
        low, high = dimension.low, dimension.high
        for least, most in self._ordered:
            if dimension.name == least:
                high = max(low, min(high, self._value(most, point)))
            elif dimension.name == most:
                low = min(high, max(low, self._value(least, point)))
        return low, high

    def _value(self, name: str, point: Point) -> float:
        return point[name] if name in point else self.base.value(name)

    def order(self, point: Point) -> dict[str, float]:
        """Exchange a minimum and its maximum if the minimum is the greater one."""
        ordered = dict(point)
        for least, most in self._ordered:
            if least in ordered and most in ordered and ordered[least] > ordered[most]:
                ordered[least], ordered[most] = ordered[most], ordered[least]
        return ordered

    def point(self, parameters: Parameters) -> dict[str, float]:
        """Return the point of parameters, moved between the bounds."""
        return {each.name: min(max(parameters.value(each.name), each.low), each.high) for each in self.dimensions}

    def parameters(self, point: Point) -> Parameters:
        """Return the parameters at a point. A point that is not valid is moved towards the profile until it is."""
        wanted = self.order(point)
        try:
            return replace(self.base, **wanted)  # type: ignore[arg-type]
        except ParameterError:
            pass
        valid, invalid, found = 0.0, 1.0, self.base
        start = {name: self.base.value(name) for name in wanted}
        for _ in range(BISECTIONS):
            share = (valid + invalid) / 2
            try:
                moved = {name: start[name] + share * (value - start[name]) for name, value in wanted.items()}
                valid, found = share, replace(self.base, **moved)  # type: ignore[arg-type]
            except ParameterError:
                invalid = share
        return found

    def to_dict(self) -> dict[str, object]:
        """Return the bounds and the profile, ready for JSON."""
        return {"dimensions": [asdict(each) for each in self.dimensions], "base": asdict(self.base)}
