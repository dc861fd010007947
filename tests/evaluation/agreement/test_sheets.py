"""Question sheets are balanced, connected, random and the same for the same seed, and their answers are read back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wayword.evaluation.agreement.judgements import COLUMNS, read_judgements
from wayword.evaluation.agreement.sheets import make_sheets
from wayword.evaluation.errors import SheetsImpossible
from wayword.rendering.tables import make_csv_writer

SIZES = {
    "count": st.integers(2, 12),
    "sheets": st.integers(1, 20),
    "questions": st.integers(1, 10),
    "judges": st.integers(1, 4),
}


def name_pairs(count: int) -> list[tuple[str, str]]:
    return [(f"substitute {number}", "substitutee") for number in range(count)]


@given(**SIZES, seed=st.integers(0, 99))
def test_sheets_are_balanced_and_connected(count: int, sheets: int, questions: int, judges: int, seed: int) -> None:
    try:
        made = make_sheets(name_pairs(count), sheets=sheets, questions=questions, judges=judges, seed=seed)
    except SheetsImpossible:
        assume(False)
    assert [len(sheet) for sheet in made.sheets] == [questions] * sheets
    asked = Counter(frozenset(question) for sheet in made.sheets for question in sheet)
    assert len(asked) == made.comparisons
    assert max(asked.values()) - min(asked.values()) <= 1
    assert min(asked.values()) >= judges
    assert all(len({frozenset(question) for question in sheet}) == questions for sheet in made.sheets)
    shown_first = Counter(question for sheet in made.sheets for question in sheet)
    assert all(abs(shown_first[one, other] - shown_first[other, one]) <= 1 for one, other in map(tuple, asked))
    graph = nx.Graph(list(map(tuple, asked)))
    assert len(graph) == count
    assert nx.is_connected(graph)
    degrees = [degree for _, degree in graph.degree]
    assert max(degrees) - min(degrees) <= 1 + count % 2


def test_a_seed_makes_the_same_sheets_and_another_seed_others() -> None:
    first, second, other = (make_sheets(name_pairs(8), sheets=6, questions=5, seed=seed) for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_questions_are_in_a_different_order_on_each_sheet() -> None:
    made = make_sheets(name_pairs(4), sheets=3, questions=6)
    assert len({tuple(map(frozenset, sheet)) for sheet in made.sheets}) == 3


@pytest.mark.parametrize(
    ("count", "options", "message"),
    [
        (1, {"sheets": 5}, "1 different pair cannot be compared; give at least two"),
        (0, {"sheets": 5}, "0 different pairs cannot be compared"),
        (50, {"sheets": 3}, "10 comparisons, each by 3 judges, do not connect 50 pairs, which takes 49; ask for more sheets"),
        (3, {"sheets": 5}, "10 questions on a sheet are more than the 3 different comparisons; ask for fewer questions"),
    ],
)
def test_sheets_that_cannot_be_made_are_rejected(count: int, options: dict[str, int], message: str) -> None:
    with pytest.raises(SheetsImpossible, match=message):
        make_sheets(name_pairs(count), **options)


def test_answers_on_sheets_are_read_back(tmp_path: Path) -> None:
    made = make_sheets(name_pairs(4), sheets=3, questions=4, judges=2)
    path = tmp_path / "sheets.csv"
    with path.open("w", encoding="utf-8") as target:
        write = make_csv_writer(target)
        write([COLUMNS])
        write((*row[:6], "first" if row[1] != 4 else "", row[7]) for row in made.rows())
    read = read_judgements(path)
    assert [(each.first, each.second) for each in read.answered] == [each for sheet in made.sheets for each in sheet[:3]]
    assert {each.judge for each in read.answered} == {"sheet 1", "sheet 2", "sheet 3"}
    assert read.left_out == {"unanswered": 3}
