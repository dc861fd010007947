"""The figures of HOP: what they show equals the data, and their texts are legible, inside and apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from wayword.evaluation.hop.presentation.plots import (
    HopDistribution,
    concreteness_figure,
    hops_figure,
    trail_figure,
)
from wayword.evaluation.hop.results import Summary
from wayword.rendering.errors import RenderError
from wayword.rendering.files import write_figure
from wayword.search.traversal.results import CandidateLink, Hop, Trail

from ...support.figures import check_texts

BEGUN = datetime(2026, 11, 19)
LONG = "Donaudampfschifffahrtsgesellschaft " * 4


def distribution(
    hops: Sequence[int], starters: int = 100, *, strategy: str = "first", run: int = 1, base: str = "testwiki"
) -> HopDistribution:
    reached = len(hops)
    summary = Summary(
        strategy,
        "Philosophy",
        base,
        starters,
        reached,
        starters - reached,
        0,
        0,
        reached / starters,
        float(np.mean(hops)) if hops else None,
        None,
        min(hops, default=None),
        max(hops, default=None),
        run=run,
    )
    return HopDistribution(summary, hops, BEGUN)


def trail_of(*hops: Hop, target: str = "Philosophy") -> Trail:
    titles = (*(hop.title for hop in hops), target)
    return Trail("wordnet", target, "testwiki", "reached", len(hops), titles, steps=hops)


def hop_of(title: str, scores: Sequence[float], chosen: int = 1, *, name: str = "link") -> Hop:
    return Hop(title, chosen, tuple(CandidateLink(f"{name} {number}", "x", score) for number, score in enumerate(scores)))


def panels(figure: Any) -> list[Any]:
    return [axis for axis in figure.axes if axis.patches]


def masses(axis: Any) -> dict[int, float]:
    return {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axis.patches}


@pytest.mark.parametrize(
    "runs",
    [
        [[1, 2, 2, 3]],
        [[1] * 50, [2, 3, 3, 4] * 10, list(range(1, 101))],
        [[1, 9_999], [3] * 90],
        [[0, 0, 5], [7]],
    ],
)
def test_each_number_of_hops_has_a_bar_of_its_share(runs: list[list[int]]) -> None:
    figure = hops_figure([distribution(hops, run=number) for number, hops in enumerate(runs, 1)])
    shown = check_texts(figure)
    rights = [axis for number, axis in enumerate(figure.axes) if number % 2]
    for hops, axis in zip(runs, rights, strict=True):
        assert masses(axis) == pytest.approx({number: count / len(hops) for number, count in Counter(hops).items()})
        assert f"{len(hops) / 100:.1%}".replace("%", " %") in shown
        assert f"{np.mean(hops):.2f}" in shown


def test_all_runs_have_the_same_scales() -> None:
    figure = hops_figure([distribution([1] * 40), distribution([3, 4, 90]), distribution(list(range(1, 101)))])
    rights = [axis for number, axis in enumerate(figure.axes) if number % 2]
    assert len({(axis.get_xlim(), axis.get_ylim(), axis.get_xscale(), axis.get_yscale()) for axis in rights}) == 1


@pytest.mark.parametrize(("long", "scale"), [([12], "linear"), ([100], "function")])
def test_one_long_run_does_not_flatten_the_others(long: list[int], scale: str) -> None:
    figure = hops_figure([distribution([3, 4]), distribution([4, 5]), distribution(long)])
    assert figure.axes[1].get_xscale() == scale
    said = any("Hops are on a square-root scale." in text for text in check_texts(figure))
    assert said == (scale != "linear")
    width = figure.axes[1].transData.transform([(3.5, 0), (4.5, 0)])[:, 0]
    assert (width[1] - width[0]) / figure.axes[1].bbox.width > 0.02


def test_a_run_that_never_reached_the_target_is_named_but_has_no_empty_panel() -> None:
    figure = hops_figure([distribution([1, 2]), distribution([], strategy="second", run=7)])
    assert len(figure.axes) == 2
    assert any("no traversal reached the target: 2nd link (run 7)" in text for text in check_texts(figure))
    with pytest.raises(RenderError, match="no traversal of these runs reached Philosophy"):
        hops_figure([distribution([])])


def test_runs_of_a_strategy_are_distinguished_by_number_and_by_wiki() -> None:
    shown = check_texts(hops_figure([distribution([1, 2], run=3), distribution([2], run=4, base="otherwiki")]))
    assert {"1st link\nrun 3\ntestwiki →…", "1st link\nrun 4\notherwiki →…"} <= set(shown)
    assert "Hops to Philosophy in testwiki, otherwiki" in shown
    assert "runs 3, 4 of 2026-11-19" in shown


@pytest.mark.slow
def test_the_texts_of_many_runs_fit() -> None:
    check_texts(hops_figure([distribution([1, 2, run], run=run, base=f"{LONG}{run}") for run in range(1, 81)]))


@pytest.mark.parametrize("links", [1, 2, 20, 200])
@pytest.mark.parametrize("hops", [1, 3])
def test_a_trail_has_a_bar_for_each_link_and_a_dark_one_for_the_followed(hops: int, links: int) -> None:
    scores = [(number * 37 % 101) / 100 + 0.005 for number in range(links)]
    chosen = 1 + scores.index(max(scores))
    figure = trail_figure(trail_of(*(hop_of(f"Article {number}", scores, chosen, name=LONG) for number in range(hops))))
    check_texts(figure)
    assert len(panels(figure)) == hops
    for axis in panels(figure):
        heights = [bar.get_height() for bar in axis.patches]
        kept = sorted(scores, reverse=True)[:24]
        assert heights == [score for score in scores if score in kept]
        followed = axis.patches[heights.index(scores[chosen - 1])].get_facecolor()
        assert [bar.get_facecolor() for bar in axis.patches].count(followed) == 1


def test_hops_without_a_similarity_are_lines_of_text_instead_of_empty_panels() -> None:
    unknown = [hop_of(f"Article {number}", [0.0] * 20) for number in range(8)]
    figure = trail_figure(trail_of(*unknown, hop_of("Mind", [0.1, 0.9], 2)))
    assert len(panels(figure)) == 1
    assert figure.get_figheight() < 7
    assert "1. Article 0: the similarity of all of its 20 links is 0; “link 0” was followed." in check_texts(figure)


def test_a_long_trail_shows_its_first_and_last_hops_and_says_so() -> None:
    figure = trail_figure(trail_of(*(hop_of(f"Article {number}", [0.5, 0.1]) for number in range(1, 101))))
    shown = check_texts(figure)
    assert len(panels(figure)) == 12
    assert {"1. Article 1", "6. Article 6", "95. Article 95", "100. Article 100"} <= set(shown)
    assert "Hops 7 to 94 are not drawn." in shown


def test_negative_similarities_are_drawn_below_the_axis() -> None:
    figure = trail_figure(trail_of(hop_of("Dog", [-0.5, 0.25, -1.0], 2)))
    check_texts(figure)
    assert figure.axes[0].get_ylim()[0] <= -1.0


def test_a_trail_is_titled_in_words() -> None:
    shown = check_texts(trail_figure(trail_of(hop_of("Dog", [0.5])), "run 3 of 2026-11-19"))
    assert shown[-3:-1] == [
        "From Dog to Philosophy by WordNet",
        "testwiki · reached Philosophy after 1 hop · run 3 of 2026-11-19",
    ]


def test_the_concreteness_of_every_starter_is_counted() -> None:
    ratings = [1.5, 2.5, 2.5, 4.75]
    figure = concreteness_figure(ratings, "testwiki · run 5 of 2026-11-19")
    assert sum(bar.get_height() for bar in figure.axes[0].patches) == len(ratings)
    assert "4 starters with a rating; dashed: their mean, 2.81" in check_texts(figure)


def test_text_in_svg_is_text_and_dollar_signs_are_no_formulas(tmp_path: Path) -> None:
    links = (CandidateLink("Price $a_$ b", "x", 0.5), CandidateLink(r"$\foo$", "y", 0.1))
    trail = Trail("wordnet", "$x_$", "w", "reached", 1, ("$a$", "$x_$"), steps=(Hop("$a$", 1, links),))
    file = tmp_path / "trail.svg"
    write_figure(trail_figure(trail), file, "a title")
    shown = {"".join(each.itertext()).strip() for each in ET.parse(file).iter("{http://www.w3.org/2000/svg}text")}
    assert {"From $a$ to $x_$ by WordNet", "Price $a_$ b", r"$\foo$", "1. $a$"} <= shown
    again = tmp_path / "again.svg"
    write_figure(trail_figure(trail), again, "a title")
    assert again.read_bytes() == file.read_bytes()
