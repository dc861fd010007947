"""``wayword tune``: learn the parameters of a search from human judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..evaluation_options import resamples_option, seed_option
from ..ledger_option import ledger_option, open_ledger
from ..output import print_json, print_note, print_text, reject_empty, terminal_width
from ..picture_option import picture_option
from ..progress_bar import show_progress
from ..query_options import query_options

if TYPE_CHECKING:
    from ...evaluation.tuning.methods import Method
    from ...query import Query
    from ..settings import Settings


@click.command()
@click.option(
    "--objective",
    "objectives",
    multiple=True,
    required=True,
    metavar="NAME[:WEIGHT]=FILE",
    help="Judgements to agree with; repeatable, with weights.",
)
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME[=LOW..HIGH]",
    help="Parameter to tune, or all; by default the transition scores of the base, up to 0.99; repeatable.",
)
@click.option(
    "--method",
    type=click.Choice(["annealing", "swarm", "genetic", "cmaes", "tpe", "random"]),
    default="annealing",
    show_default=True,
    help="Method of optimisation.",
)
@click.option(
    "--steps",
    type=click.IntRange(1, 1_000_000),
    default=1_500,
    show_default=True,
    metavar="N",
    help="Evaluations of a pass.",
)
@click.option(
    "--passes",
    type=click.IntRange(1, 1_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Passes, each from another start; the best counts.",
)
@click.option(
    "--folds", type=click.IntRange(2, 100), default=5, show_default=True, metavar="K", help="Folds, each held out once."
)
@click.option("--continue", "continues", is_flag=True, help="Continue the tuning that wrote the file of --profile.")
@seed_option
@resamples_option("Resamples for intervals; 0 for none.")
@click.option("--workers", type=click.IntRange(1, 1_000), metavar="N", help="Processes; by default one per processor.")
@click.option(
    "--output", "-o", metavar="PROFILE.toml", callback=reject_empty, help="Profile to write; interrupted runs into it resume."
)
@picture_option("--figure", plot=True)
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@query_options
def tune(
    settings: Settings,
    query: Query,
    /,
    objectives: tuple[str, ...],
    parameters: tuple[str, ...],
    method: Method,
    steps: int,
    passes: int,
    folds: int,
    continues: bool,
    seed: int,
    resamples: int,
    workers: int | None,
    output: str | None,
    figure: str | None,
    ledger: str | None,
    as_json: bool,
) -> None:
    """Tune parameters to human judgements, and measure them on held-out judgements.

    \b
    wayword tune --objective hyperlex=hyperlex_training.txt --output entailment.toml
    wayword tune --objective questions=printed --objective simlex:2=SimLex-999.txt --method cmaes -o mine.toml
    wayword score dog animal --profile entailment.toml

    NAME is questions (Combo x SR), graded (Spearman), symmetric (Spearman of the mean of both directions), substitutes (GAP),
    comparisons (agreement), or a data set: hyperlex, simlex, simverb, wordsim, men, swords. FILE is as for wayword evaluate. A
    mix is the mean by weight. What is not tuned is as in --profile. Each fold is held out once, and the profile is tuned on
    all judgements. Its score on these is the tuned one; the held-out score is what to expect on other judgements. To tune a
    profile to further objectives, --continue begins each fold with what was found without it: same seed and folds, the earlier
    objectives first.
    """
    from ...evaluation.tuning.optimisation import TuningOptions
    from ...evaluation.tuning.results import report_tuning
    from ...tuning import TuningRequest, tune_graph

    options = TuningOptions(method, steps, passes, folds, seed, resamples)
    with open_ledger(settings, ledger) as opened, show_progress(quiet=settings.quiet) as progress:
        request = TuningRequest(query, objectives, parameters, options, continues)
        tuning = tune_graph(request, output, workers=workers, ledger=opened, progress=progress)
    if figure is not None:
        from ...evaluation.tuning.figures import draw_curves

        draw_curves(tuning, figure)
        print_note(settings, f"drew {figure}")
    if output is not None:
        print_note(settings, f"wrote {output}")
    if as_json:
        print_json(tuning.to_dict())
    else:
        print_text(report_tuning(tuning).to_text(terminal_width()))
