"""Draws figures 3 and 4 of the paper: the curves of experiments, and a map of the tweets of the most used hashtags."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import hint
from ...core.optional_packages import require_package
from ...core.progress import Progress, no_progress
from ...embeddings.hashtags.encoders import encoder_label
from ...rendering.errors import RenderError
from ...rendering.plots import INK, check_figure_path, escape_text, new_figure, write_figure
from ...rendering.text import clean, shorten
from ..errors import RunUnknown
from .experiment import KIND
from .experiment_result import Curve, ExperimentResult

if TYPE_CHECKING:
    from ...embeddings.hashtags.encoders import TweetEncoder
    from ...embeddings.hashtags.training import ExampleSpool
    from ..runs.ledger import Ledger

COLOURS = ("#0b3d6b", "#c1440e", "#4f8f4f", "#8e6bb0", "#b08a00", "#3d3d3d", "#2a9db5", "#b5497e", "#7c8b9a", "#6b3e14")
STYLES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
"""Curves differ in style and marker, hashtags in marker, so that they can be distinguished without colours too."""

PERPLEXITY = 30.0
"""The perplexity of t-SNE, less for few tweets."""

MIN_TWEETS, MAX_TWEETS = 3, 20_000
"""The least number of tweets on a map, and the greatest: of more, a random sample is drawn."""


def read_result(ledger: Ledger, number: int) -> ExperimentResult:
    """Read the result of a finished run."""
    from ..runs.database import translate_damage

    found = ledger.run(number)
    if found.kind != KIND:
        raise RunUnknown(f"run {number} is of kind {found.kind}, not a hashtag experiment", hint("list_runs", kind=KIND))
    if found.result is None:
        raise RunUnknown(f"run {number} has not finished; run it again with the same options")
    with translate_damage(ledger.name):
        return ExperimentResult.from_dict(found.result)


def draw_run_curves(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Draw figure 3: a column for each run, a row for each number of recommended hashtags, a curve for each encoder."""
    draw_curves([read_result(ledger, number) for number in numbers], file)


def draw_curves(results: Sequence[ExperimentResult], file: str) -> None:
    """Draw the curves of results side by side."""
    check_figure_path(file)
    empty = next((each for each in results if not any(_points(curve) for curve in each.curves)), None)
    if empty is not None:
        run = empty.name if empty.run is None else f"run {empty.run}"
        raise RenderError(f"{run} has no curve: no test tweet has a recommendation", hint("lower", option="similar"))
    tops = sorted({each.recommended for result in results for each in result.curves})
    encoders = list(dict.fromkeys(each.encoder for result in results for each in result.curves))
    figure = new_figure(3.4 * len(results) + 1.2, 2.5 * len(tops) + 0.9)
    grid = figure.subplots(len(tops), len(results), squeeze=False, sharex=True, sharey="row")
    for column, result in enumerate(results):
        for row, top in enumerate(tops):
            axis = grid[row][column]
            for each in result.curves:
                if each.recommended == top and (points := _points(each)):
                    number = encoders.index(each.encoder)
                    axis.plot(*zip(*points, strict=True), **_line_style(number), label=escape_text(clean(each.encoder)))
            axis.set_ylim(bottom=0)
            axis.grid(visible=True, color="#dddddd", linewidth=0.6)
            if not row:
                axis.set_title(escape_text(shorten(clean(result.name), 40)), fontsize=9.5, loc="left")
            if not column:
                axis.set_ylabel(f"#REval-hit-ratio, top {top}", fontsize=8.5)
            axis.tick_params(labelsize=8)
    for axis in grid[-1]:
        axis.set_xlabel("synonyms of a hashtag (k)", fontsize=8.5)
    handles, names = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 4) or 1, fontsize=8.5, frameon=False)
    write_figure(figure, file, "The #REval-hit-ratio by the number of synonyms")


def _points(curve: Curve) -> list[tuple[int, float]]:
    return [(point["k"], point["reval_hit_ratio"]) for point in curve.points if point["reval_hit_ratio"] is not None]


def _line_style(number: int) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": STYLES[number % len(STYLES)],
        "marker": MARKERS[number % len(MARKERS)],
        "markersize": 4,
        "linewidth": 1.5,
    }


def check_map(file: str) -> None:
    """Raise before long work if a map cannot be drawn, or not be written to this file."""
    check_figure_path(file)
    require_package("sklearn", "a map needs", RenderError)


def draw_map(
    spool: ExampleSpool, encoder: TweetEncoder, count: int, seed: int, file: str, progress: Progress = no_progress
) -> dict[str, int]:
    """Draw figure 4: the tweets of the most used hashtags in two dimensions, by t-SNE.

    Args:
        spool: The cleaned tweets.
        encoder: Makes the vectors of the tweets.
        count: The number of hashtags.
        seed: Of t-SNE, and of the sample of the tweets.
        file: A file whose name ends in .svg, .png or .pdf.
        progress: Receives the progress.

    Returns:
        The number of tweets of each hashtag.
    """
    figure = new_figure(8.6, 6.4)
    uses = Counter(name for batch in spool.read() for each in batch for name in each.hashtags)
    chosen = [name for name, _ in sorted(uses.items(), key=lambda each: (-each[1], each[0]))[:count]]
    vectors, names = [], list[str]()
    for batch in spool.read():
        labelled = [(each, name) for each in batch for name in each.hashtags if name in chosen]
        if labelled:
            vectors.append(encoder.encode([each.words for each, _ in labelled]))
            names += [name for _, name in labelled]
            progress("encoding tweets (tweets)", len(names), None)
    if len(names) < MIN_TWEETS:
        raise RenderError(f"a map needs at least {MIN_TWEETS} tweets with hashtags; there are {len(names)}")
    sample = np.arange(len(names))
    if len(names) > MAX_TWEETS:
        sample = np.sort(np.random.default_rng(seed).permutation(len(names))[:MAX_TWEETS])
    points = _embed(np.concatenate(vectors)[sample], seed, progress)
    labels = np.array(names)[sample]
    axis = figure.subplots()
    for number, name in enumerate(sorted(chosen)):
        own = points[labels == name]
        label = f"{escape_text(shorten(clean(name), 30))} ({uses[name]:,})"
        style = {"marker": MARKERS[number % len(MARKERS)], "color": COLOURS[number % len(COLOURS)]}
        axis.scatter(own[:, 0], own[:, 1], s=9, alpha=0.7, linewidths=0, label=label, **style)
    for name in chosen:  # the name is written in the middle of its tweets
        middle = np.median(points[labels == name], axis=0)
        box = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.0}
        axis.text(*middle, escape_text(shorten(clean(name), 30)), fontsize=7.5, color=INK, ha="center", va="center", bbox=box)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.set_title(
        f"t-SNE of {len(sample):,} labelled tweets by {escape_text(clean(encoder_label(encoder.name)))}",
        fontsize=10,
        loc="left",
    )
    figure.legend(loc="outside right upper", fontsize=8, frameon=False, markerscale=2.2)
    write_figure(figure, file, "The tweets of the most used hashtags")
    return {name: uses[name] for name in chosen}


def _embed(vectors: Any, seed: int, progress: Progress) -> Any:
    from sklearn.manifold import TSNE

    progress("running t-SNE (tweets)", len(vectors), None)
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return TSNE(metric="cosine", init="random", perplexity=perplexity, random_state=seed % (1 << 32)).fit_transform(vectors)
