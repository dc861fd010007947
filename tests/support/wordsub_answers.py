"""Scores of WordSub by an independent implementation: ``wordsub-checks.csv`` of the test data."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from wayword import Graph, Match


def compare_answers(data: Path, graph: Graph, every: int = 1) -> Iterator[tuple[dict[str, str], Match]]:
    """Yield rows, with the scores under ``word`` and ``synset``, and the match that the graph finds: all, or every so many."""
    with (data / "wordnet" / "wordsub-checks.csv").open(encoding="utf-8") as file:
        for row in islice(csv.DictReader(file), 0, None, every):
            yield row, graph.score(row["substitute"], row["substitutee"])
