"""Files of pairs: every row comes out as it went in, in order, with its score; a row that cannot be read is named."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword import pairs
from wayword.commands import questions
from wayword.graph.errors import StoreMissing
from wayword.graph.files import FileError
from wayword.graph.store import Progress
from wayword.pairs import score_file
from wayword.tabulated import read_table, write_table
from wayword.workers import WorkerLost, Workers

cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tsv_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1, max_size=12)


def in_bytes_lines(content: bytes) -> list[bytes]:
    return io.BytesIO(content).readlines()


def through(content: bytes, name: str = "pairs.csv", form: str | None = None) -> str:
    """What becomes of a file of pairs when each row gets the score 0.5."""
    table = read_table(in_bytes_lines(content), name)
    written = io.StringIO()
    write = write_table(table, form or table.kind, written, name)
    for row in table.rows:
        write([row], [0.5])
    return written.getvalue()


@given(st.lists(st.lists(cells, min_size=2, max_size=5), min_size=1, max_size=8), st.booleans())
def test_every_cell_of_a_csv_comes_out_as_it_went_in(rows: list[list[str]], header: bool) -> None:
    rows = [["id", "substitute", "Substitutee"]] * header + [[*row, "x"] for row in rows]
    given_ = io.StringIO()
    csv.writer(given_).writerows(rows)
    table = read_table(in_bytes_lines(given_.getvalue().encode()), "pairs.csv")
    written = io.StringIO()
    write = write_table(table, "csv", written, "pairs.csv")
    for row in table.rows:
        assert row.pair == (tuple(row.whole[1:3]) if header else tuple(row.whole[:2]))
        write([row], [0.1])
    back = list(csv.reader(io.StringIO(written.getvalue(), newline="")))
    assert back == [[*row, "score" if header and not number else "0.1"] for number, row in enumerate(rows)]


@given(st.lists(st.lists(tsv_cells, min_size=2, max_size=4), min_size=1, max_size=8))
def test_every_cell_of_a_tsv_comes_out_as_it_went_in(rows: list[list[str]]) -> None:
    content = "".join("\t".join(row) + "\n" for row in rows).encode()
    table = read_table(in_bytes_lines(content), "pairs.tsv")
    names = [cell.strip().lower() for cell in rows[0]]
    written = io.StringIO()
    write = write_table(table, "tsv", written, "pairs.tsv")
    for row in table.rows:
        write([row], [1.0])
    assert "substitute" not in names
    assert written.getvalue() == "".join("\t".join([*row, "1.0"]) + "\n" for row in rows).removeprefix("\ufeff")


@given(st.lists(st.dictionaries(cells, st.none() | st.integers() | cells, max_size=3), max_size=5))
def test_every_field_of_a_json_row_comes_out_as_it_went_in(rows: list[dict[str, Any]]) -> None:
    rows = [{**row, "substitute": "a", "substitutee": "b"} for row in rows]
    rows = [{name: value for name, value in row.items() if name != "score"} for row in rows]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    back = [json.loads(line) for line in through(content, "pairs.jsonl").split("\n")[:-1]]
    assert back == [{**row, "score": 0.5} for row in rows]


def test_what_kind_a_stream_is_its_first_line_says() -> None:
    assert through(b"a\tb\n", "stdin") == "a\tb\t0.5\n"
    assert through(b"a,b\n", "stdin") == "a,b,0.5\n"
    assert through(b'["a", "b", 3]\n', "stdin") == '["a", "b", 3, 0.5]\n'
    assert through(b"", "stdin") == ""


def test_one_kind_becomes_another() -> None:
    assert through(b"a,b,c\n", form="jsonl") == '{"substitute": "a", "substitutee": "b", "column3": "c", "score": 0.5}\n'
    assert (
        through(b"n,Substitutee,Substitute\n1,b,a\n", form="jsonl")
        == '{"n": "1", "Substitutee": "b", "Substitute": "a", "score": 0.5}\n'
    )
    objects = b'{"substitute": "a", "substitutee": "b", "n": 1}\n'
    assert through(objects, "x.jsonl", "csv") == "substitute,substitutee,n,score\na,b,1,0.5\n"
    assert through(b'["a", "b"]\n', "x.jsonl", "tsv") == "substitute\tsubstitutee\tscore\na\tb\t0.5\n"


def test_a_byte_order_mark_and_blank_lines_are_no_text() -> None:
    assert through(b"\xef\xbb\xbfsubstitute,substitutee\r\n\r\na,b\r\n\r\n") == "substitute,substitutee,score\na,b,0.5\n"


@pytest.mark.parametrize(
    ("content", "name", "problem"),
    [
        (b"a,b\nc\n", "pairs.csv", r"pairs\.csv, line 2: \['c'\] has too few columns"),
        (b'a,b\n"x\ny",z\nc\n', "pairs.csv", r"line 4: \['c'\]"),
        (b"a,b\n\xff,c\n", "pairs.csv", r"line 2: b'\\xff,c\\n' is not UTF-8"),
        (b'a,b\n"c,d\n', "pairs.csv", r"line 2: unexpected end of data"),
        (b'a,"b"c\n', "pairs.csv", r"line 1: .*expected after"),
        (b"a,b\nc," + b"d" * 200_000, "pairs.csv", r"line 2: field larger"),
        (b"a\n", "pairs.tsv", r"line 1"),
        (b"{}\n", "pairs.jsonl", r"line 1: '\{\}' is no pair of phrases"),
        (b'["a"]\n', "pairs.jsonl", r"line 1: .* is no pair"),
        (b'["a", "b"]\n[1, 2]\n', "pairs.jsonl", r"line 2: '\[1, 2\]' is no pair"),
        (b'"ab"\n', "pairs.jsonl", r"line 1: .* is no pair"),
        (b'["a", "b"\n', "pairs.jsonl", r"line 1: .* is not JSON"),
        (b"[" * 100_000, "pairs.jsonl", r"line 1: .* is not JSON"),
        (b'{"substitute": "a", "substitutee": "b", "score": 1}\n', "pairs.jsonl", r"line 1: there is a score already"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(content: bytes, name: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        through(content, name)


def test_rows_with_other_fields_cannot_be_columns() -> None:
    rows = b'{"substitute": "a", "substitutee": "b"}\n{"substitute": "a", "substitutee": "b", "n": 1}\n'
    with pytest.raises(FileError, match=r"x\.jsonl, line 2: .*--format jsonl"):
        through(rows, "x.jsonl", "csv")


class LengthGraph:
    """Scores a pair by the length of its substitute."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def scores(self, asked: Iterable[tuple[str, str]]) -> Iterator[float]:
        for pair in asked:
            yield len(pair[0]) / 100


class Question:
    """A question to the graph above."""

    def open(self, _progress: Progress) -> LengthGraph:
        return LengthGraph()


def score(source: Path, output: Path, **options: Any) -> str:
    given_ = {"form": None, "workers": 1, "quiet": True, **options}
    score_file(Question(), str(source), str(output), **given_)  # type: ignore[arg-type]
    return output.read_text(encoding="utf-8")


@pytest.mark.parametrize(("first", "window"), [(1, 1), (3, 7), (64, 1000)])
def test_rows_come_out_in_order_whatever_the_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int, window: int
) -> None:
    for name, size in (("FIRST", first), ("ALONE", 2 * first), ("WINDOW", window)):
        monkeypatch.setattr(pairs, name, size)
    source = tmp_path / "pairs.csv"
    source.write_text("".join(f"{'x' * (number % 90 + 1)},{number}\n" for number in range(700)), encoding="utf-8")
    rows = [line.split(",") for line in score(source, tmp_path / "out.csv").splitlines()]
    assert [int(row[1]) for row in rows] == list(range(700))
    assert all(float(row[2]) == len(row[0]) / 100 for row in rows)


def test_a_slow_stream_is_scored_as_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "PATIENCE", -1.0)
    windows: list[int] = []

    def counting(graph: Any, asked: Any, report: Any) -> list[float]:
        windows.append(len(asked))
        return [0.0] * len(asked)

    monkeypatch.setattr(pairs, "score_pairs", counting)
    source = tmp_path / "pairs.csv"
    source.write_text("a,b\n" * 5, encoding="utf-8")
    score(source, tmp_path / "out.csv")
    assert windows == [1, 1, 1, 1, 1]


def test_the_ending_of_the_output_says_what_to_write(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("a,b\n", encoding="utf-8")
    assert json.loads(score(source, tmp_path / "out.jsonl"))["score"] == 0.01
    assert score(source, tmp_path / "out.tsv") == "a\tb\t0.01\n"
    assert score(source, tmp_path / "out.txt") == "a,b,0.01\n"


def test_a_refused_row_is_named_and_leaves_the_old_output(tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_text('a,b\n"c\nc",d\ne, \n', encoding="utf-8")
    output.write_text("old", encoding="utf-8")
    with pytest.raises(FileError, match=r"pairs\.csv, line 4: ' ' is an empty phrase"):
        score(source, output)
    assert output.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "pairs.csv"]


def test_the_input_may_be_the_output(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("a,b\n", encoding="utf-8")
    assert score(source, source) == "a,b,0.01\n"


def test_a_source_that_is_not_there_or_no_file_is_said_so(tmp_path: Path) -> None:
    for source in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(FileError, match="cannot be read"):
            score(source, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_what_goes_wrong_in_a_process_is_told_by_its_parent(tmp_path: Path) -> None:
    asked = questions.Question(str(tmp_path / "none.lbug"), {})
    with Workers(asked, 2) as workers, pytest.raises(StoreMissing, match=r"none\.lbug"):
        list(workers.score(iter([[("cage", "pen")]]), lambda _: None))
    assert not active_children()


def test_a_process_that_is_ended_from_outside_is_said_to_be_lost(tmp_path: Path) -> None:
    def lots() -> Iterator[list[tuple[str, str]]]:
        yield [("cage", "pen")]
        for child in active_children():
            child.kill()
        yield [("cage", "pen")]

    with (
        Workers(questions.Question(str(tmp_path / "none.lbug"), {}), 1) as workers,
        pytest.raises(WorkerLost, match="--workers"),
    ):
        list(workers.score(lots(), lambda _: None))
    assert not active_children()
