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

MEMORY_LIMIT = 1 << 24
"""Bytes of an answer that are held in memory; a longer one goes to a temporary file."""

CHUNK = 1 << 20


@click.command()
@click.option("--recommended", metavar="FILE", callback=reject_empty, help="Recommended hashtags, one line per tweet.")
@click.option("--gold", metavar="FILE", callback=reject_empty, help="Hashtags of the tweets, in the same order.")
@click.option("--pairs", metavar="FILE", callback=reject_empty, help="Both in one file: CSV, TSV or JSON lines.")
@click.option(
    "--thesaurus", metavar="FILE", callback=reject_empty, help="Thesaurus, Parquet or CSV; by default that of the store."
)
@click.option("--base", "-b", metavar="BASE", help="Base of hashtags; by default the only one.")
@click.option(
    "-k",
    "ks",
    type=click.IntRange(0, 1_000_000),
    multiple=True,
    metavar="K",
    help="Number of synonyms; repeatable. By default 0, 5, 10, 20, ..., 70, up to the largest in the thesaurus.",
)
@click.option(
    "--weights",
    type=click.Choice(WEIGHTS),
    default="none",
    show_default=True,
    help="How the weight of a synonym decreases with its rank; in the paper it is constant.",
)
@click.option("--each", is_flag=True, help="Print the ratios of every tweet.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines: one document per k; with --each one per tweet and k.")
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
    """Evaluate recommended hashtags: the hit ratio, and the #REval-hit-ratio, which counts synonyms as hits.

    \b
    wayword hashtags evaluate --recommended mine.txt --gold tweets.txt
    wayword hashtags evaluate --pairs both.csv --thesaurus thesaurus.parquet -k 10 -k 50 --json

    A line has hashtags separated by spaces or commas, or a JSON array of them; a blank line has none. The file of --pairs has
    the columns, or fields, recommended and gold. The file name - is stdin. Upper case and a missing # are ignored. Tweets
    without recommended or without gold hashtags are left out and counted.
    """
    from ....evaluation.reval.batch_measures import judge_pairs
    from ....evaluation.reval.evaluation_result import average_pairs, evaluation_table

    read = _lists(recommended, gold, pairs)
    if thesaurus is not None and base is not None:
        raise click.UsageError("choose one of --thesaurus and --base.")
    with show_progress(quiet=settings.quiet) as progress:
        synonyms = _synonyms(settings, thesaurus, base, progress)
        chosen = _choose_ks(settings, synonyms, ks)
        judged = _report_progress(judge_pairs(read(), synonyms, chosen, weights), progress)
        if each:
            _print_each(judged, chosen, weights, as_json=as_json, before=progress.clear)
            return
        averages = average_pairs(judged, chosen, weights)
    print_text("\n".join(map(_line, averages)) if as_json else evaluation_table(averages))


def _lists(recommended: str | None, gold: str | None, pairs: str | None) -> Callable[[], Iterator[Pair]]:
    """Return the function that reads the lists."""
    from ....evaluation.reval.hashtag_lists import read_pairs, read_parallel

    if pairs is not None:
        if recommended is not None or gold is not None:
            raise click.UsageError("give either --pairs or --recommended and --gold, not both.")
        return functools.partial(read_pairs, pairs)
    if recommended is None or gold is None:
        missing = "--recommended" if recommended is None else "--gold"
        raise click.UsageError(f"{missing} is missing; give --recommended and --gold, or --pairs with both in one file.")
    if recommended == gold == "-":
        raise click.UsageError(
            "only one list can come from stdin; name a file for the other, or give --pairs - with both in each row."
        )
    return functools.partial(read_parallel, recommended, gold)


def _synonyms(settings: Settings, file: str | None, base: str | None, progress: Progress) -> Thesaurus:
    """Return the thesaurus of a file, or that of the store."""
    if file is None:
        from ....api import open as open_graph
        from ....search.hashtags.lookup import read_synonyms

        with open_graph(settings.store, progress=progress) as graph:
            return read_synonyms(graph.store, base)
    from ....core.left_out import describe_left_out
    from ....loaders.thesauri.reader import read_thesaurus

    left_out = Counter[str]()
    progress("reading the thesaurus", 0, None)
    thesaurus = read_thesaurus(file, left_out)
    if left_out:
        print_note(settings, f"{file}: left out {', '.join(describe_left_out(*item) for item in left_out.items())}")
    return thesaurus


def _choose_ks(settings: Settings, thesaurus: Thesaurus, ks: Sequence[int]) -> list[int]:
    """Return the given ks, by default those of the paper up to the most synonyms that a hashtag has."""
    import numpy as np

    sizes = np.diff(thesaurus.offsets)
    sizes = sizes[sizes > 0]
    largest = int(sizes.max(initial=0))
    if not ks:
        return sorted({*(k for k in KS if k <= largest), min(largest, max(KS))})
    for k in dict.fromkeys(ks):
        if (fewer := int((sizes < k).sum())) * 2 > len(sizes):
            print_note(
                settings,
                f"k is {k:,}, but {fewer:,} of {len(sizes):,} hashtags have fewer synonyms; the largest number is {largest:,}",
            )
    return list(dict.fromkeys(ks))


def _report_progress(judged: Iterable[JudgedPairs], progress: Progress) -> Iterator[JudgedPairs]:
    count = 0
    for batch in judged:
        count += len(batch.gold)
        progress("evaluating recommendations", count, None)
        yield batch


def _print_each(
    judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, *, as_json: bool, before: Callable[[], None]
) -> None:
    """Print the ratios of every tweet, once all lists have been read without an error and ``before`` has been called."""
    from tempfile import SpooledTemporaryFile

    from ....evaluation.reval.evaluation_result import average_pairs, evaluation_table

    with SpooledTemporaryFile(MEMORY_LIMIT, "w+", encoding="utf-8") as target:
        write = _write_json if as_json else _write_text
        averages = average_pairs(write(judged, ks, weights, target), ks, weights)
        target.seek(0)
        before()
        while chunk := target.read(CHUNK):
            print_text(chunk, nl=False)
    if not as_json:
        print_text(f"\n{evaluation_table(averages)}")


def _write_json(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, target: IO[str]) -> Iterator[JudgedPairs]:
    number = 0
    for batch in judged:
        for evaluations in batch.evaluate_each(ks, weights):
            number += 1
            target.writelines(_line(evaluation, number) + "\n" for evaluation in evaluations)
        yield batch


def _write_text(judged: Iterable[JudgedPairs], ks: Sequence[int], weights: Weights, target: IO[str]) -> Iterator[JudgedPairs]:
    """Write a row per tweet in columns of fixed width."""
    from ....evaluation.reval.evaluation_result import format_ratio

    target.write("     pair  hit ratio" + "".join(f"  {f'k={k}':<6}" for k in ks).rstrip() + "\n")
    number = 0
    for batch in judged:
        for evaluations in batch.evaluate_each(ks, weights):
            number += 1
            ratios = "".join(f"  {format_ratio(evaluation.reval_hit_ratio):<6}" for evaluation in evaluations)
            hits = format_ratio(evaluations[0].hit_ratio)
            target.write(f"{number:>9}  {hits:<9}{ratios}".rstrip() + "\n")
        yield batch


def _line(evaluation: Evaluation, pair: int | None = None) -> str:
    values = evaluation.to_dict()
    return json.dumps(values if pair is None else {**values, "pair": pair})
