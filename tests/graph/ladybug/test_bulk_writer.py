"""Large loads are stored in steps: what comes out is what comes out of one, and so is what goes wrong."""

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

from ...support.graphs import animals, base, beside, edges, nodes, wiki

pytestmark = pytest.mark.slow

SETTLED_AND_CUT = pytest.mark.parametrize(
    ("settle", "piece"),
    [(100, 70), (10, 1_000_000), (1_000_000, 500)],
    ids=["in pieces, each settled", "table by table", "in pieces, settled at the end"],
)
"""How many rows of tables are held, and how many relationships are taken at once."""


def _articles(count: int, links: int) -> list[Batch]:
    """A wiki of articles alone, much linked, a few of them by most of the others, some several times."""
    chance = random.Random(7)
    ids = [f"wiki:{number}" for number in range(count)]
    rows = [
        (
            chance.choice(ids),
            ids[int(chance.random() ** 3 * count)],
            {"rank": None if number % 5 == 0 else number, "place": number, "anchor": f"anchor {chance.randrange(20)}"},
        )
        for number in range(links)
    ]
    return [nodes("Article", *({"id": each, "name": each} for each in ids)), edges("LINKS_TO", *rows)]


def _whole(store: Store) -> dict[str, list[str]]:
    """Every row of every table, in some order that does not depend on where it lies."""
    found = {label: store.stream_nodes(label) for label in NODES if label != "Base"}
    found |= {name: store.stream_edges(name) for name in RELATIONSHIPS}
    return {name: sorted(str(row) for batch in batches for row in batch.to_pylist()) for name, batches in found.items()}


def _around(store: Store, count: int) -> object:
    """The links as one finds them from each of their ends."""
    ids = [f"wiki:{number}" for number in range(count)]
    return store.links(ids), store.edges(ids, ["LINKS_TO"], "in"), store.edges(ids, ["LINKS_TO"], "out")


def _load(path: Path) -> tuple[object, ...]:
    """What a store holds after a few loads, the last of which keep what the others have brought."""
    with EmbeddedStore(path) as store:
        store.replace_base(base(), animals())
        store.replace_base(base("wiki", "wikipedia"), wiki())
        small = _whole(store)
        store.replace_base(base("wiki", "wikipedia"), _articles(60, 900))
        store.replace_base(base("other"), animals("other"))
        return small, _whole(store), _around(store, 60), store.counts()


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """What the loads come to when each is stored in one go."""
    return _load(tmp_path_factory.mktemp("once") / "graph")


@SETTLED_AND_CUT
def test_what_is_stored_in_steps_is_what_is_stored_in_one(
    path: Path, at_once: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, settle: int, piece: int
) -> None:
    monkeypatch.setattr(bulk_writer, "SETTLE", settle)
    monkeypatch.setattr(bulk_writer, "PIECE", piece)
    assert _load(path) == at_once
    assert beside(path) == [path.name]


@SETTLED_AND_CUT
def test_what_is_wrong_in_a_later_step_leaves_the_store_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, settle: int, piece: int
) -> None:
    monkeypatch.setattr(bulk_writer, "SETTLE", settle)
    monkeypatch.setattr(bulk_writer, "PIECE", piece)
    with EmbeddedStore(path) as store:
        store.replace_base(base("wiki", "wikipedia"), _articles(20, 300))
        before = store.bases(), _whole(store)
        for wrong, said in (
            (edges("LINKS_TO", ("wiki:1", "wiki:nowhere")), "a LINKS_TO leads from or to 'wiki:nowhere'"),
            (nodes("Article", {"id": "wiki:1", "name": "again"}), "two rows of Article have the id 'wiki:1'"),
            (
                nodes("Redirect", {"id": "wiki:1", "name": "as well"}),
                "a row of Article and one of Redirect have the id 'wiki:1'; an id names one node: ",
            ),
        ):
            with pytest.raises(LoadError, match=said):
                store.replace_base(base("wiki", "wikipedia"), [*_articles(20, 300), wrong])
        assert (store.bases(), _whole(store)) == before
    assert beside(path) == [path.name]
