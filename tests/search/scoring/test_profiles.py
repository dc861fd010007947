"""The named profiles, what they mean on a wiki, and what people say of their scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wayword
from wayword.search.paths.weighted import WeightedView
from wayword.search.scoring.human_scale import CURVES, estimate_judgement
from wayword.search.scoring.profiles import DEFAULT_PROFILE, PROFILES
from wayword.search.scoring.scorer import Scorer

from ...support import small_dumps
from ...support.examples import share_of_examples
from ...support.loaded_wikis import tiny_store, views
from ...support.mini_wordnet import MiniSynset, write_files
from ...support.small_dumps import SmallPage

PAIRS = st.lists(st.tuples(small_dumps.phrases(), small_dumps.phrases()), min_size=1, max_size=4)


@pytest.mark.parametrize("profile", ["people", "entailment"])
@share_of_examples(0.1)
@given(pages=small_dumps.wikis(), pairs=PAIRS)
def test_on_a_wiki_a_tuned_profile_has_the_weights_of_the_thesis(
    profile: str, pages: list[SmallPage], pairs: list[tuple[str, str]]
) -> None:
    tuned = PROFILES[profile]
    with tiny_store(pages) as store:
        thesis = replace(PROFILES["thesis"], threshold=tuned.threshold)
        for view in views(store, ["tinywiki"], tuned):
            ours, theirs = (Scorer(WeightedView(view, each)) for each in (tuned, thesis))
            for pair in pairs:
                assert ours.match(*pair).matches == theirs.match(*pair).matches
                assert ours.match(*pair).judgement is None


@pytest.mark.parametrize("profile", list(CURVES))
def test_judgements_rise_with_the_score(profile: str) -> None:
    curve = CURVES[profile]
    assert [curve[0][0], curve[-1][0]] == [0.0, 1.0]
    for (low, least), (high, most) in pairwise(curve):
        assert low < high
        assert 0.0 <= least <= most <= 10.0
    judgements = [estimate_judgement(score / 200, curve) for score in range(201)]
    assert judgements == sorted(judgements)
    assert judgements[0] == curve[0][1]
    assert judgements[-1] == pytest.approx(curve[-1][1])


def test_a_judgement_belongs_to_an_unchanged_profile_and_known_phrases(tmp_path: Path) -> None:
    store = tmp_path / "graph"
    synsets = [MiniSynset("n", ["cage"]), MiniSynset("n", ["birdcage"], points=[("@", 0, 0, 0)])]
    wayword.load_wordnet(write_files(tmp_path / "dict", synsets), store=store)
    with wayword.open(store) as graph:
        match = graph.score("birdcage", "cage")
        assert match.profile == DEFAULT_PROFILE
        assert match.judgement == estimate_judgement(match.score, CURVES[DEFAULT_PROFILE])
        assert match.to_dict()["judgement"] == match.judgement
        assert graph.score("xyzzy", "cage").judgement is None
    for changed in ({"profile": "thesis"}, {"threshold": 0.1}):
        with wayword.open(store, **changed) as graph:
            assert graph.score("birdcage", "cage").judgement is None
