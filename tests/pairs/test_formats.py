"""Files of pairs in other formats, encodings and compressions; what is ambiguous or damaged is refused."""

from __future__ import annotations

import bz2
import datetime
import gzip
import io
import json
import sys
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wayword.core.atomic_files import FileError
from wayword.pairs.options import FileOptions

from .test_score_file import score

ROWS = "word1,word2\ndog,animal\nçaĩ,x\n"


def write(tmp_path: Path, content: bytes | str, name: str = "pairs.csv") -> Path:
    file = tmp_path / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def zstandard(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


@pytest.mark.parametrize(("ending", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("zst", zstandard)])
def test_a_compressed_file_is_read_by_its_signature(tmp_path: Path, ending: str, compress: object) -> None:
    expected = "word1,word2,score\ndog,animal,0.03\nçaĩ,x,0.0\n"
    for name in (f"pairs.csv.{ending}", "pairs.csv", "pairs"):
        assert score(write(tmp_path, compress(ROWS.encode()), name), tmp_path / "out") == expected  # type: ignore[operator]
    damaged = write(tmp_path, compress(ROWS.encode() * 500)[:-9], f"damaged.csv.{ending}")  # type: ignore[operator]
    with pytest.raises(FileError, match=r"damaged\.csv\.\w+ is cut off or damaged"):
        score(damaged, tmp_path / "out")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "iso-8859-4", "cp1257"])
def test_another_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    rows = "word1,word2\ndog,animal\nõū,x\n"
    options = None if encoding.startswith("utf-") else FileOptions(encoding=encoding)
    written = score(write(tmp_path, rows.encode(encoding)), tmp_path / "out.csv", options=options)
    assert written == "word1,word2,score\ndog,animal,0.03\nõū,x,0.0\n"


def test_a_byte_that_is_not_in_the_encoding_is_an_error_with_its_line(tmp_path: Path) -> None:
    source = write(tmp_path, ROWS.encode("utf-8").replace("ĩ".encode(), b"\xff"))
    with pytest.raises(FileError, match=r"line 3: .* is not UTF-8 .*; name the encoding of the file as encoding="):
        score(source, tmp_path / "out.csv")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_a_delimiter_that_fits_every_row_is_detected(tmp_path: Path, delimiter: str) -> None:
    source = write(tmp_path, f"dog{delimiter}an, animal\ncat{delimiter}animal\n")
    assert score(source, tmp_path / "out.csv") == 'dog,"an, animal",0.03\ncat,animal,0.03\n'


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|", ":"])
@pytest.mark.parametrize("line", ["sep={}\n", "SEP={}\r\n", '"sep={}"\n'])
@pytest.mark.parametrize("name", ["pairs.csv", "pairs"])
def test_the_first_line_can_name_the_delimiter_as_excel_does(tmp_path: Path, delimiter: str, line: str, name: str) -> None:
    rows = f"word1{delimiter}word2{delimiter}n\ndog{delimiter}animal{delimiter}1 ; 2 , 3 | 4\n"
    rows = rows.replace(f" {delimiter} ", " ")
    expected = score(write(tmp_path, rows, name), tmp_path / "out.csv", options=FileOptions(delimiter=delimiter))
    assert expected.startswith("word1,word2,n,score\ndog,animal,")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        source = write(tmp_path, (line.format(delimiter) + rows).encode(encoding), name)
        assert score(source, tmp_path / "out.csv") == expected


def test_lines_are_counted_from_the_one_that_names_the_delimiter(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"pairs\.csv, line 4: .*has 3 columns and the header 2"):
        score(write(tmp_path, "sep=;\nword1;word2\ndog;cat\na;b;c\n"), tmp_path / "out.csv")
    with pytest.raises(FileError, match=r"pairs\.csv, line 2: there is already a column 'score'"):
        score(write(tmp_path, "sep=;\nword1;word2;score\ndog;cat;1\n"), tmp_path / "out.csv")
    with pytest.raises(FileError, match=r"pairs\.csv, line 2: there are several columns 'word1'"):
        score(write(tmp_path, "sep=;\nword1;word2;Word1\n"), tmp_path / "out.csv")
    assert score(write(tmp_path, "sep=;\n"), tmp_path / "out.csv") == ""


def test_a_delimiter_that_the_user_names_is_used_instead_of_that_of_the_first_line(tmp_path: Path) -> None:
    source = write(tmp_path, "sep=;\nword1,word2\ndog,a;b\n")
    assert score(source, tmp_path / "out.csv", options=FileOptions(delimiter=",")) == "word1,word2,score\ndog,a;b,0.03\n"


def test_an_ambiguous_delimiter_is_refused(tmp_path: Path) -> None:
    source = write(tmp_path, "a, b;c\nd, e;f\n")
    with pytest.raises(FileError, match=r"not certain whether ',' or ';' separates the columns; name it as delimiter="):
        score(source, tmp_path / "out.csv")
    assert score(source, tmp_path / "out.csv", options=FileOptions(delimiter=";")).startswith('"a, b",c,0.04')
    assert score(write(tmp_path, "x:y\n"), tmp_path / "out.csv", options=FileOptions(delimiter=":")) == "x,y,0.0\n"


def test_the_column_for_scores_can_be_named(tmp_path: Path) -> None:
    source = write(tmp_path, "word1,word2,score\ndog,cat,3\n")
    with pytest.raises(FileError, match=r"already a column 'score'; name another one as score_column="):
        score(source, tmp_path / "out.csv")
    options = FileOptions(score_column="wayword")
    assert score(source, tmp_path / "out.csv", options=options) == "word1,word2,score,wayword\ndog,cat,3,0.03\n"
    row = json.loads(score(source, tmp_path / "out.jsonl", options=options))
    assert row == {"word1": "dog", "word2": "cat", "score": "3", "wayword": 0.03, "unknown": []}


def test_values_of_parquet_are_unchanged(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": pa.array([2**62, None], pa.int64()),
            "word1": ["dog", "x"],
            "word2": pa.array(["cat", "cat"]).dictionary_encode(),
            "day": pa.array([datetime.date(2026, 1, 2), None]),
            "at": pa.array([1_700_000_000_123_456_789, None], pa.timestamp("ns")),
            "list": [[1.5], []],
        }
    )
    pq.write_table(table, tmp_path / "pairs.parquet")
    options = {"workers": 1}
    score_parquet(tmp_path / "pairs.parquet", tmp_path / "out.parquet", **options)
    back = pq.read_table(tmp_path / "out.parquet")
    assert back.drop(["score"]).equals(table)
    assert back["score"].to_pylist() == [0.03, 0.0]
    lines = score(tmp_path / "pairs.parquet", tmp_path / "out.jsonl").splitlines()
    assert json.loads(lines[0])["id"] == 2**62
    assert json.loads(lines[0])["day"] == "2026-01-02"
    assert score(tmp_path / "pairs.parquet", tmp_path / "out.csv").startswith("id,word1,word2,day,at,list,score\n46116860")


def score_parquet(source: Path, output: Path, **options: object) -> None:
    from wayword.pairs.score_file import score_file

    from .test_score_file import LengthQuery

    score_file(LengthQuery(), str(source), str(output), **options)  # type: ignore[arg-type]


def test_parquet_is_not_written_to_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wayword.pairs.score_file import score_file

    from .test_score_file import LengthQuery

    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdout", terminal)
    source = str(write(tmp_path, ROWS))
    with pytest.raises(FileError, match="a terminal cannot show parquet; name a file as output=, or choose one of csv, tsv"):
        score_file(LengthQuery(), source, output_format="parquet", workers=1)  # type: ignore[arg-type]
    score_file(LengthQuery(), source, output_format="csv", workers=1)  # type: ignore[arg-type]
    assert terminal.getvalue().startswith("word1,word2,score\ndog,animal,0.03\n")


@pytest.mark.parametrize(("rows", "tables"), [("dog\ncat\n", 0), ("dog\ndog,cat\ncat,dog\n", 1)])
def test_the_columns_are_named_once_a_row_has_a_pair(tmp_path: Path, rows: str, tables: int) -> None:
    named: list[object] = []
    with suppress(FileError):
        score(write(tmp_path, rows), tmp_path / "out.csv", skip_bad=True, on_table=named.append)
    assert len(named) == tables


def test_rows_of_texts_and_of_json_are_written_as_parquet(tmp_path: Path) -> None:
    score_parquet(write(tmp_path, "word1,word2,n\ndog,cat,1\n"), tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [{"word1": "dog", "word2": "cat", "n": "1", "score": 0.03}]
    objects = write(tmp_path, '{"a": "dog", "b": "cat", "n": 1}\n', "pairs.jsonl")
    score_parquet(objects, tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [{"a": "dog", "b": "cat", "n": 1, "score": 0.03}]
    objects = write(tmp_path, '{"a": "dog", "b": "cat", "n": 1}\n{"a": "dog", "b": "cat", "n": "x"}\n', "pairs.jsonl")
    with pytest.raises(FileError, match=r"pairs\.jsonl, line 1: the types of the rows .* differ"):
        score_parquet(objects, tmp_path / "out.parquet")
    objects = write(tmp_path, '{"a": "dog", "b": "cat"}\n{"a": "dog", "b": "cat", "n": "x"}\n', "pairs.jsonl")
    with pytest.raises(FileError, match=r"pairs\.jsonl, line 2: the fields .* differ from those of the first row"):
        score_parquet(objects, tmp_path / "out.parquet")
    score_parquet(write(tmp_path, ""), tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["dog"] * 9000, "b": ["cat"] * 9000}), tmp_path / "pairs.parquet", compression="none")
    content = bytearray((tmp_path / "pairs.parquet").read_bytes())
    for name, damaged in {"short": content[:-5], "empty": b"PAR1", "other": content[:20] + b"\xff" * 40 + content[60:]}.items():
        with pytest.raises(FileError, match=rf"{name}\.parquet: is not a readable parquet file"):
            score_parquet(write(tmp_path, bytes(damaged), f"{name}.parquet"), tmp_path / "out.parquet")


def test_a_file_without_a_single_pair_is_refused_even_if_bad_rows_are_skipped(tmp_path: Path) -> None:
    source = write(tmp_path, "dog,\n,cat\n")
    with pytest.raises(FileError, match=r"none of the 2 rows has a pair of phrases"):
        score(source, tmp_path / "out.csv", skip_bad=True)
    assert not (tmp_path / "out.csv").exists()
