"""Thesaurus files of every format are read alike, and errors name the line and the value."""

from __future__ import annotations

import io
import tempfile
import threading
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.thesaurus import Thesaurus
from wayword.loaders.errors import SourceError, SourceMissing
from wayword.loaders.thesauri import formats
from wayword.loaders.thesauri.reader import (
    DUPLICATE_SYNONYM,
    INVALID_DISTANCE,
    INVALID_RANK,
    UNNAMED_ROW,
    read_thesaurus,
)

from ...support.tweets import gzip_content

CSV = "hashtag,synonym,rank,distance\n#swim,#dive,1,0.125\n#swim,#sport,2,0.25\n#sport,#swim,1,0.25\n"
SWIM = {"#swim": [("#dive", 0.125), ("#sport", 0.25)], "#sport": [("#swim", 0.25)], "#dive": []}


def read(path: Path, text: str | bytes, left_out: Counter[str] | None = None) -> Thesaurus:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    counts = Counter[str]() if left_out is None else left_out
    found = read_thesaurus(path, counts)
    if left_out is None:
        assert not counts
    return found


def plain(thesaurus: Thesaurus) -> dict[str, list[tuple[str, float]]]:
    return {name: [(each.hashtag, each.distance) for each in thesaurus.of(name) or ()] for name in thesaurus.hashtags}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", CSV),
        ("t.tsv", CSV.replace(",", "\t")),
        ("t.txt", "\ufeff" + CSV.replace("\n", "\r\n")),
        ("t.csv", "\n\n" + CSV.replace("\n", "\n\n")),
        ("t.csv", CSV.rstrip("\n")),
        ("t.csv", CSV.replace("#swim", "Swim").replace("hashtag", "Tag")),
        ("t.csv", '"Tag",note,rank,Synonym,distance\n#swim,,2,#sport,.25\n#swim,x,1,#dive,0.125\n#sport,y,1,#swim,2.5e-1\n'),
        ("t.csv", "hashtag,synonym,distance\n#swim,#sport,0.25\n#swim,#dive,0.125\n#sport,#swim,0.25\n"),
        ("t.csv", "#swim,#sport,0.25\n#swim,#dive,0.125\n#sport,#swim,0.25\n"),
        ("t.csv", CSV + "#swim,#swim,0,0\n#dive,#dive,,\n"),
        ("t.csv.gz", gzip_content(CSV.encode())),
        ("t.csv", gzip_content(CSV[:40].encode()) + gzip_content(CSV[40:].encode())),
    ],
    ids=range(12),
)
def test_every_format_gives_the_same_thesaurus(tmp_path: Path, name: str, text: str | bytes) -> None:
    assert plain(read(tmp_path / name, text)) == SWIM


def test_synonyms_without_distances_are_ordered_by_rank_or_position(tmp_path: Path) -> None:
    for text in (
        "hashtag,synonym,rank\na,c,2\na,b,1\n",
        "hashtag,synonym\na,b\na,c\n",
        "hashtag,synonym,rank,distance\na,c,2,\na,b,1,\n",
    ):
        found = read(tmp_path / "t.csv", text)
        assert [each.hashtag for each in found.of("#a") or ()] == ["#b", "#c"]
        assert np.isnan(found.distances).all()


def write_parquet(path: Path, *, duplicate: bool = False) -> Path:
    rows = [("#swim", "#swim", 0, 0.0, 7), ("#swim", "#dive", 1, 0.125, None), ("#swim", "#sport", 2, 0.25, None)]
    rows += [("#sport", "#sport", 0, 0.0, 3), ("#sport", "#swim", 1, 0.25, None)] * (1 + duplicate)
    columns = [list(each) for each in zip(*rows, strict=True)]
    table = pa.table(
        {
            "hashtag": pa.array(columns[0]),
            "synonym": pa.array(columns[1]),
            "rank": pa.array(columns[2], pa.int32()),
            "distance": pa.array(columns[3], pa.float64()),
            "tweets": pa.array(columns[4], pa.int64()),
            "length": pa.nulls(len(rows), pa.float64()),
            "vector": pa.nulls(len(rows), pa.list_(pa.float32())),
        }
    )
    pq.write_table(table, path, row_group_size=2)
    return path


def test_parquet_has_tweet_counts(tmp_path: Path) -> None:
    found = read_thesaurus(write_parquet(tmp_path / "t"), Counter())
    assert plain(found) == SWIM
    assert found.tweets is not None
    assert dict(zip(found.hashtags, found.tweets.tolist(), strict=True)) == {"#swim": 7, "#sport": 3, "#dive": 0}


def test_unusable_rows_are_counted_by_code(tmp_path: Path) -> None:
    left_out = Counter[str]()
    rows = ["a,b,1,0.1", ",b,1,0.1", "a,#,1,0.1", "a,c,2,nan", "a,d,3,-0.5", "a,e,4,2.5", "a,f,0,0.1", "a,g,,0.1", "A,#B,9,0.9"]
    found = read(tmp_path / "t.csv", "\n".join(["hashtag,synonym,rank,distance", *rows]), left_out)
    assert plain(found) == {"#a": [("#b", 0.1)], "#b": []}
    assert left_out == {UNNAMED_ROW: 2, INVALID_DISTANCE: 3, INVALID_RANK: 2, DUPLICATE_SYNONYM: 1}


def test_ties_are_ordered_by_distance_then_name_and_rounding_errors_are_tolerated(tmp_path: Path) -> None:
    found = read(
        tmp_path / "t.csv", "hashtag,synonym,rank,distance\na,d,1,0.2\na,c,1,0.2\na,b,1,0.3\na,e,1,-1e-9\na,f,2,2.0000001\n"
    )
    assert plain(found)["#a"] == [("#e", 0.0), ("#c", 0.2), ("#d", 0.2), ("#b", 0.3), ("#f", 2.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hashtag,synonym,rank,distance\n", "has no rows"),
        ("word,other,rank,distance\na,b,1,0.1\n", "line 1: 'word,other,rank,distance' has no column hashtag"),
        ("a,b\n", "has no column hashtag"),
        ("tag,hashtag,synonym\na,b,c\n", "has the column hashtag twice"),
        (CSV + "#a,#b,first,0.1\n", "line 5: the rank 'first' is not an integer"),
        (CSV + "\n#a,#b,1.5,0.1\n", "line 6: the rank '1.5' is not an integer"),
        (CSV + "#a,#b,1,near\n", "line 5: the distance 'near' is not a number"),
        (CSV + "#a,#b,1\n", "line 5: '#a,#b,1' has 3 columns instead of 4"),
        (CSV + '#a,"#b,1,0.1\n', "close its quotes"),
        (CSV.encode() + b"#a,#\xff,1,0.1\n", "line 5: b'#a,#\\xff,1,0.1\\n' is not UTF-8"),
        ("hashtag,synonym,rank,distance\na,,1,0.1\n", "has no usable synonym (1 row without a hashtag or a synonym)"),
        (gzip_content((CSV + "#a,#b,1,0.1\n" * 99).encode())[:-9], "is cut off or damaged"),
        (b"PAR1", "is cut off or damaged"),
        (b"PAR1 and then nothing of the kind PAR1", "is cut off or damaged"),
    ],
    ids=range(16),
)
def test_invalid_file_is_rejected_with_line_and_value(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = tmp_path / "t.csv"
    with pytest.raises(SourceError) as error:
        read(path, text)
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_truncated_or_foreign_parquet_file_is_rejected(tmp_path: Path) -> None:
    whole = write_parquet(tmp_path / "t").read_bytes()
    (tmp_path / "t").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="cut off or damaged"):
        read_thesaurus(tmp_path / "t", Counter())
    pq.write_table(pa.table({"a": [1]}), tmp_path / "t")
    with pytest.raises(SourceError, match="has no column hashtag"):
        read_thesaurus(tmp_path / "t", Counter())
    pq.write_table(pa.table({"hashtag": ["a", "b"], "synonym": ["c", "d"], "rank": ["1", "x"]}), tmp_path / "t")
    with pytest.raises(SourceError, match="row 2: the rank 'x' is not an integer"):
        read_thesaurus(tmp_path / "t", Counter())
    pq.write_table(pa.table({"hashtag": [1], "synonym": ["c"]}), tmp_path / "t")
    with pytest.raises(SourceError, match="the column hashtag has the type int64 instead of text"):
        read_thesaurus(tmp_path / "t", Counter())


def test_overlong_row_is_rejected_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "LONGEST", 1 << 12)
    with pytest.raises(SourceError, match="line 5: the row is longer than"):
        read(tmp_path / "t.csv", CSV + "#a," + "b" * 20_000 + ",1,0.1\n")
    with pytest.raises(SourceError, match="has no column"):
        read(tmp_path / "t.csv", gzip_content(b"b" * 20_000_000))


HEADER = "hashtag,synonym\n"


@given(st.text("a,\n\ufeff", max_size=60), st.integers(len(HEADER), 60))
def test_file_in_blocks_is_read_as_a_whole(text: str, size: int) -> None:
    """A byte order mark belongs to the name that it begins, unless it begins the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(HEADER + text, encoding="utf-8")
        whole = rows_or_error(path)
        with patch.object(formats, "BLOCK", size):
            assert rows_or_error(path) == whole


def rows_or_error(path: Path) -> object:
    try:
        return formats.read_text_columns(path).to_pydict()
    except SourceError as error:
        return str(error)


def test_stream_is_not_read_in_a_thread_of_arrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow leaves such a thread behind after an error, and the process aborts or hangs if it reads while Python exits."""
    (path := tmp_path / "t.csv").write_bytes(b"#a,#b,0.5\n" * 1_000 + b"#a\n" + b"#a,#b,0.5\n" * 1_000_000)
    readers = set()

    class WatchedStream(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            readers.add(threading.current_thread())
            return super().read(size)

    monkeypatch.setattr(formats, "open_decompressed", WatchedStream)
    with pytest.raises(SourceError, match=r"line 1,001: .* has 1 columns instead of 3"):
        formats.read_text_columns(path)
    assert readers == {threading.current_thread()}


def test_missing_file_and_folder_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match="there is no file"):
        read_thesaurus(tmp_path / "none.csv", Counter())
    with pytest.raises(SourceError, match="not a regular file"):
        read_thesaurus(tmp_path, Counter())
