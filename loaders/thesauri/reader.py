"""Reads a thesaurus of hashtags from a file: Parquet, or CSV or TSV, plain or packed by gzip.

Millions of rows are usual, so arrow parts them and numpy sorts them; of a Parquet file only the columns that are needed are
read, never the vectors. A row is looked at by itself only to say what is wrong with it. What the cells are to mean, and how
they are found, is in ``thesaurus_cells``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.thesaurus import Thesaurus, normalise_hashtag
from ..errors import SourceInvalid, SourceMissing
from .formats import HASHTAG, SYNONYM, read_columns, read_parquet_columns

PARQUET = b"PAR1"
FARTHEST = 2.0
"""The greatest cosine distance."""

NOISE = 1e-6
"""How far beyond its bounds a distance may be by rounding; it is taken for the bound."""

NAMELESS = "rows without a hashtag or a synonym"
NO_DISTANCE = "distances that are not from 0 to 2"
NO_RANK = "ranks that are missing or below 1"
DOUBLED = "synonyms that stand there twice"


def read_thesaurus(path: str | Path, left_out: Counter[str]) -> Thesaurus:
    r"""The synonyms of each hashtag in a file, nearest first; what cannot be used is counted in ``left_out``.

    Columns are ``hashtag`` (or ``tag``), ``synonym``, ``rank`` and ``distance``, in any order, ``rank`` or ``distance`` may be
    missing; without a header they are tag, synonym, distance. A row whose synonym is the hashtag itself only says that the
    hashtag is there, and how many ``tweets`` it has. Names are compared by ``normalise_hashtag``; of duplicates the nearest
    counts.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     written = file.write("hashtag,synonym,rank,distance\n#swim,#dive,1,0.1\nSwim,#sport,2,0.2\n")
    ...     file.flush()
    ...     read_thesaurus(file.name, Counter()).of("#swim")
    [Synonym(hashtag='#dive', rank=1, distance=0.1), Synonym(hashtag='#sport', rank=2, distance=0.2)]
    """
    place = Path(path)
    return _thesaurus(place, read_parquet_columns(place) if _beginning(place) == PARQUET else read_columns(place), left_out)


def _beginning(path: Path) -> bytes:
    """The first bytes of a file, which is to be an ordinary one."""
    try:
        if not path.exists():
            raise SourceMissing(f"there is no file {str(path)!r}; check the path, or make one: wayword hashtags train")
        if not path.is_file():
            raise SourceInvalid(f"{str(path)!r} is no ordinary file; give a thesaurus in Parquet or CSV")
        with path.open("rb") as file:
            return file.read(len(PARQUET))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceInvalid(f"{str(path)!r} cannot be read ({reason}); check the path and its permissions") from error


def _thesaurus(path: Path, table: pa.Table, left_out: Counter[str]) -> Thesaurus:
    if not table.num_rows:
        raise SourceInvalid(f"{path} holds no rows of synonyms; give hashtag,synonym,rank,distance rows")
    names: dict[str, int] = {}
    hashtag, synonym = (_numbered(table[column], names) for column in (HASHTAG, SYNONYM))
    rank, distance = _ranks(table), _real(table, "distance")
    counted = _tweets(table, hashtag, synonym, len(names))
    named = (hashtag >= 0) & (synonym >= 0)
    itself = named & (hashtag == synonym)
    near, ranked = _placed(table, distance, rank)
    del table  # there are millions of rows, and all that is wanted of them is in numbers now
    wanted = named & ~itself
    for why, wrong in (
        (NAMELESS, ~named),
        (NO_DISTANCE, wanted & ~near),
        (NO_RANK, wanted & near & ~ranked),
    ):
        if count := int(wrong.sum()):
            left_out[why] += count
    kept = wanted & near & ranked
    if not kept.any() and not itself.any():
        why = "; ".join(f"{count:,} {reason}" for reason, count in left_out.items())
        raise SourceInvalid(f"{path} holds no synonym that can be used ({why}); give hashtag,synonym,rank,distance rows")
    known = np.zeros(len(names), np.bool_)
    known[hashtag[itself | kept]] = known[synonym[kept]] = True
    if not kept.all():
        hashtag, synonym, rank, distance = hashtag[kept], synonym[kept], rank[kept], distance[kept]
    distance = np.clip(distance, 0.0, FARTHEST)
    order = _order(hashtag, rank, distance, synonym, list(names))
    if order is not None:
        hashtag, synonym, distance = hashtag[order], synonym[order], distance[order]
    first = _firsts(hashtag * len(names) + synonym)
    if first is not None:
        left_out[DOUBLED] += len(hashtag) - len(first)
        hashtag, synonym, distance = hashtag[first], synonym[first], distance[first]
    number = np.cumsum(known) - 1
    sizes = np.bincount(number[hashtag], minlength=int(known.sum()))
    return Thesaurus(
        [name for name, there in zip(names, known.tolist(), strict=True) if there],
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        number[synonym],
        distance,
        None if counted is None else counted[known],
    )


def _numbered(column: pa.ChunkedArray, names: dict[str, int]) -> IntArray:
    """The number of each cell's hashtag, -1 where there is none; new names are added to ``names``."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    numbers = np.empty(len(whole.dictionary) + 1, np.int64)
    numbers[-1] = -1
    for place, text in enumerate(whole.dictionary.to_pylist()):
        name = normalise_hashtag((text or "").strip())
        numbers[place] = -1 if name == "#" else names.setdefault(name, len(names))
    places: IntArray = whole.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return numbers[places]


def _ranks(table: pa.Table) -> IntArray:
    """The ranks, -1 where there is none. Without a column of them distances alone tell, or else the rows as they come."""
    if "rank" in table.column_names:
        return _whole(table, "rank")
    return np.ones(table.num_rows, np.int64) if "distance" in table.column_names else np.arange(1, table.num_rows + 1)


def _whole(table: pa.Table, name: str) -> IntArray:
    """A column of whole numbers, -1 where there is none."""
    found: IntArray = pc.fill_null(table[name], -1).to_numpy()
    return found


def _real(table: pa.Table, name: str) -> FloatArray:
    """A column of fractions, NaN where there is none."""
    if name not in table.column_names:
        return np.full(table.num_rows, np.nan)
    found: FloatArray = pc.fill_null(table[name], np.nan).to_numpy()
    return found


def _placed(table: pa.Table, distance: FloatArray, rank: IntArray) -> tuple[BoolArray, BoolArray]:
    """Which rows have a distance that can be, and which a rank. Where ranks are given, nobody need know the distance."""
    near = (distance >= -NOISE) & (distance <= FARTHEST + NOISE)
    given = "distance" in table.column_names
    if given and "rank" in table.column_names:
        near |= table["distance"].is_null().to_numpy()
    return (near if given else np.ones(len(near), np.bool_)), rank >= 1


def _tweets(table: pa.Table, hashtag: IntArray, synonym: IntArray, count: int) -> IntArray | None:
    """How many tweets each hashtag has, as the rows say that are of the hashtag itself; None if none says it."""
    if "tweets" not in table.column_names:
        return None
    told = (hashtag >= 0) & (hashtag == synonym) & table["tweets"].is_valid().to_numpy()
    if not told.any():
        return None
    counted = np.zeros(count, np.int64)
    np.add.at(counted, hashtag[told], np.maximum(_whole(table, "tweets")[told], 0))
    return counted


def _order(hashtag: IntArray, rank: IntArray, distance: FloatArray, synonym: IntArray, names: list[str]) -> IntArray | None:
    """How rows are to be sorted: by hashtag, then nearest first; None where they are so already, as they mostly are."""
    later = np.diff(hashtag)
    if not ((later < 0) | ((later == 0) & (np.diff(rank) <= 0))).any():
        return None
    by_name = np.empty(len(names), np.int64)
    by_name[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    found: IntArray = np.lexsort((by_name[synonym], distance, rank, hashtag))
    return found


def _firsts(pairs: IntArray) -> IntArray | None:
    """The places at which a pair stands for the first time; None if none stands there twice."""
    ordered = np.sort(pairs)
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    return np.sort(np.unique(pairs, return_index=True)[1])
