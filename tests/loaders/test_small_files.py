"""Small files that ask for much memory are refused, and the message says what is too large."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wayword.embeddings.hashtags.thesaurus_file import FORMAT, ThesaurusInfo

from ..support.little_memory import needs_limits, run_with_little_memory

pytestmark = [pytest.mark.slow, needs_limits]

ROWS = 20_000_000

READ_THESAURUS = (
    "from collections import Counter\nfrom wayword.loaders.thesauri.reader import read_thesaurus",
    "print(len(read_thesaurus(argument, Counter()).synonyms))",
)
READ_WORDNET = (
    "from wayword.loaders import open_wordnet\nfrom wayword.loaders.wordnet import database_files, lmf",
    "print(sum(1 for _ in open_wordnet(argument).batches()))",
)
READ_TWEETS = (
    "from wayword.loaders.tweets import read_tweets",
    "print(sum(1 for _ in read_tweets([argument])))",
)
READ_TRAINED = (
    "from pathlib import Path\nfrom wayword.embeddings.hashtags.thesaurus_file import read_trained",
    "print(len(read_trained(Path(argument)).centroids))",
)
READ_VECTORS = ("from wayword.embeddings.vector_files import open_vectors", "print(len(open_vectors(argument)))")


def write_equal_rows(path: Path, columns: dict[str, pa.Array], metadata: dict[str, object] | None = None) -> Path:
    """Write many equal rows in a row group for each million."""
    million = np.zeros(1_000_000, np.int32)
    part = pa.table({name: column.take(pa.array(million)) for name, column in columns.items()})
    encoded = {b"wayword": json.dumps(metadata).encode()} if metadata else None
    with pq.ParquetWriter(path, part.schema.with_metadata(encoded), compression="zstd") as writer:
        for _ in range(ROWS // len(million)):
            writer.write_table(part)
    return path


def names(*texts: str) -> pa.Array:
    return pa.array(texts).dictionary_encode()


def test_thesaurus_of_equal_rows_is_refused(tmp_path: Path) -> None:
    columns = {"hashtag": names("#flu"), "synonym": names("#cold"), "rank": pa.array([1]), "distance": pa.array([0.5])}
    path = write_equal_rows(tmp_path / "t.parquet", columns)
    assert path.stat().st_size < 500_000
    assert "SourceRefused: " in (found := run_with_little_memory(*READ_THESAURUS, path))
    assert "has 20,000,000 rows in" in found


def test_compressed_thesaurus_of_equal_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"#flu,#cold,0.5\n" * (ROWS // 4)))
    assert "MB unpacked, more than 100 times its size" in run_with_little_memory(*READ_THESAURUS, path)


def test_trained_thesaurus_is_refused_if_it_would_fill_the_memory(tmp_path: Path) -> None:
    info: dict[str, object] = {"format": FORMAT, **asdict(ThesaurusInfo("any", "0"))}
    columns = {
        "hashtag": pa.array(["#flu"]),
        "synonym": pa.array(["#flu"]),
        "rank": pa.array([0], pa.int32()),
        "distance": pa.array([0.0]),
        "tweets": pa.array([1]),
        "length": pa.array([1.0]),
        "vector": pa.array([[1.0]], pa.list_(pa.float32())),
        "seen": pa.array([[1]], pa.list_(pa.uint64())),
    }
    path = write_equal_rows(tmp_path / "t.parquet", columns, info)
    assert "has 20,000,000 rows in" in run_with_little_memory(*READ_TRAINED, path)
    table = pa.table(columns).replace_schema_metadata({b"wayword": json.dumps({**info, "k": 1 << 40}).encode()})
    pq.write_table(table, path)
    assert "announces 1099511627776 synonyms" in run_with_little_memory(*READ_TRAINED, path)


def test_vocabulary_of_equal_words_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 2), np.float32))
    words = names("x" * 100_000).take(pa.array(np.zeros(20_000, np.int32)))
    pq.write_table(pa.table({"word": words}), tmp_path / "v.parquet", store_schema=False)  # so that it reads as text
    assert "has words of 1,907 MB in" in run_with_little_memory(*READ_VECTORS, tmp_path / "v.npy")


@pytest.mark.parametrize("kind", ["pax", "gnu", "global"])
@pytest.mark.parametrize("read", [READ_WORDNET, READ_TWEETS])
def test_archive_with_a_long_name_is_refused(tmp_path: Path, kind: str, read: tuple[str, str]) -> None:
    path = tmp_path / "t.tar.gz"
    size = 300 << 20
    with gzip.open(path, "wb", compresslevel=1) as packed:
        member = tarfile.TarInfo("name")
        member.type = {"pax": tarfile.XHDTYPE, "gnu": tarfile.GNUTYPE_LONGNAME, "global": tarfile.XGLTYPE}[kind]
        member.size = size
        packed.write(member.tobuf(tarfile.USTAR_FORMAT))
        packed.write(b"" if kind == "gnu" else f"{size} path=".encode())
        for _ in range(size >> 20):
            packed.write(b"n" * (1 << 20))
    found = run_with_little_memory(*read, path, megabytes=200)
    assert found.startswith("Source"), found


def test_headers_of_many_members_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "t.tar"
    with tarfile.open(path, "w") as archive:
        for number in range(200):
            archive.fileobj.write(_global_header(number))
            member = tarfile.TarInfo(f"{number}.txt")
            member.size = 4
            archive.addfile(member, io.BytesIO(b"#flu"))
    assert run_with_little_memory(*READ_TWEETS, path, megabytes=64) == "200\n"


def _global_header(number: int) -> bytes:
    """Return a header of 500 kB that holds for all following members, with a name of its own."""
    value = "x" * 500_000
    header = f"500050 wayword.{number:06}={value}"
    header += "x" * (500_049 - len(header)) + "\n"
    member = tarfile.TarInfo("global")
    member.type, member.size = tarfile.XGLTYPE, len(header)
    return member.tobuf(tarfile.USTAR_FORMAT) + header.encode() + bytes(-len(header) % 512)


@pytest.mark.parametrize("name", ["dict/data.noun", "any.xml"])
def test_zip_archive_of_zeros_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "w.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(name, "w", force_zip64=True) as member:
        for _ in range(250):
            member.write(bytes(1 << 20))
    assert "unpacked, too much for its size" in run_with_little_memory(*READ_WORDNET, path)
