"""Files of pairs: rows come out unchanged, in order, with their score; invalid rows are errors with file, line and value."""

from __future__ import annotations

import csv
import io
import json
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import cycle
from multiprocessing import active_children
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.atomic_files import FileError
from wayword.core.progress import Progress, no_progress
from wayword.graph.errors import StoreMissing
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.loaders import open_wordnet
from wayword.pairs import batches
from wayword.pairs.batches import Batch, WorkerLost, read_batches, score_batches
from wayword.pairs.options import FileOptions
from wayword.pairs.reader import Pair, Row, Table, read_table
from wayword.pairs.score_file import score_file
from wayword.pairs.source import Source, line_error
from wayword.pairs.tally import Tally
from wayword.pairs.writer import open_writer
from wayword.query import Query

from ..support.command_line import CAGES
from ..support.mini_wordnet import write_files

cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tsv_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1, max_size=12)


def read(content: bytes, name: str, options: FileOptions | None = None) -> Table:
    stream = io.BufferedReader(io.BytesIO(content))
    return read_table(Source(name, stream, stream, len(content)), options or FileOptions(), lambda _phrases: set())


def read_pairs(content: bytes, name: str, options: FileOptions | None = None) -> list[Pair | None]:
    return [row.pair for row in read(content, name, options).rows]


def write_rows(table: Table, form: str, name: str, score: float) -> bytes:
    target = io.BytesIO()
    with open_writer(table, form, target, name, ["score"]) as write:
        for row in table.rows:
            if row.pair is None:
                raise line_error(name, row.line, row.problem)
            write([row], [[score]], {"xyzzy"})
    return target.getvalue()


def score_rows(content: bytes, name: str = "pairs.csv", form: str | None = None, options: FileOptions | None = None) -> str:
    """Return a file of pairs as it is written if every pair scores 0.5."""
    table = read(content, name, options)
    return write_rows(table, form or table.format, name, 0.5).decode()


@given(st.lists(st.lists(cells, min_size=2, max_size=5), min_size=1, max_size=8), st.booleans())
def test_cells_of_a_csv_are_unchanged(rows: list[list[str]], header: bool) -> None:
    rows = [[*row, *["x"] * (6 - len(row) if header else 1)] for row in rows]
    rows = [["id", "substitute", "Substitutee", "n", "n", ""]] * header + rows
    source = io.StringIO()
    csv.writer(source).writerows(rows)
    options = FileOptions(header, ("2", "3") if header else ("1", "2"), ",")
    table = read(source.getvalue().encode(), "pairs.csv", options)
    pairs = [tuple(row[1:3]) if header else tuple(row[:2]) for row in rows[header:]]
    assert read_pairs(source.getvalue().encode(), "pairs.csv", options) == pairs
    written = write_rows(table, "csv", "pairs.csv", 0.1).decode()
    back = list(csv.reader(io.StringIO(written, newline="")))
    assert back == [[*row, "score" if header and not number else "0.1"] for number, row in enumerate(rows)]


@given(st.lists(st.lists(tsv_cells, min_size=2, max_size=4), min_size=1, max_size=8))
def test_cells_of_a_tsv_are_unchanged(rows: list[list[str]]) -> None:
    content = "".join("\t".join(row) + "\n" for row in rows).encode()
    table = read(content, "pairs.tsv", FileOptions(False, ("1", "2")))
    written = write_rows(table, "tsv", "pairs.tsv", 1.0).decode()
    assert written == "".join("\t".join([*row, "1.0"]) + "\n" for row in rows).removeprefix("\ufeff")


@given(st.lists(st.dictionaries(cells, st.none() | st.integers() | cells, max_size=3), max_size=5))
def test_fields_of_a_json_row_are_unchanged(rows: list[dict[str, Any]]) -> None:
    rows = [{**row, "substitute": "a", "substitutee": "b"} for row in rows]
    rows = [{name: value for name, value in row.items() if name not in ("score", "unknown")} for row in rows]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    back = [json.loads(line) for line in score_rows(content, "pairs.jsonl").split("\n")[:-1]]
    assert back == [{**row, "score": 0.5, "unknown": []} for row in rows]


def test_the_format_of_a_stream_is_detected_in_its_first_line() -> None:
    assert score_rows(b"c\td\n", "stdin") == "c\td\t0.5\n"
    assert score_rows(b"c,d\n", "stdin") == "c,d,0.5\n"
    assert score_rows(b'["a", "b", 3]\n', "stdin") == '["a", "b", 3, 0.5, []]\n'
    assert score_rows(b"", "stdin") == ""


def test_one_format_is_written_as_another() -> None:
    assert (
        score_rows(b"a,c,d\n", form="jsonl", options=FileOptions(columns=("1", "2")))
        == '{"substitute": "a", "substitutee": "c", "column3": "d", "score": 0.5, "unknown": []}\n'
    )
    assert (
        score_rows(b"n,Substitutee,Substitute\n1,b,a\n", form="jsonl")
        == '{"n": "1", "Substitutee": "b", "Substitute": "a", "score": 0.5, "unknown": []}\n'
    )
    objects = b'{"substitute": "a", "substitutee": "b", "n": 1}\n'
    assert score_rows(objects, "x.jsonl", "csv") == "substitute,substitutee,n,score\na,b,1,0.5\n"
    assert score_rows(b'["a", "b"]\n', "x.jsonl", "tsv") == "substitute\tsubstitutee\tscore\na\tb\t0.5\n"


def test_a_byte_order_mark_and_blank_lines_are_ignored() -> None:
    assert score_rows(b"\xef\xbb\xbfsubstitute,substitutee\r\n\r\na,b\r\n\r\n") == "substitute,substitutee,score\na,b,0.5\n"


@pytest.mark.parametrize(
    ("content", "name", "problem"),
    [
        (b"a,b\nc\n", "pairs.csv", r"pairs\.csv, line 2: \['c'\] has too few columns"),
        (b'a,b\n"x\ny",z\nc\n', "pairs.csv", r"line 4: \['c'\]"),
        (b"a,b\n\xff,c\n", "pairs.csv", r"line 2: b'\\xff,c\\n' is not UTF-8"),
        (b'a,b\n"c,d\n', "pairs.csv", r"line 2: unexpected end of data"),
        (b'a,"b"c\n', "pairs.csv", r"line 1: .*expected after"),
        (b"a,b\nc," + b"d" * 200_000, "pairs.csv", r"line 2: a cell is longer than 131,072 char"),
        (b"a,b\n" + b'"c\n",' * 1_500_000, "pairs.csv", r"line 2: the row is longer than 4,194,304 characters"),
        (b"a,b\nc,d,e\n", "pairs.csv", r"pairs\.csv, line 2: \['c', 'd', 'e'\] has 3 columns and the header 2; name"),
        (b"a\tb\nc\td\te\n", "pairs.tsv", r"pairs\.tsv, line 2: .* has 3 columns and the header 2; name"),
        (b"word1,word2,Word1\n", "pairs.csv", r"line 1: there are several columns 'word1'; name two columns by number"),
        (
            b'{"a": "c", "b": "d"}\n{"a": "c", "a": "d", "b": "e"}\n',
            "x.jsonl",
            r"x\.jsonl, line 2: .* is not JSON \(there are two fields 'a'",
        ),
        (b"a\n", "pairs.tsv", r"line 1"),
        (b"{}\n", "pairs.jsonl", r"line 1: '\{\}' is not a pair of phrases"),
        (b'["a"]\n', "pairs.jsonl", r"line 1: .* is not a pair"),
        (b'["a", "b"]\n[1, 2]\n', "pairs.jsonl", r"line 2: '\[1, 2\]' is not a pair"),
        (b'"ab"\n', "pairs.jsonl", r"line 1: .* is not a pair"),
        (b'["a", "b"\n', "pairs.jsonl", r"line 1: .* is not JSON"),
        (b"[" * 100_000, "pairs.jsonl", r"line 1: .* is not JSON"),
        (b'{"substitute": "a", "substitutee": "b", "score": 1}\n', "pairs.jsonl", r"line 1: there is already a field 'score'"),
        (
            b'{"substitute": "a", "substitutee": "b", "unknown": 1}\n',
            "pairs.jsonl",
            r"line 1: there is already a field 'unk",
        ),
        (b"word1,word2,Score\na,b,1\n", "pairs.csv", r"pairs\.csv, line 1: there is already a column 'score'"),
        (b"a\tb\tscore\nc\td\t1\n", "pairs.tsv", r"pairs\.tsv, line 1: there is already a column 'score'"),
    ],
)
def test_an_invalid_row_is_an_error_with_its_line_and_value(content: bytes, name: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        score_rows(content, name)


def test_json_rows_with_different_fields_cannot_be_written_as_csv() -> None:
    rows = b'{"substitute": "a", "substitutee": "b"}\n{"substitute": "a", "substitutee": "b", "n": 1}\n'
    with pytest.raises(FileError, match=r"x\.jsonl, line 2: .* differ from those of the first row.* name jsonl as format="):
        score_rows(rows, "x.jsonl", "csv")


class LengthGraph:
    """Scores a pair by the length of its substitute; does not know x."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        for pair in pairs:
            yield 0.0 if "x" in pair else len(pair[0]) / 100

    def unknown(self, phrases: Iterable[str]) -> set[str]:
        return {"x"} & set(phrases)


class LengthQuery:
    """A query that opens the graph above."""

    def open(self, _progress: Progress = no_progress) -> LengthGraph:
        return LengthGraph()


def score(source: Path, output: Path, **options: Any) -> str:
    score_file(LengthQuery(), str(source), str(output), **{"workers": 1, **options})  # type: ignore[arg-type]
    return output.read_text(encoding="utf-8")


@pytest.mark.parametrize(("first", "largest"), [(1, 1), (3, 7), (64, 1000)])
def test_rows_come_out_in_order_with_batches_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int, largest: int
) -> None:
    for name, size in (("FIRST", first), ("LARGEST", largest)):
        monkeypatch.setattr(batches, name, size)
    source = tmp_path / "pairs.csv"
    source.write_text("".join(f"{'y' * (number % 90 + 1)},{number}\n" for number in range(700)), encoding="utf-8")
    rows = [line.split(",") for line in score(source, tmp_path / "out.csv").splitlines()]
    assert [int(row[1]) for row in rows] == list(range(700))
    assert all(float(row[2]) == len(row[0]) / 100 for row in rows)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(batches, "time", clock)
    return clock


def test_rows_of_a_slow_stream_do_not_wait_for_more(clock: Clock) -> None:
    def rows() -> Iterator[Row]:
        for number in range(5):
            clock.now += 1.5
            yield Row(number, ("c", "d"), [])

    assert [len(batch.rows) for batch in read_batches(rows(), lambda: None)] == [1, 1, 1, 1, 1]


def test_batches_grow_until_one_takes_nearly_a_second_and_shrink_when_it_takes_longer(clock: Clock) -> None:
    sizes, seconds_per_row = [], 1 / 4_000
    for batch in read_batches((Row(number, ("c", "d"), []) for number in range(20_000)), lambda: None):
        sizes.append(len(batch.rows))
        clock.now += len(batch.rows) * seconds_per_row
        seconds_per_row = 1.0 if len(sizes) == 8 else 1 / 4_000
    assert sizes[:8] == [64, 128, 256, 512, 1024, 2048, 3200, 3200]
    assert sizes[8:10] == [3200, 1600]


def test_rows_before_an_invalid_one_are_scored_before_it_is_an_error() -> None:
    def rows() -> Iterator[Row]:
        yield Row(1, ("c", "d"), [])
        raise FileError("line 2")

    (batch,) = read_batches(rows(), lambda: 0.5)
    assert (batch.pairs, batch.share, str(batch.error)) == ([("c", "d")], 0.5, "line 2")


def test_the_output_format_is_that_of_the_ending_of_its_name(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\n", encoding="utf-8")
    assert json.loads(score(source, tmp_path / "out.jsonl")) == {
        "substitute": "c", "substitutee": "d", "score": 0.01, "unknown": []
    }  # fmt: skip
    assert score(source, tmp_path / "out.tsv") == "c\td\t0.01\n"
    assert score(source, tmp_path / "out") == "c,d,0.01\n"
    assert score(source, tmp_path / "out.csv", output_format="tsv") == "c\td\t0.01\n"
    with pytest.raises(FileError, match=r"out\.xlsx: \.xlsx is not a format of pairs; choose one of csv, tsv, jsonl"):
        score(source, tmp_path / "out.xlsx")
    assert score(source, tmp_path / "out.txt", output_format="csv") == "c,d,0.01\n"
    assert not (tmp_path / "out.xlsx").exists()


def test_an_invalid_row_leaves_an_existing_output_unchanged(tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_text('a,b\n"c\nc",d\ne, \n', encoding="utf-8")
    output.write_text("old", encoding="utf-8")
    with pytest.raises(FileError, match=r"pairs\.csv, line 4: ' ' is an empty phrase.*; skip_bad=True leaves"):
        score(source, output)
    assert output.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "pairs.csv"]


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\n", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(source)
    for output in (source, tmp_path / "link.csv"):
        with pytest.raises(FileError, match=r"\.csv: this is the file that the pairs are read from"):
            score(source, output)
    assert source.read_text(encoding="utf-8") == "c,d\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [("WORD1", "word2"), ("source", "Target"), ("phrase1", "phrase2"), ("A", " b "), ("substitutee", "SUBSTITUTE")],
)
def test_a_header_is_recognised_by_known_names(first: str, second: str) -> None:
    header = f"n,{first},{second}"
    assert score_rows(f"{header}\n1,cat,dog\n".encode()) == f"{header},score\n1,cat,dog,0.5\n"
    swapped = first == "substitutee"
    content = f"{header}\n1,cat,dog\n".encode()
    assert read_pairs(content, "pairs.csv") == [("dog", "cat") if swapped else ("cat", "dog")]
    assert read_pairs(content, "pairs.csv", FileOptions(header=False, columns=("2", "3"))) == [(first, second), ("cat", "dog")]


def test_columns_are_chosen_by_name_or_number() -> None:
    content = b"id,general,special\n1,animal,dog\n"
    for columns in (("Special", "GENERAL"), ("3", "2")):
        assert read_pairs(content, "pairs.csv", FileOptions(True, columns)) == [("dog", "animal")]
    assert read_pairs(content, "pairs.csv", FileOptions(None, ("special", "general"))) == [("dog", "animal")]
    assert read_pairs(content, "pairs.csv", FileOptions(True)) == [("animal", "dog")]
    assert read_pairs(content, "pairs.csv", FileOptions(None, ("3", "2"))) == [("dog", "animal")]
    written = score_rows(b"1,animal,dog\n", form="jsonl", options=FileOptions(None, ("3", "2")))
    assert json.loads(written) == {
        "column1": "1", "substitutee": "animal", "substitute": "dog", "score": 0.5, "unknown": []
    }  # fmt: skip
    objects = b'{"general": "animal", "special": "dog"}\n'
    assert read_pairs(objects, "x.jsonl", FileOptions(None, ("special", "general"))) == [("dog", "animal")]
    assert read_pairs(b'["x", "dog", "animal"]\n', "x.jsonl", FileOptions(None, ("2", "3"))) == [("dog", "animal")]


@pytest.mark.parametrize(
    ("content", "name", "options", "problem"),
    [
        (
            b"id,a,b\n",
            "pairs.csv",
            FileOptions(None, ("a", "c")),
            r"there is no column 'c'; name two of 'id', 'a', 'b'",
        ),
        (b"id,a,b\n", "pairs.csv", FileOptions(False, ("a", "b")), r"without a header there is no column 'a'"),
        (b"c,d\n", "pairs.csv", FileOptions(None, ("1", "9")), r"line 1: \[.*\] has too few columns"),
        (b'["a", "b"]\n', "pairs.jsonl", FileOptions(True), r"pairs\.jsonl: rows of JSON have no header; leave header= out"),
    ],
)
def test_a_missing_column_is_an_error(content: bytes, name: str, options: FileOptions, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        score_rows(content, name, options=options)


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_a_row_shorter_than_its_header_is_padded(kind: str) -> None:
    parted = "," if kind == "csv" else "\t"
    content = "a,b,n,m\nc,d\ne,f,1,2\n".replace(",", parted).encode()
    assert score_rows(content, f"pairs.{kind}") == "a,b,n,m,score\nc,d,,,0.5\ne,f,1,2,0.5\n".replace(",", parted)
    assert json.loads(score_rows(content, f"pairs.{kind}", "jsonl").splitlines()[0]) == {
        "a": "c", "b": "d", "n": "", "m": "", "score": 0.5, "unknown": []
    }  # fmt: skip


def test_a_skipped_row_longer_than_its_header_keeps_all_cells(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("a,b,column4\nc,d,1,2\ne,f,3\n", encoding="utf-8")
    assert score(source, tmp_path / "out.csv", skip_bad=True) == "a,b,column4,score\nc,d,1,2,\ne,f,3,0.01\n"
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert rows[0] == {"a": "c", "b": "d", "column4": "1", "column4_": "2", "score": None, "unknown": []}
    assert rows[1]["score"] == 0.01
    tally = score_file(LengthQuery(), str(source), str(tmp_path / "out.csv"), workers=1, skip_bad=True)  # type: ignore[arg-type]
    assert (tally.bad, tally.first_bad) == (1, 2)


def test_a_duplicate_column_cannot_be_chosen_by_name() -> None:
    content = b"id,a,b,A\n1,cat,dog,pen\n"
    with pytest.raises(FileError, match=r"line 1: there are several columns 'a'; name two columns by number"):
        score_rows(content, options=FileOptions(None, ("a", "b")))
    assert score_rows(content, options=FileOptions(True, ("2", "3"))) == "id,a,b,A,score\n1,cat,dog,pen,0.5\n"


def test_arrays_are_written_as_csv_with_a_header() -> None:
    written = score_rows(b'["x", "dog", "animal"]\n', "x.jsonl", "csv", FileOptions(None, ("2", "3")))
    assert written == "column1,substitute,substitutee,score\nx,dog,animal,0.5\n"


@pytest.mark.parametrize("device", ["/dev/zero", "/proc/self/mem"])
def test_a_file_that_is_endless_or_fails_to_be_read_is_an_error(tmp_path: Path, device: str) -> None:
    problem = (
        "line 1: the line is longer than 4,194,304 characters"
        if device == "/dev/zero"
        else "cannot be read \\(Input/output error"
    )
    with pytest.raises(FileError, match=f"^{device}[:,] {problem}"):
        score(Path(device), tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_columns_of_the_same_name_cannot_be_written_as_json() -> None:
    with pytest.raises(FileError, match="column 'n' would occur twice in a JSON object"):
        score_rows(b"a,b,n,n\nc,d,1,2\n", form="jsonl")


def test_unknown_phrases_are_listed_and_counted(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,x\nc,d\nx,x\n", encoding="utf-8")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl").splitlines()]
    assert [row["unknown"] for row in rows] == [["x"], [], ["x"]]
    tally = score_file(LengthQuery(), str(source), str(tmp_path / "out.csv"), workers=1)  # type: ignore[arg-type]
    assert (tally.rows, tally.unknown, tally.phrases) == (3, 2, ["x"])
    (note,) = tally.notes("pairs.csv")
    assert 'pairs.csv: 2 of 3 pairs have an unknown phrase ("x")' in note


def test_the_note_shows_at_most_three_unknown_phrases() -> None:
    tally = Tally()
    tally.add([Row(number, (f"p{number}", "q"), []) for number in range(9)], [[0.0] * 9], {f"p{number}" for number in range(9)})
    (note,) = tally.notes("pairs.csv")
    assert '9 of 9 pairs have an unknown phrase ("p0", "p1", "p2", ...)' in note


def test_skipped_rows_have_no_score(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\ne,\nf\ng,h\n", encoding="utf-8")
    options = {"workers": 1, "skip_bad": True}
    tally = score_file(LengthQuery(), str(source), str(tmp_path / "out.csv"), **options)  # type: ignore[arg-type]
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "c,d,0.01\ne,,\nf,\ng,h,0.01\n"
    assert (tally.rows, tally.bad, tally.first_bad) == (4, 2, 2)
    assert next(tally.notes("pairs.csv")).startswith("pairs.csv: 2 of 4 rows have no pair")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert [row["score"] for row in rows] == [0.01, None, None, 0.01]
    source = tmp_path / "pairs.jsonl"
    source.write_text('["c", "d"]\n["c", null]\n{"substitute": "c"}\n', encoding="utf-8")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert rows == [["c", "d", 0.01, []], ["c", None, None, []], {"substitute": "c", "score": None, "unknown": []}]
    source.write_text('["c", "d"]\nnonsense\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"line 2: .* is not JSON"):
        score(source, tmp_path / "out.jsonl", skip_bad=True)


def test_a_source_that_is_missing_or_a_folder_is_an_error(tmp_path: Path) -> None:
    for source in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(FileError, match="cannot be read"):
            score(source, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def store(tmp_path: Path) -> str:
    write_files(tmp_path / "dict", CAGES)
    path = tmp_path / "graph.lbug"
    with EmbeddedStore(path) as store:
        ingest(store, open_wordnet(tmp_path / "dict"))
    return str(path)


def full_batches(count: int) -> Iterator[Batch]:
    words = ["enclose", "birdcage", "pen", "xyzzy"]
    rows = [Row(number, (words[number % 4], words[number // 4 % 4]), []) for number in range(batches.FIRST)]
    return (Batch(rows, None, None) for _ in range(count))


@pytest.mark.slow
def test_other_processes_find_the_same_scores_in_the_same_order(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SERIAL_ROWS", 1)
    query = Query(store, {})
    with query.open() as graph:
        alone = [scored for _, scored in score_batches(full_batches(6), graph, query, 1)]
        assert not active_children()
        together = []
        for _, scored in score_batches(full_batches(6), graph, query, 2):
            together.append(scored)
            assert len(active_children()) == (0 if len(together) == 1 else 2)
    assert together == alone
    assert max(alone[0].scores) > 0.0
    assert alone[0].unknown == {"xyzzy"}
    assert not active_children()


@pytest.mark.slow
def test_an_error_in_another_process_is_raised_in_this_one(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SERIAL_ROWS", 0)
    missing = Query(str(tmp_path / "none.lbug"), {})
    with Query(store, {}).open() as graph, pytest.raises(StoreMissing, match=r"none\.lbug"):
        list(score_batches(full_batches(3), graph, missing, 2))
    assert not active_children()


@pytest.mark.slow
def test_a_process_that_is_killed_is_an_error(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SERIAL_ROWS", 0)
    query = Query(store, {})
    endless = cycle(full_batches(1))  # the other process may score any number before the loss is noticed
    with query.open() as graph, closing(score_batches(endless, graph, query, 2)) as results:
        next(results)
        active_children()[0].kill()
        with pytest.raises(WorkerLost, match=r"ended a process that scored pairs.*; lower workers"):
            deque(results, maxlen=0)
    assert not active_children()


@pytest.mark.slow
def test_closing_the_results_ends_the_processes(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SERIAL_ROWS", 0)
    query = Query(store, {})
    with query.open() as graph, closing(score_batches(full_batches(50), graph, query, 2)) as results:
        next(results)
        assert len(active_children()) == 2
    assert not active_children()
