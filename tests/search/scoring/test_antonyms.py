"""What antonyms cost: a factor of the whole score, and only if it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import wayword
from wayword.search.errors import ParameterError
from wayword.search.presentation.match_graph import to_dot, to_networkx
from wayword.search.presentation.match_picture import to_svg
from wayword.search.presentation.match_text import match_text
from wayword.search.scoring.parameters import Parameters

from ...support.mini_wordnet import MiniSynset
from ...support.scorers import all_scorers, check_all_searches, tiny_wordnet

# Old and new are antonyms, ancient and fresh are similar to them; a person can be old too.
AGES = [
    MiniSynset("a", ["old"], points=[("!", 1, 1, 1), ("&", 2, 0, 0), ("=", 4, 0, 0)]),
    MiniSynset("a", ["new"], points=[("!", 0, 1, 1), ("&", 3, 0, 0), ("=", 4, 0, 0)]),
    MiniSynset("a", ["ancient"], points=[("&", 0, 0, 0)]),
    MiniSynset("a", ["fresh"], points=[("&", 1, 0, 0)]),
    MiniSynset("n", ["age"], points=[("=", 0, 0, 0), ("=", 1, 0, 0)]),
    MiniSynset("a", ["aged", "old"]),
    MiniSynset("n", ["cage"]),
]
FOLLOWED = Parameters(attribute=0.9, threshold=0.01)
WEIGHED = Parameters(attribute=0.9, threshold=0.01, antonym=0.25)


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        ("old", "new", 0.25),
        ("new", "old", 0.25),
        ("ancient", "new", 0.25),
        ("ancient", "fresh", 0.25),
        ("old", "age", 1.0),
        ("old", "ancient", 1.0),
        ("old", "aged", 1.0),
        ("old", "old", 1.0),
    ],
)
def test_antonyms_multiply_the_score_of_the_path(one: str, other: str, factor: float) -> None:
    with tiny_wordnet(AGES) as store:
        (plain,), (weighed,) = (check_all_searches(store, ["wordnet"], each, [(one, other)]) for each in (FOLLOWED, WEIGHED))
        assert plain.score > 0.0
        assert weighed.score == plain.score * factor
        assert weighed.path == plain.path
        assert [each.antonym for each in weighed.matches] == [factor]


def test_the_senses_that_are_antonyms_are_named() -> None:
    with tiny_wordnet(AGES) as store:
        for scorer in all_scorers(store, ["wordnet"], WEIGHED):
            for pair in (("old", "new"), ("fresh", "old")):
                assert tuple(each.name for each in scorer.match(*pair).matches[0].antonyms) == pair


def test_phrases_that_share_a_meaning_are_no_antonyms() -> None:
    dust = [
        MiniSynset("v", ["dust"], points=[("!", 1, 1, 1)]),
        MiniSynset("v", ["dust", "clean"], points=[("!", 0, 1, 1)]),
    ]
    with tiny_wordnet(dust) as store:
        matches = check_all_searches(store, ["wordnet"], WEIGHED, [("dust", "dust"), ("dust", "clean")])
        assert [match.score for match in matches] == [1.0, 1.0]


def test_only_the_aspects_that_are_antonyms_pay() -> None:
    with tiny_wordnet(AGES) as store:
        (match,) = check_all_searches(store, ["wordnet"], WEIGHED, [("old cage", "new cage")])
        assert {(each.substitute, each.substitutee): each.antonym for each in match.matches} == {
            ("old", "new"): 0.25,
            ("cage", "cage"): 1.0,
        }


def test_antonyms_without_a_path_say_what_one_would_keep() -> None:
    with tiny_wordnet(AGES) as store:
        limited = Parameters(attribute=0.05, threshold=0.9, antonym=0.25)
        (match,) = check_all_searches(store, ["wordnet"], limited, [("ancient", "new")])
        assert match.score == 0.0
        (missing,) = match.missing_paths
        assert missing.antonym == 0.25
        assert [each.name for each in missing.antonyms] == ["ancient", "new"]
        assert "without a threshold it would keep 0.00" in match_text(match).replace("\n ", "")


def test_antonyms_are_shown_in_every_form() -> None:
    with tiny_wordnet(AGES) as store:
        match = all_scorers(store, ["wordnet"], WEIGHED)[0].match("old", "new")
    assert " ".join(match_text(match).splitlines()[-1].split()) == "0.20 antonyms × 0.25 old and new a thing / a thing"
    explained = match_text(match, explain=True)
    assert "antonyms old and new: antonym = 0.25" in explained
    assert "score: 0.90 × 0.90 × 0.25 = 0.20" in explained
    assert "antonyms × 0.25 = 0.20" in to_dot(match)
    assert "antonyms × 0.25 = 0.20" in to_svg(match)
    assert "antonyms old and new (× 0.25): 0.20." in to_svg(match)
    assert to_networkx(match).nodes[match.path[-1].id]["antonym"] == 0.25
    assert match.to_dict()["matches"][0]["antonym"] == 0.25
    assert [each["name"] for each in match.to_dict()["matches"][0]["antonyms"]] == ["old", "new"]


@pytest.mark.parametrize("value", [0.0, 5e-324, -0.1, 1.5, float("nan")])
def test_a_factor_of_antonyms_out_of_range_is_rejected(value: float) -> None:
    with pytest.raises(ParameterError, match="antonym is"):
        Parameters(antonym=value)


def test_antonyms_of_a_real_wordnet_pay_on_demand(wordnet31: Path) -> None:
    with wayword.open(wordnet31, profile="thesis") as plain, wayword.open(wordnet31, profile="thesis", antonym=0.5) as weighed:
        for pair in (("man", "woman"), ("rich people", "poor people"), ("hot", "chilly")):
            assert weighed.score(*pair).score <= plain.score(*pair).score
        pairs = [("man", "woman"), ("dog", "cat"), ("hot", "chilly")]
        assert [weighed.score(*pair).matches[0].antonym for pair in pairs] == [0.5, 1.0, 0.5]
        assert list(weighed.scores(pairs)) == [weighed.score(*pair).score for pair in pairs]
