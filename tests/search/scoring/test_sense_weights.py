"""The cost of a rare sense at either end of a path, in every view and every search."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.ingestion import ingest
from wayword.loaders import open_wordnet
from wayword.search.errors import ParameterError
from wayword.search.paths.best_first import best_first
from wayword.search.paths.weighted import WeightedView
from wayword.search.presentation.match_text import match_text
from wayword.search.scoring.parameters import Parameters
from wayword.search.scoring.profiles import PROFILES
from wayword.search.scoring.scorer import Scorer
from wayword.search.scoring.senses import find_senses

from ...support import small_dumps
from ...support.examples import share_of_examples
from ...support.loaded_wikis import copy_base, load, projection, tiny_store
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.scorers import all_scorers, check_all_searches, tiny_wordnet
from ...support.small_dumps import SmallPage, write_dump
from ...support.stores import STORES

BANKS = [
    MiniSynset("n", ["bank"], uses={"bank": 19}),
    MiniSynset("n", ["bank", "side"], uses={"bank": 4, "side": 9}),
    MiniSynset("n", ["bank", "banks"], uses={"banks": 2}),
    MiniSynset("v", ["bank"], uses={"bank": 9}),
    MiniSynset("n", ["savings_bank"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["riverside"], points=[("@", 1, 0, 0)]),
]
POWERS = st.sampled_from([0.0, 0.14, 0.5, 1.0, 2.0])


@st.composite
def wordnets(draw: st.DrawFn) -> list[MiniSynset]:
    """Draw a small WordNet whose few words have many senses, inflected forms among them."""
    synsets: list[MiniSynset] = []
    words = st.lists(st.sampled_from(["life", "live", "lives", "axe", "axes", "axis"]), min_size=1, max_size=3, unique=True)
    for number in range(draw(st.integers(2, 9))):
        pos = draw(st.sampled_from("nnva"))
        synset = MiniSynset(pos, draw(words))
        synset.uses = {word: draw(st.integers(0, 20)) for word in synset.words}
        others = [each for each in range(number) if synsets[each].pos == pos]
        for other in draw(st.lists(st.sampled_from(others), max_size=2, unique=True)) if others else ():
            synset.points.append(("&" if pos == "a" else "@", other, 0, 0))
        for other in draw(st.sets(st.sampled_from(others), max_size=1)) if others else ():
            synset.points.append(("!", other, 1, 1))
            synsets[other].points.append(("!", number, 1, 1))
        if number:
            synset.points += [("+", other, 1, 1) for other in draw(st.sets(st.integers(0, number - 1), max_size=2))]
        synsets.append(synset)
    return synsets


WORDS = st.sampled_from(["life", "live", "lives", "axe", "axes", "axis", "axes life", "unheard"])


def parameters_with_powers(threshold: float = 0.08) -> st.SearchStrategy[Parameters]:
    return st.builds(
        lambda rank, uses, antonym, **wiki: Parameters(
            rank_power=rank, uses_power=uses, antonym=antonym, threshold=threshold, gn_shift=0.0, gn_scale=0.9, **wiki
        ),
        POWERS,
        POWERS,
        st.sampled_from([0.1, 1.0]),
        wiki_rank_power=st.none() | POWERS,
        wiki_uses_power=st.none() | POWERS,
        wiki_sp_min=st.none() | st.just(0.6),
        wiki_gn_shift=st.none() | st.just(-0.1),
    )


OF_WIKI = {each.name: getattr(Parameters(), each.name[5:]) for each in fields(Parameters) if each.name.startswith("wiki_")}


@share_of_examples(0.1)
@given(small_dumps.wikis(), st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=5))
def test_a_wiki_with_parameters_of_its_own_is_scored_by_these_alone(
    pages: list[SmallPage], pairs: list[tuple[str, str]]
) -> None:
    changed = Parameters(sp_min=0.7, gn_shift=-0.2, gn_scale=0.7, gn_power=1.0, rank_power=0.5, uses_power=0.5, **OF_WIKI)
    with tiny_store(pages) as store:
        own, plain = (check_all_searches(store, ["tinywiki"], each, pairs) for each in (changed, Parameters()))
        assert [match.matches for match in own] == [match.matches for match in plain]


def test_the_parameters_of_a_wiki_leave_a_wordnet_alone() -> None:
    of_wiki: dict[str, Any] = dict.fromkeys(OF_WIKI, 0.5)
    with tiny_wordnet(BANKS) as store:
        pairs = [("bank", "savings bank"), ("riverside", "bank"), ("side", "riverside")]
        own, plain = (
            check_all_searches(store, ["wordnet"], replace(Parameters(rank_power=0.5), **each), pairs) for each in (of_wiki, {})
        )
        assert [match.matches for match in own] == [match.matches for match in plain]


@pytest.mark.parametrize("values", [{"wiki_sp_min": 2.0}, {"wiki_gn_power": -1.0}, {"wiki_sp_min": 0.5, "sp_max": 0.4}])
def test_invalid_parameters_of_a_wiki_are_rejected(values: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="wiki_"):
        Parameters(**values)  # type: ignore[arg-type]


@share_of_examples(0.3)
@given(wordnets(), st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5), parameters_with_powers())
def test_all_searches_of_a_wordnet_find_the_same_weighted_paths(
    synsets: list[MiniSynset], pairs: list[tuple[str, str]], parameters: Parameters
) -> None:
    with tiny_wordnet(synsets) as store:
        check_all_searches(store, ["wordnet"], parameters, pairs)


@share_of_examples(0.15)
@given(
    small_dumps.wikis(),
    st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=5),
    parameters_with_powers(),
    st.booleans(),
)
def test_all_searches_of_a_wiki_find_the_same_weighted_paths(
    pages: list[SmallPage], pairs: list[tuple[str, str]], parameters: Parameters, bracketed: bool
) -> None:
    with tiny_store(pages) as store:
        check_all_searches(store, ["tinywiki"], replace(parameters, bracketed=bracketed), pairs)


@share_of_examples(0.1)
@given(
    small_dumps.wikis(largest=12),
    small_dumps.wikis(largest=12),
    st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=5),
    parameters_with_powers(),
)
def test_all_searches_of_a_union_find_the_same_weighted_paths(
    pages: list[SmallPage], others: list[SmallPage], pairs: list[tuple[str, str]], parameters: Parameters
) -> None:
    with tiny_store(pages) as store, tiny_store(others, site="another") as other:
        copy_base(other, store)
        bases = ["tinywiki", "another"]
        check_all_searches(store, bases, parameters, pairs)
        for scorer, *parts in zip(
            *(all_scorers(store, each, parameters) for each in (bases, bases[:1], bases[1:])), strict=True
        ):
            for phrase in {"the", *(phrase for pair in pairs for phrase in pair)}:
                for aspect in scorer.aspects(phrase):
                    words = tuple(aspect.text.split(" "))
                    expected = [label for part in parts for label in part.view.view.targets(words, parameters).values()]
                    assert list(aspect.senses) == [label.senses for label in expected]


@share_of_examples(0.3)
@given(wordnets(), WORDS, WORDS, parameters_with_powers(threshold=0.0))
def test_a_score_is_the_best_product_of_a_path_and_the_weights_of_its_ends(
    synsets: list[MiniSynset], one: str, other: str, parameters: Parameters
) -> None:
    with tiny_wordnet(synsets) as store:
        view: WeightedView[int] = WeightedView(projection(store, "wordnet"), parameters)
        scorer = Scorer(view)
        for ours in scorer.aspects(one):
            for theirs in scorer.aspects(other):
                products = [
                    ours.weight_of(source) * path.score * theirs.weight_of(target)
                    for source in ours.targets
                    for target in theirs.targets
                    if (path := best_first(view, [source], [[target]])[0])
                ]
                score = scorer.score_aspects(ours, theirs)
                assert score == pytest.approx(max(products, default=0.0), rel=1e-12)


@share_of_examples(0.3)
@given(wordnets(), st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5), POWERS, POWERS, POWERS, POWERS)
def test_raising_a_power_never_raises_a_score_if_the_most_used_senses_rank_first(
    synsets: list[MiniSynset], pairs: list[tuple[str, str]], rank: float, uses: float, more_rank: float, more_uses: float
) -> None:
    with tiny_wordnet(synsets) as store:
        view = projection(store, "wordnet")
        lower = Parameters(rank_power=rank, uses_power=uses)
        higher = replace(lower, rank_power=rank + more_rank, uses_power=uses + more_uses)
        less, more = (Scorer(WeightedView(view, parameters)) for parameters in (lower, higher))
        assert all(more.score(*pair) <= less.score(*pair) * (1 + 1e-12) for pair in pairs)


@share_of_examples(0.3)
@given(wordnets(), WORDS, parameters_with_powers())
def test_the_best_sense_weighs_1_and_no_sense_more(synsets: list[MiniSynset], phrase: str, parameters: Parameters) -> None:
    with tiny_wordnet(synsets) as store:
        for scorer in all_scorers(store, ["wordnet"], parameters):
            for aspect in scorer.aspects(phrase):
                assert max(map(aspect.weight_of, aspect.targets)) == 1.0
                assert min(map(aspect.weight_of, aspect.targets)) > 0.0
                assert aspect.weights is None or parameters.weighs_senses
                assert aspect.weights is None or len(aspect.weights) == len(aspect.targets)


def test_a_weight_is_a_power_of_rank_and_uses() -> None:
    parameters = Parameters(rank_power=1.0, uses_power=0.5)
    expected = {"bank": [1.0, (10 / 20) ** 0.5, (5 / 20) ** 0.5 / 2, (1 / 20) ** 0.5 / 3], "side": [1.0]}
    with tiny_wordnet(BANKS) as store:
        for scorer in all_scorers(store, ["wordnet"], parameters):
            for phrase, weights in expected.items():
                (aspect,) = scorer.aspects(phrase)
                assert list(map(aspect.weight_of, aspect.targets)) == pytest.approx(weights, rel=1e-15)


def test_of_several_labels_the_one_with_the_greatest_weight_counts() -> None:
    parameters = Parameters(rank_power=1.0)
    with tiny_wordnet(BANKS) as store:
        for scorer in all_scorers(store, ["wordnet"], parameters):
            (aspect,) = scorer.aspects("banks")
            weights = [round(aspect.weight_of(target), 3) for target in aspect.targets]
            entities = scorer.view.view.entities(aspect.targets)
            assert aspect.labels[0] == "banks"
            assert weights == [1.0, 1.0, 1.0, 0.5], entities  # ranked 1st as "banks", 1st, 1st as a verb, 2nd


def test_an_irregular_form_of_two_words_of_a_synset_has_the_same_label_in_every_view() -> None:
    exceptions = {"n": ["haggadas haggada haggadah", "brants brant brent", "axes axe axis"], "v": [], "a": [], "r": []}
    synsets = [MiniSynset("n", words) for words in (["haggadah", "haggada"], ["brent", "brant"], ["axis", "axe"])]
    with tiny_wordnet(synsets, exceptions) as store:
        for scorer in all_scorers(store, ["wordnet"], Parameters()):
            labels = [scorer.aspects(phrase)[0].labels for phrase in ("haggadas", "brants", "axes")]
            assert labels == [("haggada",), ("brant",), ("axe",)]


def test_senses_without_uses_that_rank_first_weigh_alike() -> None:
    synsets = [MiniSynset("n", ["jot"]), MiniSynset("v", ["jot"])]
    with tiny_wordnet(synsets) as store:
        for scorer in all_scorers(store, ["wordnet"], Parameters(rank_power=1.0, uses_power=1.0)):
            (aspect,) = scorer.aspects("jot")
            assert aspect.weights is None


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.server, pytest.mark.xdist_group("neo4j")]) if name == "neo4j" else name
        for name in STORES
    ],
)
def test_every_store_gives_the_same_weights(name: str, tmp_path: Path) -> None:
    links = " ".join(["[[Jaguar|cat]]"] * 15 + ["[[Jaguar Cars|cat]]"] * 3 + ["[[Jaguar (band)|cats]]"])
    titles = ("Jaguar", "Jaguar Cars", "Jaguar (band)")
    pages = [*(small_dumps.article(each, "", "Things") for each in titles), small_dumps.article("Text", links)]
    parameters = Parameters(rank_power=1.0, uses_power=0.5, prior_coverage=1.0, gn_shift=0.0, gn_scale=0.9)
    with ExitStack() as stack:
        store = stack.enter_context(STORES[name](tmp_path))
        ingest(store, open_wordnet(write_files(tmp_path / "dict", BANKS)))
        load(store, write_dump(tmp_path / "tiny.xml", pages))
        for scorer in all_scorers(store, ["tinywiki"], parameters):
            (aspect,) = scorer.aspects("cat")
            assert [entity.name for entity in scorer.view.view.entities(aspect.targets)] == list(titles)
            expected = [1.0, (4 / 16) ** 0.5 / 2, (2 / 16) ** 0.5 / 3]
            assert list(map(aspect.weight_of, aspect.targets)) == pytest.approx(expected, rel=1e-15)
        (match,) = check_all_searches(store, ["wordnet"], parameters, [("riverside", "bank")])
        assert match.matches[0].substitutee_weight == pytest.approx((5 / 20) ** 0.5 / 2)
        check_all_searches(store, ["wordnet", "tinywiki"], parameters, [("bank", "cat"), ("cat", "jaguar cars")])


def test_printed_profiles_weigh_no_senses() -> None:
    with tiny_wordnet(BANKS) as store:
        for name in ("thesis", "tuned"):
            assert not PROFILES[name].weighs_senses
            (scorer, *_) = all_scorers(store, ["wordnet"], PROFILES[name])
            assert all(aspect.weights is None for aspect in scorer.aspects("bank"))
            match = scorer.match("bank", "side")
            assert (match.score, match.matches[0].substitute_weight, match.matches[0].substitutee_weight) == (1.0, 1.0, 1.0)


def test_senses_are_listed_with_their_weights() -> None:
    with tiny_wordnet(BANKS) as store:
        for parameters, column in ((Parameters(uses_power=1.0), True), (Parameters(), False)):
            for scorer in all_scorers(store, ["wordnet"], parameters):
                senses = find_senses(scorer, store, "bank")
                weights = [(target.uses, target.weight) for target in senses.aspects[0].targets]
                assert weights == [(uses, (uses + 1) / 20 if column else 1.0) for uses in (19, 4, 0, 9)]
                assert ("weight" in str(senses)) == column


def test_a_path_that_begins_with_a_rare_sense_below_the_threshold_is_named() -> None:
    parameters = Parameters(uses_power=2.0, threshold=0.08)
    with tiny_wordnet(BANKS) as store:
        for scorer in all_scorers(store, ["wordnet"], parameters):
            match = scorer.match("bank", "riverside")
            (missing,) = match.missing_paths
            assert (match.score, missing.cause, missing.stop, missing.path[0].name) == (0.0, "threshold", 0, "bank")
            assert missing.substitute_weight == missing.path[0].score == (5 / 20) ** 2
            text = match_text(match, 400, explain=True)
            assert "The best path begins with a rare sense below the threshold of 0.08 at bank (0.06), where" in text
            assert "without a threshold it would keep 0.06." in text
            assert "  rare sense bank: 0.06\n" in text


@pytest.mark.parametrize("name", ["rank_power", "uses_power"])
@pytest.mark.parametrize("value", [-0.1, 16.5, float("nan"), "1", True])
def test_a_power_out_of_range_is_rejected(name: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=name):
        Parameters(**{name: value})
