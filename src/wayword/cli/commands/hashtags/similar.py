"""``wayword hashtags similar``: the synonyms of hashtags in the store or in files, as rows, a table or a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...output import print_json, print_note, print_text, reject_blank
from ...picture_option import picture_option

if TYPE_CHECKING:
    from ....search.hashtags.results import Similar, TableFormat
    from ...settings import Settings

TABLE_SYNONYMS = 5
"""Default number of synonyms in a table of several hashtags, as in the paper."""

LIST_SYNONYMS = 10
"""Default number of synonyms of a single hashtag."""


def _reject_blank_items(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        reject_blank(ctx, parameter, value)
    return tuple(dict.fromkeys(values))


@click.command()
@click.argument("tags", metavar="TAG...", nargs=-1, required=True, callback=_reject_blank_items)
@click.option(
    "-k", "k", type=click.IntRange(1), metavar="N", help="Number of synonyms; by default 10, or 5 for several hashtags."
)
@click.option("--base", "-b", metavar="BASE", help="Base to query; by default the only one of hashtags.")
@click.option(
    "--thesaurus",
    "files",
    multiple=True,
    metavar="FILE",
    callback=_reject_blank_items,
    help="Query this file instead of the store; repeatable.",
)
@picture_option(graph=True)
@click.option("--format", "form", type=click.Choice(["table", "csv", "latex"]), default="table", show_default=True)
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
    """List the nearest synonyms of a hashtag; for several hashtags or files, as a table (table 5 of the paper).

    In a shell # begins a comment: quote the hashtag, or leave the # out.

    \b
    wayword hashtags similar covid19
    wayword hashtags similar covid19 -k 30 --output covid19.svg
    wayword hashtags similar aging quinoa --thesaurus bert.parquet --thesaurus word2vec.parquet --format latex
    """
    several = len(tags) > 1 or len(files) > 1
    if base is not None and files:
        raise click.UsageError("choose one of --base and --thesaurus.")
    if output is not None and several:
        raise click.UsageError("--output draws one hashtag of one thesaurus; name one.")
    if form != "table" and (as_json or output is not None):
        raise click.UsageError(f"choose one of --format and {'--json' if as_json else '--output'}.")
    count = k or (TABLE_SYNONYMS if several else LIST_SYNONYMS)
    if files:
        _show(settings, tags, _open_files(settings, files, count), output, form, as_json)
        return
    from ....api import open as open_graph
    from ....search.bases.selection import choose_base_of_kind
    from ....search.hashtags.kind import HASHTAGS

    with open_graph(settings.store, base=base) as graph:
        name = choose_base_of_kind(graph.store, HASHTAGS, [base] if base else []).id
        _show(settings, tags, {name: partial(graph.similar, k=count)}, output, form, as_json)


def _open_files(settings: Settings, files: Sequence[str], k: int) -> Mapping[str, Callable[[str], Similar]]:
    """Return a function that queries each file, by a unique name of the file."""
    from ....core.left_out import describe_left_out
    from ....loaders.thesauri.reader import read_thesaurus
    from ....search.hashtags.lookup import find_similar_in

    names = [Path(file).stem for file in files]
    lookups = {}
    for file, name in zip(files, names, strict=True):
        left_out = Counter[str]()
        thesaurus = read_thesaurus(file, left_out)
        for code, count in left_out.items():
            print_note(settings, f"{file}: left out {describe_left_out(code, count)}")
        label = name if names.count(name) == 1 else file
        lookups[label] = partial(find_similar_in, thesaurus, k=k, label=label)
    return lookups


def _show(
    settings: Settings,
    tags: Sequence[str],
    lookups: Mapping[str, Callable[[str], Similar]],
    output: str | None,
    form: TableFormat,
    as_json: bool,
) -> None:
    if len(tags) > 1 or len(lookups) > 1:
        from ....search.hashtags.lookup import compare_thesauri

        table = compare_thesauri(tags, lookups)
        if as_json:
            print_json(table.to_dict())
        else:
            print_text(table.to_table(form).removesuffix("\n"))
        return
    (look_up,) = lookups.values()
    result = look_up(tags[0])
    if output is not None:
        result.draw(output)
        print_note(settings, f"drew {output}")
    if as_json:
        print_json(result.to_dict())
    elif output is None:
        print_text(result.to_table(form).removesuffix("\n"))
