"""All relations of a WordNet: the same transitions in every view and engine, and paths that read well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import open_wordnet
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.projection import PhraseProjection
from wayword.search.bases.projector import project
from wayword.search.bases.selection import ViewChoice, open_projection, open_union, open_view
from wayword.search.bases.view import Transition
from wayword.search.bases.wordnet.kind import WORDNET
from wayword.search.bases.wordnet.live import LiveWordNet
from wayword.search.paths.best_first import best_first
from wayword.search.paths.weighted import WeightedView
from wayword.search.presentation.match_cypher import to_cypher
from wayword.search.presentation.match_text import match_text
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.profiles import PROFILES
from wayword.search.scoring.scorer import Scorer
from wayword.search.scoring.transitions import FURTHER_KINDS, TransitionClass, TransitionKind

from ...support.examples import share_of_examples
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.searches import ArraySearches
from ...support.stores import STORES

WITH_NEO4J = [
    pytest.param(name, marks=[pytest.mark.server, pytest.mark.xdist_group("neo4j")]) if name == "neo4j" else name
    for name in STORES
]

SYNSETS = [
    MiniSynset("n", ["car"]),
    MiniSynset("n", ["wheel"], points=[("#p", 0, 0, 0)]),
    MiniSynset("n", ["pack"]),
    MiniSynset("n", ["wolf"], points=[("#m", 2, 0, 0)]),
    MiniSynset("n", ["air"]),
    MiniSynset("n", ["oxygen"], points=[("#s", 4, 0, 0)]),
    MiniSynset("v", ["snore"], points=[("*", 7, 0, 0)]),
    MiniSynset("v", ["sleep"]),
    MiniSynset("v", ["kill"], points=[(">", 9, 0, 0)]),
    MiniSynset("v", ["die"]),
    MiniSynset("v", ["choke"], points=[("$", 11, 0, 0)]),
    MiniSynset("v", ["strangle"], points=[("$", 10, 0, 0)]),
    MiniSynset("n", ["size"], points=[("=", 13, 0, 0)]),
    MiniSynset("a", ["large"]),
    MiniSynset("a", ["atomic"], points=[("\\", 15, 1, 1)]),
    MiniSynset("n", ["atom"]),
    MiniSynset("a", ["applied"], points=[("<", 17, 1, 1)]),
    MiniSynset("v", ["apply"], points=[("+", 22, 1, 1)]),
    MiniSynset("n", ["city"]),
    MiniSynset("n", ["paris"], points=[("@i", 18, 0, 0)]),
    MiniSynset("v", ["move"]),
    MiniSynset("v", ["walk"], points=[("@", 20, 0, 0)]),
    MiniSynset("n", ["application"], points=[("+", 17, 1, 1)]),
    MiniSynset("n", ["application", "diligence"]),
]

STEPS = [
    ("wheel", "car", "part_of"),
    ("car", "wheel", "has_part"),
    ("wolf", "pack", "member_of"),
    ("pack", "wolf", "has_member"),
    ("oxygen", "air", "substance_of"),
    ("air", "oxygen", "has_substance"),
    *((one, other, "entailment") for one, other in (("snore", "sleep"), ("sleep", "snore"))),
    *((one, other, "cause") for one, other in (("kill", "die"), ("die", "kill"))),
    *((one, other, "verb_group") for one, other in (("choke", "strangle"), ("strangle", "choke"))),
    *((one, other, "attribute") for one, other in (("size", "large"), ("large", "size"))),
    *((one, other, "pertainym") for one, other in (("atomic", "atom"), ("atom", "atomic"))),
    *((one, other, "participle") for one, other in (("applied", "apply"), ("apply", "applied"))),
]
OTHER_KINDS = [
    ("paris", "city", "instance_generalisation"),
    ("city", "paris", "instance_specialisation"),
    ("walk", "move", "verb_generalisation"),
    ("move", "walk", "verb_specialisation"),
    ("apply", "application", "derivation"),
    ("apply", "diligence", "word_derivation"),
]

FURTHER: dict[str, Any] = {kind.step: 0.3 + 0.02 * kind for kind in FURTHER_KINDS}
ALL = Parameters(
    der_word=0.9, verb_down=0.8, verb_up=0.7, instance=0.6, pos_change=0.5, ic_down=0.4, ic_up=0.3, ic_aside=0.2, **FURTHER
)
VIEWS: list[ViewChoice] = ["live", "projection"]


def load(store: Store, synsets: Sequence[MiniSynset], base: str = "wordnet") -> None:
    with TemporaryDirectory() as folder:
        ingest(store, open_wordnet(write_files(Path(folder) / "dict", synsets), base))


def open_scorer(store: Store, choice: ViewChoice, parameters: Parameters) -> Scorer[Any]:
    return Scorer(WeightedView(open_view(store, "wordnet", choice), parameters))


@pytest.mark.parametrize("name", WITH_NEO4J)
def test_every_relation_is_a_step_that_cypher_finds(name: str, tmp_path: Path) -> None:
    assert {step for *_, step in STEPS} == {kind.step for kind in FURTHER_KINDS}
    with STORES[name](tmp_path) as store:
        load(store, SYNSETS)
        scorers = [open_scorer(store, choice, ALL) for choice in VIEWS]
        for substitute, substitutee, kind in [*STEPS, *OTHER_KINDS]:
            live, match = (scorer.match(substitute, substitutee) for scorer in scorers)
            assert live == match
            _, step = match.path
            assert (step.kind, step.step) == (kind, TransitionKind[kind.upper()].step)
            assert 0 < step.factor == match.score
            if name != "memory":
                rows = store.cypher(to_cypher(match)).rows
                assert rows
                ends = [path.nodes for path in rows[0]]
                assert (ends[0][0].id, ends[-1][-1].id) == (match.path[0].id, step.id)


def test_the_words_of_a_step_have_no_underscores_and_its_line_has_a_style_of_its_own() -> None:
    with MemoryStore() as store:
        load(store, SYNSETS)
        scorer = open_scorer(store, "projection", ALL)
        for substitute, substitutee, step in STEPS:
            assert f"  {step.replace('_', ' ')}  " in match_text(scorer.match(substitute, substitutee), 120)
            assert WORDNET.phrases is not None
            assert step in WORDNET.phrases.line_styles


@pytest.mark.parametrize(
    ("pair", "factor"),
    [
        (("wheel", "car"), f"part of to car: part_of = {FURTHER['part_of']:.2f}"),
        (("large", "size"), "attribute to size: attribute * pos_change = 0.76 * 0.5 = 0.38"),
        (("apply", "application"), "derivation to application: der * pos_change = 0.7 * 0.5 = 0.35"),
        (("apply", "diligence"), "derivation (application) to diligence: der * der_word * pos_change = 0.7 * 0.9 * 0.5 = 0.32"),
        (("move", "walk"), "specialisation to walk: (0.2 + (0.99 - 0.2) / 1 ^ 0.333333) * 0.8 * 0.5 ^ 0.4 = 0.60"),
        (("walk", "move"), "generalisation to move: max(0, 0.99 * (1.1 / 1 ^ 1.5 - 0.1)) * 0.7 * 0.5 ^ 0.3 = 0.56"),
        (("city", "paris"), "specialisation to paris: (0.2 + (0.99 - 0.2) / 1 ^ 0.333333) * 0.6 * 0.5 ^ 0.4 = 0.45"),
    ],
)
def test_an_explanation_has_every_factor_of_a_step(pair: tuple[str, str], factor: str) -> None:
    with MemoryStore() as store:
        load(store, SYNSETS)
        match = open_scorer(store, "projection", ALL).match(*pair)
        text = match_text(match, 200, explain=True)
    assert f"  {factor}\n" in text
    if match.path[1].kind == "verb_specialisation":
        formula = "(sp_min + (sp_max - sp_min) / breadth ^ sp_power) * verb_down * share ^ ic_down"
        assert f"formulas:\n  specialisation: {formula}\n" in text


@pytest.mark.parametrize("profile", ["thesis", "tuned"])
@pytest.mark.parametrize("choice", VIEWS)
def test_no_profile_of_the_thesis_follows_further_relations(choice: ViewChoice, profile: str) -> None:
    with MemoryStore() as store:
        load(store, SYNSETS)
        scorer = open_scorer(store, choice, PROFILES[profile])
        for substitute, substitutee, _ in STEPS:
            if (substitute, substitutee) != ("applied", "apply"):  # a form of it too
                match = scorer.match(substitute, substitutee)
                assert match.score == 0
                assert [each.cause for each in match.missing_paths] == ["unconnected"]


def test_a_live_view_reads_further_relations_only_if_they_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    with MemoryStore() as store:
        load(store, SYNSETS)
        edges = store.edges

        def record(ids: Sequence[str], types: Sequence[str], direction: Literal["out", "in"]) -> Any:
            read.extend(types)
            return edges(ids, types, direction)

        monkeypatch.setattr(store, "edges", record)
        open_scorer(store, "live", Parameters()).score("wheel", "car")
        assert "PART_OF" not in read
        assert open_scorer(store, "live", Parameters(has_part=0.5)).score("wheel", "car") == 0
        assert "PART_OF" in read


HIERARCHY = ("@", "@i")
SYMBOLS = {
    "n": ("#p", "%p", "#m", "%m", "#s", "%s", "=", "+"),
    "v": ("*", ">", "$", "^", "+"),
    "a": ("&", "^", "=", "\\", "<", "+"),
    "r": ("\\", "+"),
}


@st.composite
def lexicons(draw: st.DrawFn) -> list[MiniSynset]:
    """Draw synsets of all parts of speech with pointers of all kinds, which may form cycles."""
    parts = draw(st.lists(st.sampled_from("nnnvvar"), min_size=2, max_size=9))
    words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=2, unique=True)
    synsets = [MiniSynset(pos, draw(words)) for pos in parts]
    for each in synsets:
        for _ in range(draw(st.integers(0, 4))):
            symbol = draw(st.sampled_from(SYMBOLS[each.pos] + (HIERARCHY if each.pos in "nv" else ())))
            target = draw(st.integers(0, len(synsets) - 1))
            lexical = symbol in ("+", "\\", "<")
            each.points.append((symbol, target, int(lexical), int(lexical)))
    return synsets


def build_projection(store: Store) -> PhraseProjection:
    content = BytesIO()
    write_arrays(content, *project(store, "wordnet"))
    return open_projection(Arrays(content.getbuffer()))


@share_of_examples(0.5)
@given(lexicons())
def test_both_views_have_the_same_classes_and_all_searches_the_same_paths(synsets: list[MiniSynset]) -> None:
    with MemoryStore() as store:
        load(store, synsets)
        live, projected = LiveWordNet(store, "wordnet"), build_projection(store)
        ids = [entity.id for entity in projected.entities(range(projected.size))]
        for (node, id), direction in product(enumerate(ids), ("out", "in")):
            side: Literal["out", "in"] = "out" if direction == "out" else "in"
            expected = {(ids[other], how) for other, how in projected.transitions(node, side)}
            found: list[Transition[str]] = live.transitions(id, side)
            assert set(found) == expected
            assert {how for _, how in live.transitions(id, side, without=FURTHER_KINDS)} == {
                how for _, how in expected if how.kind not in FURTHER_KINDS
            }
        weighted: WeightedView[int] = WeightedView(projected, ALL)
        searches = ArraySearches(projected, ALL)
        for source, target in product(range(projected.size), repeat=2):
            searches.check([source], [[target]], best_first(weighted, [source], [[target]]))


@pytest.mark.parametrize("choice", VIEWS)
def test_a_union_keeps_the_classes_of_its_bases(choice: ViewChoice) -> None:
    with MemoryStore() as store:
        load(store, SYNSETS)
        load(store, [MiniSynset("n", ["sloop"]), MiniSynset("n", ["boat"])], "other")
        alone = open_scorer(store, choice, ALL)
        union: Scorer[Any] = Scorer(WeightedView(open_union(store, ["other", "wordnet"], ALL, choice), ALL))
        for substitute, substitutee, _ in [*STEPS, *OTHER_KINDS]:
            assert union.match(substitute, substitutee).path == alone.match(substitute, substitutee).path


@given(
    st.fixed_dictionaries({name: st.floats(0, 1) for name in ("verb_down", "verb_up", "instance", "pos_change", "part_of")}),
    st.tuples(st.floats(0, 16), st.floats(0, 16)),
    st.tuples(st.floats(0, 1), st.floats(-1, 0)),
    st.builds(TransitionClass, st.sampled_from(TransitionKind), st.integers(1, 10**6), st.booleans(), st.floats(1e-7, 1)),
)
def test_every_weight_is_from_0_to_1(
    factors: dict[str, Any], powers: tuple[float, float], floor: tuple[float, float], transition: TransitionClass
) -> None:
    gn_max, gn_shift = floor
    powers_by_name: dict[str, Any] = dict(zip(("ic_down", "ic_up"), powers, strict=True))
    parameters = Parameters(gn_max=gn_max, gn_shift=gn_shift, gn_scale=1 + gn_shift, **factors, **powers_by_name)
    assert 0 <= parameters.weight(transition) <= 1
    assert parameters.weight(transition) <= parameters.weight(transition._replace(changes_pos=False, share=1.0))


def test_steps_down_a_chain_keep_the_share_of_its_ends() -> None:
    """Along a path in one direction information content telescopes."""
    parameters = Parameters(sp_min=1.0, sp_max=1.0, ic_down=0.5)
    chain = [MiniSynset("n", [name], points=[("@", at - 1, 0, 0)] if at else []) for at, name in enumerate("abcd")]
    with MemoryStore() as store:
        load(store, [*chain, MiniSynset("n", ["e"], points=[("@", 1, 0, 0)])])
        match = open_scorer(store, "projection", parameters).match("a", "d")
    assert [step.share for step in match.path] == [None, 4 / 5, 2 / 4, 1 / 2]
    assert match.score == pytest.approx((1 / 5) ** 0.5)


def test_parameters_of_further_kinds_are_named_like_their_steps() -> None:
    names = {each.name for each in fields(Parameters)}
    assert {kind.step for kind in FURTHER_KINDS} <= names
    for kind in FURTHER_KINDS:
        assert Parameters(**{kind.step: 0.25}).weight(TransitionClass(kind)) == 0.25  # type: ignore[arg-type]
        assert kind in Parameters().unused_kinds
