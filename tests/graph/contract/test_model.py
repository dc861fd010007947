"""Property tests: after the same random loads all stores return the same.

The stores stay open over all examples; each example begins by emptying the bases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from wayword.graph.errors import LoadError
from wayword.graph.records import Base, Batch, Direction
from wayword.graph.schema import RELATIONSHIPS
from wayword.graph.store import Store

from ...support.examples import share_of_examples
from ...support.graphs import base, edges, nodes
from ...support.stores import STORES

BASES = ("one", "two")
WORDS = ("dog", "it's", 'a "b"\\', "ש\n")
KEYS = ("1-n", "2-n", "Dog")
TYPES = ("HYPERNYM", "DERIVATION", "RELATED", "SENSE", "FORM", "INFLECTION_OF")

Load = tuple[str, list[Batch]]

_number = st.none() | st.integers(0, 3)
_text = st.none() | st.sampled_from(["", "dog", "ß\\'"])
_properties: dict[str, st.SearchStrategy[Any]] = {
    "string": _text,
    "int": _number,
    "float": st.none() | st.sampled_from([0.0, 0.1, 1.0]),
    "bool": st.none() | st.booleans(),
}


@st.composite
def _edges(draw: st.DrawFn, type: str, starts: list[str], targets: list[str]) -> Batch | None:
    if not starts or not targets:
        return None
    kinds = RELATIONSHIPS[type].properties
    pairs = draw(st.lists(st.tuples(st.sampled_from(starts), st.sampled_from(targets)), max_size=4, unique=True))
    rows = [(*pair, {name: draw(_properties[kind]) for name, kind in kinds.items()}) for pair in pairs]
    return edges(type, *rows) if rows else None


@st.composite
def loads(draw: st.DrawFn) -> Load:
    """The rows of one base, sometimes with an invalid one."""
    name = draw(st.sampled_from(BASES))
    words = draw(st.lists(st.sampled_from(WORDS), unique=True))
    stems = draw(st.lists(st.sampled_from(WORDS), unique=True))
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    labels, synsets = [f"{name}/{word}" for word in words], [f"{name}:{key}" for key in keys]
    batches: list[Batch | None] = []
    if stems:
        batches.append(nodes("Stem", *({"id": stem} for stem in stems)))
    if labels:
        batches.append(nodes("Label", *({"id": f"{name}/{word}", "name": word, "uses": draw(_number)} for word in words)))
    lemmas = st.none() | st.lists(st.sampled_from(WORDS), max_size=2)
    if synsets:
        rows = ({"id": each, "name": draw(_text), "lemmas": draw(lemmas), "hyponyms": draw(_number)} for each in synsets)
        batches.append(nodes("Synset", *rows))
    batches.append(draw(_edges("FORM", stems, labels)))
    batches.append(draw(_edges("SENSE", labels, synsets)))
    batches.append(draw(_edges("INFLECTION_OF", labels, labels)))
    batches += [draw(_edges(each, synsets, synsets)) for each in ("HYPERNYM", "DERIVATION", "RELATED")]
    invalid = draw(st.sampled_from([None] * 8 + ["end", "twice", "foreign"]))
    if invalid == "end":
        batches.append(edges("HYPERNYM", (f"{name}:1-n", f"{name}:nowhere")))
    elif invalid == "twice":
        batches.append(nodes("Synset", {"id": f"{name}:9"}, {"id": f"{name}:9"}))
    elif invalid == "foreign":
        batches.append(nodes("Synset", {"id": "three:9"}))
    return name, [batch for batch in batches if batch is not None]


def _read_everything(store: Store) -> dict[str, Any]:
    """Everything that can be read of the bases."""
    ids = [f"{name}{mark}{key}" for name in BASES for mark, keys in (("/", WORDS), (":", KEYS)) for key in keys]
    directions: tuple[Direction, ...] = ("out", "in")
    result: dict[str, Any] = {"counts": {name: counted for name, counted in store.counts().items() if counted}}
    result["bases"] = [(each.id, each.kind, each.source, dict(each.left_out), dict(each.options)) for each in store.bases()]
    result["nodes"] = store.nodes([*ids, *WORDS])
    for name in BASES:
        result[f"labels {name}"] = store.labels(name, [*WORDS, "nothing"])
        result[f"labels by stem {name}"] = store.labels_by_stem(name, [*WORDS, "nothing"])
        for type in TYPES:
            result[f"{type} {name}"] = _rows(store.stream_edges(type, name))
        result[f"synsets {name}"] = _rows(store.stream_nodes("Synset", name))
    for direction in directions:
        result[f"edges {direction}"] = store.edges([*ids, *WORDS], TYPES, direction)
    result["stems"] = _rows(store.stream_nodes("Stem"))
    return result


def _rows(batches: Iterator[Any]) -> list[str]:
    return sorted(repr(sorted(row.items())) for batch in batches for row in batch.to_pylist())


def _outcome(store: Store, described: Base, batches: list[Batch]) -> str:
    try:
        store.replace_base(described, batches)
    except LoadError:
        return "refused"
    return "loaded"


def _compare(stores: dict[str, Store], steps: list[Load]) -> None:
    for store in stores.values():
        for name in BASES:
            store.replace_base(base(name), [])
    for number, (name, batches) in enumerate(steps):
        before = {kind: store.revision() for kind, store in stores.items()}
        described = base(name, f"kind {number}", number=number)
        outcomes = {kind: _outcome(store, described, batches) for kind, store in stores.items()}
        assert len(set(outcomes.values())) == 1, outcomes
        loaded = set(outcomes.values()) == {"loaded"}
        assert all((store.revision() > before[kind]) == loaded for kind, store in stores.items())
        answers = {kind: _read_everything(store) for kind, store in stores.items()}
        expected = answers.pop("memory")
        for kind, answer in answers.items():
            for name_, value in answer.items():
                assert value == expected[name_], (kind, name_)


def _open(stack: ExitStack, folder: Path, names: tuple[str, ...]) -> dict[str, Store]:
    return {name: stack.enter_context(STORES[name](folder)) for name in names}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """The in-memory store and the embedded store."""
    with ExitStack() as stack:
        yield _open(stack, tmp_path_factory.mktemp("model"), ("memory", "embedded"))


@pytest.fixture(scope="module")
def all_stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """Every store."""
    with ExitStack() as stack:
        yield _open(stack, tmp_path_factory.mktemp("model"), tuple(STORES))


_SUPPRESSED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]


@pytest.mark.slow
@share_of_examples(0.15, suppress=_SUPPRESSED)
@given(st.lists(loads(), min_size=1, max_size=3))
def test_the_embedded_store_equals_the_in_memory_store(local: dict[str, Store], steps: list[Load]) -> None:
    _compare(local, steps)


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.xdist_group("neo4j")
@share_of_examples(0.08, suppress=_SUPPRESSED)
@given(st.lists(loads(), min_size=1, max_size=2))
def test_every_store_equals_the_in_memory_store(all_stores: dict[str, Store], steps: list[Load]) -> None:
    assert set(all_stores) == set(STORES)
    _compare(all_stores, steps)
