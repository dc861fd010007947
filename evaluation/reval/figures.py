"""Draws figures 3 and 4 of the paper: the curves of experiments, and a map of the tweets of the most used hashtags."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import hint
from ...core.optional_packages import require_package
from ...core.progress import Progress, no_progress
from ...embeddings.hashtags.encoders import encoder_label
from ...rendering.errors import RenderError
from ...rendering.files import check_figure_path, write_figure
from ...rendering.plots import (
    GRID,
    PAGE_WIDTH,
    SMALL,
    fit_text,
    new_figure,
    place_labels,
    series_style,
    text_inches,
    title_figure,
)
from ..errors import RunUnknown
from .experiment import KIND
from .experiment_result import Curve, ExperimentResult

if TYPE_CHECKING:
    from ...embeddings.hashtags.encoders import TweetEncoder
    from ...embeddings.hashtags.training import ExampleSpool
    from ..runs.ledger import Ledger

_COLUMNS, _CELL = 3, (2.3, 2.0)
"""Figure 3: the columns of a row, and the size of a cell in inches."""

_LEGEND_LINE, _LEGEND_KEY, _LONGEST_LABEL = 0.19, 0.5, 2.7
"""Figure 3: the height of a line of the legend, and the greatest widths beside and of a label, in inches."""

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
    check_figure_path(file)
    numbers = list(dict.fromkeys(numbers))
    figure = curves_figure([(read_result(ledger, number), ledger.run(number).begun) for number in numbers])
    write_figure(figure, file, CURVES_TITLE)


CURVES_TITLE = "#REval-hit-ratio by the number of synonyms"


def curves_figure(runs: Sequence[tuple[ExperimentResult, datetime]]) -> Any:
    """Draw the curves of the results of runs side by side, each with the date of its run."""
    results = [result for result, _ in runs]
    empty = next((each for each in results if not any(_points(curve) for curve in each.curves)), None)
    if empty is not None:
        run = empty.name if empty.run is None else f"run {empty.run}"
        raise RenderError(f"{run} has no curve: no test tweet has a recommendation", hint("lower", option="similar"))
    tops = sorted({each.recommended for result in results for each in result.curves})
    encoders = list(dict.fromkeys(each.encoder for result in results for each in result.curves))
    columns = min(len(results), _COLUMNS)
    blocks = math.ceil(len(results) / columns)
    width = max(columns * _CELL[0] + 0.5, 5.0)
    labels = {name: fit_text(encoder_label(name), _LONGEST_LABEL) for name in encoders}
    longest = max(text_inches(label) for label in labels.values())
    legend_columns = min(len(encoders), int(width / (longest + _LEGEND_KEY)))
    legend = _LEGEND_LINE * math.ceil(len(encoders) / legend_columns) + 0.2
    figure = new_figure(width, blocks * (len(tops) * _CELL[1] + 0.6) + legend)
    grid = figure.subplots(blocks * len(tops), columns, squeeze=False, sharex=True)
    for axis in grid.flat:
        axis.axis("off")
    drawn: dict[str, Any] = {}
    for number, (result, begun) in enumerate(runs):
        block, column = divmod(number, columns)
        for row, top in enumerate(tops):
            axis = grid[block * len(tops) + row][column]
            axis.axis("on")
            axis.sharey(grid[row][0])
            for each in result.curves:
                if each.recommended == top and (points := _points(each)):
                    (drawn[each.encoder],) = axis.plot(*zip(*points, strict=True), **series_style(encoders.index(each.encoder)))
            axis.set_ylim(bottom=0)
            axis.grid(visible=True, color=GRID, linewidth=0.6)
            axis.tick_params(labelsize=SMALL, labelbottom=row == len(tops) - 1, labelleft=not column)
            if not row:
                axis.set_title(_run_title(result, begun), fontsize=SMALL, loc="left")
            if not column:
                axis.set_ylabel(f"top {top}", fontsize=SMALL)
        axis.set_xlabel("synonyms of a hashtag (k)", fontsize=SMALL)
    named = [name for name in encoders if name in drawn]
    figure.legend(
        [drawn[name] for name in named],
        [labels[name] for name in named],
        loc="outside lower left",
        ncols=legend_columns,
        fontsize=SMALL,
        frameon=False,
    )
    title_figure(figure, CURVES_TITLE, "A row for each number of recommended hashtags, a curve for each encoder.")
    return figure


def _run_title(result: ExperimentResult, begun: datetime) -> str:
    run = "" if result.run is None else f"run {result.run}, "
    lines = [f"{result.tweets:,} tweets, {result.hashtags:,} hashtags", f"{run}{begun:%Y-%m-%d}"]
    return "\n".join(fit_text(line, _CELL[0] - 0.3) for line in lines)


def _points(curve: Curve) -> list[tuple[int, float]]:
    return [(point["k"], point["reval_hit_ratio"]) for point in curve.points if point["reval_hit_ratio"] is not None]


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
    check_figure_path(file)
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
    number = f"{'a sample of ' if len(sample) < len(names) else ''}{len(sample):,} labelled tweets"
    caption = f"{number} · encoder {encoder_label(encoder.name)} · t-SNE"
    write_figure(map_figure(points, labels, {name: uses[name] for name in chosen}, caption), file, MAP_TITLE)
    return {name: uses[name] for name in chosen}


MAP_TITLE = "Tweets of the most used hashtags"


def map_figure(points: Any, labels: Any, uses: dict[str, int], caption: str) -> Any:
    """Draw tweets in two dimensions, with the name of each hashtag in the middle of its tweets.

    Args:
        points: The positions of the tweets.
        labels: The hashtag of each tweet.
        uses: The hashtags, each with the number of its tweets.
        caption: Where the tweets come from.
    """
    figure = new_figure(PAGE_WIDTH + 1.2, 5.6)
    axis = figure.subplots()
    for number, (name, count) in enumerate(sorted(uses.items())):
        own = points[labels == name]
        style = series_style(number)
        axis.scatter(
            own[:, 0],
            own[:, 1],
            s=9,
            alpha=0.7,
            linewidths=0,
            color=style["color"],
            marker=style["marker"],
            label=f"{fit_text(name, 1.2)} ({count:,})",
        )
    axis.set_xticks([])
    axis.set_yticks([])
    axis.margins(0.06)
    figure.legend(loc="outside right upper", fontsize=SMALL, frameon=False, markerscale=2.2)
    title_figure(figure, MAP_TITLE, caption)
    places = {name: np.median(points[labels == name], axis=0) for name in uses if (labels == name).any()}
    place_labels(axis, [(fit_text(name, 1.5), *place) for name, place in places.items()])
    return figure


def _embed(vectors: Any, seed: int, progress: Progress) -> Any:
    from sklearn.manifold import TSNE

    progress("running t-SNE (tweets)", len(vectors), None)
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return TSNE(metric="cosine", init="random", perplexity=perplexity, random_state=seed % (1 << 32)).fit_transform(vectors)
