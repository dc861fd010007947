"""A kind of base is defined here and registered, and works everywhere without another change to the product."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from wayword.graph import schema
from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.records import Base, Batch, Direction
from wayword.graph.schema import NodeType, RelationshipType, register_types
from wayword.graph.store import Store
from wayword.rendering.errors import RenderError
from wayword.rendering.line_styles import LineStyle
from wayword.search.bases import registry
from wayword.search.bases.array_builder import (
    column_texts,
    group_arrays,
    hierarchy_transitions,
    index_arrays,
    positions_in,
    transition_arrays,
)
from wayword.search.bases.live import LiveView
from wayword.search.bases.projection import PhraseProjection
from wayword.search.bases.registry import BaseKind, PhraseSearch, register
from wayword.search.bases.selection import ViewChoice, open_projection, open_union, open_view
from wayword.search.bases.string_table import StringIndex
from wayword.search.bases.view import TargetLabel, Transition, View
from wayword.search.errors import BaseUnknown
from wayword.search.paths.weighted import WeightedView
from wayword.search.presentation.match_cypher import to_cypher
from wayword.search.results import Target
from wayword.search.scoring.batches import PairScorer
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer
from wayword.search.scoring.senses import find_senses
from wayword.search.scoring.transitions import TransitionClass, TransitionKind

from ...support.graphs import edges, nodes
from ...support.searches import ArraySearches
from ...support.stores import STORES, WITH_CYPHER

if TYPE_CHECKING:
    import numpy as np

    from wayword.search.bases.array_file import Arrays
    from wayword.search.bases.projector import TableReader
    from wayword.search.presentation.match_cypher import PathStatement
    from wayword.search.results import Step

TREE = {"plant": None, "fruit": "plant", "citrus": "fruit", "apple": "fruit", "lemon": "citrus", "orange": "citrus"}
"""A taxonomy: each group with the group that it belongs to."""

VIEWS: list[ViewChoice] = ["live", "projection"]
WITH_NEO4J = [
    pytest.param(name, marks=[pytest.mark.server, pytest.mark.xdist_group("neo4j")]) if name == "neo4j" else name
    for name in STORES
]


class TaxonomyLoader:
    """Loads a taxonomy under the name of a base."""

    def __init__(self, base: str = "garden", tree: Mapping[str, str | None] = TREE) -> None:
        self.base = Base(base, "taxonomy", "a tree in a test")
        self.tree = tree

    def share(self) -> float | None:
        return None

    def batches(self) -> Iterator[Batch]:
        base, tree = self.base.id, self.tree
        sizes = {name: list(tree.values()).count(name) for name in tree}
        yield nodes("Taxon", *({"id": f"{base}:{name}", "base": base, "name": name, "size": sizes[name]} for name in tree))
        yield nodes("Label", *({"id": f"{base}/{name}", "base": base, "name": name, "uses": 1} for name in tree))
        senses = [(f"{base}/{name}", f"{base}:{name}", {"uses": 1, "prior": 1.0, "rank": 1}) for name in tree]
        yield edges("SENSE", *senses, ends=("Label", "Taxon"))
        yield edges("IN_TAXON", *((f"{base}:{name}", f"{base}:{of}") for name, of in tree.items() if of))


class LiveTaxonomy(LiveView):
    """The live view of a taxonomy."""

    types = ("IN_TAXON",)

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[str, TargetLabel]:
        entries = self.store.labels(self.base, [" ".join(words)])
        return {sense.entity: TargetLabel(entry.name) for entry in entries.values() for sense in entry.senses}

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        for entity in self.entities(list(self.targets((text,), parameters))):
            yield Target(entity.id, entity.name, entity.gloss, text, None, 1, 1.0, 1)

    def transitions(
        self, node: str, direction: Direction, *, without: Collection[TransitionKind] = (), shares_aside: bool = True
    ) -> list[Transition[str]]:
        up, down = TransitionKind.GENERALISATION, TransitionKind.SPECIALISATION
        if direction == "in":
            up, down = down, up
        above = [(edge.other, TransitionClass(up, edge.breadth or 0)) for edge in self._edges["out"].get(node)]
        return above + [(edge.other, TransitionClass(down, edge.breadth or 0)) for edge in self._edges["in"].get(node)]


class TaxonomyProjection(PhraseProjection):
    """The projection of a taxonomy."""

    def __init__(self, arrays: Arrays) -> None:
        super().__init__(arrays)
        self._labels = StringIndex(arrays["label"], arrays["label offsets"], arrays["label buckets"])

    def targets(self, words: tuple[str, ...], parameters: Parameters) -> dict[int, TargetLabel]:
        text = " ".join(words)
        label = self._labels.find(text)
        if label is None:
            return {}
        first, last = self.arrays["sense offsets"][label : label + 2]
        return dict.fromkeys(self.arrays["sense"][first:last].tolist(), TargetLabel(text))

    def senses(self, store: Store, text: str, parameters: Parameters) -> Iterator[Target]:
        for entity in self.entities(list(self.targets((text,), parameters))):
            yield Target(entity.id, entity.name, entity.gloss, text, None, 1, 1.0, 1)

    def plain_names(self) -> Iterator[tuple[str, Sequence[int]]]:
        yield from ((entity.name, (node,)) for node, entity in enumerate(self.entities(range(self.size))))


def project_taxonomy(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    import numpy as np
    import pyarrow as pa

    groups = source.table("Taxon", "id", "name", "size").sort_by("id")
    ids = groups["id"].combine_chunks()
    members = source.table("IN_TAXON", "from", "to")
    senses = source.table("SENSE", "from", "to")
    names, arrays = index_arrays("label", (label.partition("/")[2] for label in senses["from"].to_pylist()))
    of = [names.index(label.partition("/")[2]) for label in senses["from"].to_pylist()]
    order = np.argsort(of, kind="stable")
    arrays |= group_arrays("sense", np.array(of)[order], positions_in(senses["to"], ids)[order], len(names))
    for name, column in (
        ("id", groups["id"]),
        ("name", groups["name"]),
        ("gloss", pa.chunked_array([pa.nulls(len(ids), pa.string())])),
    ):
        arrays |= column_texts(name, column)
    arrays["node label"] = np.zeros(len(ids), np.uint8)
    steps = hierarchy_transitions(
        (positions_in(members["from"], ids), positions_in(members["to"], ids)), groups["size"].to_pylist()
    )
    return len(ids), arrays | transition_arrays(steps, len(ids))


def write_step(statement: PathStatement, before: Step, step: Step, derivation: str | None) -> None:
    relationships = {"generalisation": "-[:IN_TAXON]->", "specialisation": "<-[:IN_TAXON]-"}
    statement.relate(before, relationships[step.step or ""], step)


def plain_names(store: Store, ids: Sequence[str]) -> dict[str, list[str]]:
    return {id: [node["name"]] for id, node in store.nodes(ids).items()}


TAXONOMY = BaseKind(
    name="taxonomy",
    noun="taxonomy",
    plural="taxonomies",
    node_labels=("Taxon",),
    phrases=PhraseSearch(
        live=LiveTaxonomy,
        projection=TaxonomyProjection,
        project=project_taxonomy,
        tables=3,
        plain_names=plain_names,
        write_step=write_step,
        line_styles={"generalisation": LineStyle("#123456", 5.0)},
        title_prefixes={"Taxon": "the taxon "},
    ),
)


@pytest.fixture
def taxonomy() -> Iterator[None]:
    """Declare and register the kind for the duration of a test."""
    before = dict(schema.NODES), dict(schema.RELATIONSHIPS)
    register_types(
        [NodeType("Taxon", {"id": "string", "base": "string", "name": "string", "size": "int"})],
        [
            RelationshipType("IN_TAXON", (("Taxon", "Taxon"),), breadth="size"),
            RelationshipType("SENSE", (("Label", "Taxon"),), schema.RELATIONSHIPS["SENSE"].properties),
        ],
    )
    register(TAXONOMY)
    try:
        yield
    finally:
        registry.unregister("taxonomy")
        schema.NODES.clear()
        schema.NODES.update(before[0])
        schema.RELATIONSHIPS.clear()
        schema.RELATIONSHIPS.update(before[1])


def open_scorer(store: Store, choice: ViewChoice) -> Scorer[Any]:
    return Scorer(WeightedView(open_view(store, "garden", choice), Parameters()))


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.parametrize("name", WITH_NEO4J)
@pytest.mark.usefixtures("taxonomy")
def test_a_registered_kind_is_loaded_scored_drawn_and_queried_in_cypher(name: str, choice: ViewChoice, tmp_path: Path) -> None:
    parameters = Parameters()
    with STORES[name](tmp_path) as store:
        ingest(store, TaxonomyLoader())
        assert store.counts()["garden"] == {"Taxon": 6, "Label": 6, "SENSE": 6, "IN_TAXON": 5}
        scorer = open_scorer(store, choice)
        match = scorer.match("Orange", "fruit")
        assert match.score == pytest.approx(parameters.generalisation(2) ** 2)
        assert [(step.id, step.step, step.breadth) for step in match.path] == [
            ("garden:orange", None, None),
            ("garden:citrus", "generalisation", 2),
            ("garden:fruit", "generalisation", 2),
        ]
        assert [target.id for target in find_senses(scorer, store, "lemon").aspects[0].targets] == ["garden:lemon"]

        drawing = match._repr_svg_()
        ET.fromstring(drawing)
        assert "the taxon citrus" in drawing
        assert "#123456" in drawing
        assert "the taxon citrus" in str(match)
        for suffix in (".svg", ".dot", ".graphml"):
            match.draw(tmp_path / f"match{suffix}")
            assert "citrus" in (tmp_path / f"match{suffix}").read_text(encoding="utf-8")

        statement = to_cypher(match)
        assert statement.splitlines()[0] == (
            "MATCH p1 = (:Taxon {id: 'garden:orange'})-[:IN_TAXON]->(:Taxon {id: 'garden:citrus'})"
        )
        if name in WITH_CYPHER:
            ((first, second),) = store.cypher(statement).rows
            assert [[node.id for node in path.nodes] for path in (first, second)] == [
                ["garden:orange", "garden:citrus"],
                ["garden:citrus", "garden:fruit"],
            ]


@pytest.mark.usefixtures("taxonomy")
def test_all_searches_find_the_same_paths_in_a_registered_kind() -> None:
    parameters = Parameters()
    with MemoryStore() as store:
        ingest(store, TaxonomyLoader())
        live, projected = (open_scorer(store, choice) for choice in VIEWS)
        projection = projected.view.view
        assert isinstance(projection, TaxonomyProjection)
        searches = ArraySearches(projection, parameters)
        batches = PairScorer(projected)
        for pair in permutations(TREE, 2):
            match = live.match(*pair)
            assert projected.match(*pair) == match
            sources, targets = (projected.aspects(phrase)[0].targets for phrase in pair)
            searches.check(sources, [targets], [projected.find_path(sources, targets)])
            assert list(batches.scores([pair])) == [match.score]


@pytest.mark.parametrize("choice", VIEWS)
@pytest.mark.usefixtures("taxonomy")
def test_bases_of_a_registered_kind_are_searched_as_one(choice: ViewChoice) -> None:
    parameters = Parameters()
    with MemoryStore() as store:
        ingest(store, TaxonomyLoader())
        ingest(store, TaxonomyLoader("orchard", {"fruit": None, "pear": "fruit"}))
        union: View[Any] = open_union(store, ["garden", "orchard"], parameters, choice)
        match = Scorer[Any](WeightedView(union, parameters)).match("apple", "pear")
        assert [(step.id, step.step) for step in match.path] == [
            ("garden:apple", None),
            ("garden:fruit", "generalisation"),
            ("orchard:fruit", "crossing"),
            ("orchard:pear", "specialisation"),
        ]
        expected = parameters.generalisation(2) * parameters.crossing_on * parameters.specialisation(1)
        assert match.score == pytest.approx(expected)


@pytest.mark.usefixtures("taxonomy")
def test_errors_about_kinds_list_the_registered_kinds() -> None:
    with MemoryStore() as store:
        ingest(store, TaxonomyLoader())
        projection = open_view(store, "garden")
        assert isinstance(projection, TaxonomyProjection)
        match = open_scorer(store, "live").match("orange", "fruit")
        registry.unregister("taxonomy")
        try:
            with pytest.raises(BaseUnknown, match=r"kind taxonomy, which has no phrases; .* wordnet, wikipedia"):
                open_view(store, "garden")
            with pytest.raises(BaseUnknown, match=r"'taxonomy' is registered; the registered kinds are wordnet, wikipedia"):
                open_projection(projection.arrays)
            with pytest.raises(RenderError, match=r"nodes Taxon; the registered ones are wordnet, wikipedia"):
                to_cypher(match)
        finally:
            register(TAXONOMY)
    with pytest.raises(BaseUnknown, match=r"bases of the kind hashtags have no phrases; .* wordnet, wikipedia, taxonomy"):
        registry.get_phrase_search("hashtags")


@pytest.mark.usefixtures("taxonomy")
def test_a_node_label_of_another_kind_is_rejected() -> None:
    with pytest.raises(ValueError, match="nodes Taxon belong to bases of the kind taxonomy"):
        register(BaseKind("other", "other", "others", ("Taxon",)))


@pytest.mark.usefixtures("taxonomy")
def test_redeclaring_a_type_with_other_properties_is_rejected() -> None:
    with pytest.raises(ValueError, match="the label Taxon already has other properties"):
        register_types([NodeType("Taxon", {"id": "string"})])
    with pytest.raises(ValueError, match="the type HYPERNYM already has other properties"):
        register_types(relationships=[RelationshipType("HYPERNYM", (("Taxon", "Taxon"),))])
