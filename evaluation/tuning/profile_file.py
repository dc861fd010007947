"""Write tuned parameters as a profile: a TOML file that says how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ... import __version__
from ...core.atomic_files import atomic_write
from ...search.scoring.parameters import PROVENANCE
from .results import Tuning


def write_profile(path: Path, tuning: Tuning, profile: str, bases: Sequence[Mapping[str, Any]]) -> None:
    """Write the parameters of a tuning with their provenance; ``search.scoring.parameters.read_profile`` reads the file.

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
        "folds": len(tuning.folds),
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
    for base in bases:
        lines += ["", f"[[{PROVENANCE}.bases]]", *_format_values(base)]
    return "\n".join(lines) + "\n"


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
