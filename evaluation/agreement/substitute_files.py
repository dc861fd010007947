"""Read SWORDS (Lee, Donahue, Jia, Iyabor and Liang, 2021): words in context, with substitutes that people accepted or not."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.messages import quote_value
from ...core.normalisation import normalise
from ...search.scoring.aspects import is_valid
from ..errors import GoldError
from .gold_files import read_json

WHAT = "a SWORDS file, such as swords-v1.1_dev.json.gz"
ACCEPTED, LABELS = {"TRUE", "TRUE_IMPLICIT"}, {"TRUE", "TRUE_IMPLICIT", "FALSE", "FALSE_IMPLICIT", "UNSURE"}


@dataclass(frozen=True, slots=True)
class Target:
    """A word and the substitutes that people judged for it.

    - ``word``: the word as its text has it
    - ``substitutes``: the phrases judged
    - ``weights``: for each the share of people who accepted it, from 0 to 1
    """

    word: str
    substitutes: tuple[str, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Targets:
    """The targets of a file, and what is left out.

    - ``targets``: the targets with an accepted substitute
    - ``left_out``: the number of others, by reason
    """

    targets: tuple[Target, ...]
    left_out: dict[str, int]


def read_swords(file: str | os.PathLike[str]) -> Targets:
    """Read a SWORDS file; contexts are ignored.

    Left out are substitutes that are their target itself, in normalised form, or too long for a phrase, and targets
    without an accepted substitute.

    Args:
        file: The path of a JSON file, which may be compressed with gzip.

    Raises:
        GoldError: The file cannot be read or is not of this format.
    """
    path = Path(file)
    content = read_json(path, WHAT)
    words, entries, labels = (content.get(name) for name in ("targets", "substitutes", "substitute_labels"))
    if not isinstance(words, dict) or not isinstance(entries, dict) or not isinstance(labels, dict):
        raise GoldError(f"{path}: there are no targets, substitutes and substitute_labels; give {WHAT}")
    grouped: dict[str, dict[str, float]] = {id: {} for id in words}
    left_out = Counter[str]()
    for id, entry in entries.items():
        place = f"{path}, substitute {quote_value(id)}"
        target, substitute = _get(place, entry, "target_id"), _get(place, entry, "substitute")
        if target not in grouped:
            raise GoldError(f"{place}: there is no target {quote_value(target)}; download the file again")
        word = _get(f"{path}, target {quote_value(target)}", words[target], "target")
        weight = _weigh(place, labels.get(id))
        if (normal := normalise(substitute)) == normalise(word):
            left_out["substitute_is_target"] += 1
        elif not is_valid(normal):
            left_out["overlong_substitute"] += 1
        else:
            grouped[target][substitute] = weight
    found = []
    for id, weights in grouped.items():
        if any(weights.values()):
            found.append(Target(words[id]["target"], tuple(weights), tuple(weights.values())))
        else:
            left_out["no_accepted_substitute"] += 1
    if not found:
        raise GoldError(f"{path}: no target has an accepted substitute; give {WHAT}")
    return Targets(tuple(found), dict(left_out))


def _get(place: str, value: Any, name: str) -> str:
    text = value.get(name) if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise GoldError(f"{place}: the {name} is {quote_value(text)}; download the file again")
    return text


def _weigh(place: str, labels: Any) -> float:
    if not isinstance(labels, list) or not labels or not set(map(str, labels)) <= LABELS:
        raise GoldError(f"{place}: the labels are {quote_value(labels)}; expected a list of {', '.join(sorted(LABELS))}")
    return sum(label in ACCEPTED for label in labels) / len(labels)
