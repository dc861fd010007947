"""Read a thesaurus of hashtags from a file: Parquet, or CSV or TSV, plain or gzipped.

Files have millions of rows, so Arrow parses them (see ``formats``) and NumPy sorts them. Only the required columns of a Parquet
file are read, not the vectors.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.errors import hint
from ...core.left_out import describe_left_out
from ...core.thesaurus import Thesaurus, normalise_hashtag
from ..errors import SourceInvalid, SourceMissing
from .formats import HASHTAG, SYNONYM, read_parquet_columns, read_text_columns

PARQUET_SIGNATURE = b"PAR1"
LARGEST_DISTANCE = 2.0
"""The largest cosine distance."""

TOLERANCE = 1e-6
"""How far rounding may push a distance beyond its bounds; such a distance is set to the bound."""

UNNAMED_ROW = "unnamed_row"
INVALID_DISTANCE = "invalid_distance"
INVALID_RANK = "invalid_rank"
DUPLICATE_SYNONYM = "duplicate_synonym"


def read_thesaurus(path: str | Path, left_out: Counter[str]) -> Thesaurus:
    r"""Read the synonyms of each hashtag in a file, nearest first.

    The columns are ``hashtag`` (or ``tag``), ``synonym``, ``rank`` and ``distance`` in any order; ``rank`` or ``distance`` may
    be missing. Without a header they are tag, synonym and distance. A row whose synonym is the hashtag itself declares the
    hashtag, and its number of ``tweets``. Names are normalised by ``normalise_hashtag``. If a synonym occurs
    twice, the nearer one is used.

    Args:
        path: A Parquet, CSV or TSV file; text may be gzipped.
        left_out: Counts the rows that cannot be used, by code.

    Raises:
        SourceError: The file is missing or damaged, or has no usable row.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     written = file.write("hashtag,synonym,rank,distance\n#swim,#dive,1,0.1\nSwim,#sport,2,0.2\n")
    ...     file.flush()
    ...     read_thesaurus(file.name, Counter()).of("#swim")
    [Synonym(hashtag='#dive', rank=1, distance=0.1), Synonym(hashtag='#sport', rank=2, distance=0.2)]
    """
    file = Path(path)
    read = read_parquet_columns if _read_signature(file) == PARQUET_SIGNATURE else read_text_columns
    return _make_thesaurus(file, read(file), left_out)


def _read_signature(path: Path) -> bytes:
    """Return the first bytes of a file, or raise a ``SourceError`` if it is not a regular file."""
    try:
        if not path.exists():
            raise SourceMissing(f"there is no file {str(path)!r}; check the path", hint("train_hashtags"))
        if not path.is_file():
            raise SourceInvalid(f"{str(path)!r} is not a regular file; give a thesaurus in Parquet or CSV")
        with path.open("rb") as file:
            return file.read(len(PARQUET_SIGNATURE))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceInvalid(f"{str(path)!r} cannot be read ({reason}); check the path and its permissions") from error


def _make_thesaurus(path: Path, table: pa.Table, left_out: Counter[str]) -> Thesaurus:
    if not table.num_rows:
        raise SourceInvalid(f"{path} has no rows; give hashtag,synonym,rank,distance rows")
    names: dict[str, int] = {}
    hashtag, synonym = (_number_names(table[column], names) for column in (HASHTAG, SYNONYM))
    rank, distance = _ranks(table), _float_column(table, "distance")
    tweets = _tweet_counts(table, hashtag, synonym, len(names))
    has_names = (hashtag >= 0) & (synonym >= 0)
    is_own = has_names & (hashtag == synonym)  # rows that declare a hashtag
    has_distance, has_rank = _check_values(table, distance, rank)
    del table  # free the memory of millions of rows, whose values are in the arrays now
    is_synonym = has_names & ~is_own
    for code, rows in (
        (UNNAMED_ROW, ~has_names),
        (INVALID_DISTANCE, is_synonym & ~has_distance),
        (INVALID_RANK, is_synonym & has_distance & ~has_rank),
    ):
        if count := int(rows.sum()):
            left_out[code] += count
    usable = is_synonym & has_distance & has_rank
    if not usable.any() and not is_own.any():
        reasons = ", ".join(describe_left_out(*item) for item in left_out.items())
        raise SourceInvalid(f"{path} has no usable synonym ({reasons}); give hashtag,synonym,rank,distance rows")
    occurs = np.zeros(len(names), np.bool_)
    occurs[hashtag[is_own | usable]] = occurs[synonym[usable]] = True
    if not usable.all():
        hashtag, synonym, rank, distance = hashtag[usable], synonym[usable], rank[usable], distance[usable]
    distance = np.clip(distance, 0.0, LARGEST_DISTANCE)
    order = _sort_order(hashtag, rank, distance, synonym, list(names))
    if order is not None:
        hashtag, synonym, distance = hashtag[order], synonym[order], distance[order]
    first = _first_occurrences(hashtag * len(names) + synonym)
    if first is not None:
        left_out[DUPLICATE_SYNONYM] += len(hashtag) - len(first)
        hashtag, synonym, distance = hashtag[first], synonym[first], distance[first]
    number = np.cumsum(occurs) - 1
    sizes = np.bincount(number[hashtag], minlength=int(occurs.sum()))
    return Thesaurus(
        [name for name, is_used in zip(names, occurs.tolist(), strict=True) if is_used],
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        number[synonym],
        distance,
        None if tweets is None else tweets[occurs],
    )


def _number_names(column: pa.ChunkedArray, names: dict[str, int]) -> IntArray:
    """Return the number of each cell's hashtag, -1 for an empty cell; new names are added to ``names``."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    combined = column.unify_dictionaries().combine_chunks()
    encoded = combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined
    numbers = np.empty(len(encoded.dictionary) + 1, np.int64)
    numbers[-1] = -1  # for nulls, whose index is -1
    for index, text in enumerate(encoded.dictionary.to_pylist()):
        name = normalise_hashtag((text or "").strip())
        numbers[index] = -1 if name == "#" else names.setdefault(name, len(names))
    indices: IntArray = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return numbers[indices]


def _ranks(table: pa.Table) -> IntArray:
    """Return the ranks, -1 if null. Without ranks, rows are ordered by distance, or if that is missing too, as in the file."""
    if "rank" in table.column_names:
        return _int_column(table, "rank")
    return np.ones(table.num_rows, np.int64) if "distance" in table.column_names else np.arange(1, table.num_rows + 1)


def _int_column(table: pa.Table, name: str) -> IntArray:
    """Return a column of integers, -1 for nulls."""
    values: IntArray = pc.fill_null(table[name], -1).to_numpy()
    return values


def _float_column(table: pa.Table, name: str) -> FloatArray:
    """Return a column of floats, NaN for nulls or without the column."""
    if name not in table.column_names:
        return np.full(table.num_rows, np.nan)
    values: FloatArray = pc.fill_null(table[name], np.nan).to_numpy()
    return values


def _check_values(table: pa.Table, distance: FloatArray, rank: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return which rows have a valid distance, and which a valid rank. With ranks, a distance may be null."""
    has_distance = (distance >= -TOLERANCE) & (distance <= LARGEST_DISTANCE + TOLERANCE)
    if "distance" not in table.column_names:
        has_distance[:] = True
    elif "rank" in table.column_names:
        has_distance |= table["distance"].is_null().to_numpy()
    return has_distance, rank >= 1


def _tweet_counts(table: pa.Table, hashtag: IntArray, synonym: IntArray, count: int) -> IntArray | None:
    """Return the number of tweets of each hashtag, from the rows that declare it; None if no row has a number."""
    if "tweets" not in table.column_names:
        return None
    rows = (hashtag >= 0) & (hashtag == synonym) & table["tweets"].is_valid().to_numpy()
    if not rows.any():
        return None
    tweets = np.zeros(count, np.int64)
    np.add.at(tweets, hashtag[rows], np.maximum(_int_column(table, "tweets")[rows], 0))
    return tweets


def _sort_order(
    hashtag: IntArray, rank: IntArray, distance: FloatArray, synonym: IntArray, names: list[str]
) -> IntArray | None:
    """Return the order of rows by hashtag, rank, distance and name of the synonym; None if they are already sorted."""
    step = np.diff(hashtag)
    if not ((step < 0) | ((step == 0) & (np.diff(rank) <= 0))).any():
        return None
    by_name = np.empty(len(names), np.int64)
    by_name[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    order: IntArray = np.lexsort((by_name[synonym], distance, rank, hashtag))
    return order


def _first_occurrences(pairs: IntArray) -> IntArray | None:
    """Return the positions of the first occurrence of each pair; None if there are no duplicates."""
    ordered = np.sort(pairs)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    return np.sort(np.unique(pairs, return_index=True)[1])
