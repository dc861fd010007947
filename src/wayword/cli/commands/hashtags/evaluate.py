"""``wayword hashtags evaluate``: hit ratio and #REval-hit-ratio of recommendations, for each number of synonyms."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING

import click

from ....evaluation.reval import KS, WEIGHTS
from ...output import print_note, print_text, reject_empty
from ...progress_bar import show_progress

if TYPE_CHECKING:
    from ....core.progress import Progress
    from ....core.thesaurus import Thesaurus
    from ....evaluation.reval.evaluation_result import Evaluation, JudgedPairs
    from ....evaluation.reval.hashtag_lists import Pair
    from ....evaluation.reval.measures import Weights
    from ...settings import Settings

HELD = 1 << 24
"""Bytes of an answer that are held in memory; what is more goes to a temporary file."""

PIECE = 1 << 20


@click.command()
@click.option("--recommended", metavar="FILE", callback=reject_empty, help="The recommended hashtags, one line for one tweet.")
@click.option("--gold", metavar="FILE", callback=reject_empty, help="The hashtags that the tweets have, in the same order.")
@click.option("--pairs", metavar="FILE", callback=reject_empty, help="Both in one file: CSV, TSV or JSON lines.")
@click.option(
    "--thesaurus", metavar="FILE", callback=reject_empty, help="Synonyms of a file, Parquet or CSV; else the store's."
)
@click.option("--base", "-b", metavar="BASE", help="The hashtags of the store; by default the only ones there are.")
@click.option(
    "-k",
    "ks",
    type=click.IntRange(0, 1_000_000),
    multiple=True,
    metavar="K",
    help="So many synonyms; more than once for more. By default 0, 5, 10, 20 and so on to 70, as far as there are so many.",
)
@click.option(
    "--weights",
    type=click.Choice(WEIGHTS),
    default="none",
    show_default=True,
    help="How much less a synonym counts the farther it is; by the paper, not at all.",
)
@click.option("--each", is_flag=True, help="Tell the ratios of every tweet.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines: one document for each k; with --each for each tweet and k.")
@click.pass_obj
def evaluate(
    settings: Settings,
    /,
    recommended: str | None,
    gold: str | None,
    pairs: str | None,
    thesaurus: str | None,
    base: str | None,
    ks: tuple[int, ...],
    weights: Weights,
    each: bool,
    as_json: bool,
) -> None:
    """How good recommended hashtags are: the hit ratio, and the #REval-hit-ratio, by which synonyms are hits too.

    \b
    wayword hashtags evaluate --recommended mine.txt --gold tweets.txt
    wayword hashtags evaluate --pairs both.csv --thesaurus thesaurus.parquet -k 10 -k 50 --json

    A line has hashtags that are parted by blanks or commas, or a JSON array of them; a blank line has none. A file of --pairs
    has columns, or fields, that are called recommended and gold. A file that is called - is stdin. Upper case and a missing #
    do not matter. Tweets without a recommendation or without hashtags are left out and counted.
    """
    from ....evaluation.reval.batch_measures import judge_pairs
    from ....evaluation.reval.evaluation_result import average_pairs, evaluation_table

    read = _lists(recommended, gold, pairs)
    if thesaurus is not None and base is not None:
        raise click.UsageError("choose one of --thesaurus and --base.")
    with show_progress(quiet=settings.quiet) as progress:
        synonyms = _synonyms(settings, thesaurus, base, progress)
        chosen = _chosen(settings, synonyms, ks)
        judged = _counted(judge_pairs(read(), synonyms, chosen, weights), progress)
        if each:
            _tell_each(judged, chosen, weights, as_json=as_json)
            return
        found = average_pairs(judged, chosen, weights)
    print_text("\n".join(_line(one) for one in found) if as_json else evaluation_table(found))


def _lists(recommended: str | None, gold: str | None, pairs: str | None) -> Callable[[], Iterator[Pair]]:
    """What reads the lists that are named."""
    from ....evaluation.reval.hashtag_lists import read_pairs, read_parallel

    if pairs is not None:
        if recommended is not None or gold is not None:
            raise click.UsageError("give either --pairs or --recommended and --gold, not both.")
        return functools.partial(read_pairs, pairs)
    if recommended is None or gold is None:
        missing = "--recommended" if recommended is None else "--gold"
        raise click.UsageError(f"{missing} is missing; give --recommended and --gold, or --pairs with both in one file.")
    if recommended == gold == "-":
        raise click.UsageError("both lists cannot come by stdin; name a file for one, or give --pairs - with both in each row.")
    return functools.partial(read_parallel, recommended, gold)


def _synonyms(settings: Settings, file: str | None, base: str | None, progress: Progress) -> Thesaurus:
    """The thesaurus of a file, or that of the store."""
    if file is None:
        from ....api import open as open_graph
        from ....search.hashtags.lookup import read_synonyms

        with open_graph(settings.store, progress=progress) as graph:
            return read_synonyms(graph.store, base)
    from ....core.left_out import describe_left_out
    from ....loaders.thesauri.reader import read_thesaurus

    left_out = Counter[str]()
    progress("reading the thesaurus", 0, None)
    found = read_thesaurus(file, left_out)
    if left_out:
        print_note(settings, f"{file}: left out {', '.join(describe_left_out(*each) for each in left_out.items())}")
    return found


def _chosen(settings: Settings, thesaurus: Thesaurus, ks: Sequence[int]) -> list[int]:
    """The ks that are asked for, or those of the paper as far as the thesaurus goes."""
    import numpy as np

    sizes = np.diff(thesaurus.offsets)
    sizes = sizes[sizes > 0]
    most = int(sizes.max(initial=0))
    if not ks:
        return sorted({*(k for k in KS if k <= most), min(most, max(KS))})
    for k in dict.fromkeys(ks):
        if (fewer := int((sizes < k).sum())) * 2 > len(sizes):
            print_note(
                settings, f"k is {k:,}, and {fewer:,} of {len(sizes):,} hashtags have fewer synonyms; the most is {most:,}"
            )
    return list(dict.fromkeys(ks))


def _counted(judged: Iterable[JudgedPairs], progress: Progress) -> Iterator[JudgedPairs]:
    count = 0
    for some in judged:
        count += len(some.gold)
        progress("evaluating recommendations", count, None)
        yield some


def _tell_each(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, *, as_json: bool) -> None:
    """Every tweet by itself; nothing is said before all lists are read and found to be in order."""
    from tempfile import SpooledTemporaryFile

    from ....evaluation.reval.evaluation_result import average_pairs, evaluation_table

    with SpooledTemporaryFile(HELD, "w+", encoding="utf-8") as target:
        write = _write_json if as_json else _write_text
        found = average_pairs(write(judged, ks, weights, target), ks, weights)
        target.seek(0)
        while piece := target.read(PIECE):
            click.echo(piece, nl=False)
    if not as_json:
        print_text(f"\n{evaluation_table(found)}")


def _write_json(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, target: IO[str]) -> Iterator[JudgedPairs]:
    number = 0
    for some in judged:
        for found in some.evaluate_each(ks, weights):
            number += 1
            target.writelines(_line(one, number) + "\n" for one in found)
        yield some


def _write_text(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, target: IO[str]) -> Iterator[JudgedPairs]:
    """A row for each tweet, in columns of which the width is known before."""
    from ....evaluation.reval.evaluation_result import format_ratio

    target.write("     pair  hit ratio" + "".join(f"  {f'k={k}':<6}" for k in ks).rstrip() + "\n")
    number = 0
    for some in judged:
        for found in some.evaluate_each(ks, weights):
            number += 1
            ratios = "".join(f"  {format_ratio(one.reval_hit_ratio):<6}" for one in found)
            hits = format_ratio(found[0].hit_ratio)
            target.write(f"{number:>9}  {hits:<9}{ratios}".rstrip() + "\n")
        yield some


def _line(evaluation: Evaluation, pair: int | None = None) -> str:
    whole = evaluation.to_dict()
    return json.dumps(whole if pair is None else {**whole, "pair": pair})
