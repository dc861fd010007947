"""``wayword hashtags train`` and ``update``: thesauri of hashtags from tweets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...output import format_count, print_json, print_note, print_text, reject_empty, reject_nan

if TYPE_CHECKING:
    from ....embeddings.encoders.transformer import Pooling
    from ....embeddings.hashtags.centroids import Rule
    from ....embeddings.hashtags.thesaurus_file import TrainedThesaurus
    from ....loaders.tweets import TweetCounts
    from ...settings import Settings

MAX_SYNONYMS = 10_000

SEED = click.IntRange(0, (1 << 63) - 1)

workers_option = click.option(
    "--workers", type=click.IntRange(1, 256), metavar="N", help="Processes that clean tweets; by default one per processor."
)


column_option = click.option(
    "--column", metavar="NAME", callback=reject_empty, help="Column, or JSON field, of the texts, if it has an uncommon name."
)


@click.command()
@click.argument("tweets", nargs=-1, required=True, metavar="TWEETS...")
@click.option(
    "--encoder",
    required=True,
    metavar="NAME",
    callback=reject_empty,
    help="Encoder of tweets: a folder, a name on Hugging Face, or word2vec or fasttext, which are trained on the tweets and "
    "saved beside a .parquet file, as in flu.word2vec.bin.",
)
@click.option(
    "--output", "-o", required=True, metavar="FILE", callback=reject_empty, help="File to write, ending in .parquet or .csv."
)
@click.option(
    "--pooling",
    type=click.Choice(["mean", "cls"]),
    default="mean",
    show_default=True,
    help="Vector of a tweet: the mean of its tokens, or the token before them.",
)
@click.option(
    "-k",
    type=click.IntRange(1, MAX_SYNONYMS),
    default=70,
    show_default=True,
    metavar="K",
    help="Synonyms per hashtag, at most.",
)
@click.option(
    "--within",
    type=click.FloatRange(0, 2),
    callback=reject_nan,
    metavar="X",
    help="Largest cosine distance of a synonym.",
)
@click.option("--approximate", is_flag=True, help="Find synonyms with an index that may miss some; for millions of hashtags.")
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="Random seed of word2vec and fasttext.")
@column_option
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")
@click.pass_obj
def train(
    settings: Settings,
    tweets: tuple[str, ...],
    encoder: str,
    output: str,
    pooling: Pooling,
    k: int,
    within: float | None,
    approximate: bool,
    seed: int,
    column: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Train a thesaurus of the hashtags in TWEETS.

    TWEETS are files, folders or archives with one tweet per line, CSV, JSON lines or objects of Twitter's APIs, or - for stdin.
    The vector of a hashtag is the mean of its tweets' vectors; its synonyms are the nearest hashtags.

    \b
    wayword hashtags train tweets.csv --encoder vinai/bertweet-base --output flu.parquet
    wayword hashtags train tweets.csv --encoder word2vec --output flu.parquet
    """
    from ....hashtags import TrainingOptions
    from ....hashtags import train as train_thesaurus
    from ....loaders.tweets import TweetCounts
    from ...progress_bar import show_progress

    counts = TweetCounts()
    options = TrainingOptions(encoder, pooling, k, within, approximate, seed, column)
    with show_progress(quiet=settings.quiet) as progress:
        trained = train_thesaurus(
            tweets, options, Path(output), counts, workers, progress, lambda text: print_note(settings, text)
        )
    if as_json:
        print_json({"output": output, **_to_dict(trained, counts)})
        return
    hashtags, tweet_count = len(trained.centroids), trained.info.tweets
    print_text(f"{output}: {format_count(hashtags, 'hashtag')} of {format_count(tweet_count, 'tweet')}")
    print_left_out(settings, counts)
    print_note(
        settings,
        f"Next: {settings.command} load hashtags {output}, or wayword hashtags similar TAG --thesaurus {output}",
    )


@click.command()
@click.argument("thesaurus", callback=reject_empty)
@click.argument("tweets", nargs=-1, required=True, metavar="TWEETS...")
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="File to write; by default THESAURUS is replaced.")
@click.option(
    "--rule",
    type=click.Choice(["exact", "printed"]),
    default="exact",
    show_default=True,
    help="exact: as if trained on all tweets at once; printed: equation (1) of the paper, which drifts.",
)
@click.option(
    "--encoder", metavar="NAME", callback=reject_empty, help="Current path of the encoder of THESAURUS, if it has moved."
)
@column_option
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")
@click.pass_obj
def update(
    settings: Settings,
    thesaurus: str,
    tweets: tuple[str, ...],
    output: str | None,
    rule: Rule,
    encoder: str | None,
    column: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Add new TWEETS to a THESAURUS that `train` wrote; tweets that it was trained on before are skipped.

    \b
    wayword hashtags update flu.parquet today.jsonl
    """
    from ....hashtags import update as update_thesaurus
    from ....loaders.tweets import TweetCounts
    from ...progress_bar import show_progress

    counts = TweetCounts()
    target = thesaurus if output is None else output
    with show_progress(quiet=settings.quiet) as progress:
        updated, growth = update_thesaurus(
            Path(thesaurus),
            tweets,
            Path(target),
            counts,
            rule,
            encoder,
            column,
            workers,
            progress,
            lambda text: print_note(settings, text),
        )
    if as_json:
        added = {"new_tweets": growth.tweets, "new_hashtags": growth.hashtags}
        print_json({"output": target, **added, **_to_dict(updated, counts)})
        return
    new = f"{format_count(growth.tweets, 'new tweet')}, {format_count(growth.hashtags, 'new hashtag')}"
    print_text(f"{target}: {new}; now {format_count(len(updated.centroids), 'hashtag')}")
    print_left_out(settings, counts)
    print_note(settings, f"Next: {settings.command} load hashtags {target}")


def _to_dict(trained: TrainedThesaurus, counts: TweetCounts) -> dict[str, Any]:
    info = trained.info
    return {
        "encoder": info.encoder,
        "pooling": info.pooling,
        "k": info.k,
        "within": info.within,
        "approximate": info.approximate,
        "rule": info.rule,
        "seed": info.seed,
        "tweets": info.tweets,
        "hashtags": len(trained.centroids),
        "synonyms": int((trained.neighbours.numbers >= 0).sum()),
        "left_out": dict(+counts.left_out),
        "without_text": counts.without_text,
        "notes": dict(counts.notes),
    }


def print_left_out(settings: Settings, counts: TweetCounts) -> None:
    """Print what was left out, and what is unusual about the files."""
    from ....core.left_out import describe_left_out

    for code, count in (+counts.left_out).items():
        print_note(settings, f"  left out: {describe_left_out(code, count)}")
    if counts.without_text:
        print_note(settings, f"  {counts.without_text:,} {'entry' if counts.without_text == 1 else 'entries'} without text")
    for code, count in counts.notes.items():
        print_note(settings, f"  {describe_left_out(code, count)}")
