"""The questions of chapter 4 of the thesis: which of four phrases can replace another, as volunteers judged.

A volunteer circles the good substitutes of a question and crosses out the bad ones. The score of a substitute is the number of
volunteers who circled it minus the number who crossed it out; the coverage is the number of volunteers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from ...core.messages import quote_value
from ..errors import GoldError
from .gold_files import read_json

FORMAT = "agreement-questions/1"
SUBSTITUTES = 4
PRINTED = "printed"
"""The name of the questions that the thesis prints."""

PRINTED_FILE = Path(__file__).with_name("printed_questions.json")
WHAT = f'a JSON file with "format": "{FORMAT}"'


@dataclass(frozen=True, slots=True)
class Question:
    """A phrase and four substitutes for it, with the judgement of volunteers.

    - ``id``: a name that no other question of the file has
    - ``substitutee``: the phrase to be replaced
    - ``coverage``: how many volunteers answered
    - ``substitutes``: the four phrases
    - ``scores``: their scores, from ``-coverage`` to ``coverage``
    - ``source``: where the question is from
    """

    id: str
    substitutee: str
    coverage: int
    substitutes: tuple[str, ...]
    scores: tuple[int, ...]
    source: str = ""

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each substitute with the substitutee."""
        return ((substitute, self.substitutee) for substitute in self.substitutes)


def read_questions(file: str | os.PathLike[str]) -> list[Question]:
    """Read a file of questions.

    Args:
        file: A JSON file: ``{"format": "agreement-questions/1", "questions": [{"id", "substitutee", "coverage", "substitutes":
            [{"substitute", "score"}, ...], "source"}, ...]}``. ``source`` may be missing.

    Returns:
        The questions in the order of the file.

    Raises:
        GoldError: The file cannot be read, or a question is invalid.
    """
    path = Path(file)
    content = read_json(path, WHAT)
    if content.get("format") != FORMAT or not isinstance(content.get("questions"), list):
        raise GoldError(f"{path}: the format is {quote_value(content.get('format'))}; give {WHAT} and a list of questions")
    questions = [_parse_question(path, number, each) for number, each in enumerate(content["questions"], start=1)]
    if not questions:
        raise GoldError(f"{path}: there are no questions; add some")
    _reject_duplicates(f"{path}: the id", "questions", (question.id for question in questions))
    return questions


def read_printed_questions() -> list[Question]:
    """Read the seven questions that the thesis prints with their scores (tables 4.2, 4.4, 4.7, 4.9, 4.10, 4.11 and 5.4).

    >>> [question.substitutee for question in read_printed_questions()][:2]
    ['ALTERNATING CURRENT', 'BRIGHT']
    """
    return read_questions(PRINTED_FILE)


def _parse_question(path: Path, number: int, value: Any) -> Question:
    place = f"{path}, question {number}"
    if not isinstance(value, dict):
        raise GoldError(f"{place}: {quote_value(value)} is not an object with id, substitutee, coverage and substitutes")
    id = _parse_text(place, value, "id")
    place = f"{path}, question {quote_value(id)}"
    coverage = value.get("coverage")
    if not _is_whole(coverage) or coverage < 1:
        raise GoldError(f"{place}: the coverage is {quote_value(coverage)}; give a whole number above 0")
    entries = value.get("substitutes")
    if not isinstance(entries, list) or len(entries) != SUBSTITUTES:
        count = len(entries) if isinstance(entries, list) else "no"
        raise GoldError(f"{place}: there are {count} substitutes; give a list of four")
    substitutes, scores = [], []
    for entry in entries:
        if not isinstance(entry, dict):
            raise GoldError(f"{place}: {quote_value(entry)} is not an object with substitute and score")
        substitutes.append(_parse_text(place, entry, "substitute"))
        score = entry.get("score")
        if not _is_whole(score) or abs(score) > coverage:
            raise GoldError(
                f"{place}: the score of {quote_value(substitutes[-1])} is {quote_value(score)}; "
                f"give a whole number from -{coverage} to {coverage}, the coverage"
            )
        scores.append(score)
    _reject_duplicates(f"{place}: the substitute", "times", substitutes)
    source = value.get("source", "")
    return Question(id, _parse_text(place, value, "substitutee"), coverage, tuple(substitutes), tuple(scores), str(source))


def _parse_text(place: str, value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise GoldError(f"{place}: the {name} is {quote_value(text)}; give a text")
    return text


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _reject_duplicates(what: str, unit: str, names: Iterable[str]) -> None:
    seen = set()
    for name in names:
        if name in seen:
            raise GoldError(f"{what} {quote_value(name)} occurs twice; give different {unit}")
        seen.add(name)
