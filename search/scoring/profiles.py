"""The named profiles of parameters, and profiles in TOML files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ...core.text_files import read_small_file
from ..errors import ParameterError
from .parameters import WIKI, Parameters

THESIS = Parameters()
"""The initial values of the thesis (table 5.5)."""

TUNED = Parameters(sim=0.534, der=0.644, sp_min=0.675, sp_max=0.930, gn_max=0.915, bracketed=True)
"""The optimised values of the thesis (table 5.6)."""

_THESIS_IN_WIKIS = {
    each.name: getattr(THESIS, each.name.removeprefix(WIKI)) for each in fields(Parameters) if each.name.startswith(WIKI)
}

ENTAILMENT = Parameters(
    sim=0.103,
    der=0.496,
    sp_min=0.988,
    sp_max=0.998,
    sp_power=0.068,
    gn_max=0.321,
    gn_scale=1.082,
    gn_shift=-0.41,
    gn_power=1.595,
    der_word=0.629,
    verb_down=0.575,
    verb_up=0.609,
    instance=0.428,
    pos_change=0.542,
    part_of=0.132,
    has_part=0.011,
    member_of=0.321,
    has_member=0.217,
    substance_of=0.331,
    has_substance=0.025,
    verb_group=0.733,
    entailment=0.297,
    cause=0.584,
    attribute=0.793,
    pertainym=0.695,
    participle=0.2,
    ic_down=0.001,
    ic_up=0.154,
    rank_power=0.071,
    uses_power=0.231,
    antonym=0.02,
    threshold=0.05,
    **_THESIS_IN_WIKIS,
)
"""Tuned to HyperLex: how far one thing is a kind of another (``docs/papers.md``)."""

PEOPLE = Parameters(
    sim=0.599,
    der=0.796,
    sp_min=0.939,
    sp_max=0.96,
    sp_power=0.14,
    gn_max=0.278,
    gn_scale=1.391,
    gn_shift=-0.618,
    gn_power=2.271,
    der_word=0.48,
    verb_down=0.622,
    verb_up=0.682,
    instance=0.117,
    pos_change=0.724,
    part_of=0.116,
    has_part=0.055,
    member_of=0.431,
    has_member=0.147,
    substance_of=0.097,
    has_substance=0.11,
    verb_group=0.921,
    entailment=0.202,
    cause=0.633,
    attribute=0.023,
    pertainym=0.385,
    participle=0.193,
    ic_down=0.066,
    ic_up=0.065,
    ic_aside=0.127,
    rank_power=0.279,
    uses_power=0.33,
    antonym=0.02,
    threshold=0.05,
    **_THESIS_IN_WIKIS,
)
"""Tuned to judgements of several kinds (``docs/papers.md``)."""

PROFILES: Mapping[str, Parameters] = {"people": PEOPLE, "entailment": ENTAILMENT, "thesis": THESIS, "tuned": TUNED}
"""The named profiles. Those that are not of the thesis were tuned in WordNet, and keep its values in wikis and crossings."""

DEFAULT_PROFILE = "people"
"""The profile that holds if none is named."""

PROVENANCE = "provenance"
"""The table of a profile file that says how it was made."""


def read_profile(name: str = DEFAULT_PROFILE, **overrides: float | str | bool | None) -> Parameters:
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
        values = {key: value for key, value in _read_file(name).items() if not _is_provenance(key, value)} | values
        profile = Parameters()
    known = {each.name for each in fields(Parameters)}
    for key in values:
        if key not in known:
            raise ParameterError(f"there is no parameter {key!r}; the parameters are {', '.join(sorted(known))}")
    return replace(profile, **values)  # type: ignore[arg-type]


def read_provenance(name: str) -> Mapping[str, Any] | None:
    """Return how a profile was made, as its file says; None if it does not.

    Raises:
        ParameterError: There is no such profile or file.
    """
    content = {} if name in PROFILES else _read_file(name)
    return next((value for key, value in content.items() if _is_provenance(key, value)), None)


def _is_provenance(key: str, value: object) -> bool:
    return key == PROVENANCE and isinstance(value, dict)


def _read_file(name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(read_small_file(Path(name)))
    except FileNotFoundError:
        raise ParameterError(
            f"{name!r} is neither a profile ({', '.join(PROFILES)}) nor a file; give the path of a TOML file"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise ParameterError(f"the profile {name} cannot be read ({reason}); write lines like `sim = 0.5`") from None
