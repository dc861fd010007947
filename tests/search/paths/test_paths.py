"""All searches give the results of the algorithms of the thesis, on any graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from math import isclose, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.records import Direction
from wayword.graph.store import Store
from wayword.search.bases.array_builder import Transitions, transition_arrays
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.projection import Projection
from wayword.search.bases.view import CacheInfo, Entity, TargetLabel, Transition, View
from wayword.search.paths.best_first import best_first
from wayword.search.paths.bidirectional import search_both_ends
from wayword.search.paths.weighted import WeightedView
from wayword.search.results import Target
from wayword.search.scoring.aspects import find_targets
from wayword.search.scoring.cover import greedy_cover, harmonic_mean
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.transitions import STEP_LENGTH, TransitionClass, TransitionKind

from ...oracles import algorithms
from ...support.searches import ArraySearches

HUB_DEGREE = 128
"""The searches in C expand a node with more transitions than this class by class."""

KINDS = [
    *(
        TransitionKind.SAME,
        TransitionKind.SIMILAR,
        TransitionKind.DERIVATION,
        TransitionKind.WORD_DERIVATION,
        TransitionKind.SPECIALISATION,
        TransitionKind.GENERALISATION,
    ),
    *(TransitionKind.CENTRAL, TransitionKind.CROSSING_ON, TransitionKind.CROSSING_BACK),
    *(TransitionKind.VERB_SPECIALISATION, TransitionKind.INSTANCE_GENERALISATION, TransitionKind.PART_OF),
]
Edge = tuple[int, int, TransitionKind, int] | tuple[int, int, TransitionKind, int, bool, float]
"""The nodes of a transition, and the fields of its class."""


class GraphView:
    """A view of a random graph: nodes are numbers."""

    bases: tuple[str, ...] = ("random",)
    languages: tuple[str, ...] = ("en",)
    has_word_derivations = True
    forward_only = False

    def __init__(self, edges: Iterable[Edge]) -> None:
        self.sides: dict[Direction, defaultdict[int, list[Transition[int]]]] = {
            "out": defaultdict(list),
            "in": defaultdict(list),
        }
        for start, end, *how in edges:
            transition = TransitionClass(*how)
            if transition.kind is TransitionKind.CENTRAL:  # all are of one class
                transition = TransitionClass(TransitionKind.CENTRAL)
                if start != end:
                    self._add(end, start, transition)
            self._add(start, end, transition)

    def _add(self, start: int, end: int, transition: TransitionClass) -> None:
        self.sides["out"][start].append((end, transition))
        self.sides["in"][end].append((start, transition))

    def edges(self) -> list[Edge]:
        return [(start, end, *how) for start, out in self.sides["out"].items() for end, how in out]  # type: ignore[misc]

    def transitions(
        self, node: int, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> Sequence[Transition[int]]:
        return [each for each in self.sides[direction][node] if each[1].kind not in without]

    def equivalents(self, node: int) -> Sequence[int]:
        return [other for other, how in self.sides["out"][node] if how.kind is TransitionKind.CENTRAL and other != node]

    def linking_word(self, node: int, following: int) -> str | None:
        raise AssertionError(node, following)

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        raise AssertionError(store, text, parameters)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        raise AssertionError(words, parameters)

    def rename_to_label(self, entity: Entity, label: str) -> Entity:
        raise AssertionError(entity, label)

    def entities(self, nodes: Sequence[int]) -> list[Entity]:
        return [Entity(str(node), str(node), None, "Synset") for node in nodes]

    def prefetch_from(self, direction: Direction, frontier: Sequence[tuple[float, Sequence[int]]]) -> None:
        assert direction in self.sides
        assert all(node in range(6000) for _, level in frontier for node in level)

    def cache_info(self) -> dict[str, CacheInfo]:
        return {}


CLASSES = (st.sampled_from(KINDS), st.integers(1, 6), st.booleans(), st.sampled_from([0.25, 0.5, 1.0]))
"""Draw the fields of a class of transitions."""


@st.composite
def questions(draw: st.DrawFn, largest: int = 14) -> tuple[WeightedView[int], list[int], list[list[int]]]:
    """Draw a graph with parameters, a source set and some target sets."""
    size = draw(st.integers(1, largest))
    node = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(node, node, *CLASSES), max_size=50))
    ic_down, ic_up, ic_aside = draw(st.sampled_from([(0.0, 0.0, 0.0), (0.5, 1.0, 0.0), (1.0, 0.5, 0.0), (0.5, 0.0, 0.5)]))
    parameters = Parameters(
        sim=draw(st.sampled_from([0.0, 0.25, 0.5, 0.9, 1.0])),
        der=draw(st.sampled_from([0.3, 0.7, 1.0])),
        central=draw(st.sampled_from([0.0, 0.5, 0.99])),
        sp_min=draw(st.sampled_from([0.0, 0.2, 0.9])),
        gn_max=draw(st.sampled_from([0.0, 0.5, 0.99])),
        gn_shift=draw(st.sampled_from([0.1, 0.2, 0.3])),
        der_word=draw(st.sampled_from([0.0, 0.5, 1.0])),
        verb_down=draw(st.sampled_from([0.5, 1.0])),
        instance=draw(st.sampled_from([0.0, 1.0])),
        pos_change=draw(st.sampled_from([0.0, 0.5, 1.0])),
        part_of=draw(st.sampled_from([0.0, 0.5])),
        ic_down=ic_down,
        ic_up=ic_up,
        ic_aside=ic_aside,
        derivation=draw(st.sampled_from(["word", "synset"])),
        threshold=draw(st.sampled_from([0.0, 0.08, 0.25, 0.3, 0.49, 0.9, 1.0])),
    )
    sets = st.lists(node, min_size=1, max_size=3, unique=True)
    return WeightedView(GraphView(edges), parameters), draw(sets), draw(st.lists(sets, min_size=1, max_size=3))


def expand(view: WeightedView[int], sources: Sequence[int], targets: Sequence[int]) -> algorithms.Expand:
    def weight(node: int, other: int, transition: TransitionClass) -> float:
        same = transition.kind == TransitionKind.CENTRAL and (node in sources or other in targets)
        return 1.0 if same else view.parameters.weight(transition)

    return lambda node: [(other, weight(node, other, how)) for other, how in view.view.transitions(node, "out")]


@given(questions())
def test_every_search_gives_the_scores_of_the_transcription(
    question: tuple[WeightedView[int], list[int], list[list[int]]],
) -> None:
    view, sources, target_sets = question
    threshold = view.parameters.threshold
    expected = [algorithms.search(sources, targets, expand(view, sources, targets), threshold) for targets in target_sets]
    if all(kind is not TransitionKind.CENTRAL for _, _, kind, *_ in view.view.edges()):  # type: ignore[attr-defined]
        assert algorithms.multi_search(sources, target_sets, expand(view, sources, []), threshold) == expected
    plain = best_first(view, sources, target_sets)
    assert [found.score if found else 0.0 for found in plain] == expected
    assert [search_both_ends(view, sources, targets) for targets in target_sets] == plain


@given(questions())
def test_the_product_of_the_steps_of_a_path_is_its_score(
    question: tuple[WeightedView[int], list[int], list[list[int]]],
) -> None:
    view, sources, target_sets = question
    for targets, found in zip(target_sets, (search_both_ends(view, sources, targets) for targets in target_sets), strict=True):
        if found is None:
            continue
        assert found.nodes[0] in sources
        assert found.nodes[-1] in targets
        factors = [after / before for before, after in pairwise(found.scores)]
        for pair, factor in zip(pairwise(found.nodes), factors, strict=True):
            possible = {weight for other, weight in expand(view, sources, targets)(pair[0]) if other == pair[1]}
            assert any(isclose(factor, weight, rel_tol=1e-12) for weight in possible)
        assert isclose(prod(factors), found.score, rel_tol=1e-12)
        assert all(score >= view.parameters.threshold for score in found.scores[:-1])


@given(questions(), st.randoms(use_true_random=False))
def test_the_order_of_transitions_does_not_matter(
    question: tuple[WeightedView[int], list[int], list[list[int]]], random: Any
) -> None:
    view, sources, target_sets = question
    edges = view.view.edges()  # type: ignore[attr-defined]
    random.shuffle(edges)
    other = WeightedView(GraphView(edges), view.parameters)
    for targets in target_sets:
        assert search_both_ends(view, sources, targets) == search_both_ends(other, sources, targets)


@given(questions(largest=6))
def test_the_shortest_of_equally_scored_paths_is_chosen(question: tuple[WeightedView[int], list[int], list[list[int]]]) -> None:
    view, sources, target_sets = question
    exact = Parameters(
        sim=0.5, der=0.25, sp_min=0.5, sp_max=0.5, gn_max=0.0, threshold=1 / 64
    )  # powers of two: nothing is rounded
    view = WeightedView(view.view, exact)
    for targets in target_sets:
        found = search_both_ends(view, sources, targets)
        paths = sorted(all_paths(view, sources, targets))
        assert (found is None) == (not paths)
        if found is not None:
            negative, length = paths[0]
            # Of several transitions to a node the heaviest counts, and of equally heavy ones the shortest.
            ways = [sorted(view.transitions(node, "out"), key=lambda way: (way[0], -way[2])) for node in found.nodes]
            lengths = [{other: step for _, other, step in way} for way in ways]
            ends = sources.index(found.nodes[0]) + targets.index(found.nodes[-1])
            assert found.score == -negative
            assert ends + sum(lengths[index][node] for index, node in enumerate(found.nodes[1:])) == length


def all_paths(view: WeightedView[int], sources: Sequence[int], targets: Sequence[int]) -> Iterator[tuple[float, int]]:
    """Yield negative score and length of every loop-free path whose score before the last step is not below the threshold."""
    waiting = [(node, 1.0, index, frozenset({node})) for index, node in enumerate(sources)]
    while waiting:
        node, score, length, seen = waiting.pop()
        if node in targets:
            yield -score, length + targets.index(node)
        if score < view.parameters.threshold:
            continue
        equivalents = view.equivalents(node)
        yield from (
            (-score, length + STEP_LENGTH + targets.index(equivalent)) for equivalent in equivalents if equivalent in targets
        )
        steps = list(view.transitions(node, "out"))
        if len(seen) == 1:
            steps += [(1.0, equivalent, STEP_LENGTH) for equivalent in equivalents]
        for weight, other, step in steps:
            if other not in seen:
                waiting.append((other, score * weight, length + step, seen | {other}))


def test_the_path_between_preferred_senses_is_chosen_among_equals() -> None:
    pairs = [(0, 10, TransitionKind.SIMILAR, 0), (1, 11, TransitionKind.SIMILAR, 0), (2, 12, TransitionKind.WORD_DERIVATION, 0)]
    view = WeightedView(GraphView(pairs), Parameters(sim=0.7))
    searches = ArraySearches(build_projection(view.view), view.parameters)
    expected = {((2, 1, 0), (12, 11, 10)): (1, 11), ((0, 1), (11, 10)): (0, 10), ((5, 0, 4, 3), (3, 7, 4)): (3,)}
    for (sources, targets), nodes in expected.items():
        found = search_both_ends(view, sources, targets)
        assert found is not None
        assert found.nodes == nodes
        searches.check(sources, [targets], [found])


def test_a_node_below_the_threshold_is_reached_but_not_expanded() -> None:
    chain = [
        (0, 1, TransitionKind.DERIVATION, 0),
        (1, 2, TransitionKind.GENERALISATION, 3),
        (2, 3, TransitionKind.DERIVATION, 0),
    ]
    view = WeightedView(GraphView(chain), Parameters())
    reached = search_both_ends(view, [0], [2])
    assert reached is not None
    assert reached.score == pytest.approx(0.7 * 0.99 * (1.1 / 3**1.5 - 0.1))
    assert reached.score < 0.08
    assert search_both_ends(view, [0], [3]) is None


@given(
    st.integers(1, 6),
    st.sampled_from([TransitionKind.GENERALISATION, TransitionKind.SPECIALISATION, TransitionKind.SIMILAR]),
    st.integers(2, 3),
)
def test_the_last_step_of_a_long_path_may_lead_below_the_threshold(length: int, last: TransitionKind, breadth: int) -> None:
    """Each node has branches that lead nowhere, so that the two frontiers meet somewhere in the middle."""
    edges: list[Edge] = []
    for node in range(length):
        edges.append((node, node + 1, TransitionKind.DERIVATION, 0))
        edges += [(node, 100 * node + branch, TransitionKind.DERIVATION, 0) for branch in range(20, 30)]
        edges += [(100 * node + branch, node + 1, TransitionKind.GENERALISATION, 3) for branch in range(30, 40)]
    edges.append((length, length + 1, last, breadth))
    view = WeightedView(GraphView(edges), Parameters())
    targets = [[length + 1]]
    assert [search_both_ends(view, [0], each) for each in targets] == best_first(view, [0], targets)
    assert search_both_ends(view, [0], targets[0]) is not None


@pytest.mark.parametrize(("sources", "targets"), [([1, 0], [2, 3]), ([0, 1], [3, 2])])
def test_of_equally_long_paths_every_search_takes_that_to_the_smaller_target(sources: list[int], targets: list[int]) -> None:
    view = WeightedView(GraphView([(0, 2, TransitionKind.SIMILAR, 0), (1, 3, TransitionKind.SIMILAR, 0)]), Parameters(sim=1.0))
    plain = best_first(view, sources, [targets])[0]
    assert plain is not None
    assert plain.nodes == (0, 2)
    assert search_both_ends(view, sources, targets) == plain
    ArraySearches(build_projection(view.view), view.parameters).check(sources, [targets], [plain])


@given(questions())
def test_searches_over_arrays_find_the_same_paths(question: tuple[WeightedView[int], list[int], list[list[int]]]) -> None:
    view, sources, target_sets = question
    searches = ArraySearches(build_projection(view.view), view.parameters)
    searches.check(sources, target_sets, best_first(view, sources, target_sets))


@st.composite
def questions_with_hubs(draw: st.DrawFn) -> tuple[WeightedView[int], list[int], list[list[int]]]:
    """Draw the same with hubs: nodes with more than ``HUB_DEGREE`` transitions, which have only a few different weights."""
    view, *_ = draw(questions(largest=8))
    assert isinstance(view.view, GraphView)
    edges = view.view.edges()
    core, member = st.integers(0, 7), st.integers(20, 20 + HUB_DEGREE)
    how = st.tuples(CLASSES[0], st.integers(1, 40), *CLASSES[2:])
    for hub in draw(st.lists(core, min_size=1, max_size=2)):
        kinds, outward = draw(st.lists(how, min_size=1, max_size=3)), draw(st.booleans())
        members = range(20, 21 + HUB_DEGREE + draw(st.integers(0, HUB_DEGREE)))
        edges += [(*((hub, each) if outward else (each, hub)), *kinds[each % len(kinds)]) for each in members]
    edges += [(*pair, *draw(how)) for pair in draw(st.lists(st.tuples(member, st.one_of(core, member)), max_size=15))]
    edges += [(*pair, *draw(how)) for pair in draw(st.lists(st.tuples(core, member), max_size=15))]
    ends = st.lists(st.one_of(core, member), min_size=1, max_size=3, unique=True)
    return WeightedView(GraphView(edges), view.parameters), draw(ends), draw(st.lists(ends, min_size=1, max_size=3))


@given(questions() | questions_with_hubs(), st.data())
def test_every_search_multiplies_a_score_by_the_weights_of_its_ends(
    question: tuple[WeightedView[int], list[int], list[list[int]]], data: st.DataObject
) -> None:
    view, sources, target_sets = question

    def draw_weights(nodes: list[int]) -> list[float]:
        return data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=len(nodes), max_size=len(nodes)))

    at_sources, at_targets = draw_weights(sources), [draw_weights(targets) for targets in target_sets]
    found = best_first(view, sources, target_sets, source_weights=at_sources, target_weights=at_targets)
    for targets, weights, path in zip(target_sets, at_targets, found, strict=True):
        assert search_both_ends(view, sources, targets, at_sources, weights) == path
        alone = [best_first(view, sources, [[target]], source_weights=at_sources)[0] for target in targets]
        scores = [weight * (each.score if each else 0.0) for each, weight in zip(alone, weights, strict=True)]
        assert (path.score if path else 0.0) == max(scores)
    ArraySearches(build_projection(view.view), view.parameters).check(sources, target_sets, found, at_sources, at_targets)


@given(questions_with_hubs())
def test_every_search_finds_the_same_paths_through_hubs(question: tuple[WeightedView[int], list[int], list[list[int]]]) -> None:
    view, sources, target_sets = question
    found = [search_both_ends(view, sources, targets) for targets in target_sets]
    assert found == best_first(view, sources, target_sets)
    ArraySearches(build_projection(view.view), view.parameters).check(sources, target_sets, found)


def build_projection(view: View[int]) -> Projection:
    """Return the projection of a graph, written to memory."""
    assert isinstance(view, GraphView)
    edges = [*view.edges(), (0, 0, TransitionKind.SAME, 0, False, 1.0)]
    pieces = [
        Transitions(np.array([start]), np.array([end]), kind, *(np.array([field]) for field in fields))
        for start, end, kind, *fields in edges
    ]
    size = 1 + max(max(edge[:2]) for edge in [*edges, (20, 20)])
    content = BytesIO()
    arrays = transition_arrays(pieces, size)
    has_equivalents = bool((arrays["group kind"] == TransitionKind.CENTRAL).any())
    write_arrays(content, {"base": "random", "kind": "wordnet", "nodes": size, "has equivalents": has_equivalents}, arrays)
    return Projection(Arrays(content.getbuffer()))


def test_a_hub_is_approached_from_its_members() -> None:
    degrees: list[int] = []

    class RecordingView(GraphView):
        def transitions(
            self, node: int, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
        ) -> Sequence[Transition[int]]:
            degrees.append(len(self.sides[direction][node]))
            return super().transitions(node, direction, without=without, shares_aside=shares_aside)

    hub = [(0, 1, TransitionKind.SPECIALISATION, 2), (0, 2, TransitionKind.SPECIALISATION, 2)]
    hub += [(2, node, TransitionKind.SPECIALISATION, 5000) for node in range(10, 5010)]
    view = WeightedView(RecordingView(hub), Parameters())
    assert search_both_ends(view, [0], [4000]) is not None
    assert sum(sorted(degrees)[:-2]) < 50, "nothing behind the hub was expanded"


@given(st.lists(st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 1.0]), min_size=1, max_size=4), min_size=1, max_size=4))
def test_aspects_are_combined_as_in_algorithm_3(lines: list[list[float]]) -> None:
    width = min(map(len, lines))
    scores = [line[:width] for line in lines]
    sets1 = [{("from", row)} for row in range(len(scores))]
    sets2 = [{("to", column)} for column in range(width)]

    def score_of(one: set[Any], other: set[Any]) -> float:
        (row,), (column,) = one, other
        return float(scores[row[1]][column[1]])

    expected = algorithms.substitutability(sets1, sets2, score_of)
    assert harmonic_mean([scores[row][column] for row, column in greedy_cover(scores)]) == pytest.approx(expected, abs=1e-15)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "the", "of"]), min_size=1, max_size=7),
    st.sets(st.text("abcto hef", min_size=1, max_size=9)),
)
def test_phrases_are_split_as_in_algorithms_1_and_2(words: list[str], known: set[str]) -> None:
    def match(part: Sequence[str]) -> dict[str, TargetLabel]:
        text = " ".join(part)
        return {text: TargetLabel(text)} if text in known else {}

    expected = algorithms.find_targets(words, lambda part: set(match(part)), {"the", "of"})
    found = find_targets(tuple(words), match, frozenset({"the", "of"}))
    assert [set(aspect.targets) for aspect in found] == expected


def test_a_phrase_of_a_hundred_words_is_split_quickly() -> None:
    degrees: list[tuple[str, ...]] = []

    def match(part: tuple[str, ...]) -> dict[str, TargetLabel]:
        degrees.append(part)
        return {part[0]: TargetLabel(part[0])} if len(part) == 1 and part[0] != "z" else {}

    assert find_targets(("a",) * 99 + ("z",), match) == ()
    assert len(degrees) <= 100 * 101 / 2 + 1
