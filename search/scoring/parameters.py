"""The parameters of a score, their named profiles, and the weight that they give to a transition."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ...core.text_files import read_small_file
from ..errors import ParameterError
from .transitions import TransitionKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DerivationReading = Literal["word", "synset"]


UNIT_INTERVAL = (
    *("sim", "der", "sp_min", "sp_max", "gn_max", "central", "crossing_on", "crossing_back"),
    *("prior_coverage", "prior_least", "threshold"),
)
"""The parameters that lie between 0 and 1."""

MAX_POWER = 16
"""The highest power of a breadth: far beyond use, and no breadth overflows with it."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The tunable numbers of a search, named as in the thesis, and how derivation is read.

    ``central`` is what is kept between an article and the category that it is central to, where neither end of the path is
    one of the two. Of the senses of a label in a wiki those are taken, most used first, until their share of its uses reaches
    ``prior_coverage``, and none whose share is below ``prior_least``. With ``bracketed`` the title of an article without its
    bracketed end is a label of it too.
    """

    sim: float = 0.5
    der: float = 0.7
    sp_min: float = 0.2
    sp_max: float = 0.99
    sp_power: float = 1 / 3
    gn_max: float = 0.99
    gn_scale: float = 1.1
    gn_shift: float = 0.1
    gn_power: float = 1.5
    central: float = 0.99
    crossing_on: float = 0.9
    crossing_back: float = 0.9
    prior_coverage: float = 0.99
    prior_least: float = 0.001
    bracketed: bool = False
    threshold: float = 0.08
    derivation: DerivationReading = "word"

    def __post_init__(self) -> None:
        for name, value in self.numbers().items():
            if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
                raise ParameterError(f"parameter {name} is {value!r}: give it a number")
        for name in UNIT_INTERVAL:
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}: give it a number from 0 to 1")
        if self.sp_min > self.sp_max:
            raise ParameterError(f"sp_min {self.sp_min!r} is above sp_max {self.sp_max!r}: exchange them")
        for name in ("sp_power", "gn_power", "gn_shift"):
            if not 0 <= getattr(self, name) <= MAX_POWER:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}: give it a number from 0 to {MAX_POWER}")
        if not 0 <= self.gn_max * (self.gn_scale - self.gn_shift) <= 1:
            raise ParameterError("gn_max * (gn_scale - gn_shift), the best generalisation, must lie between 0 and 1")
        if not isinstance(self.bracketed, bool):
            raise ParameterError(f"parameter bracketed is {self.bracketed!r}: give it true or false")
        if self.derivation not in get_args(DerivationReading):
            raise ParameterError(f"derivation is {self.derivation!r}: choose 'word' or 'synset'")

    @property
    def uses_word_derivation(self) -> bool:
        """Whether derivation is read as a relation between words."""
        return self.derivation == "word"

    def numbers(self) -> dict[str, float]:
        """All parameters that are numbers, by name."""
        return {name: value for name, value in asdict(self).items() if name not in ("derivation", "bracketed")}

    def settings(self) -> dict[str, float | bool]:
        """All parameters but how derivation is read, by name."""
        return {name: value for name, value in asdict(self).items() if name != "derivation"}

    def specialisation(self, breadth: int) -> float:
        """Equation (3.2): going down to one of ``breadth`` special entities.

        >>> [round(Parameters().specialisation(breadth), 2) for breadth in (1, 2, 9, 50)]
        [0.99, 0.83, 0.58, 0.41]
        """
        shared: float = breadth**self.sp_power
        return self.sp_min + (self.sp_max - self.sp_min) / shared

    def generalisation(self, breadth: int) -> float:
        """Equation (3.3): going up from one of ``breadth`` special entities.

        >>> [round(Parameters().generalisation(breadth), 2) for breadth in (1, 2, 9)]
        [0.99, 0.29, 0.0]
        """
        assumed: float = breadth**self.gn_power
        return max(0.0, self.gn_max * (self.gn_scale / assumed - self.gn_shift))

    def weight(self, kind: int, breadth: int) -> float:
        """The transition score; 0 where the chosen reading has no such transition."""
        return _WEIGHTS[TransitionKind(kind)](self, breadth)


_WEIGHTS: Mapping[TransitionKind, Callable[[Parameters, int], float]] = {
    TransitionKind.SAME: lambda _, __: 1.0,
    TransitionKind.SIMILAR: lambda given, _: given.sim,
    TransitionKind.ALSO: lambda given, _: given.sim,
    TransitionKind.DERIVATION: lambda given, _: given.der,
    TransitionKind.WORD_DERIVATION: lambda given, _: given.der if given.uses_word_derivation else 0.0,
    TransitionKind.SPECIALISATION: lambda given, breadth: given.specialisation(breadth),
    TransitionKind.GENERALISATION: lambda given, breadth: given.generalisation(breadth),
    TransitionKind.CENTRAL: lambda given, _: given.central,
    TransitionKind.CROSSING_ON: lambda given, _: given.crossing_on,
    TransitionKind.CROSSING_BACK: lambda given, _: given.crossing_back,
}

PROFILES: Mapping[str, Parameters] = {
    "thesis": Parameters(),
    "tuned": Parameters(sim=0.534, der=0.644, sp_min=0.675, sp_max=0.930, gn_max=0.915, bracketed=True),
}


def read_profile(name: str = "thesis", **overrides: float | str | bool | None) -> Parameters:
    """The parameters of a named profile or of a TOML file, with single values overridden.

    >>> read_profile("tuned", threshold=0.1).threshold
    0.1
    """
    given = {key: value for key, value in overrides.items() if value is not None}
    base = PROFILES.get(name)
    if base is None:
        given = _read(name) | given
        base = Parameters()
    known = {each.name for each in fields(Parameters)}
    for key in given:
        if key not in known:
            raise ParameterError(f"no parameter is called {key!r}: choose of {', '.join(sorted(known))}")
    return replace(base, **given)  # type: ignore[arg-type]


def _read(name: str) -> dict[str, float | str | bool]:
    import tomllib

    try:
        content = tomllib.loads(read_small_file(Path(name)))
    except FileNotFoundError:
        raise ParameterError(
            f"{name!r} is neither a profile ({', '.join(PROFILES)}) nor a file: give the path of a TOML file"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ParameterError(f"profile {name}: {error}: write lines such as `sim = 0.5`") from None
    return content
