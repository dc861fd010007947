"""Small thesauri of hashtags, as files and as plain values."""

from __future__ import annotations

import csv
from pathlib import Path

from wayword.core.thesaurus import Thesaurus

Row = tuple[str, str, int, float]

HEALTH: list[Row] = [
    ("#flu", "#grippe", 1, 0.1),
    ("#flu", "#influenza", 2, 0.125),
    ("#flu", "#cold", 3, 0.25),
    ("#cold", "#flu", 1, 0.25),
    ("#grippe", "#influenza", 1, 0.2),
    ("#influenza", "#flu", 1, 0.125),
    ("#influenza", "#grippe", 2, 0.2),
]


def write_thesaurus(file: Path, rows: list[Row], tweets: dict[str, int] | None = None) -> Path:
    """Write a thesaurus as CSV; with ``tweets`` each hashtag has a row of rank 0 that counts them."""
    with file.open("w", encoding="utf-8", newline="") as target:
        write = csv.writer(target).writerow
        write(("hashtag", "synonym", "rank", "distance", *(["tweets"] if tweets else [])))
        for name, count in (tweets or {}).items():
            write((name, name, 0, 0.0, count))
        for row in rows:
            write((*row, *([""] if tweets else [])))
    return file


def to_rows(thesaurus: Thesaurus) -> dict[str, list[tuple[str, int, float | None]]]:
    """Return the synonyms of each hashtag as plain values, with None for unknown distances."""
    return {
        name: [(other, rank, None if distance != distance else distance) for other, rank, distance in thesaurus.of(name) or ()]
        for name in sorted(thesaurus.hashtags)
    }
