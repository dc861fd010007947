"""Fixtures: the stores that the contract tests run on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wayword.graph.store import Store

from ...support.stores import STORES, WITH_CYPHER

_MARKS = (pytest.mark.server, pytest.mark.xdist_group("neo4j"))


def _parameters(*names: str) -> list[object]:
    return [pytest.param(name, marks=_MARKS) if name == "neo4j" else name for name in names]


@pytest.fixture(params=_parameters(*STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind in turn."""
    with STORES[request.param](tmp_path) as opened:
        yield opened


@pytest.fixture(params=_parameters(*WITH_CYPHER))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each kind that has Cypher."""
    with STORES[request.param](tmp_path) as opened:
        yield opened
