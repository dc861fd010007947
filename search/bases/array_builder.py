"""Build the arrays of a projection from whole columns: transitions, strings, hash indexes of strings, groups of values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from ..scoring.transitions import TransitionKind

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

EdgeEnds = tuple["np.ndarray", "np.ndarray"]
"""The nodes at the two ends of edges."""


class Transitions(NamedTuple):
    """Transitions of one kind as columns: their start and end nodes, and the fields of ``TransitionClass``.

    A column that is None has the default of its field in all rows.
    """

    start: np.ndarray
    end: np.ndarray
    kind: TransitionKind
    breadth: np.ndarray | None = None
    changes_pos: np.ndarray | None = None
    share: np.ndarray | None = None


def hierarchy_transitions(
    edges: EdgeEnds,
    breadths: Sequence[int | None] | np.ndarray,
    kinds: tuple[TransitionKind, TransitionKind] = (TransitionKind.SPECIALISATION, TransitionKind.GENERALISATION),
) -> list[Transitions]:
    """Return the specialisations and generalisations along the edges of a hierarchy.

    Args:
        edges: The more specific node of each edge, and the more general one.
        breadths: The breadth of every node, None for 0.
        kinds: The kinds of the transitions down and up.
    """
    import numpy as np

    specific, general = edges
    if not isinstance(breadths, np.ndarray):
        breadths = np.array([number or 0 for number in breadths], np.int32)
    breadth = breadths[general]
    down, up = kinds
    return [Transitions(general, specific, down, breadth), Transitions(specific, general, up, breadth)]


def flat_transitions(edges: EdgeEnds, kind: TransitionKind) -> Transitions:
    """Return transitions of a kind without a breadth."""
    return Transitions(*edges, kind)


def transition_arrays(pieces: Iterable[Transitions], nodes: int) -> dict[str, np.ndarray]:
    """Return the arrays of the transitions in both directions, without loops and duplicates.

    Classes are numbered in ascending order of their fields, see ``TransitionClass``; a group is all classes that differ only in
    their share. The transitions of a node are sorted by class, thus also by group, then by the other node.

    Args:
        pieces: The transitions, kind by kind.
        nodes: The number of nodes.
    """
    import numpy as np

    found, start, end, number = _number_classes(list(pieces))
    order = _sort_order(start, number, end)
    start, end, number = start[order], end[order], number[order]
    is_new = start != end
    is_new[1:] &= (start[1:] != start[:-1]) | (number[1:] != number[:-1]) | (end[1:] != end[:-1])
    start, end, number = start[is_new], end[is_new], number[is_new]
    for direction, here, there in (("out", start, end), ("in", end, start)):
        order = np.arange(len(start)) if direction == "out" else _sort_order(here, number, there)
        found |= {
            f"{direction} offsets": np.searchsorted(here[order], np.arange(nodes + 1)).astype(np.int64),
            f"{direction} next": there[order].astype(np.int32),
            f"{direction} class": number[order],
        }
        if len(found["class group"]) > len(found["group kind"]):
            found[f"{direction} group"] = found["class group"][number[order]]
    return found


def _number_classes(
    pieces: Sequence[Transitions],
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays of all classes, and of each transition its two nodes and the number of its class."""
    import numpy as np

    def column(name: str, default: float, type: type) -> np.ndarray:
        values = ((getattr(piece, name), len(piece.start)) for piece in pieces)
        return np.concatenate([np.full(size, default, type) if each is None else each.astype(type) for each, size in values])

    kind = np.repeat([int(piece.kind) for piece in pieces], [len(piece.start) for piece in pieces])
    has_breadth = np.repeat([piece.kind.has_breadth for piece in pieces], [len(piece.start) for piece in pieces])
    breadth, changes_pos = column("breadth", 0, np.int64) * has_breadth, column("changes_pos", False, np.int64)
    groups, group = np.unique(kind << 33 | breadth << 1 | changes_pos, return_inverse=True)
    shares, share = np.unique(column("share", 1.0, np.float64), return_inverse=True)
    classes, number = np.unique(group.reshape(-1) * len(shares) + share.reshape(-1), return_inverse=True)
    found = {
        "group kind": (groups >> 33).astype(np.uint8),
        "group breadth": (groups >> 1 & 0xFFFFFFFF).astype(np.int32),
        "group changes pos": (groups & 1).astype(np.uint8),
        "class group": (classes // len(shares)).astype(np.int32),
        "class share": shares[classes % len(shares)],
    }
    start, end = (np.concatenate([getattr(piece, side) for piece in pieces]) for side in ("start", "end"))
    return found, start, end, number.reshape(-1).astype(np.int32)


def _sort_order(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> np.ndarray:
    """Return the indexes of rows sorted by three columns."""
    import numpy as np

    order: np.ndarray = np.lexsort((third, first.astype(np.int64) << 32 | second))
    return order


def index_arrays(name: str, values: Iterable[str]) -> tuple[list[str], dict[str, np.ndarray]]:
    """Sort distinct strings by hash bucket; return them and the arrays of their ``StringIndex``."""
    import numpy as np

    hashed = [(crc32(value.encode("utf-8", "surrogatepass")), value) for value in values]
    size = 1 << max(4, len(hashed).bit_length())
    hashed.sort(key=lambda pair: (pair[0] & (size - 1), pair[1]))
    buckets = np.array([number & (size - 1) for number, _ in hashed], np.int64)
    ordered = [value for _, value in hashed]
    found = text_arrays(name, ordered)
    found[f"{name} buckets"] = np.searchsorted(buckets, np.arange(size + 1)).astype(np.int32)
    return ordered, found


def text_arrays(name: str, values: Iterable[str]) -> dict[str, np.ndarray]:
    """Return the arrays of a ``StringTable``."""
    import numpy as np

    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name} offsets": offsets}


def column_texts(name: str, values: pa.ChunkedArray) -> dict[str, np.ndarray]:
    """Return the arrays of a ``StringTable`` with the texts of a column; null becomes an empty string."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pc.fill_null(values.cast(pa.large_string()), "").combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], pa.large_string())
    _, offsets, content = whole.buffers()
    begin = np.frombuffer(offsets, np.int64, len(whole) + 1, whole.offset * 8) if offsets else np.zeros(1, np.int64)
    stored = np.frombuffer(content, np.uint8) if content else np.zeros(0, np.uint8)
    return {name: stored[begin[0] : begin[-1]], f"{name} offsets": begin - begin[0]}


def group_arrays(
    name: str, keys: Sequence[int] | np.ndarray, values: Sequence[int] | np.ndarray, size: int
) -> dict[str, np.ndarray]:
    """Return the arrays of values that are sorted by key: the values, and the index at which those of each key begin.

    Keys are less than ``size``.
    """
    import numpy as np

    offsets = np.searchsorted(np.asarray(keys, np.int64), np.arange(size + 1)).astype(np.int64)
    return {name: np.asarray(values, np.int32), f"{name} offsets": offsets}


def positions_in(values: pa.ChunkedArray, among: pa.Array) -> np.ndarray:
    """Return the index of each value in an array, -1 if it is not there."""
    import numpy as np
    import pyarrow.compute as pc

    found: np.ndarray = pc.fill_null(pc.index_in(values, value_set=among), -1).to_numpy().astype(np.int32)
    return found
