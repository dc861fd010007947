"""The searches in C on damaged arrays, in several threads, and under Ctrl-C; ``test_paths`` compares their results."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.native_code import PARTS, load_native, native_parts
from wayword.search.bases.array_builder import Transitions, flat_transitions, transition_arrays
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.projection import Projection
from wayword.search.errors import ArraysDamaged
from wayword.search.paths.best_first import best_first
from wayword.search.paths.native_search import NativeSearch, open_native_search
from wayword.search.paths.target_sets import TargetSets
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.transitions import TransitionKind

ROOT = Path(__file__).parents[3]
NODES = 3000


def arrays_of(nodes: int = NODES, seed: int = 0) -> dict[str, Any]:
    """Return the arrays of a random graph, in which one node is a hub."""
    rng = np.random.default_rng(seed)
    start, end = rng.integers(0, nodes, (2, 4 * nodes))
    hub = np.zeros(nodes // 2, np.int64), rng.permutation(nodes)[: nodes // 2]
    kinds = [TransitionKind.SIMILAR, TransitionKind.DERIVATION]
    pieces = [flat_transitions((start[number::2], end[number::2]), kind) for number, kind in enumerate(kinds)]
    return transition_arrays([*pieces, Transitions(*hub, TransitionKind.SIMILAR, share=rng.random(nodes // 2))], nodes)


def content_of(arrays: dict[str, Any], nodes: int = NODES) -> bytearray:
    content = BytesIO()
    write_arrays(content, {"base": "random", "kind": "wordnet", "nodes": nodes, "has equivalents": False}, arrays)
    return bytearray(content.getvalue())


def native_search(content: bytearray, *, max_checked: int = 0, **parameters: Any) -> NativeSearch:
    """Open the searches of a graph; the blocks of the arrays are verified when they are used."""
    projection = Projection(Arrays(memoryview(content), max_checked=max_checked))
    found = open_native_search(projection, Parameters(**parameters))
    assert found is not None
    return found


def test_a_flipped_bit_raises_an_error_when_its_block_is_read() -> None:
    content = content_of(arrays_of())
    intact = native_search(content)
    expected = [intact.search([one], [2000 - one]) for one in range(100)]
    position = content.index(arrays_of()["out next"].tobytes())
    content[position + 100] ^= 4
    damaged = native_search(content)

    def search_all() -> None:
        for one in range(100):
            assert damaged.search([one], [2000 - one]) == expected[one]

    with pytest.raises(ArraysDamaged, match="is damaged, so it was deleted"):
        search_all()


@given(
    st.sampled_from([f"{direction} {name}" for direction in ("out", "in") for name in ("offsets", "next", "class", "group")]),
    st.lists(st.tuples(st.integers(0, NODES), st.integers(-(2**31), 2**31 - 1)), min_size=1, max_size=200),
    st.integers(0, 100),
    st.sampled_from([0.0, 0.2]),
)
def test_numbers_out_of_range_raise_errors_though_the_checksums_are_right(
    name: str, changes: list[tuple[int, int]], seed: int, ic_aside: float
) -> None:
    arrays = arrays_of()
    for place, value in changes:
        arrays[name][place] = value
    search = native_search(content_of(arrays), threshold=0.01, ic_aside=ic_aside)
    rng = random.Random(seed)
    sets = TargetSets([(rng.randrange(NODES),) for _ in range(20)])
    for _ in range(5):
        try:
            path = search.search([rng.randrange(NODES)], [rng.randrange(NODES)])
            assert path is None or all(0 <= node < NODES for node in path.nodes)
            scores = [*search.scores([rng.randrange(NODES)], sets), *search.scores([rng.randrange(NODES)], sets, [3, 1])]
            assert all(0.0 <= score <= 1.0 for score in scores)
        except ArraysDamaged:
            pass


@pytest.mark.parametrize(
    "arguments",
    [((NODES,), (0,)), ((0,), (-1,)), ([0], (0,)), ((0,), (2**70,)), ((0,), (1,), (0.5, 1.0)), ((0,), (1,), (float("nan"),))],
)
def test_ends_out_of_range_are_refused(arguments: tuple[Any, ...]) -> None:
    searcher = native_search(content_of(arrays_of()))._searcher
    with pytest.raises((ValueError, TypeError, OverflowError)):
        searcher.search(*arguments)


def test_target_sets_out_of_range_are_refused() -> None:
    search = native_search(content_of(arrays_of()))
    sets = TargetSets([(1, 2), (3,)])
    with pytest.raises(ValueError, match="out of range"):
        search.scores([0], sets, [2])
    sets.nodes[0] = NODES
    with pytest.raises(ValueError, match="out of range"):
        search.scores([0], sets)


def test_threads_search_side_by_side_with_the_same_results() -> None:
    search = native_search(content_of(arrays_of()), threshold=0.02)
    pairs = [(one, (7 * one) % NODES) for one in range(400)]
    expected = [search.search([one], [other]) for one, other in pairs]
    found: list[list[Any]] = []
    threads = [
        threading.Thread(target=lambda: found.append([search.search([one], [other]) for one, other in pairs])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()


def test_ctrl_c_ends_a_long_search_at_once() -> None:
    search = native_search(content_of(arrays_of(200_000), 200_000), threshold=0.0)
    sets = TargetSets([(node,) for node in range(100)])

    def search_for_ever() -> None:
        while True:
            search.scores([0], sets)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.3):
        search_for_ever()
    assert time.monotonic() - start < 3


@given(st.integers(0, 10_000), st.sampled_from([0.05, 0.2, 0.4]))
def test_the_weight_of_a_source_is_a_step_to_it_and_that_of_a_target_a_factor_at_the_end(seed: int, threshold: float) -> None:
    rng = random.Random(seed)
    nodes, kinds = 30, {1.0: TransitionKind.SAME, 0.5: TransitionKind.SIMILAR}
    edges = [(rng.randrange(nodes), rng.randrange(nodes), TransitionKind.DERIVATION) for _ in range(60)]
    sources, targets = rng.sample(range(nodes), 3), rng.sample(range(nodes), 3)
    weights = [tuple(rng.choice(list(kinds)) for _ in range(3)) for _ in range(2)]
    steps = [(nodes + place, node, kinds[weight]) for place, (node, weight) in enumerate(zip(sources, weights[0], strict=True))]
    parameters = Parameters(threshold=threshold)
    projections = []
    for rows in (edges, edges + steps):
        pieces = [flat_transitions((np.array([one]), np.array([other])), kind) for one, other, kind in rows]
        content = content_of(transition_arrays(pieces, nodes + 3), nodes + 3)
        projections.append(Projection(Arrays(memoryview(content))))
    search = open_native_search(projections[0], parameters)
    assert search is not None
    found = search.search(sources, targets, *weights)
    view: WeightedView[int] = WeightedView(projections[1], parameters)  # type: ignore[arg-type]
    paths = best_first(view, range(nodes, nodes + 3), [[target] for target in targets])
    expected = max(weight * (path.score if path else 0.0) for path, weight in zip(paths, weights[1], strict=True))
    assert (found.score if found else 0.0) == pytest.approx(expected, rel=1e-12)


def test_both_parts_in_c_run_where_there_is_a_compiler() -> None:
    assert native_parts() == dict.fromkeys(PARTS, "C")


def test_the_environment_can_ask_for_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYWORD_NATIVE", "0")
    load_native.cache_clear()
    try:
        assert native_parts() == dict.fromkeys(PARTS, "Python")
    finally:
        load_native.cache_clear()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("source", sorted({*ROOT.glob("search/**/native.c"), *ROOT.glob("loaders/**/native.c")}), ids=str)
def test_the_c_code_compiles_without_a_warning(source: Path) -> None:
    command = ["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{sysconfig.get_path('include')}"]
    subprocess.run([*command, str(source)], check=True, timeout=120)
