"""``wayword hop``: traverse a wiki's links to Philosophy, or to any other article."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ...search.traversal.strategies import STRATEGIES
from ..groups import SuggestingGroup
from ..ledger_option import ledger_option
from ..output import print_json, print_note, print_text, reject_empty
from ..picture_option import picture_option
from ..progress_bar import show_progress

if TYPE_CHECKING:
    from ...evaluation.hop.comparison import Form
    from ..settings import Settings


@click.group(cls=SuggestingGroup)
def hop() -> None:
    """Walk from link to link of a wiki towards an article, by default Philosophy."""


def traversal_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a traversal."""
    for option in reversed(_TRAVERSAL):
        command = option(command)
    return command


_SEED = click.IntRange(-(1 << 63), (1 << 63) - 1)

_TRAVERSAL = [
    click.option("--base", "-b", metavar="BASE", help="Wiki; by default the only one."),
    click.option(
        "--strategy",
        "-s",
        type=click.Choice(list(STRATEGIES)),
        default="first",
        show_default=True,
        help="Link to follow: a random one, the first, the second, or the one most similar to the target.",
    ),
    click.option("--target", "-t", default="Philosophy", show_default=True, metavar="ARTICLE", help="Article to reach."),
    click.option(
        "--vectors",
        metavar="FILE",
        callback=reject_empty,
        help="With --strategy vectors: file of word vectors: word2vec, GloVe, fastText, gensim, or .npy.",
    ),
    click.option(
        "--vocabulary", metavar="FILE", callback=reject_empty, help="With --strategy vectors: the words of a .npy file."
    ),
    click.option(
        "--encoder",
        metavar="NAME",
        callback=reject_empty,
        help="With --strategy contextual: a folder or a name on Hugging Face.",
    ),
    click.option(
        "--lexicon", default="wordnet", show_default=True, metavar="BASE", help="With --strategy wordnet: base of the WordNet."
    ),
    click.option(
        "--words",
        type=click.Choice(["title", "anchor"]),
        default="title",
        show_default=True,
        help="Text of a link that is compared.",
    ),
    click.option(
        "--per-word", is_flag=True, help="With --strategy vectors: average the cosines of the words instead of their vectors."
    ),
    click.option("--first-sense", is_flag=True, help="With --strategy wordnet: use only the most frequent sense of a noun."),
    click.option(
        "--seed",
        type=_SEED,
        default=0,
        show_default=True,
        metavar="N",
        help="Random seed.",
    ),
    click.option(
        "--first-links",
        type=click.IntRange(1, 10_000),
        default=20,
        show_default=True,
        metavar="N",
        help="Links of an article to consider.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(0, 10_000),
        default=100,
        show_default=True,
        metavar="N",
        help="Largest number of hops.",
    ),
    click.option("--keep-parentheses", is_flag=True, help="Include links in parentheses."),
    click.option("--no-revisit", is_flag=True, help="Never visit an article twice."),
]


@hop.command()
@click.argument("article")
@traversal_options
@picture_option()
@click.option("--cypher", "as_cypher", is_flag=True, help="Print a statement that shows the trail in Neo4j Browser.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document, with all links that were considered.")
@click.pass_obj
def trail(
    settings: Settings, /, article: str, base: str | None, output: str | None, as_cypher: bool, as_json: bool, **options: Any
) -> None:
    """Show a traversal from ARTICLE to the target, hop by hop.

    \b
    wayword hop trail London
    wayword hop trail London --strategy wordnet --target Science
    """
    if as_cypher and as_json:
        raise click.UsageError("choose one of --cypher and --json.")
    from ...api import open as open_graph

    with show_progress(quiet=settings.quiet) as progress, open_graph(settings.store, base=base, progress=progress) as graph:
        result = graph.trail(article, **options)
    if output is not None:
        result.draw(output)
        print_note(settings, f"drew {output}")
    if as_cypher:
        print_text(result.to_cypher())
    elif as_json:
        print_json(result.to_dict())
    elif output is None:
        print_text(str(result))


@hop.command()
@traversal_options
@click.option("--starters", metavar="FILE", callback=reject_empty, help="Start at these titles: one per line, or a CSV column.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Start at a random sample of this size.")
@click.option(
    "--balanced",
    type=click.IntRange(1),
    metavar="N",
    help="Start at a sample of this size, balanced from abstract to concrete.",
)
@click.option(
    "--ratings", metavar="FILE", callback=reject_empty, help="With --balanced: file of concreteness ratings of words."
)
@click.option("--all", "all_", is_flag=True, help="Start at every article; the default.")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def run(
    settings: Settings,
    /,
    base: str | None,
    starters: str | None,
    sample: int | None,
    balanced: int | None,
    all_: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Run an experiment: traversals from many articles, recorded in the ledger. Interrupted runs resume.

    \b
    wayword hop run --strategy second
    wayword hop run --strategy wordnet --sample 500 --seed 1
    wayword hop run --strategy vectors --vectors glove.txt --balanced 500 --ratings ratings.txt
    """
    sources = {"--starters": starters, "--sample": sample, "--balanced": balanced, "--all": all_ or None}
    if len(named := [name for name, value in sources.items() if value is not None]) > 1:
        raise click.UsageError(f"choose one of {' and '.join(named)}.")
    from ...api import open as open_graph
    from ...evaluation.hop.starters import read_titles

    titles = None if starters is None else read_titles(starters)
    with show_progress(quiet=settings.quiet) as progress, open_graph(settings.store, base=base, progress=progress) as graph:
        summary = graph.hop(starters=titles, sample=sample, balanced=balanced, **options)
    if as_json:
        print_json(summary.to_dict())
    else:
        print_text(str(summary))
        print_note(
            settings,
            f"Next: {settings.command} runs export {summary.run}, or {settings.command} hop compare {summary.run}",
        )


@hop.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=int)
@click.option("--shared-vocabulary", is_flag=True, help="Repeat them over the links that all strategies can compare.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "latex"]), default="table", show_default=True)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def compare(
    settings: Settings, runs: tuple[int, ...], shared_vocabulary: bool, form: Form, ledger: str | None, as_json: bool
) -> None:
    """Compare runs: how many traversals reached the target, after how many hops (tables 1 and 2 of the paper).

    \b
    wayword hop compare 1 2 3 --format latex
    """
    from ...evaluation.hop.comparison import compare_runs as compare_recorded
    from ...evaluation.hop.comparison import rerun_with_shared_vocabulary
    from ...evaluation.runs.ledger import Ledger

    with Ledger.open(ledger, create=False) as opened:
        comparison = compare_recorded(opened, runs)
        if shared_vocabulary:
            from ...api import open as open_graph
            from ...search.traversal.link_graph import open_link_graph

            with show_progress(quiet=settings.quiet) as progress:
                base = comparison.summaries[0].base
                with open_graph(settings.store, base=base, progress=progress) as graph:
                    links = open_link_graph(graph.store, [base], progress)
                    comparison = rerun_with_shared_vocabulary(graph.store, links, opened, runs, progress)
    if as_json:
        print_json(comparison.to_dict())
    else:
        print_text(comparison.format(form))


@hop.command()
@click.argument("kind", type=click.Choice(["trail", "concreteness", "hops"]))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=int)
@picture_option(required=True)
@click.option("--starter", metavar="ARTICLE", help="With trail: its starter; by default one that reached the target.")
@ledger_option
@click.pass_obj
def figure(settings: Settings, kind: str, runs: tuple[int, ...], output: str, starter: str | None, ledger: str | None) -> None:
    """Draw a figure of the paper from runs: a trail (figure 1), the concreteness of starters (3), numbers of hops (5).

    \b
    wayword hop figure hops 1 2 3 --output hops.svg
    wayword hop figure trail 3 --starter London --output london.svg
    """
    from ...evaluation.hop import figures
    from ...evaluation.runs.ledger import Ledger

    if kind == "trail" and len(runs) > 1:
        raise click.UsageError("a trail is drawn from one run; name one.")
    if starter is not None and kind != "trail":
        raise click.UsageError("--starter is only for the figure trail.")
    with Ledger.open(ledger, create=False) as opened:
        if kind == "hops":
            figures.draw_hops_of_runs(opened, runs, output)
        elif kind == "concreteness":
            figures.draw_concreteness_of_runs(opened, runs, output)
        else:
            from ...api import open as open_graph

            base = figures.read_wiki(opened, runs[0])
            with (
                show_progress(quiet=settings.quiet) as progress,
                open_graph(settings.store, base=base, progress=progress) as graph,
            ):
                figures.draw_trail_of_run(graph.store, opened, runs[0], starter, output, progress)
    print_note(settings, f"drew {output}")
