"""Right answers about WordSub that somebody else found: ``wordsub-checks.csv`` of the test data."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from wayword import Graph, Match


def answered(data: Path, graph: Graph) -> Iterator[tuple[dict[str, str], Match]]:
    """Each row, with a score under ``word`` and under ``synset``, and what the graph answers."""
    with (data / "wordnet" / "wordsub-checks.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield row, graph.score(row["substitute"], row["substitutee"])
