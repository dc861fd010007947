"""Tuned parameters as a profile: a TOML file that says how it was made, so that the tuning can be continued."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ... import __version__
from ...core.atomic_files import atomic_write
from ...search.scoring.parameters import Parameters
from ...search.scoring.profiles import PROVENANCE, read_profile, read_provenance
from ..errors import TuningError
from .objectives import Objective
from .optimisation import TuningOptions
from .results import Tuning


def write_profile(path: Path, tuning: Tuning, profile: str, bases: Sequence[Mapping[str, Any]]) -> None:
    """Write the parameters of a tuning with their provenance; ``search.scoring.profiles.read_profile`` reads the file.

    Args:
        path: The file.
        tuning: The tuning.
        profile: The profile that it began with.
        bases: The bases that it scored in, as ``evaluation.runs.recording.describe_bases`` returns them.

    Raises:
        FileError: The file cannot be written.
    """
    with atomic_write(path) as target:
        target.write(format_profile(tuning, profile, bases).encode())


def format_profile(tuning: Tuning, profile: str, bases: Sequence[Mapping[str, Any]]) -> str:
    """Return the content of the file, see ``write_profile``."""
    parameters = asdict(tuning.final.parameters)
    provenance: dict[str, Any] = {
        "version": __version__,
        "profile": profile,
        "method": tuning.method,
        "seed": tuning.seed,
        "steps": tuning.steps,
        "passes": tuning.passes,
        "tuned": tuning.tuned,
        "before": tuning.before,
        "held_out": tuning.held_out.to_dict(),
        "held_out_before": tuning.held_out_before.to_dict(),
        "gain": tuning.gain.to_dict(),
        "bounds": {name: list(each) for name, each in tuning.bounds.items()},
    }
    lines = [
        f"# A profile that wayword {__version__} has tuned; wayword.search.scoring.parameters explains the names.",
        *_format_values(parameters),
        "",
        f"[{PROVENANCE}]",
        *_format_values(provenance),
    ]
    for objective in tuning.objectives:
        lines += ["", f"[[{PROVENANCE}.objectives]]", *_format_values(objective.to_dict())]
    for fold in tuning.folds:
        values = {name: getattr(fold.parameters, name) for name in tuning.bounds}
        lines += ["", f"[[{PROVENANCE}.folds]]", *_format_values(values)]
    for base in bases:
        lines += ["", f"[[{PROVENANCE}.bases]]", *_format_values(base)]
    return "\n".join(lines) + "\n"


def read_starts(name: str, objectives: Sequence[Objective], options: TuningOptions) -> list[Parameters]:
    """Return the parameters that a tuning found without each of its folds, and those that it found with all items.

    A tuning that begins with them must divide its items in the same way, else what is held out would have been trained on.

    Args:
        name: The profile.
        objectives: The objectives of the tuning that begins; the first ones must be those of the one that made the profile.
        options: How it is tuned.

    Raises:
        TuningError: The profile was not tuned, or its items were divided in another way.
        ParameterError: The profile cannot be read.
    """
    tuned, made = read_profile(name), read_provenance(name) or {}
    try:
        divided = made["seed"], len(made["folds"]), [each["digest"] for each in made["objectives"]]
        starts = [replace(tuned, **values) for values in made["folds"]]
    except (KeyError, TypeError):
        raise TuningError(
            f"{name} does not say how it was tuned, so it cannot be continued; give a file that `tune` wrote"
        ) from None
    digests = [each.digest() for each in objectives]
    if options.method == "annealing":
        raise TuningError("annealing begins at a random point, so it continues no tuning; choose another method")
    if divided != (options.seed, options.folds, digests[: len(divided[2])]):
        raise TuningError(
            f"{name} was tuned with seed {divided[0]} and {divided[1]} folds of other objectives or in another order; "
            "to continue it give the same seed and folds, and its objectives first"
        )
    return [*starts, tuned]


def _format_values(values: Mapping[str, Any]) -> Iterator[str]:
    return (f"{name} = {_format_value(value)}" for name, value in values.items() if value is not None)


def _format_value(value: Any) -> str:
    """Format a value as TOML, which has no null."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_format_values(value)) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_format_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
