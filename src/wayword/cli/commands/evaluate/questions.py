"""``wayword evaluate questions``: agreement with volunteers on the questions of chapter 4 of the thesis."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from ...evaluation_options import evaluation_options
from ...matcher_options import matcher_options
from ...output import format_count, print_note, reject_empty
from ...progress_bar import show_progress

if TYPE_CHECKING:
    from ....core.arrays import FloatArray
    from ....core.progress import Progress
    from ....evaluation.agreement.questions import Question
    from ....evaluation.matchers import Matcher
    from ....matcher_request import MatcherRequest
    from ...evaluation_options import EvaluationOptions
    from ...settings import Settings


@click.command()
@click.argument("file", callback=reject_empty)
@click.option("--scores", metavar="FILE", callback=reject_empty, help="Scores of systems, as JSON or CSV.")
@evaluation_options
@matcher_options
def questions(settings: Settings, request: MatcherRequest, options: EvaluationOptions, file: str, scores: str | None) -> None:
    """Measure agreement on questions: CW, GS, BS, Combo, SR.

    \b
    wayword evaluate questions printed
    wayword evaluate questions questions.json --matcher wayword --matcher meteor
    wayword evaluate questions questions.json --scores systems.json

    FILE has questions in the format agreement-questions/1, each with four substitutes that volunteers judged; printed names the
    seven that the thesis prints. The measures are those of its chapter 4. A .csv FILE has single answers on the sheets of
    wayword sheets; they are added up, and people are measured too, each against the others.

    The file of --scores has the format agreement-scores/1, or is CSV with the columns substitute and substitutee and a column
    for each system, as score --pairs writes it. With it, only the matchers that are named are evaluated. Missing scores and
    unknown pairs count as 0.
    """
    from ....core.left_out import describe_left_out
    from ....evaluation.agreement.presentation import report_questions
    from ....evaluation.agreement.question_measures import evaluate_questions
    from ....evaluation.agreement.question_scores import read_scores
    from ....evaluation.agreement.questions import PRINTED, PRINTED_FILE, read_questions
    from ....evaluation.agreement.volunteers import collect_questions, measure_volunteers, read_answers

    path = str(PRINTED_FILE) if file == PRINTED else file
    answers = read_answers(path) if path.lower().endswith(".csv") else None
    judged = read_questions(path) if answers is None else collect_questions(answers.answered)
    systems = {} if scores is None else read_scores(scores, judged)
    if twice := next((name for name in request.names if name in systems), None):
        raise click.UsageError(f"{scores} has a system {twice}, which --matcher names too; rename it.")
    files = [path, *([] if scores is None else [scores])]
    with ExitStack() as stack:
        progress = stack.enter_context(show_progress(quiet=settings.quiet))
        note = functools.partial(print_note, settings)
        opened = stack.enter_context(request.open(progress, note)) if scores is None or request.names else None
        finish = stack.enter_context(options.record(settings, "questions", files, matchers=opened))
        for name, matcher in () if opened is None else opened.by_name.items():
            systems[name] = _score(settings, name, matcher, judged, progress)
        agreement = evaluate_questions(judged, systems, resamples=options.resamples, seed=options.seed)
        people = None
        if answers is not None:
            people = measure_volunteers(answers.answered, resamples=options.resamples, seed=options.seed)
        progress.clear()
        finish(report_questions(agreement, options.resamples, options.seed, people))
    if answers is not None and answers.left_out:
        left_out = ", ".join(describe_left_out(*each) for each in answers.left_out.items())
        print_note(settings, f"{file}: left out {left_out}")


def _score(settings: Settings, name: str, matcher: Matcher, questions: Sequence[Question], progress: Progress) -> FloatArray:
    """Return a row of scores for each question, limited to 0 to 1: a cosine below 0 means no more than 0 does."""
    import numpy as np

    from ....evaluation.agreement.pair_scores import score_pairs

    pairs = [pair for question in questions for pair in question.pairs()]
    scores = score_pairs(name, matcher, pairs, progress=progress).reshape(len(questions), -1)
    limited: FloatArray = np.clip(scores, 0.0, 1.0)
    if outside := int(np.sum(limited != scores) - np.isnan(scores).sum()):
        print_note(settings, f"{name}: {format_count(outside, 'score')} outside 0 to 1, taken as 0 or 1")
    return limited
