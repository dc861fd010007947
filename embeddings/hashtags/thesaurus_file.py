"""Read and write the file of a trained thesaurus.

Parquet stores everything, so that training can continue; CSV stores only the synonyms. There is a row for each synonym, and a
row of rank 0 for each hashtag itself (in the paper Syn_0(h) = {h}), which has its vector, its tweet count and the keys of its
tweets.
"""

from __future__ import annotations

import codecs
import csv
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...core.atomic_files import atomic_write, check_writable
from ...core.errors import hint
from ...core.messages import first_line
from ...core.parquet_limits import VALUE_SIZE, ParquetTooLarge, check_memory, memory_limit
from ..errors import ThesaurusInvalid, VectorsMissing
from .centroids import Centroids, Rule
from .nearest import Neighbours
from .seen_tweets import Keys

FORMAT = 1

SUFFIXES = (".parquet", ".csv")

_METADATA_KEY = b"wayword"

_SCHEMA = pa.schema(
    [
        pa.field("hashtag", pa.string(), nullable=False),
        pa.field("synonym", pa.string(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("distance", pa.float64(), nullable=False),
        pa.field("tweets", pa.int64()),
        pa.field("length", pa.float64()),
        pa.field("vector", pa.list_(pa.float32())),
        pa.field("seen", pa.list_(pa.uint64())),
    ]
)

_GROUP_SIZE = 4_096
"""Hashtags that are written together."""


@dataclass(frozen=True, slots=True)
class ThesaurusInfo:
    """How a thesaurus was trained.

    - ``encoder``, ``fingerprint``, ``pooling``: what encoded the tweets; ``words`` is the file of a word model
    - ``k``, ``within``: the maximum number of synonyms of a hashtag, and their maximum distance
    - ``rule``: ``printed`` after any update by the printed rule
    - ``approximate``: whether synonyms were found by an index that may miss some
    - ``tweets``: the number of tweets it was trained on
    - ``left_out``: the number of tweets that were left out, by code
    """

    encoder: str
    fingerprint: str
    pooling: str = "mean"
    k: int = 10
    within: float | None = None
    rule: Rule = "exact"
    approximate: bool = False
    tweets: int = 0
    seed: int = 0
    words: str | None = None
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TrainedThesaurus:
    """The content of a thesaurus file; ``tweet_keys`` has the hashes of the tweets of each hashtag."""

    info: ThesaurusInfo
    centroids: Centroids
    neighbours: Neighbours
    tweet_keys: list[Keys]


def check_output(path: Path, sources: Sequence[str] = (), *, needs_vectors: bool = False) -> None:
    """Raise before the training if the output cannot be written, cannot store vectors that it needs, or is a source."""
    suffixes = SUFFIXES[:1] if needs_vectors else SUFFIXES
    if path.suffix.lower() not in suffixes:
        raise ThesaurusInvalid(f"{path} has an unknown suffix; end the file's name with {' or '.join(suffixes)}")
    check_writable(path)
    check_not_source(path, sources)


def check_not_source(path: Path, sources: Sequence[str]) -> None:
    """Raise if a file to write is one of the sources."""
    for source in map(Path, sources if path.is_file() else ()):
        if source.is_file() and source.samefile(path):
            raise ThesaurusInvalid(f"{path} contains the tweets, and writing to it would destroy them; name another file")


def write_thesaurus(path: Path, trained: TrainedThesaurus) -> None:
    """Write a thesaurus atomically, replacing an existing file."""
    names = pa.array(list(trained.centroids.numbers), pa.string())
    with atomic_write(path) as stream:
        if path.suffix.lower() == ".csv":
            lines = codecs.getwriter("utf-8")(stream)
            rows = csv.writer(lines, lineterminator="\n")
            rows.writerow(_SCHEMA.names[:4])
            for group in _groups(trained, names, with_vectors=False):
                rows.writerows(zip(*(group[name].to_pylist() for name in _SCHEMA.names[:4]), strict=True))
            return
        metadata = json.dumps({"format": FORMAT, **asdict(trained.info)})
        with pq.ParquetWriter(stream, _SCHEMA.with_metadata({_METADATA_KEY: metadata.encode()}), compression="zstd") as writer:
            for group in _groups(trained, names, with_vectors=True):
                writer.write_table(group)


def _groups(trained: TrainedThesaurus, names: pa.Array, *, with_vectors: bool) -> Iterator[pa.Table]:
    """Yield the rows of some hashtags at a time; ``with_vectors`` adds rows of rank 0 and the columns that only these have."""
    centroids, neighbours = trained.centroids, trained.neighbours
    lengths = centroids.lengths()
    for first in range(0, len(centroids), _GROUP_SIZE):
        batch = np.arange(first, min(first + _GROUP_SIZE, len(centroids)))
        numbers, distances = neighbours.numbers[batch], neighbours.distances[batch]
        # The row of rank 0 is a column before the neighbours; a mask then selects the cells that exist.
        own_rows = 1 if with_vectors else 0
        exists = np.concatenate([np.ones((len(batch), own_rows), bool), numbers >= 0], axis=1)
        hashtag = np.repeat(batch, exists.sum(axis=1))
        synonym = np.concatenate([batch[:, None][:, :own_rows], numbers], axis=1)[exists]
        distance = np.concatenate([np.zeros((len(batch), own_rows)), distances], axis=1)[exists]
        rank = np.broadcast_to(np.arange(1 - own_rows, numbers.shape[1] + 1, dtype=np.int32), exists.shape)[exists]
        columns = {
            "hashtag": names.take(pa.array(hashtag)),
            "synonym": names.take(pa.array(synonym)),
            "rank": pa.array(rank),
            "distance": pa.array(distance),
        }
        if with_vectors:
            rows = np.full(len(rank), -1)  # the index in this group for rows of rank 0, null for all others
            rows[rank == 0] = np.arange(len(batch))
            index = pa.array(rows, mask=rows < 0)
            columns |= {
                "tweets": pa.array(centroids.tweets[batch]).take(index),
                "length": pa.array(lengths[batch]).take(index),
                "vector": _lists(list(centroids.units(batch)), pa.float32()).take(index),
                "seen": _lists(trained.tweet_keys[first : first + len(batch)], pa.uint64()).take(index),
            }
        yield pa.table(columns, schema=_SCHEMA if with_vectors else pa.schema(list(_SCHEMA)[:4]))


def _lists(rows: list[Any], type: pa.DataType) -> pa.Array:
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    values = pa.array(np.concatenate(rows) if rows else np.zeros(0), type)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def _open(path: Path) -> tuple[pq.ParquetFile, ThesaurusInfo]:
    if not path.is_file():
        raise VectorsMissing(f"there is no file {os.fspath(path)!r}", hint("train_hashtags"))
    try:
        file = pq.ParquetFile(path, memory_map=True)
        metadata = json.loads((file.schema_arrow.metadata or {})[_METADATA_KEY])
        number = metadata.pop("format")
        info = ThesaurusInfo(**metadata) if number == FORMAT else None
    except (pa.ArrowException, KeyError, ValueError, TypeError, OSError) as error:
        raise ThesaurusInvalid(f"{path} is not a thesaurus with vectors; name another file", hint("train_hashtags")) from error
    if info is None:
        raise ThesaurusInvalid(f"{path} was written by another version of wayword (format {number}); train it again")
    return file, info


def read_trained(path: Path) -> TrainedThesaurus:
    """Read a Parquet file that ``write_thesaurus`` wrote.

    Raises:
        VectorsMissing: There is no such file.
        ThesaurusInvalid: The file is not a trained thesaurus, is damaged, or has another format version.
    """
    file, info = _open(path)
    try:
        _check_memory(path, file, info)
        names, tweets, lengths, vectors, tweet_keys = list[str](), list[Any](), list[Any](), list[Any](), list[Keys]()
        pairs: list[tuple[Any, Any, Any, Any]] = []
        for batch in file.iter_batches(batch_size=1 << 16):
            group = batch.select(_SCHEMA.names).cast(_SCHEMA)
            itself = group.filter(pc.equal(group["rank"], 0))
            names += itself["hashtag"].to_pylist()
            tweets.append(itself["tweets"].to_numpy(zero_copy_only=False))
            lengths.append(itself["length"].to_numpy(zero_copy_only=False))
            flat = itself["vector"].flatten().to_numpy(zero_copy_only=False)
            if len(itself):
                vectors.append(flat.reshape(len(itself), -1))
            tweet_keys += [row.values.to_numpy(zero_copy_only=False) for row in itself["seen"]]
            others = group.filter(pc.greater(group["rank"], 0))
            pairs.append((others["hashtag"], others["synonym"], others["rank"].to_numpy(), others["distance"].to_numpy()))
        if not names:
            raise ThesaurusInvalid(f"{path} has no hashtags; train it again")
        counts, sizes, units = np.concatenate(tweets), np.concatenate(lengths), np.concatenate(vectors)
        if not (np.isfinite(units).all() and np.isfinite(sizes).all() and (counts > 0).all()):
            raise ValueError("a vector, a length or a tweet count is invalid")
        centroids = Centroids.from_units(names, counts, sizes, units)
        return TrainedThesaurus(info, centroids, _parse_neighbours(names, pairs, info.k), tweet_keys)
    except (pa.ArrowException, KeyError, ValueError, IndexError, OSError) as error:
        raise ThesaurusInvalid(
            f"{path} is cut off or damaged ({first_line(error)}); train it again, or restore a copy"
        ) from error


def _check_memory(path: Path, file: pq.ParquetFile, info: ThesaurusInfo) -> None:
    """Raise if the content, or the table of neighbours that its metadata announce, is far larger than the file."""
    size = path.stat().st_size
    try:
        check_memory(file, size, _SCHEMA.names)
    except ParquetTooLarge as error:
        raise ThesaurusInvalid(f"{path} {error}") from None
    hashtags = pc.sum(pc.equal(file.read(columns=["rank"])["rank"], 0)).as_py() or 0
    if not isinstance(info.k, int) or not 0 < info.k * max(hashtags, 1) * 2 * VALUE_SIZE <= memory_limit(size):
        raise ThesaurusInvalid(f"{path} announces {info.k} synonyms of each hashtag, which it cannot have; check its origin")


def _parse_neighbours(names: list[str], pairs: list[tuple[Any, Any, Any, Any]], k: int) -> Neighbours:
    numbers, distances = np.full((len(names), k), -1), np.full((len(names), k), np.inf)
    known = pa.array(names, pa.string())
    for hashtag, synonym, rank, distance in pairs:
        row, other = (pc.index_in(each, value_set=known) for each in (hashtag, synonym))
        if row.null_count or other.null_count:
            raise ValueError("a synonym has no row of its own")
        row, other = row.to_numpy(), other.to_numpy()
        numbers[row.astype(np.int64), rank - 1] = other
        distances[row.astype(np.int64), rank - 1] = distance
    return Neighbours(numbers, distances)
