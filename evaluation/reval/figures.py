"""Figures 3 and 4 of the paper: the curves of experiments, and a map of the tweets of the most used hashtags."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

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
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
"""Told apart in grey too: each curve by its line and mark, each hashtag by its mark."""

LARGEST, SMALLEST = 30.0, 2
"""The perplexity of t-SNE, and the fewest tweets of which a map is drawn."""

DRAWN = 20_000
"""Tweets on a map, at most; of more, so many are drawn by the seed."""


def read_result(ledger: Ledger, number: int) -> ExperimentResult:
    """The outcome of a run of the ledger."""
    found = ledger.run(number)
    if found.kind != KIND or found.result is None:
        state = "has not come to its end" if found.kind == KIND else f"is of the kind {found.kind}"
        raise RunUnknown(f"run {number} {state}; name an experiment with hashtags that is done (wayword runs --kind {KIND})")
    return ExperimentResult.of(found.result)


def draw_run_curves(ledger: Ledger, numbers: Sequence[int], file: str) -> None:
    """Figure 3: for each run a column, for each number of recommended hashtags a row, for each encoder a curve."""
    draw_curves([read_result(ledger, number) for number in numbers], file)


def draw_curves(outcomes: Sequence[ExperimentResult], file: str) -> None:
    """The curves of these outcomes beside each other."""
    check_figure_path(file)
    bare = next((each for each in outcomes if not any(_points(curve) for curve in each.curves)), None)
    if bare is not None:
        run = bare.name if bare.run is None else f"run {bare.run}"
        raise RenderError(f"{run} has no curve: nothing was recommended to any of its test tweets; lower --similar")
    tops = sorted({each.recommended for outcome in outcomes for each in outcome.curves})
    encoders = list(dict.fromkeys(each.encoder for outcome in outcomes for each in outcome.curves))
    figure = new_figure(3.4 * len(outcomes) + 1.2, 2.5 * len(tops) + 0.9)
    grid = figure.subplots(len(tops), len(outcomes), squeeze=False, sharex=True, sharey="row")
    for column, outcome in enumerate(outcomes):
        for row, top in enumerate(tops):
            axis = grid[row][column]
            for each in outcome.curves:
                if each.recommended == top and (points := _points(each)):
                    number = encoders.index(each.encoder)
                    axis.plot(*zip(*points, strict=True), **_curve(number), label=escape_text(clean(each.encoder)))
            axis.set_ylim(bottom=0)
            axis.grid(visible=True, color="#dddddd", linewidth=0.6)
            if not row:
                axis.set_title(escape_text(shorten(clean(outcome.name), 40)), fontsize=9.5, loc="left")
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


def _curve(number: int) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": STYLES[number % len(STYLES)],
        "marker": MARKS[number % len(MARKS)],
        "markersize": 4,
        "linewidth": 1.5,
    }


def draw_map(
    spool: ExampleSpool, encoder: TweetEncoder, most: int, seed: int, file: str, progress: Progress = no_progress
) -> dict[str, int]:
    """Figure 4: the tweets of the most used hashtags in two dimensions, by t-SNE; how many each has."""
    figure = new_figure(8.6, 6.4)
    uses = Counter(name for batch in spool.read() for each in batch for name in each.hashtags)
    chosen = [name for name, _ in sorted(uses.items(), key=lambda each: (-each[1], each[0]))[:most]]
    vectors, names = [], list[str]()
    for batch in spool.read():
        mine = [(each, name) for each in batch for name in each.hashtags if name in chosen]
        if mine:
            vectors.append(encoder.vectors([each.words for each, _ in mine]))
            names += [name for _, name in mine]
            progress("encoding tweets (tweets)", len(names), None)
    if len(names) <= SMALLEST:
        raise RenderError(f"a map needs more than {SMALLEST} tweets with hashtags; there are {len(names)}")
    drawn = np.arange(len(names))
    if len(names) > DRAWN:
        drawn = np.sort(np.random.default_rng(seed).permutation(len(names))[:DRAWN])
    places = _places(np.concatenate(vectors)[drawn], seed, progress)
    shown = np.array(names)[drawn]
    axis = figure.subplots()
    for number, name in enumerate(sorted(chosen)):
        mine_ = places[shown == name]
        label = f"{escape_text(shorten(clean(name), 30))} ({uses[name]:,})"
        mark = {"marker": MARKS[number % len(MARKS)], "color": COLOURS[number % len(COLOURS)]}
        axis.scatter(mine_[:, 0], mine_[:, 1], s=9, alpha=0.7, linewidths=0, label=label, **mark)
    for name in chosen:  # the name stands in the middle of its tweets
        middle = np.median(places[shown == name], axis=0)
        box = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.0}
        axis.text(*middle, escape_text(shorten(clean(name), 30)), fontsize=7.5, color=INK, ha="center", va="center", bbox=box)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.set_title(
        f"t-SNE of {len(drawn):,} labelled tweets by {escape_text(clean(encoder_label(encoder.name)))}", fontsize=10, loc="left"
    )
    figure.legend(loc="outside right upper", fontsize=8, frameon=False, markerscale=2.2)
    write_figure(figure, file, "The tweets of the most used hashtags")
    return {name: uses[name] for name in chosen}


def _places(vectors: Any, seed: int, progress: Progress) -> Any:
    try:
        from sklearn.manifold import TSNE
    except ImportError:
        raise RenderError("a map needs scikit-learn: pip install 'wayword[hashtags]'") from None
    progress("placing tweets (tweets)", len(vectors), None)
    perplexity = min(LARGEST, (len(vectors) - 1) / 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return TSNE(metric="cosine", init="random", perplexity=perplexity, random_state=seed % (1 << 32)).fit_transform(vectors)
