"""``wayword hashtags train`` and ``update``: thesauri from tweets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...output import print_json, print_note, print_text, reject_empty, reject_nan

if TYPE_CHECKING:
    from ....embeddings.encoders.transformer import Pooling
    from ....embeddings.hashtags.centroids import Rule
    from ....embeddings.hashtags.thesaurus_file import TrainedThesaurus
    from ....loaders.tweets import TweetCounts
    from ...settings import Settings

MOST = 10_000

SEED = click.IntRange(0, (1 << 63) - 1)

workers_option = click.option(
    "--workers", type=click.IntRange(1, 256), metavar="N", help="Processes that clean tweets; by default one a processor."
)


@click.command()
@click.argument("tweets", nargs=-1, required=True, metavar="TWEETS...")
@click.option(
    "--encoder",
    required=True,
    metavar="NAME",
    callback=reject_empty,
    help="A folder, a name on Hugging Face, or word2vec or fasttext, to be trained on the tweets.",
)
@click.option("--output", "-o", required=True, metavar="FILE", callback=reject_empty, help="A file ending in .parquet or .csv.")
@click.option(
    "--pooling",
    type=click.Choice(["mean", "cls"]),
    default="mean",
    show_default=True,
    help="The mean of a tweet's tokens, or the token before it.",
)
@click.option(
    "-k", type=click.IntRange(1, MOST), default=70, show_default=True, metavar="K", help="Synonyms of each hashtag, at most."
)
@click.option(
    "--within",
    type=click.FloatRange(0, 2),
    callback=reject_nan,
    metavar="X",
    help="Only synonyms at most this cosine distance away.",
)
@click.option("--approximate", is_flag=True, help="For millions of hashtags: find synonyms by an index that may miss some.")
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="Of word2vec and fasttext.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="What was learnt, as one JSON document.")
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
    workers: int | None,
    as_json: bool,
) -> None:
    """Learn hashtags from TWEETS, and write the thesaurus that they make.

    TWEETS are files, folders or archives: a tweet a line, CSV, JSON lines, objects of Twitter's APIs, or - for stdin. A hashtag
    is the mean of its tweets' vectors; its synonyms are those nearest to it.

    \b
    wayword hashtags train tweets.csv --encoder vinai/bertweet-base --output flu.parquet
    wayword hashtags train tweets.csv --encoder word2vec --output flu.parquet
    """
    from ....hashtags import Training
    from ....hashtags import train as train_thesaurus
    from ....loaders.tweets import TweetCounts
    from ...progress_bar import show_progress

    counts = TweetCounts()
    how = Training(encoder, pooling, k, within, approximate, seed)
    with show_progress(quiet=settings.quiet) as progress:
        kept = train_thesaurus(tweets, how, Path(output), counts, workers, progress, lambda text: print_note(settings, text))
    if as_json:
        print_json({"output": output, **_to_dict(kept, counts)})
        return
    print_text(f"{output}: {len(kept.centroids):,} hashtags of {kept.info.tweets:,} tweets")
    print_left_out(settings, counts)
    print_note(
        settings,
        f"Next: {settings.command} load hashtags {output}, or ask it: wayword hashtags similar TAG --thesaurus {output}",
    )


@click.command()
@click.argument("thesaurus", callback=reject_empty)
@click.argument("tweets", nargs=-1, required=True, metavar="TWEETS...")
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="Where to write; by default THESAURUS is replaced.")
@click.option(
    "--rule",
    type=click.Choice(["exact", "printed"]),
    default="exact",
    show_default=True,
    help="As if all tweets had been learnt at once, or equation (1) as printed, which drifts.",
)
@click.option("--encoder", metavar="NAME", callback=reject_empty, help="Where the encoder is now that made THESAURUS.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="What was learnt, as one JSON document.")
@click.pass_obj
def update(
    settings: Settings,
    thesaurus: str,
    tweets: tuple[str, ...],
    output: str | None,
    rule: Rule,
    encoder: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Take new TWEETS into a THESAURUS that `train` has made; those that it knows already change nothing.

    \b
    wayword hashtags update flu.parquet today.jsonl
    """
    from ....hashtags import update as update_thesaurus
    from ....loaders.tweets import TweetCounts
    from ...progress_bar import show_progress

    counts = TweetCounts()
    goal = thesaurus if output is None else output
    with show_progress(quiet=settings.quiet) as progress:
        after, grown = update_thesaurus(
            Path(thesaurus),
            tweets,
            Path(goal),
            counts,
            rule,
            encoder,
            workers,
            progress,
            lambda text: print_note(settings, text),
        )
    if as_json:
        print_json({"output": goal, "new_tweets": grown.tweets, "new_hashtags": grown.hashtags, **_to_dict(after, counts)})
        return
    print_text(f"{goal}: {grown.tweets:,} new tweets, {grown.hashtags:,} new hashtags; now {len(after.centroids):,} hashtags")
    print_left_out(settings, counts)
    print_note(settings, f"Next: {settings.command} load hashtags {goal}")


def _to_dict(kept: TrainedThesaurus, counts: TweetCounts) -> dict[str, Any]:
    about = kept.info
    return {
        "encoder": about.encoder,
        "pooling": about.pooling,
        "k": about.k,
        "within": about.within,
        "approximate": about.approximate,
        "rule": about.rule,
        "seed": about.seed,
        "tweets": about.tweets,
        "hashtags": len(kept.centroids),
        "synonyms": int((kept.neighbours.numbers >= 0).sum()),
        "left_out": dict(+counts.left_out),
        "without_text": counts.without_text,
        "notes": dict(counts.notes),
    }


def print_left_out(settings: Settings, counts: TweetCounts) -> None:
    """Print what was left out, and what was noticed in the files."""
    from ....core.left_out import describe_left_out

    for code, count in (+counts.left_out).items():
        print_note(settings, f"  left out: {describe_left_out(code, count)}")
    if counts.without_text:
        print_note(settings, f"  {counts.without_text:,} {'entry' if counts.without_text == 1 else 'entries'} without text")
    for code, count in counts.notes.items():
        print_note(settings, f"  {describe_left_out(code, count)}")
