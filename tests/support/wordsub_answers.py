"""Scores of WordSub by an independent implementation: ``wordsub-checks.csv`` of the test data."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from wayword import Graph, Match


def compare_answers(data: Path, graph: Graph) -> Iterator[tuple[dict[str, str], Match]]:
    """Yield each row, with the scores under ``word`` and ``synset``, and the match that the graph finds."""
    with (data / "wordnet" / "wordsub-checks.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield row, graph.score(row["substitute"], row["substitutee"])
