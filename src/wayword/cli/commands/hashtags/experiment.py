"""``wayword hashtags recommend``, ``experiment`` and ``figure``: the recommender of the paper and its evaluation by #REval."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....core.messages import quote_value
from ...ledger_option import ledger_option, open_ledger
from ...output import print_json, print_note, print_text, reject_blank, reject_empty, reject_nan
from ...picture_option import picture_option
from .train import SEED, column_option, print_left_out, workers_option

if TYPE_CHECKING:
    from ....embeddings.encoders.transformer import Pooling
    from ....evaluation.reval.recommender import Popularity
    from ...settings import Settings


def recommender_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the recommender."""
    for option in (
        click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="Random seed."),
        click.option(
            "--popularity",
            type=click.Choice(["similar", "all"]),
            default="similar",
            show_default=True,
            help="Rank hashtags by their use in similar tweets or in all tweets.",
        ),
        click.option(
            "--similar",
            type=click.FloatRange(-1, 1),
            callback=reject_nan,
            default=0.5,
            show_default=True,
            metavar="X",
            help="Smallest cosine of similar tweets.",
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("text", callback=reject_blank)
@click.option("--tweets", multiple=True, required=True, metavar="TWEETS", help="Tweets to learn from; repeatable.")
@click.option(
    "-r",
    "limit",
    type=click.IntRange(1, 10_000),
    default=5,
    show_default=True,
    metavar="R",
    help="Hashtags to recommend, at most.",
)
@recommender_options
@column_option
@workers_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def recommend(
    settings: Settings,
    text: str,
    tweets: tuple[str, ...],
    limit: int,
    seed: int,
    popularity: Popularity,
    similar: float,
    column: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Recommend hashtags for TEXT: those that similar tweets use most.

    The model trained on TWEETS is cached, so the next call is fast.

    \b
    wayword hashtags recommend "Nurses to strike over pay" --tweets health.csv
    """
    from ....loaders.tweets import TweetCounts
    from ....recommend import make_recommender, read_words
    from ...progress_bar import show_progress

    words, counts = read_words(text), TweetCounts()
    with show_progress(quiet=settings.quiet) as progress:
        hashtags = make_recommender(
            tweets,
            counts.left_out,
            seed=seed,
            similar=similar,
            popularity=popularity,
            column=column,
            workers=workers,
            progress=progress,
        ).recommend([words], limit)[0]
    print_left_out(settings, counts)
    if as_json:
        parameters = {
            "r": limit,
            "similar": similar,
            "popularity": popularity,
            "seed": seed,
            "tweets": list(tweets),
            "column": column,
        }
        print_json({"text": text, "hashtags": hashtags, "parameters": parameters})
    elif hashtags:
        print_text("\n".join(hashtags))
    else:
        print_note(settings, "no tweet is similar to this text; lower --similar")


@click.command()
@click.argument("tweets", nargs=-1, required=True, metavar="TWEETS...")
@click.option(
    "--encoder",
    "encoders",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Encoder: a folder, a name on Hugging Face, word2vec or fasttext; repeatable.",
)
@click.option(
    "-k",
    "ks",
    multiple=True,
    type=click.IntRange(0, 10_000),
    metavar="K",
    help="Numbers of synonyms; by default 0 to 70; repeatable.",
)
@click.option(
    "-r",
    "tops",
    multiple=True,
    type=click.IntRange(1, 10_000),
    metavar="R",
    help="Numbers of recommended hashtags; by default 1, 5, 10; repeatable.",
)
@click.option("--pooling", type=click.Choice(["mean", "cls"]), default="mean", show_default=True, help="As for train.")
@click.option("--within", type=click.FloatRange(0, 2), callback=reject_nan, metavar="X", help="As for train.")
@click.option(
    "--weights",
    type=click.Choice(["none", "reciprocal", "logarithmic", "linear"]),
    default="none",
    show_default=True,
    help="As for evaluate.",
)
@click.option(
    "--test",
    "tested",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=reject_nan,
    default=0.1,
    show_default=True,
    metavar="X",
    help="Share of the tweets to test with.",
)
@recommender_options
@click.option(
    "--keep", metavar="DIR", callback=reject_empty, help="Write recommendations, gold hashtags and thesauri to this folder."
)
@column_option
@workers_option
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def experiment(
    settings: Settings,
    /,
    tweets: tuple[str, ...],
    encoders: tuple[str, ...],
    ks: tuple[int, ...],
    tops: tuple[int, ...],
    keep: str | None,
    workers: int | None,
    ledger: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Run the experiment of the paper: recommend hashtags for a tenth of TWEETS and evaluate them with a thesaurus per encoder.

    \b
    wayword hashtags experiment tweets.csv --encoder vinai/bertweet-base --encoder word2vec --encoder fasttext
    """
    from ....evaluation.reval import KS
    from ....evaluation.reval.experiment import TOPS, Experiment
    from ....hashtags import run_experiment
    from ....loaders.tweets import TweetCounts
    from ...progress_bar import show_progress

    experiment = Experiment(
        tweets, tuple(dict.fromkeys(encoders)), tuple(sorted({0, *(ks or KS)})), tuple(sorted({*(tops or TOPS)})), **options
    )
    counts = TweetCounts()
    with show_progress(quiet=settings.quiet) as progress, open_ledger(settings, ledger) as opened:
        result = run_experiment(
            experiment,
            opened,
            counts,
            None if keep is None else Path(keep),
            workers,
            progress,
            lambda text: print_note(settings, text),
        )
    if as_json:
        print_json(result.to_dict())
        return
    print_text(str(result))
    print_left_out(settings, TweetCounts(notes=counts.notes))
    if result.run is not None:
        print_note(settings, f"Next: {settings.command} hashtags figure curves {result.run} --output curves.svg")


@click.command()
@click.argument("kind", type=click.Choice(["curves", "map"]))
@click.argument("sources", nargs=-1, required=True, metavar="RUN...|TWEETS...")
@picture_option(required=True)
@click.option("--encoder", metavar="NAME", callback=reject_empty, help="With map: encoder of tweets, as for train.")
@click.option(
    "--hashtags",
    "hashtag_count",
    type=click.IntRange(1, 30),
    default=10,
    show_default=True,
    metavar="N",
    help="With map: number of hashtags, the most used ones.",
)
@click.option(
    "--seed", type=SEED, default=0, show_default=True, metavar="N", help="With map: random seed of t-SNE and word2vec."
)
@click.option(
    "--pooling", type=click.Choice(["mean", "cls"]), default="mean", show_default=True, help="With map: as for train."
)
@column_option
@workers_option
@ledger_option
@click.pass_obj
def figure(
    settings: Settings,
    kind: str,
    sources: tuple[str, ...],
    output: str,
    encoder: str | None,
    hashtag_count: int,
    seed: int,
    pooling: Pooling,
    column: str | None,
    workers: int | None,
    ledger: str | None,
) -> None:
    """Draw a figure of the paper: curves of experiments (figure 3) or a map of the tweets of the most used hashtags (figure 4).

    \b
    wayword hashtags figure curves 1 2 --output curves.svg
    wayword hashtags figure map tweets.csv --encoder vinai/bertweet-base --output map.png
    """
    from ...progress_bar import show_progress

    if (kind == "map") != (encoder is not None):
        raise click.UsageError("map needs --encoder." if kind == "map" else "--encoder is only for map.")
    if kind == "curves" and column is not None:
        raise click.UsageError("--column is only for map.")
    if kind == "curves":
        from ....evaluation.reval.figures import draw_run_curves
        from ....evaluation.runs.ledger import Ledger

        for source in sources:
            if not source.isdecimal() or len(source) > 18:
                raise click.UsageError(f"{quote_value(source)} is not the number of a run; wayword runs lists them.")
        with Ledger.open(ledger, create=False) as opened:
            draw_run_curves(opened, list(map(int, sources)), output)
    else:
        from ....hashtags import draw_hashtag_map
        from ....loaders.tweets import TweetCounts

        counts = TweetCounts()
        with show_progress(quiet=settings.quiet) as progress:
            draw_hashtag_map(
                sources,
                str(encoder),
                pooling,
                hashtag_count,
                seed,
                output,
                counts,
                column,
                workers,
                progress,
                lambda text: print_note(settings, text),
            )
        print_left_out(settings, counts)
    print_note(settings, f"drew {output}")
