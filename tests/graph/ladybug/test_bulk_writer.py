"""Loads written in several steps store the same graph, and report the same errors, as loads written at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from wayword.graph.errors import LoadError
from wayword.graph.ladybug import bulk_writer
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.records import Batch
from wayword.graph.schema import NODES, RELATIONSHIPS
from wayword.graph.store import Store

from ...support.graphs import animals, base, edges, nodes, sibling_files, wiki

pytestmark = pytest.mark.slow

STEPS = pytest.mark.parametrize(
    ("max_unwritten", "piece"),
    [(100, 70), (10, 1_000_000), (1_000_000, 500)],
    ids=["in pieces, each written", "table by table", "in pieces, written at the end"],
)
"""Rows kept in memory, and relationships copied at once."""


def _articles(count: int, links: int) -> list[Batch]:
    """A wiki of articles with many links; a few are linked by most others, some several times."""
    random_numbers = random.Random(7)
    ids = [f"wiki:{number}" for number in range(count)]
    rows = [
        (
            random_numbers.choice(ids),
            ids[int(random_numbers.random() ** 3 * count)],
            {"rank": None if number % 5 == 0 else number, "place": number, "anchor": f"anchor {random_numbers.randrange(20)}"},
        )
        for number in range(links)
    ]
    return [nodes("Article", *({"id": each, "name": each} for each in ids)), edges("LINKS_TO", *rows)]


def _all_rows(store: Store) -> dict[str, list[str]]:
    """Every row of every table, sorted."""
    tables = {label: store.stream_nodes(label) for label in NODES if label != "Base"}
    tables |= {name: store.stream_edges(name) for name in RELATIONSHIPS}
    return {name: sorted(str(row) for batch in batches for row in batch.to_pylist()) for name, batches in tables.items()}


def _links(store: Store, count: int) -> object:
    """The links, read from both ends."""
    ids = [f"wiki:{number}" for number in range(count)]
    return store.links(ids), store.edges(ids, ["LINKS_TO"], "in"), store.edges(ids, ["LINKS_TO"], "out")


def _load(path: Path) -> tuple[object, ...]:
    """The content of a store after loads that replace one base and copy the others."""
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
        store.replace_base(base("wiki", "wikipedia"), wiki())
        small = _all_rows(store)
        store.replace_base(base("wiki", "wikipedia"), _articles(60, 900))
        store.replace_base(base("other"), animals("other"))
        return small, _all_rows(store), _links(store, 60), store.counts()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """The content when each load is written at once."""
    return _load(tmp_path_factory.mktemp("once") / "graph")


@STEPS
def test_loads_written_in_steps_store_the_same_graph(
    path: Path, expected: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, max_unwritten: int, piece: int
) -> None:
    monkeypatch.setattr(bulk_writer, "MAX_UNWRITTEN", max_unwritten)
    monkeypatch.setattr(bulk_writer, "PIECE", piece)
    assert _load(path) == expected
    assert sibling_files(path) == [path.name]


@STEPS
def test_an_error_in_a_later_step_leaves_the_store_unchanged(
    path: Path, monkeypatch: pytest.MonkeyPatch, max_unwritten: int, piece: int
) -> None:
    monkeypatch.setattr(bulk_writer, "MAX_UNWRITTEN", max_unwritten)
    monkeypatch.setattr(bulk_writer, "PIECE", piece)
    with EmbeddedStore(path) as store:
        store.replace_base(base("wiki", "wikipedia"), _articles(20, 300))
        before = store.bases(), _all_rows(store)
        for wrong, message in (
            (edges("LINKS_TO", ("wiki:1", "wiki:nowhere")), "a LINKS_TO leads from or to 'wiki:nowhere'"),
            (nodes("Article", {"id": "wiki:1", "name": "again"}), "two rows of Article have the id 'wiki:1'"),
            (
                nodes("Redirect", {"id": "wiki:1", "name": "as well"}),
                "rows of Article and Redirect have the same id 'wiki:1'; give each node its own id",
            ),
        ):
            with pytest.raises(LoadError, match=message):
                store.replace_base(base("wiki", "wikipedia"), [*_articles(20, 300), wrong])
        assert (store.bases(), _all_rows(store)) == before
    assert sibling_files(path) == [path.name]
