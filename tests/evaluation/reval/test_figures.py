"""The figures of #REval: what they show equals the data, and their texts are legible, inside and apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from wayword.evaluation.reval.experiment_result import Curve, ExperimentResult
from wayword.evaluation.reval.figures import curves_figure, map_figure
from wayword.rendering.errors import RenderError
from wayword.rendering.plots import SERIES_COLOURS, series_style

from ...support.figures import check_texts

BEGUN = datetime(2026, 11, 19)


def result_of(encoders: int, tops: tuple[int, ...] = (1, 5), run: int = 1) -> ExperimentResult:
    curves = tuple(
        Curve(
            f"/models/encoder {number}/a long name of a model",
            top,
            tuple({"k": k, "reval_hit_ratio": None if k == 99 else (number + k + top) / 400} for k in (0, 5, 20, 99)),
        )
        for number in range(encoders)
        for top in tops
    )
    return ExperimentResult("/data/tweets.csv", 1_000, 900, 100, 250, 1_500, curves, run=run)


def curves(axis: Any) -> list[list[tuple[float, float]]]:
    return [list(zip(*line.get_data(), strict=True)) for line in axis.lines]


@pytest.mark.parametrize(("runs", "encoders"), [(1, 1), (2, 3), (4, 30), (1, 200)])
def test_each_encoder_has_a_curve_of_its_ratios(runs: int, encoders: int) -> None:
    results = [result_of(encoders, run=run) for run in range(1, runs + 1)]
    figure = curves_figure([(result, BEGUN) for result in results])
    shown = check_texts(figure)
    drawn = [axis for axis in figure.axes if axis.lines]
    assert len(drawn) == 2 * runs
    expected = [[(k, (number + k + 1) / 400) for k in (0, 5, 20)] for number in range(encoders)]
    assert expected in [curves(axis) for axis in drawn]
    assert not any("tweets.csv" in text for text in shown)
    assert {"#REval-hit-ratio by the number of synonyms", "1,000 tweets, 250 hashtags\nrun 1, 2026-11-19"} <= set(shown)


@pytest.mark.parametrize("runs", [1, 2])
def test_names_of_encoders_are_not_cut_off(runs: int) -> None:
    names = ["sentence-transformers/all-MiniLM-L6-v2", "vinai/bertweet-covid19-base-uncased", "word2vec"]
    found = result_of(len(names))
    named = tuple(replace(curve, encoder=names[number // 2]) for number, curve in enumerate(found.curves))
    figure = curves_figure([(replace(found, curves=named, run=run), BEGUN) for run in range(runs)])
    assert set(names) <= set(check_texts(figure))


def test_a_result_without_a_curve_is_an_error() -> None:
    with pytest.raises(RenderError, match="run 1 has no curve"):
        curves_figure([(result_of(0), BEGUN)])


@pytest.mark.parametrize("count", [1, 10, 30])
@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_the_names_of_hashtags_on_a_map_never_touch(count: int, spread: float) -> None:
    random = np.random.default_rng(0)
    labels = np.array([f"#hashtag{number % count:02}" for number in range(20 * count)])
    points = random.normal(size=(len(labels), 2)) + spread * random.normal(size=(count, 2))[np.arange(len(labels)) % count]
    uses = dict.fromkeys(labels.tolist(), 20)
    figure = map_figure(points, labels, uses, "600 labelled tweets · encoder word2vec · t-SNE")
    shown = check_texts(figure)
    assert {*uses} <= set(shown)
    drawn = np.concatenate([np.asarray(cloud.get_offsets()) for cloud in figure.axes[0].collections])
    assert sorted(map(tuple, drawn.tolist())) == sorted(map(tuple, points.tolist()))


def test_200_series_differ_without_colour_or_with_little_of_it() -> None:
    looks = {(style["color"], style["linestyle"], style["marker"]) for style in map(series_style, range(200))}
    assert len(looks) == 200
    without_colour = [(style["linestyle"], style["marker"]) for style in map(series_style, range(40))]
    assert len(set(without_colour)) == 40
    assert len(set(SERIES_COLOURS)) == len(SERIES_COLOURS)
    assert len({series_style(number)["color"] for number in range(10)}) == 10  # the hashtags of a map, by default
