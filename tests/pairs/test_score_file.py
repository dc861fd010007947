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
from hypothesis import assume, given
from hypothesis import strategies as st

from wayword.core.atomic_files import FileError
from wayword.core.progress import Progress
from wayword.graph.errors import StoreMissing
from wayword.pairs import batching
from wayword.pairs import score_file as score_file_module
from wayword.pairs.batching import Windows
from wayword.pairs.columns import Wanted, known_places
from wayword.pairs.files import Row, read_table, refuse, write_table
from wayword.pairs.score_file import Tally, score_file
from wayword.pairs.workers import Scored, WorkerLost, Workers
from wayword.query import Query

cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tsv_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), min_size=1, max_size=12)


def in_bytes_lines(content: bytes) -> list[bytes]:
    return io.BytesIO(content).readlines()


def through(content: bytes, name: str = "pairs.csv", form: str | None = None, wanted: Wanted | None = None) -> str:
    """What becomes of a file of pairs when each row gets the score 0.5."""
    table = read_table(in_bytes_lines(content), name, wanted)
    written = io.StringIO()
    write = write_table(table, form or table.kind, written, name)
    for row in table.rows:
        if row.pair is None:
            raise refuse(name, row.line, row.problem)
        write([row], [0.5], {"xyzzy"})
    return written.getvalue()


@given(st.lists(st.lists(cells, min_size=2, max_size=5), min_size=1, max_size=8), st.booleans())
def test_every_cell_of_a_csv_comes_out_as_it_went_in(rows: list[list[str]], header: bool) -> None:
    rows = [[*row, *["x"] * (6 - len(row) if header else 1)] for row in rows]
    rows = [["id", "substitute", "Substitutee", "n", "n", ""]] * header + rows
    assume(header or known_places(rows[0]) is None)
    given_ = io.StringIO()
    csv.writer(given_).writerows(rows)
    table = read_table(in_bytes_lines(given_.getvalue().encode()), "pairs.csv")
    written = io.StringIO()
    write = write_table(table, "csv", written, "pairs.csv")
    for row in table.rows:
        assert row.pair == (tuple(row.whole[1:3]) if header else tuple(row.whole[:2]))
        write([row], [0.1], set())
    back = list(csv.reader(io.StringIO(written.getvalue(), newline="")))
    assert back == [[*row, "score" if header and not number else "0.1"] for number, row in enumerate(rows)]


@given(st.lists(st.lists(tsv_cells, min_size=2, max_size=4), min_size=1, max_size=8))
def test_every_cell_of_a_tsv_comes_out_as_it_went_in(rows: list[list[str]]) -> None:
    content = "".join("\t".join(row) + "\n" for row in rows).encode()
    table = read_table(in_bytes_lines(content), "pairs.tsv")
    assume(known_places(rows[0]) is None)
    written = io.StringIO()
    write = write_table(table, "tsv", written, "pairs.tsv")
    for row in table.rows:
        write([row], [1.0], set())
    assert written.getvalue() == "".join("\t".join([*row, "1.0"]) + "\n" for row in rows).removeprefix("\ufeff")


@given(st.lists(st.dictionaries(cells, st.none() | st.integers() | cells, max_size=3), max_size=5))
def test_every_field_of_a_json_row_comes_out_as_it_went_in(rows: list[dict[str, Any]]) -> None:
    rows = [{**row, "substitute": "a", "substitutee": "b"} for row in rows]
    rows = [{name: value for name, value in row.items() if name not in ("score", "unknown")} for row in rows]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    back = [json.loads(line) for line in through(content, "pairs.jsonl").split("\n")[:-1]]
    assert back == [{**row, "score": 0.5, "unknown": []} for row in rows]


def test_what_kind_a_stream_is_its_first_line_says() -> None:
    assert through(b"c\td\n", "stdin") == "c\td\t0.5\n"
    assert through(b"c,d\n", "stdin") == "c,d,0.5\n"
    assert through(b'["a", "b", 3]\n', "stdin") == '["a", "b", 3, 0.5, []]\n'
    assert through(b"", "stdin") == ""


def test_one_kind_becomes_another() -> None:
    assert (
        through(b"a,c,d\n", form="jsonl")
        == '{"substitute": "a", "substitutee": "c", "column3": "d", "score": 0.5, "unknown": []}\n'
    )
    assert (
        through(b"n,Substitutee,Substitute\n1,b,a\n", form="jsonl")
        == '{"n": "1", "Substitutee": "b", "Substitute": "a", "score": 0.5, "unknown": []}\n'
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
        (b"a,b\nc," + b"d" * 200_000, "pairs.csv", r"line 2: a field is longer than 131,072 char"),
        (b"a,b\n" + b'"c\n",' * 1_500_000, "pairs.csv", r"line 2: the row is longer than 4,194,304 characters"),
        (b"a,b\nc,d,e\n", "pairs.csv", r"pairs\.csv, line 2: \['c', 'd', 'e'\] has 3 columns and the header names 2; name"),
        (b"a\tb\nc\td\te\n", "pairs.tsv", r"pairs\.tsv, line 2: .* has 3 columns and the header names 2; name"),
        (b"word1,word2,Word1\n", "pairs.csv", r"line 1: there are several columns 'word1'; give --columns with their num"),
        (b'{"a": "c", "b": "d"}\n{"a": "c", "a": "d", "b": "e"}\n', "x.jsonl", r"x\.jsonl, line 2: there are two fields 'a'"),
        (b"a\n", "pairs.tsv", r"line 1"),
        (b"{}\n", "pairs.jsonl", r"line 1: '\{\}' is no pair of phrases"),
        (b'["a"]\n', "pairs.jsonl", r"line 1: .* is no pair"),
        (b'["a", "b"]\n[1, 2]\n', "pairs.jsonl", r"line 2: '\[1, 2\]' is no pair"),
        (b'"ab"\n', "pairs.jsonl", r"line 1: .* is no pair"),
        (b'["a", "b"\n', "pairs.jsonl", r"line 1: .* is not JSON"),
        (b"[" * 100_000, "pairs.jsonl", r"line 1: .* is not JSON"),
        (b'{"substitute": "a", "substitutee": "b", "score": 1}\n', "pairs.jsonl", r"line 1: there is a field 'score' already"),
        (b'{"substitute": "a", "substitutee": "b", "unknown": 1}\n', "pairs.jsonl", r"line 1: there is a field 'unknown'"),
        (b"word1,word2,Score\na,b,1\n", "pairs.csv", r"pairs\.csv, line 1: there is a column 'score' already"),
        (b"a\tb\tscore\nc\td\t1\n", "pairs.tsv", r"pairs\.tsv, line 1: there is a column 'score' already"),
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
    """Scores a pair by the length of its substitute; knows no x."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def scores(self, asked: Iterable[tuple[str, str]]) -> Iterator[float]:
        for pair in asked:
            yield 0.0 if "x" in pair else len(pair[0]) / 100

    def unknown(self, phrases: Iterable[str]) -> set[str]:
        return {"x"} & set(phrases)


class Question:
    """A question to the graph above."""

    def open(self, _progress: Progress) -> LengthGraph:
        return LengthGraph()


def score(source: Path, output: Path, **options: Any) -> str:
    score_file(Question(), str(source), str(output), **{"workers": 1, **options})  # type: ignore[arg-type]
    return output.read_text(encoding="utf-8")


@pytest.mark.parametrize(("first", "window"), [(1, 1), (3, 7), (64, 1000)])
def test_rows_come_out_in_order_whatever_the_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int, window: int
) -> None:
    for name, size in (("FIRST", first), ("LARGEST", window)):
        monkeypatch.setattr(batching, name, size)
    source = tmp_path / "pairs.csv"
    source.write_text("".join(f"{'y' * (number % 90 + 1)},{number}\n" for number in range(700)), encoding="utf-8")
    rows = [line.split(",") for line in score(source, tmp_path / "out.csv").splitlines()]
    assert [int(row[1]) for row in rows] == list(range(700))
    assert all(float(row[2]) == len(row[0]) / 100 for row in rows)


def test_a_slow_stream_is_scored_as_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "PATIENCE", -1.0)
    sizes: list[int] = []

    def counting(graph: Any, asked: Any, report: Any) -> Scored:
        sizes.append(len(asked))
        return Scored([0.0] * len(asked), set())

    monkeypatch.setattr(score_file_module, "score_pairs", counting)
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\n" * 5, encoding="utf-8")
    score(source, tmp_path / "out.csv")
    assert sizes == [1, 1, 1, 1, 1]


def test_windows_are_as_large_as_can_be_scored_while_people_wait() -> None:
    some = Windows(iter([Row(number, ("c", "d"), []) for number in range(100_000)]))
    sizes = []
    for window in some:
        sizes.append(len(window))
        some.took(window, len(window) / 4_000)
    assert sizes[:7] == [64, 128, 256, 512, 1024, 2048, 3200]
    some.took([Row(1, None, [])] * 3200, 60.0)
    assert some.size == 1600


def test_the_ending_of_the_output_says_what_to_write(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\n", encoding="utf-8")
    assert json.loads(score(source, tmp_path / "out.jsonl")) == {
        "substitute": "c", "substitutee": "d", "score": 0.01, "unknown": []
    }  # fmt: skip
    assert score(source, tmp_path / "out.tsv") == "c\td\t0.01\n"
    assert score(source, tmp_path / "out") == "c,d,0.01\n"
    assert score(source, tmp_path / "out.csv", form="tsv") == "c\td\t0.01\n"
    with pytest.raises(FileError, match=r"out\.xlsx: cannot tell .* --format"):
        score(source, tmp_path / "out.xlsx")
    assert score(source, tmp_path / "out.txt", form="csv") == "c,d,0.01\n"
    assert not (tmp_path / "out.xlsx").exists()


def test_a_refused_row_is_named_and_leaves_the_old_output(tmp_path: Path) -> None:
    source, output = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_text('a,b\n"c\nc",d\ne, \n', encoding="utf-8")
    output.write_text("old", encoding="utf-8")
    with pytest.raises(FileError, match=r"pairs\.csv, line 4: ' ' is an empty phrase.* --skip-bad"):
        score(source, output)
    assert output.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "pairs.csv"]


def test_the_input_is_not_written_over(tmp_path: Path) -> None:
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
def test_a_header_with_known_names_is_no_pair(first: str, second: str) -> None:
    header = f"n,{first},{second}"
    assert through(f"{header}\n1,cat,dog\n".encode()) == f"{header},score\n1,cat,dog,0.5\n"
    swapped = first == "substitutee"
    row = next(read_table([f"{header}\n".encode(), b"1,cat,dog\n"], "pairs.csv").rows)
    assert row.pair == (("dog", "cat") if swapped else ("cat", "dog"))
    rows = list(read_table([f"{header}\n".encode()], "pairs.csv", Wanted(header=False)).rows)
    assert [row.pair for row in rows] == [("n", first)]


def test_columns_are_named_or_numbered() -> None:
    content = [b"id,general,special\n", b"1,animal,dog\n"]
    for columns in (("Special", "GENERAL"), ("3", "2")):
        table = read_table(iter(content), "pairs.csv", Wanted(True, columns))
        assert [row.pair for row in table.rows] == [("dog", "animal")]
    assert read_table(iter(content), "pairs.csv", Wanted(None, ("special", "general"))).header == ["id", "general", "special"]
    assert [row.pair for row in read_table(iter(content), "pairs.csv", Wanted(True)).rows] == [("1", "animal")]
    assert read_table(iter(content), "pairs.csv", Wanted(None, ("3", "2"))).header is None
    written = through(b"1,animal,dog\n", form="jsonl", wanted=Wanted(None, ("3", "2")))
    assert json.loads(written) == {
        "column1": "1", "substitutee": "animal", "substitute": "dog", "score": 0.5, "unknown": []
    }  # fmt: skip
    objects = b'{"general": "animal", "special": "dog"}\n'
    assert [row.pair for row in read_table([objects], "x.jsonl", Wanted(None, ("special", "general"))).rows] == [
        ("dog", "animal")
    ]
    assert [row.pair for row in read_table([b'["x", "dog", "animal"]\n'], "x.jsonl", Wanted(None, ("2", "3"))).rows] == [
        ("dog", "animal")
    ]


@pytest.mark.parametrize(
    ("content", "name", "wanted", "problem"),
    [
        (b"id,a,b\n", "pairs.csv", Wanted(None, ("a", "c")), r"line 1: there is no column 'c'; name two of 'id', 'a', 'b'"),
        (b"id,a,b\n", "pairs.csv", Wanted(False, ("a", "b")), r"without a header there is no column 'a'"),
        (b"c,d\n", "pairs.csv", Wanted(None, ("1", "9")), r"line 1: \[.*\] has too few columns"),
        (b'["a", "b"]\n', "pairs.jsonl", Wanted(True), r"pairs\.jsonl: .* --header"),
    ],
)
def test_columns_that_are_not_there_are_refused(content: bytes, name: str, wanted: Wanted, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        through(content, name, wanted=wanted)


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_a_row_shorter_than_its_header_has_its_score_in_the_column_of_scores(kind: str) -> None:
    parted = "," if kind == "csv" else "\t"
    content = "a,b,n,m\nc,d\ne,f,1,2\n".replace(",", parted).encode()
    assert through(content, f"pairs.{kind}") == "a,b,n,m,score\nc,d,,,0.5\ne,f,1,2,0.5\n".replace(",", parted)
    assert json.loads(through(content, f"pairs.{kind}", "jsonl").splitlines()[0]) == {
        "a": "c", "b": "d", "n": "", "m": "", "score": 0.5, "unknown": []
    }  # fmt: skip


def test_a_row_longer_than_its_header_loses_nothing_where_it_is_skipped(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("a,b,column4\nc,d,1,2\ne,f,3\n", encoding="utf-8")
    assert score(source, tmp_path / "out.csv", skip_bad=True) == "a,b,column4,score\nc,d,1,2,\ne,f,3,0.01\n"
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert rows[0] == {"a": "c", "b": "d", "column4": "1", "column4_": "2", "score": None, "unknown": []}
    assert rows[1]["score"] == 0.01
    tally = score_file(Question(), str(source), str(tmp_path / "out.csv"), workers=1, skip_bad=True)  # type: ignore[arg-type]
    assert (tally.bad, tally.first_bad) == (1, 2)


def test_a_column_that_is_there_twice_cannot_be_meant_by_its_name() -> None:
    content = b"id,a,b,A\n1,cat,dog,pen\n"
    with pytest.raises(FileError, match=r"line 1: there are several columns 'a'; give --columns with their numbers"):
        through(content, wanted=Wanted(None, ("a", "b")))
    assert through(content, wanted=Wanted(True, ("2", "3"))) == "id,a,b,A,score\n1,cat,dog,pen,0.5\n"


def test_arrays_become_columns_named_for_what_is_in_them() -> None:
    written = through(b'["x", "dog", "animal"]\n', "x.jsonl", "csv", Wanted(None, ("2", "3")))
    assert written == "column1,substitute,substitutee,score\nx,dog,animal,0.5\n"


@pytest.mark.parametrize("device", ["/dev/zero", "/proc/self/mem"])
def test_a_file_without_an_end_or_that_fails_to_be_read_is_named(tmp_path: Path, device: str) -> None:
    problem = (
        "line 1: the line is longer than 4,194,304 bytes" if device == "/dev/zero" else "cannot be read \\(Input/output error"
    )
    with pytest.raises(FileError, match=f"^{device}[:,] {problem}"):
        score(Path(device), tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_columns_of_one_name_are_no_fields() -> None:
    with pytest.raises(FileError, match="column 'n' cannot be a field"):
        through(b"a,b,n,n\nc,d,1,2\n", form="jsonl")


def test_unknown_phrases_are_told_apart_from_unrelated_ones(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,x\nc,d\nx,x\n", encoding="utf-8")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl").splitlines()]
    assert [row["unknown"] for row in rows] == [["x"], [], ["x"]]
    tally = score_file(Question(), str(source), str(tmp_path / "out.csv"), workers=1)  # type: ignore[arg-type]
    assert (tally.rows, tally.unknown, tally.phrases) == (3, 2, ["x"])
    (note,) = tally.notes("pairs.csv")
    assert 'pairs.csv: 2 of 3 pairs hold a phrase that nothing is known of ("x")' in note


def test_at_most_three_unknown_phrases_are_named() -> None:
    tally = Tally()
    tally.count([Row(number, (f"p{number}", "q"), []) for number in range(9)], [0.0] * 9, {f"p{number}" for number in range(9)})
    (note,) = tally.notes("pairs.csv")
    assert '9 of 9 pairs hold a phrase that nothing is known of ("p0", "p1", "p2", ...)' in note


def test_bad_rows_go_without_a_score_if_the_user_says_so(tmp_path: Path) -> None:
    source = tmp_path / "pairs.csv"
    source.write_text("c,d\ne,\nf\ng,h\n", encoding="utf-8")
    given_ = {"workers": 1, "skip_bad": True}
    tally = score_file(Question(), str(source), str(tmp_path / "out.csv"), **given_)  # type: ignore[arg-type]
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "c,d,0.01\ne,,\nf,\ng,h,0.01\n"
    assert (tally.rows, tally.bad, tally.first_bad) == (4, 2, 2)
    assert next(tally.notes("pairs.csv")).startswith("pairs.csv: 2 of 4 rows hold no pair")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert [row["score"] for row in rows] == [0.01, None, None, 0.01]
    source = tmp_path / "pairs.jsonl"
    source.write_text('["c", "d"]\n["c", null]\n{"substitute": "c"}\n', encoding="utf-8")
    rows = [json.loads(line) for line in score(source, tmp_path / "out.jsonl", skip_bad=True).splitlines()]
    assert rows == [["c", "d", 0.01, []], ["c", None, None, []], {"substitute": "c", "score": None, "unknown": []}]
    source.write_text('["c", "d"]\nnonsense\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"line 2: .* is not JSON"):
        score(source, tmp_path / "out.jsonl", skip_bad=True)


def test_a_source_that_is_not_there_or_no_file_is_said_so(tmp_path: Path) -> None:
    for source in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(FileError, match="cannot be read"):
            score(source, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_what_goes_wrong_in_a_process_is_told_by_its_parent(tmp_path: Path) -> None:
    asked = Query(str(tmp_path / "none.lbug"), {})
    with Workers(asked, 2) as workers, pytest.raises(StoreMissing, match=r"none\.lbug"):
        list(workers.score(iter([[("cage", "pen")]]), lambda _: None))
    assert not active_children()


def test_a_process_that_is_ended_from_outside_is_said_to_be_lost(tmp_path: Path) -> None:
    with Workers(Query(str(tmp_path / "none.lbug"), {}), 1) as workers:
        assert not workers.ready()
        for child in active_children():
            child.kill()
        with pytest.raises(WorkerLost, match="--workers"):
            list(workers.score(iter([[("cage", "pen")]]), lambda _: None))
    assert not active_children()
