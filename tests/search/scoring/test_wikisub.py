"""WikiSub, and the search over several bases, against published scores, an independent implementation and the oracle."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import isclose, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.search.bases.projection import Projection
from wayword.search.results import Match
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.scorer import Scorer

from ...oracles.wiki_base import Base, read_base
from ...oracles.wiki_search import Search, Weights, Wiki, random_pairs
from ...support import small_dumps
from ...support.examples import share_of_examples
from ...support.graphs import base as described
from ...support.graphs import edges, nodes
from ...support.loaded_wikis import copy_base, load, open_scorers, tiny_store
from ...support.searches import ArraySearches
from ...support.small_dumps import Published, SmallPage, write_dump

STOP_WORDS = frozenset({"the", "of", "a", "and", "in", "の"})


def assert_path_proves_score(match: Match) -> None:
    """The product of the factors of a path is its score."""
    for each in match.matches:
        assert isclose(prod(step.factor for step in each.path), each.score, rel_tol=1e-12) or not each.path
        for before, step in pairwise(each.path):
            assert isclose(before.score * step.factor, step.score, rel_tol=1e-12)


def assert_like_oracle(scorers: Sequence[Scorer[Any]], oracle: Search, pair: tuple[str, str]) -> None:
    """Every view finds the score and the aspects of the oracle, and all views find the same path."""
    expected = oracle.answer(*pair)
    matches = [scorer.match(*pair) for scorer in scorers]
    for scorer, match in zip(scorers, matches, strict=True):
        assert match.score == pytest.approx(expected.score, abs=1e-9), pair
        assert tuple([aspect.text for aspect in scorer.aspects(phrase)] for phrase in pair) == expected.aspects
        assert match.matches == matches[0].matches
        assert_path_proves_score(match)


@pytest.mark.parametrize(
    "example", [small_dumps.NATURAL_SCIENCE, small_dumps.PENNSYLVANIA], ids=lambda example: example.substitute
)
def test_published_scores_are_reproduced(example: Published) -> None:
    with tiny_store(example.pages) as store:
        for scorer in open_scorers(store, ["tinywiki"], STOP_WORDS):
            match = scorer.match(example.substitute, example.substitutee)
            assert round(match.score, 2) == example.score
            assert_path_proves_score(match)


def test_steps_of_the_published_chain_are_reproduced() -> None:
    with tiny_store(small_dumps.NATURAL_SCIENCE.pages) as store:
        for scorer in open_scorers(store, ["tinywiki"], STOP_WORDS):
            path = scorer.match("natural science", "organic chemistry").path
            assert [(step.title, step.step, step.breadth, round(step.factor, 2)) for step in path] == [
                ("Natural science", None, None, 1.0),
                ("Category:Natural sciences", "central", None, 1.0),
                ("Category:Physical sciences", "specialisation", 5, 0.66),
                ("Category:Chemistry", "specialisation", 3, 0.75),
                ("Category:Organic chemistry", "specialisation", 72, 0.39),
                ("Organic chemistry", "central", None, 1.0),
            ]


def test_the_article_orange_is_central_to_the_category_oranges_only() -> None:
    with tiny_store(small_dumps.ORANGES) as store:
        found = store.edges(["tinywiki:Orange (fruit)"], ["CENTRAL_TO", "IN_CATEGORY"], "out")["tinywiki:Orange (fruit)"]
        central = {edge.other for edge in found if edge.type == "CENTRAL_TO"}
        assert central == {"tinywiki:Category:Oranges"}
        assert len(found) == len(small_dumps.ORANGES_CATEGORIES)


def load_lemmas(store: Store, lemmas: dict[str, list[str]]) -> None:
    """Load a made-up WordNet without relationships."""
    labels = sorted({lemma for each in lemmas.values() for lemma in each})
    store.replace_base(
        described("wordnet", "wordnet"),
        [
            nodes("Stem", *({"id": label} for label in labels)),
            nodes("Label", *({"id": f"wordnet/{label}", "name": label, "uses": 0} for label in labels)),
            nodes(
                "Synset",
                *(
                    {"id": f"wordnet:{key}", "name": each[0], "pos": "n", "lemmas": each, "hyponyms": 0}
                    for key, each in lemmas.items()
                ),
            ),
            edges("FORM", *((label, f"wordnet/{label}") for label in labels)),
            edges(
                "SENSE",
                *(
                    (f"wordnet/{lemma}", f"wordnet:{key}", {"uses": 0, "rank": 1, "lemma": lemma})
                    for key, each in lemmas.items()
                    for lemma in each
                ),
                ends=("Label", "Synset"),
            ),
        ],
    )


@pytest.mark.parametrize(("crossing", "score"), [(0.9, 0.43), (0.5, 0.24), (0.0, 0.0)])
@pytest.mark.parametrize("order", [("tinywiki", "wordnet"), ("wordnet", "tinywiki")])
def test_scores_of_the_published_crossing_between_bases_are_reproduced(
    crossing: float, score: float, order: tuple[str, str]
) -> None:
    example = small_dumps.CONSENSUS_REALITY
    forward = order[0] == "tinywiki"
    parameters = Parameters(**{"crossing_on" if forward else "crossing_back": crossing})  # type: ignore[arg-type]
    with tiny_store(example.pages) as store:
        load_lemmas(store, {"05618293-n": small_dumps.COMMON_SENSE})
        for scorer in open_scorers(store, order, STOP_WORDS, parameters):
            match = scorer.match(example.substitute, example.substitutee)
            assert round(match.score, 2) == score
            assert match.derivation == "word"
            if score:
                assert [step.step for step in match.path] == [None, "central", "specialisation", "crossing"]
                assert match.path[2].breadth == 22
                assert (match.path[-1].name, match.path[-1].label) == ("mother wit", "Synset")


@share_of_examples(0.3)
@given(small_dumps.wikis(), st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=6))
def test_small_random_wikis_are_scored_like_the_oracle(pages: list[SmallPage], pairs: list[tuple[str, str]]) -> None:
    with tiny_store(pages) as store:
        oracle = Search({"tinywiki": Wiki(read_with_oracle(pages))}, STOP_WORDS)
        scorers = open_scorers(store, ["tinywiki"], STOP_WORDS)
        for pair in pairs:
            assert_like_oracle(scorers, oracle, pair)


@share_of_examples(0.2)
@given(
    small_dumps.wikis(largest=12),
    small_dumps.wikis(largest=12),
    st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=6),
    st.sampled_from([(0.9, 0.9), (0.9, 0.3), (0.2, 1.0)]),
)
def test_unions_of_random_wikis_are_scored_like_the_oracle(
    pages: list[SmallPage], others: list[SmallPage], pairs: list[tuple[str, str]], crossing: tuple[float, float]
) -> None:
    on, back = crossing
    with tiny_store(pages) as store, tiny_store(others, site="another") as other:
        both = MemoryStore()
        for each in (store, other):
            copy_base(each, both)
        weights = Weights(crossings={("tinywiki", "another"): on, ("another", "tinywiki"): back})
        oracle = Search(
            {"tinywiki": Wiki(read_with_oracle(pages)), "another": Wiki(read_with_oracle(others))}, STOP_WORDS, weights
        )
        scorers = open_scorers(both, ["tinywiki", "another"], STOP_WORDS, Parameters(crossing_on=on, crossing_back=back))
        for pair in pairs:
            assert_like_oracle(scorers, oracle, pair)


def read_with_oracle(pages: list[SmallPage]) -> Base:
    """Read a small wiki with the oracle."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return read_base(write_dump(Path(folder) / "tiny.xml", pages))


@pytest.mark.parametrize("bases", [["tinywiki"], ["tinywiki", "otherwiki"]])
def test_a_match_in_wikis_records_no_kind_of_derivation(bases: list[str]) -> None:
    pages = [small_dumps.article("Squash"), small_dumps.article("Pumpkin")]
    with tiny_store(pages) as store, tiny_store(pages, site="otherwiki") as other:
        copy_base(other, store)
        for scorer in open_scorers(store, bases, STOP_WORDS, Parameters()):
            assert scorer.match("squash", "pumpkin").derivation is None


def test_a_title_without_brackets_is_a_label_if_enabled() -> None:
    pages = [small_dumps.article("Squash (fruit)"), small_dumps.article("Squash", "[[Squash|squash]] [[Squash|squash]]")]
    with tiny_store(pages) as store:
        for parameters, expected in ((Parameters(), ["Squash"]), (Parameters(bracketed=True), ["Squash", "Squash (fruit)"])):
            for scorer in open_scorers(store, ["tinywiki"], STOP_WORDS, parameters):
                (aspect,) = scorer.aspects("squashes")
                assert [entity.name for entity in scorer.view.view.entities(aspect.targets)] == expected


def test_prior_parameters_limit_the_accepted_senses() -> None:
    links = " ".join(["[[Jaguar|cat]]"] * 90 + ["[[Jaguar Cars|cat]]"] * 9 + ["[[Jaguar (band)|cat]]"])
    titles = ("Jaguar", "Jaguar Cars", "Jaguar (band)")
    expected = {(0.99, 0.001): 2, (0.9, 0.001): 1, (1.0, 0.001): 3, (1.0, 0.05): 2}
    with tiny_store([*map(small_dumps.article, titles), small_dumps.article("Text", links)]) as store:
        for (coverage, least), number in expected.items():
            parameters = Parameters(prior_coverage=coverage, prior_least=least)
            for scorer in open_scorers(store, ["tinywiki"], STOP_WORDS, parameters):
                (aspect,) = scorer.aspects("cat")
                assert len(aspect.targets) == number


def assert_like_checks(
    data: Path, name: str, store: Store, stop_words: frozenset[str], leave_out: Collection[str] = ()
) -> None:
    """All pairs and senses of the independent implementation but those of some phrases, in both views."""
    folder = data / "wiki" / "checks"
    (base,) = store.bases()
    scorers = open_scorers(store, [base.id], stop_words)
    with (folder / f"{name}_pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        if row["substitute"] in leave_out or row["substitutee"] in leave_out:
            continue
        matches = [scorer.match(row["substitute"], row["substitutee"]) for scorer in scorers]
        assert matches[0].score == pytest.approx(float(row["score"]), abs=1e-9), row
        assert all(match.matches == matches[0].matches for match in matches)
        assert_path_proves_score(matches[0])
    senses = json.loads((folder / f"{name}_senses.json").read_text(encoding="utf-8"))
    for phrase, expected in senses.items():
        if phrase in leave_out:
            continue
        for scorer in scorers:
            (aspect,) = scorer.aspects(phrase)
            assert {each.name for each in scorer.view.view.entities(aspect.targets)} == set(expected["target_set"])


@pytest.fixture(scope="module")
def invented_store(data: Path) -> MemoryStore:
    store = MemoryStore()
    load(store, data / "wiki" / "checks" / "invented.xml")
    return store


def test_the_synthetic_wiki_is_scored_like_the_independent_implementation(
    data: Path, invented_store: MemoryStore, stop_words: frozenset[str]
) -> None:
    assert_like_checks(data, "invented", invented_store, stop_words)


def test_scripts_are_told_apart_like_in_the_independent_implementation(data: Path, stop_words: frozenset[str]) -> None:
    store = MemoryStore()
    load(store, data / "wiki" / "checks" / "scripts.xml")
    assert_like_checks(data, "scripts", store, stop_words, leave_out={"lexikon"})  # a link to a title like an interwiki link


@pytest.mark.slow
def test_thousands_of_pairs_of_the_synthetic_wiki_are_scored_like_the_oracle(
    invented: Base, invented_store: MemoryStore, stop_words: frozenset[str]
) -> None:
    scorers = open_scorers(invented_store, ["synthetic"], stop_words)
    oracle = Search({"synthetic": Wiki(invented)}, stop_words)
    for pair in random_pairs(invented, 1, 3_000):
        assert_like_oracle(scorers, oracle, pair)


@pytest.mark.slow
def test_schools_wikipedia_is_scored_like_the_independent_implementation(
    data: Path, schoolswiki: Base, stop_words: frozenset[str]
) -> None:
    store = MemoryStore()
    load(store, data / "wiki" / "schoolswiki-pages-articles-multistream.xml.bz2")
    assert_like_checks(data, "schoolswiki", store, stop_words)
    scorers = open_scorers(store, ["schoolswiki"], stop_words)
    oracle = Search({"schoolswiki": Wiki(schoolswiki)}, stop_words)
    for pair in random_pairs(schoolswiki, 1, 2_000):
        assert_like_oracle(scorers, oracle, pair)


@pytest.mark.slow
def test_all_searches_of_a_real_wiki_agree(invented: Base, invented_store: MemoryStore, stop_words: frozenset[str]) -> None:
    projected = open_scorers(invented_store, ["synthetic"], stop_words)[0]
    view = projected.view.view
    assert isinstance(view, Projection)
    searches = ArraySearches(view, projected.view.parameters)
    for pair in random_pairs(invented, 2, 1_000):
        ours, theirs = map(projected.aspects, pair)
        for one in ours:
            for other in theirs:
                searches.check(one.targets, [other.targets], [projected.find_path(one.targets, other.targets)])
