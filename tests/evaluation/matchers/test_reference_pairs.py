"""All matchers equal an independent implementation on 200 pairs of keyphrases."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

import wayword
from wayword.evaluation.matchers import Resources, open_matchers

COLUMNS = (
    "exact",
    "r_precision",
    "r_precision_stem",
    "modified_r_precision",
    "modified_r_precision_stem",
    "bleu",
    "bleu_stem",
    "rouge1",
    "rouge1_stem",
    "rouge2",
    "rouge2_stem",
    "nist",
    "nist_stem",
    "meteor",
)


@pytest.fixture(scope="module")
def resources(data: Path, wordnet31: Path) -> Iterator[Resources]:
    with wayword.open(wordnet31) as graph:
        yield Resources(lambda _: graph, corpus=str(data / "checks" / "baselines" / "nist_corpus.txt"))


@pytest.fixture(scope="module")
def rows(data: Path) -> list[dict[str, str]]:
    with (data / "checks" / "baselines" / "pairs.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("name", COLUMNS)
def test_scores_equal_those_of_an_independent_implementation(
    name: str, resources: Resources, rows: list[dict[str, str]]
) -> None:
    assert len(rows) == 200
    (matcher,) = open_matchers([name], resources).values()
    found = list(matcher.score_many((row["candidate"], row["gold"]) for row in rows))
    assert found == pytest.approx([float(row[name]) for row in rows], abs=1e-9)
