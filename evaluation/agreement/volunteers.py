"""Single answers of volunteers to the questions of chapter 4, and how well volunteers agree with each other (5.1).

A volunteer marks each of four substitutes as good (circled), bad (crossed out) or not at all.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from random import Random

import numpy as np

from ...core.messages import quote_value
from ...core.normalisation import normalise
from ..errors import GoldError, SheetsImpossible
from .judgements import find_judge, parse_phrase, read_rows
from .question_measures import Measured, Volunteers, average_measures
from .questions import SUBSTITUTES, Question
from .statistics import RESAMPLES

NUMBERS = range(1, SUBSTITUTES + 1)
PHRASES = ("substitutee", *(f"substitute_{number}" for number in NUMBERS))
MARKS = tuple(f"mark_{number}" for number in NUMBERS)
COLUMNS = ("sheet", "question", *PHRASES, *MARKS, "unknown", "judge")
"""The columns of a sheet; ``sheet``, ``question``, ``unknown`` and ``judge`` may be missing."""

VALUES = {"good": 1, "bad": -1, "": 0}
"""What a mark adds to the score of a substitute (4.1)."""

IMPLIED_SCORES = {1: 0.8, 0: 0.4, -1: 0.0}
"""The scores that marks imply (5.1)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a volunteer to a question.

    - ``marks``: 1 for a good substitute, -1 for a bad one, 0 for one without a mark, in alphabetical order of the substitutes
    - ``volunteer``: the name, or the number of the sheet
    """

    substitutee: str
    marks: Mapping[str, int]
    volunteer: str

    @property
    def question(self) -> tuple[str, ...]:
        """The substitutee and the substitutes, which answers to the same question share."""
        return (self.substitutee, *self.marks)


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of a file.

    - ``left_out``: how many questions have no mark (``unanswered``), or phrases that the volunteer does not know
      (``unknown_to_judge``)
    """

    answered: tuple[Answer, ...]
    left_out: Mapping[str, int]


def read_answers(source: str | os.PathLike[str]) -> Answers:
    """Read the single answers of volunteers.

    Args:
        source: A CSV file, in UTF-8 and with a header, with a row for each answer. Columns: ``substitutee``; ``substitute_1``
            to ``substitute_4``, in any order; ``mark_1`` to ``mark_4``, which are ``good``, ``bad`` or blank; ``judge`` or
            ``sheet``, which name the volunteer; and ``unknown``, which is not blank if the volunteer does not know all
            phrases.

    Raises:
        GoldError: The file cannot be read, or a row is not an answer.
    """
    path = Path(source)
    answered: list[Answer] = []
    left_out = Counter[str]()
    seen = set()
    for where, row in read_rows(path, (*PHRASES, *MARKS)):
        answer = _parse_answer(where, row)
        if (answer.volunteer, answer.question) in seen:
            raise GoldError(f"{where}: {answer.volunteer} answered {answer.substitutee!r} before; remove one of the rows")
        seen.add((answer.volunteer, answer.question))
        if row.get("unknown", "").strip():
            left_out["unknown_to_judge"] += 1
        elif not any(answer.marks.values()):
            left_out["unanswered"] += 1
        else:
            answered.append(answer)
    if not answered:
        raise GoldError(f"{path} has no answers; write good or bad in the columns {', '.join(MARKS)}")
    return Answers(tuple(answered), dict(left_out))


def _parse_answer(where: str, row: Mapping[str, str]) -> Answer:
    substitutee, *substitutes = _parse_phrases(where, row)
    marks = [row.get(name, "").strip().lower() for name in MARKS]
    wrong = next((mark for mark in marks if mark not in VALUES), None)
    if wrong is not None:
        raise GoldError(f"{where}: the mark {quote_value(wrong)} is neither good nor bad; correct it, or leave it blank")
    volunteer = find_judge(row)
    if not volunteer:
        raise GoldError(f"{where}: judge and sheet are both empty; name the volunteer")
    values = sorted(zip(substitutes, (VALUES[mark] for mark in marks), strict=True))
    return Answer(substitutee, dict(values), volunteer)


def _parse_phrases(where: str, row: Mapping[str, str]) -> list[str]:
    """Return the substitutee and its four substitutes, normalised; raise if one is missing or occurs twice."""
    phrases = [parse_phrase(where, name, row.get(name, "")) for name in PHRASES]
    if len(set(phrases[1:])) < SUBSTITUTES:
        raise GoldError(f"{where}: a substitute occurs twice; give four different ones")
    return phrases


def collect_questions(answers: Sequence[Answer]) -> list[Question]:
    """Add up the answers to each question: a substitute scores 1 for each good mark and -1 for each bad one.

    >>> answer = Answer("apples", {"food": 0, "fruit": 1, "pear": -1, "vegetables": -1}, "sheet 1")
    >>> collect_questions([answer])[0].scores
    (0, 1, -1, -1)
    """
    same = Counter[str]()
    questions = []
    for asked in _group(answers).values():
        substitutee = asked[0].substitutee
        same[substitutee] += 1
        name = substitutee if same[substitutee] == 1 else f"{substitutee} {same[substitutee]}"
        questions.append(_add_up(name, asked))
    return questions


def measure_volunteers(
    answers: Sequence[Answer], *, resamples: int = RESAMPLES, seed: int | None = 0
) -> Mapping[str, Measured]:
    """Measure how well each volunteer agrees with the others, as systems are measured; all answers weigh the same.

    A question with a single answer does not count. BS leaves out volunteers who crossed out no substitute of any question,
    because they were reluctant to do so (5.1).

    Args:
        answers: The answers.
        resamples: How many resamples of the answers the intervals are from; 0 for none.
        seed: Seed of the random numbers.

    Returns:
        CW, GS, BS, Combo and SR by name; NaN without any answer that counts.
    """
    crosses_out = {answer.volunteer for answer in answers if -1 in answer.marks.values()}
    compared, others = [], []
    for asked in _group(answers).values():
        for index, answer in enumerate(asked):
            if rest := asked[:index] + asked[index + 1 :]:
                compared.append(answer)
                others.append(_add_up(answer.substitutee, rest))
    if not compared:
        return average_measures(dict.fromkeys(("cw", "gs", "bs", "sr"), np.array([nan])), resamples, seed)
    scores = np.array([[IMPLIED_SCORES[mark] for mark in answer.marks.values()] for answer in compared])
    judged = Volunteers(others).judge(scores)
    judged["bs"] = np.where([answer.volunteer in crosses_out for answer in compared], judged["bs"], nan)
    return average_measures(judged, resamples, seed)


def _group(answers: Sequence[Answer]) -> dict[tuple[str, ...], list[Answer]]:
    """Return the answers to each question."""
    groups: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.question, []).append(answer)
    return groups


def _add_up(name: str, answers: Sequence[Answer]) -> Question:
    first = answers[0]
    scores = tuple(sum(answer.marks[substitute] for answer in answers) for substitute in first.marks)
    return Question(name, first.substitutee, len(answers), tuple(first.marks), scores)


def read_question_phrases(source: str | os.PathLike[str]) -> list[tuple[str, ...]]:
    """Read the phrases of questions to ask: CSV with the columns ``substitutee`` and ``substitute_1`` to ``substitute_4``.

    Raises:
        GoldError: The file cannot be read, a phrase is missing, or a substitute occurs twice.
    """
    found = []
    for where, row in read_rows(Path(source), PHRASES):
        _parse_phrases(where, row)
        found.append(tuple(" ".join(row[name].split()) for name in PHRASES))
    return found


def make_question_sheets(
    questions: Sequence[tuple[str, ...]], *, sheets: int, per_sheet: int = 10, seed: int = 0
) -> Iterator[tuple[int | str, ...]]:
    """Yield the rows of question sheets, the same for the same seed; see ``COLUMNS``.

    Each question is on as many sheets as any other, give or take one, and at most once on each. Questions and substitutes are
    in random order.

    Raises:
        SheetsImpossible: There are fewer questions than are on a sheet.
    """
    unique = list({tuple(map(normalise, each)): each for each in questions}.values())
    if per_sheet > len(unique):
        raise SheetsImpossible(f"{per_sheet} questions on a sheet are more than the {len(unique)} in the file; ask for fewer")
    random = Random(seed)  # noqa: S311 - the order of questions is no secret
    asked = [0] * len(unique)
    for sheet in range(1, sheets + 1):
        chosen = sorted(range(len(unique)), key=lambda index: (asked[index], random.random()))[:per_sheet]
        random.shuffle(chosen)
        for number, index in enumerate(chosen, start=1):
            asked[index] += 1
            substitutee, *substitutes = unique[index]
            random.shuffle(substitutes)
            yield sheet, number, substitutee, *substitutes, *[""] * (len(MARKS) + 2)
