"""The parameters of a score, the transition scores computed from them, and their named profiles."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ...core.text_files import read_small_file
from ..errors import ParameterError
from .transitions import TransitionKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DerivationReading = Literal["word", "synset"]
"""Derivation as a relation between words, or between the synsets that the pointers name."""


UNIT_INTERVAL = (
    *("sim", "der", "sp_min", "sp_max", "gn_max", "central", "crossing_on", "crossing_back"),
    *("prior_coverage", "prior_least", "threshold"),
)
"""The parameters that must be from 0 to 1."""

MAX_POWER = 16
"""The greatest exponent of a breadth: far beyond use, yet no breadth overflows."""

MAX_BREADTH = 1 << 31
"""No entity has more children."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a score, named as in the thesis; the defaults are its initial values (table 5.5).

    Transition scores, from 0 to 1:

    - ``sim``: *Sim*, similar to and see also
    - ``der``: *Der*, derivation
    - ``sp_min``, ``sp_max``: *Sp_min* and *Sp_max* of specialisation, equation (3.2)
    - ``sp_power``: the exponent of the breadth in (3.2), there the cube root
    - ``gn_max``: *Gn_max* of generalisation, equation (3.3)
    - ``gn_scale``, ``gn_shift``, ``gn_power``: the numbers 1.1, 0.1 and 1.5 in (3.3)
    - ``central``: Same between an article and the category that it is central to, away from the ends of a path (section 3.1.3);
      at the ends it is 1
    - ``crossing_on``, ``crossing_back``: inter-knowledge transitions to a base named later, and to one named earlier (section
      5.3.6)

    Target sets in a wiki (section 3.3.1):

    - ``prior_coverage``: the maximum prior coverage: senses of a label are accepted, most used first, until their priors sum
      to it
    - ``prior_least``: senses with a smaller prior are rejected
    - ``bracketed``: whether the title of an article without its brackets is a label of the article too; not in the thesis

    Search:

    - ``threshold``: the stopping threshold (section 5.3.1): a node with a lower score is not expanded
    - ``derivation``: ``word`` if derivation leads to a word and on to every synset of that part of speech that contains it,
      ``synset`` if it leads only to the synset that the pointer names

    Raises:
        ParameterError: A value is out of range, or not a number.
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
        for name, value in self._numbers().items():
            if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
                raise ParameterError(f"parameter {name} is {value!r}; it must be a number")
        for name in UNIT_INTERVAL:
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}; it must be a number from 0 to 1")
        if self.sp_min > self.sp_max:
            raise ParameterError(f"sp_min {self.sp_min!r} is above sp_max {self.sp_max!r}; swap them")
        for name in ("sp_power", "gn_power", "gn_shift"):
            if not 0 <= getattr(self, name) <= MAX_POWER:
                raise ParameterError(f"parameter {name} is {getattr(self, name)!r}; it must be a number from 0 to {MAX_POWER}")
        if not 0 <= self.gn_max * (self.gn_scale - self.gn_shift) <= 1:
            raise ParameterError(
                "gn_max * (gn_scale - gn_shift), the score of a generalisation of breadth 1, must be from 0 to 1"
            )
        if not isinstance(self.bracketed, bool):
            raise ParameterError(f"parameter bracketed is {self.bracketed!r}; it must be true or false")
        if self.derivation not in get_args(DerivationReading):
            raise ParameterError(f"derivation is {self.derivation!r}; choose 'word' or 'synset'")

    @property
    def uses_word_derivation(self) -> bool:
        """Whether derivation is read as a relation between words."""
        return self.derivation == "word"

    def _numbers(self) -> dict[str, float]:
        """Return the parameters that are numbers, by name."""
        return {name: value for name, value in asdict(self).items() if name not in ("derivation", "bracketed")}

    def without_derivation(self) -> dict[str, float | bool]:
        """Return all parameters but ``derivation``, by name."""
        return {name: value for name, value in asdict(self).items() if name != "derivation"}

    def specialisation(self, breadth: int) -> float:
        """Return the score of a step down to one of ``breadth`` more specific entities, equation (3.2).

        >>> [round(Parameters().specialisation(breadth), 2) for breadth in (1, 2, 9, 50)]
        [0.99, 0.83, 0.58, 0.41]
        """
        divisor: float = breadth**self.sp_power
        return self.sp_min + (self.sp_max - self.sp_min) / divisor

    def generalisation(self, breadth: int) -> float:
        """Return the score of a step up from one of ``breadth`` more specific entities, equation (3.3).

        >>> [round(Parameters().generalisation(breadth), 2) for breadth in (1, 2, 9)]
        [0.99, 0.29, 0.0]
        """
        divisor: float = breadth**self.gn_power
        return max(0.0, self.gn_max * (self.gn_scale / divisor - self.gn_shift))

    @property
    def zero_breadth(self) -> int | None:
        """The smallest breadth at which a generalisation keeps nothing; None if there is none.

        >>> Parameters().zero_breadth, Parameters(gn_scale=1, gn_shift=0).zero_breadth
        (5, None)
        """
        if self.generalisation(MAX_BREADTH) > 0.0:
            return None
        return bisect_left(range(MAX_BREADTH), True, lo=1, key=lambda breadth: self.generalisation(breadth) == 0.0)

    def weight(self, kind: int, breadth: int) -> float:
        """Return the score of a transition.

        Args:
            kind: A ``TransitionKind``, or its number.
            breadth: The breadth of a specialisation or generalisation; any value for other kinds.

        Returns:
            A score from 0 to 1; 0 if this reading of derivation has no such transition.
        """
        return _WEIGHTS[kind](self, breadth)


_WEIGHTS: Mapping[int, Callable[[Parameters, int], float]] = {
    TransitionKind.SAME: lambda _, __: 1.0,
    TransitionKind.SIMILAR: lambda parameters, _: parameters.sim,
    TransitionKind.ALSO: lambda parameters, _: parameters.sim,
    TransitionKind.DERIVATION: lambda parameters, _: parameters.der,
    TransitionKind.WORD_DERIVATION: lambda parameters, _: parameters.der if parameters.uses_word_derivation else 0.0,
    TransitionKind.SPECIALISATION: lambda parameters, breadth: parameters.specialisation(breadth),
    TransitionKind.GENERALISATION: lambda parameters, breadth: parameters.generalisation(breadth),
    TransitionKind.CENTRAL: lambda parameters, _: parameters.central,
    TransitionKind.CROSSING_ON: lambda parameters, _: parameters.crossing_on,
    TransitionKind.CROSSING_BACK: lambda parameters, _: parameters.crossing_back,
}

PROFILES: Mapping[str, Parameters] = {
    "thesis": Parameters(),
    "tuned": Parameters(sim=0.534, der=0.644, sp_min=0.675, sp_max=0.930, gn_max=0.915, bracketed=True),
}
"""The named profiles: the initial values of the thesis (table 5.5), and the optimised ones (table 5.6)."""


PROVENANCE = "provenance"
"""The table of a profile file that says how it was made."""


def read_profile(name: str = "thesis", **overrides: float | str | bool | None) -> Parameters:
    """Return the parameters of a named profile or of a TOML file.

    Args:
        name: One of ``PROFILES``, or the path of a file with lines like ``sim = 0.5``; what it leaves out is as in ``thesis``.
            Its table ``[provenance]``, which says how the file was made, is ignored.
        overrides: Values of single parameters by name; None for no override.

    Raises:
        ParameterError: There is no such profile or file, or a parameter is unknown or has an invalid value.

    >>> read_profile("tuned", threshold=0.1).threshold
    0.1
    """
    values = {key: value for key, value in overrides.items() if value is not None}
    profile = PROFILES.get(name)
    if profile is None:
        values = _read_file(name) | values
        profile = Parameters()
    known = {each.name for each in fields(Parameters)}
    for key in values:
        if key not in known:
            raise ParameterError(f"there is no parameter {key!r}; the parameters are {', '.join(sorted(known))}")
    return replace(profile, **values)  # type: ignore[arg-type]


def _read_file(name: str) -> dict[str, float | str | bool]:
    import tomllib

    try:
        content = tomllib.loads(read_small_file(Path(name)))
    except FileNotFoundError:
        raise ParameterError(
            f"{name!r} is neither a profile ({', '.join(PROFILES)}) nor a file; give the path of a TOML file"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise ParameterError(f"the profile {name} cannot be read ({reason}); write lines like `sim = 0.5`") from None
    return {key: value for key, value in content.items() if not (key == PROVENANCE and isinstance(value, dict))}
