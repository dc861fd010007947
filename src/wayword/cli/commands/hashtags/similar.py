"""``wayword hashtags similar``: which hashtags are near to one, in the store or in files, as rows, a table or a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...output import print_json, print_note, print_text, reject_blank, reject_empty

if TYPE_CHECKING:
    from ....search.hashtags.results import Similar, TableFormat
    from ...settings import Settings

FEW = 5
"""Synonyms of each hashtag in a table of several, as in the paper."""

SOME = 10
"""Synonyms of a hashtag alone."""


def _given(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        reject_blank(ctx, parameter, value)
    return tuple(dict.fromkeys(values))


@click.command()
@click.argument("tags", metavar="TAG...", nargs=-1, required=True, callback=_given)
@click.option("-k", "k", type=click.IntRange(1), metavar="N", help="How many synonyms; 10, or 5 of each of several hashtags.")
@click.option("--base", "-b", metavar="BASE", help="The base of hashtags; by default the only one there is.")
@click.option(
    "--thesaurus", "-t", "files", multiple=True, metavar="FILE", callback=_given, help="Ask this file, not the store."
)
@click.option("--output", "-o", metavar="FILE", callback=reject_empty, help="Draw to a file: .svg, .png, .dot or .graphml.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "latex"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def similar(
    settings: Settings,
    tags: tuple[str, ...],
    k: int | None,
    base: str | None,
    files: tuple[str, ...],
    output: str | None,
    form: TableFormat,
    as_json: bool,
) -> None:
    """The nearest synonyms of a hashtag. Of several, or from several files, a table beside each other (5 of the paper).

    A # stands for a comment in a shell: quote the hashtag, or leave the # out.

    \b
    wayword hashtags similar covid19
    wayword hashtags similar covid19 -k 30 --output covid19.svg
    wayword hashtags similar aging quinoa --thesaurus bert.parquet --thesaurus word2vec.parquet --format latex
    """
    several = len(tags) > 1 or len(files) > 1
    if base is not None and files:
        raise click.UsageError("choose one of --base and --thesaurus.")
    if output is not None and several:
        raise click.UsageError("a picture is of one hashtag in one thesaurus; name one.")
    if form != "text" and (as_json or output is not None):
        raise click.UsageError(f"choose one of --format and {'--json' if as_json else '--output'}.")
    wanted = k or (FEW if several else SOME)
    if files:
        _show(settings, tags, _asked(settings, files, wanted), output, form, as_json)
        return
    from ....api import open as open_graph
    from ....search.bases.selection import choose_base_of_kind
    from ....search.hashtags.kind import HASHTAGS

    with open_graph(settings.store, base=base) as graph:
        name = choose_base_of_kind(graph.store, HASHTAGS, [base] if base else []).id
        _show(settings, tags, {name: partial(graph.similar, k=wanted)}, output, form, as_json)


def _asked(settings: Settings, files: Sequence[str], k: int) -> Mapping[str, Callable[[str], Similar]]:
    """A way to ask each file, under a name that only it has."""
    from ....core.left_out import describe_left_out
    from ....loaders.thesauri.reader import read_thesaurus
    from ....search.hashtags.lookup import find_similar_in

    names = [Path(file).stem for file in files]
    ways = {}
    for file, name in zip(files, names, strict=True):
        left_out = Counter[str]()
        thesaurus = read_thesaurus(file, left_out)
        for code, count in left_out.items():
            print_note(settings, f"left out of {file}: {describe_left_out(code, count)}")
        called = name if names.count(name) == 1 else file
        ways[called] = partial(find_similar_in, thesaurus, k=k, label=called)
    return ways


def _show(
    settings: Settings,
    tags: Sequence[str],
    ways: Mapping[str, Callable[[str], Similar]],
    output: str | None,
    form: TableFormat,
    as_json: bool,
) -> None:
    if len(tags) > 1 or len(ways) > 1:
        from ....search.hashtags.lookup import compare_thesauri

        table = compare_thesauri(tags, ways)
        if as_json:
            print_json(table.to_dict())
        else:
            print_text(table.to_table(form).removesuffix("\n"))
        return
    (ask,) = ways.values()
    found = ask(tags[0])
    if output is not None:
        found.draw(output)
        print_note(settings, f"drew {output}")
    if as_json:
        print_json(found.to_dict())
    elif output is None:
        print_text(found.to_table(form).removesuffix("\n"))
