"""The file of a thesaurus: each hashtag with its vector and its number of tweets, and its synonyms, a row each.

Parquet keeps everything, so that the thesaurus can go on learning; CSV keeps the synonyms. A hashtag itself is its row of
rank 0, as the paper has it: Syn_0(h) = {h}.
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
from ...core.messages import first_line
from ..errors import ThesaurusInvalid, VectorsMissing
from .centroids import Centroids, Rule
from .nearest import Neighbours
from .seen_tweets import Keys

FORMAT = 1

SUFFIXES = (".parquet", ".csv")

_ABOUT = b"wayword"

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

_GROUP = 4_096
"""Hashtags that are written together."""


@dataclass(frozen=True, slots=True)
class ThesaurusInfo:
    """How a thesaurus was made.

    - ``encoder``, ``fingerprint``, ``pooling``: what made vectors of tweets; ``words`` is the file of a model of words
    - ``k``, ``within``: how many synonyms a hashtag has, and how far they may be
    - ``rule``: ``printed`` once tweets were taken in by the rule as printed
    - ``approximate``: whether the synonyms were found by an index that may miss some
    - ``tweets``: how many were taken in
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
    """What a thesaurus file holds; ``seen`` is a number for each tweet that a hashtag has, hashtag by hashtag."""

    about: ThesaurusInfo
    dictionary: Centroids
    neighbours: Neighbours
    seen: list[Keys]


def check_output(path: Path, sources: Sequence[str] = (), *, whole: bool = False) -> None:
    """Refuse a file that cannot be written, or that is one of the tweets; before hours of work, not after them."""
    wanted = SUFFIXES[:1] if whole else SUFFIXES
    if path.suffix.lower() not in wanted:
        raise ThesaurusInvalid(f"{path}: cannot tell how to write it; end the file's name with {' or '.join(wanted)}")
    check_writable(path)
    check_not_source(path, sources)


def check_not_source(path: Path, sources: Sequence[str]) -> None:
    """Refuse to write where the tweets are."""
    for source in map(Path, sources if path.is_file() else ()):
        if source.is_file() and source.samefile(path):
            raise ThesaurusInvalid(f"{path}: these are the tweets, and writing there would destroy them; name another file")


def write_thesaurus(path: Path, kept: TrainedThesaurus) -> None:
    """Write a thesaurus, in the place of what is there once it is complete."""
    names = pa.array(list(kept.dictionary.numbers), pa.string())
    with atomic_write(path) as stream:
        if path.suffix.lower() == ".csv":
            lines = codecs.getwriter("utf-8")(stream)
            rows = csv.writer(lines, lineterminator="\n")
            rows.writerow(_SCHEMA.names[:4])
            for group in _groups(kept, names, whole=False):
                rows.writerows(zip(*(group[name].to_pylist() for name in _SCHEMA.names[:4]), strict=True))
            return
        about = json.dumps({"format": FORMAT, **asdict(kept.about)})
        with pq.ParquetWriter(stream, _SCHEMA.with_metadata({_ABOUT: about.encode()}), compression="zstd") as writer:
            for group in _groups(kept, names, whole=True):
                writer.write_table(group)


def _groups(kept: TrainedThesaurus, names: pa.Array, *, whole: bool) -> Iterator[pa.Table]:
    """The rows of some hashtags at a time, those of rank 0 only if the whole file is wanted."""
    dictionary, neighbours = kept.dictionary, kept.neighbours
    lengths = dictionary.lengths()
    for first in range(0, len(dictionary), _GROUP):
        some = np.arange(first, min(first + _GROUP, len(dictionary)))
        near, far = neighbours.numbers[some], neighbours.distances[some]
        own = 1 if whole else 0
        there = np.concatenate([np.ones((len(some), own), bool), near >= 0], axis=1)
        hashtag = np.repeat(some, there.sum(axis=1))
        synonym = np.concatenate([some[:, None][:, :own], near], axis=1)[there]
        distance = np.concatenate([np.zeros((len(some), own)), far], axis=1)[there]
        rank = np.broadcast_to(np.arange(1 - own, near.shape[1] + 1, dtype=np.int32), there.shape)[there]
        itself = rank == 0
        at = np.flatnonzero(itself)
        only = np.full(len(rank), -1)
        only[at] = np.arange(len(at))
        place = pa.array(only, mask=only < 0)
        empty = pa.nulls(len(rank))
        columns = {
            "hashtag": names.take(pa.array(hashtag)),
            "synonym": names.take(pa.array(synonym)),
            "rank": pa.array(rank),
            "distance": pa.array(distance),
            "tweets": pa.array(dictionary.tweets[some]).take(place) if whole else empty.cast(pa.int64()),
            "length": pa.array(lengths[some]).take(place) if whole else empty.cast(pa.float64()),
            "vector": _lists(list(dictionary.units(some)), pa.float32()).take(place) if whole else _none("vector", len(rank)),
            "seen": _lists(kept.seen[first : first + len(some)], pa.uint64()).take(place)
            if whole
            else _none("seen", len(rank)),
        }
        yield pa.table(columns, schema=_SCHEMA)


def _none(name: str, size: int) -> pa.Array:
    return pa.nulls(size, _SCHEMA.field(name).type)


def _lists(rows: list[Any], type: pa.DataType) -> pa.Array:
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    values = pa.array(np.concatenate(rows) if rows else np.zeros(0), type)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def _opened(path: Path) -> tuple[pq.ParquetFile, ThesaurusInfo]:
    if not path.is_file():
        raise VectorsMissing(f"there is no file {os.fspath(path)!r}; make one with wayword hashtags train")
    advice = "name a .parquet file that wayword hashtags train has made"
    try:
        file = pq.ParquetFile(path, memory_map=True)
        said = json.loads((file.schema_arrow.metadata or {})[_ABOUT])
        number = said.pop("format")
        about = ThesaurusInfo(**said) if number == FORMAT else None
    except (pa.ArrowException, KeyError, ValueError, TypeError, OSError) as error:
        raise ThesaurusInvalid(f"{path} holds no vectors of hashtags to go on with; {advice}") from error
    if about is None:
        raise ThesaurusInvalid(f"{path} was written by another version of wayword (format {number}); train it again")
    return file, about


def read_trained(path: Path) -> TrainedThesaurus:
    """All that a thesaurus file holds."""
    file, about = _opened(path)
    try:
        names, tweets, lengths, vectors, seen = list[str](), list[Any](), list[Any](), list[Any](), list[Keys]()
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
            seen += [row.values.to_numpy(zero_copy_only=False) for row in itself["seen"]]
            others = group.filter(pc.greater(group["rank"], 0))
            pairs.append((others["hashtag"], others["synonym"], others["rank"].to_numpy(), others["distance"].to_numpy()))
        if not names:
            raise ThesaurusInvalid(f"{path} holds no hashtag; train it again")
        counts, sizes, units = np.concatenate(tweets), np.concatenate(lengths), np.concatenate(vectors)
        if not (np.isfinite(units).all() and np.isfinite(sizes).all() and (counts > 0).all()):
            raise ValueError("a vector, its length or its tweets are no numbers that can be")
        dictionary = Centroids.of(names, counts, sizes, units)
        return TrainedThesaurus(about, dictionary, _neighbours(names, pairs, about.k), seen)
    except (pa.ArrowException, KeyError, ValueError, IndexError, OSError) as error:
        raise ThesaurusInvalid(
            f"{path} is cut off or damaged ({first_line(error)}); train it again, or take a copy of it"
        ) from error


def _neighbours(names: list[str], pairs: list[tuple[Any, Any, Any, Any]], k: int) -> Neighbours:
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
