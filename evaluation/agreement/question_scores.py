"""Scores of systems for questions, from a file or from a matcher."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from ...core.messages import quote_value
from ...core.normalisation import normalise
from ..errors import ScoresInvalid
from .gold_files import parse_json, read_text
from .questions import SUBSTITUTES, Question

FORMAT = "agreement-scores/1"
PHRASES = ("substitute", "substitutee")
WHAT = f'a JSON file with "format": "{FORMAT}", or CSV with the columns {", ".join(PHRASES)} and a column for each system'


def read_scores(file: str | os.PathLike[str], questions: Sequence[Question]) -> dict[str, FloatArray]:
    """Read the scores that systems give to questions.

    Args:
        file: A JSON file: ``{"format": "agreement-scores/1", "systems": {NAME: {QUESTION ID: [four scores from 0 to 1, or null,
            in the order of the question]}}}``. Or CSV with the columns substitute and substitutee and a column for each system,
            such as ``wayword score --pairs`` writes; its rows are found by their phrases, and other rows are ignored.
        questions: The questions.

    Returns:
        By system, a row for each question with the scores of its substitutes; NaN if a score is missing.

    Raises:
        GoldError: The file cannot be read.
        ScoresInvalid: A system, a question or a score is invalid.
    """
    path = Path(file)
    text = read_text(path, WHAT)
    read = _parse_json if text.lstrip().startswith("{") else _parse_csv
    systems = read(path, text, questions)
    if not systems:
        raise ScoresInvalid(f"{path}: there are no systems; give {WHAT}")
    return systems


def _parse_json(path: Path, text: str, questions: Sequence[Question]) -> dict[str, FloatArray]:
    content = parse_json(path, text, WHAT)
    systems = content.get("systems")
    if content.get("format") != FORMAT or not isinstance(systems, dict):
        raise ScoresInvalid(f"{path}: the format is {quote_value(content.get('format'))}; give {WHAT}")
    rows = {question.id: row for row, question in enumerate(questions)}
    found = {}
    for system, answers in systems.items():
        place = f"{path}, system {quote_value(system)}"
        if not isinstance(answers, dict):
            raise ScoresInvalid(f"{place}: {quote_value(answers)} is not an object of scores by question")
        scores = np.full((len(questions), SUBSTITUTES), nan)
        for id, values in answers.items():
            if id not in rows:
                raise ScoresInvalid(f"{place}: there is no question {quote_value(id)}; remove its scores, or add the question")
            if not isinstance(values, list) or len(values) != SUBSTITUTES:
                raise ScoresInvalid(f"{place}, question {quote_value(id)}: give a list of four scores")
            scores[rows[id]] = [_check_score(f"{place}, question {quote_value(id)}", value) for value in values]
        found[system] = scores
    return found


def _parse_csv(path: Path, text: str, questions: Sequence[Question]) -> dict[str, FloatArray]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    header = list(reader.fieldnames or ())
    systems = [name for name in header if name not in PHRASES]
    if not set(PHRASES) <= set(header) or not systems:
        raise ScoresInvalid(f"{path}: the columns are {quote_value(', '.join(header))}; give {WHAT}")
    cells: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row, question in enumerate(questions):
        for column, pair in enumerate(question.pairs()):
            cells.setdefault(_key(*pair), []).append((row, column))
    found = {system: np.full((len(questions), SUBSTITUTES), nan) for system in systems}
    matched = False
    for values in reader:
        places = cells.get(_key(values["substitute"] or "", values["substitutee"] or ""), ())
        for system in systems if places else ():
            text = values[system] or ""
            place = f"{path}:{reader.line_num}, system {quote_value(system)}"
            score = _check_score(place, _parse_number(text)) if text.strip() else nan
            for cell in places:
                found[system][cell] = score
        matched = matched or bool(places)
    if not matched:
        raise ScoresInvalid(f"{path}: no row has the phrases of a question; give the scores of these questions")
    return found


def _key(substitute: str, substitutee: str) -> tuple[str, str]:
    return normalise(substitute), normalise(substitutee)


def _parse_number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _check_score(place: str, value: Any) -> float:
    """Return a score from 0 to 1; NaN for None, a missing score."""
    if value is None:
        return nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise ScoresInvalid(
            f"{place}: {quote_value(value)} is not a score; give a number from 0 to 1, or null if it is missing"
        )
    return float(value)


def arrange_scores(scores: Mapping[tuple[str, str], float], questions: Sequence[Question]) -> FloatArray:
    """Return the scores of the pairs of questions as a row for each question; NaN if a score is missing."""
    return np.array([[scores.get(pair, nan) for pair in question.pairs()] for question in questions])
