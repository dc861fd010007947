"""Makes the projection of a base from what its store streams, with whole columns at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ..graph.phrases import normalise
from ..graph.schema import label_id
from ..graph.store import Progress, silent
from .projection import FORMAT
from .transitions import Kind

if TYPE_CHECKING:
    import numpy as np

    from ..graph.store import Store

TABLES = ("Synset", "Label", "SENSE", "INFLECTION_OF", "HYPERNYM", "SIMILAR", "ALSO", "DERIVATION")
Columns = dict[str, list[Any]]


def project(store: Store, base: str, progress: Progress = silent) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What is to be known about the projection of a base, and its arrays."""
    import numpy as np

    done = 0

    def columns(type: str, *names: str) -> Columns:
        nonlocal done
        found: Columns = {name: [] for name in names}
        batches = store.stream_nodes(type, base) if type in ("Synset", "Label") else store.stream_edges(type, base)
        for batch in batches:
            for name in names:
                found[name] += batch[name].to_pylist()
            done += batch.num_rows
            progress("projecting", done, TABLES.index(type) / len(TABLES))
        return found

    synsets = columns("Synset", "id", "name", "gloss", "hyponyms")
    order = sorted(range(len(synsets["id"])), key=synsets["id"].__getitem__)
    ids = [synsets["id"][place] for place in order]
    node = {id: number for number, id in enumerate(ids)}
    arrays: dict[str, np.ndarray] = {"pos": np.frombuffer("".join(id[-1] for id in ids).encode("latin-1"), np.uint8)}
    arrays |= _texts("id", ids)
    arrays |= _texts("name", (synsets["name"][place] for place in order))
    arrays |= _texts("gloss", (synsets["gloss"][place] or "" for place in order))
    breadth = np.array([synsets["hyponyms"][place] or 0 for place in order], np.int32)

    labels = sorted(columns("Label", "name")["name"])
    label: dict[str, int] = {}
    arrays |= _labels(labels, label)
    cut = len(label_id(base, ""))
    senses = columns("SENSE", "from", "to", "rank")
    meant = sorted(
        (label[text[cut:]], rank or 0, node[entity])
        for text, rank, entity in zip(senses["from"], senses["rank"], senses["to"], strict=True)
    )
    arrays |= _grouped("sense", [row[0] for row in meant], [row[2] for row in meant], len(labels))
    forms = columns("INFLECTION_OF", "from", "to", "pos")
    irregular = sorted(
        (label[text[cut:]], label[of[cut:]], pos)
        for text, of, pos in zip(forms["from"], forms["to"], forms["pos"], strict=True)
    )
    arrays |= _grouped("inflection", [row[0] for row in irregular], [row[1] for row in irregular], len(labels))
    arrays["inflection pos"] = np.frombuffer("".join(row[2] for row in irregular).encode("latin-1"), np.uint8)

    edges = [_edges(columns("HYPERNYM", "from", "to"), node)]
    special, general = edges[0]
    pieces = [
        (general, special, Kind.SPECIALISATION, breadth[general]),
        (special, general, Kind.GENERALISATION, breadth[general]),
    ]
    for type, kind in (("SIMILAR", Kind.SIMILAR), ("ALSO", Kind.ALSO)):
        start, end = _edges(columns(type, "from", "to"), node)
        pieces.append((start, end, kind, np.zeros(len(start), np.int32)))
    derivations = columns("DERIVATION", "from", "to", "to_lemma")
    start, end = _edges(derivations, node)
    pieces.append((start, end, Kind.DERIVATION, np.zeros(len(start), np.int32)))
    by_word: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for place, _, number in meant:
        by_word[place, ids[number][-1]].append(number)
    words = (
        (label.get(normalise(lemma or "")), to[-1])
        for lemma, to in zip(derivations["to_lemma"], derivations["to"], strict=True)
    )
    direct = set(zip(start.tolist(), end.tolist(), strict=True))
    implied = {
        (source, target)
        for source, word in zip(start.tolist(), words, strict=True)
        if word[0] is not None
        for target in by_word[word[0], word[1]]
    } - direct
    pairs = np.array(sorted(implied), np.int32).reshape(-1, 2)
    pieces.append((pairs[:, 0], pairs[:, 1], Kind.WORD_DERIVATION, np.zeros(len(pairs), np.int32)))
    arrays |= _sides(pieces, len(ids))
    revision = next(each.revision for each in store.bases() if each.id == base)
    return {"format": FORMAT, "base": base, "revision": revision, "nodes": len(ids), "labels": len(labels)}, arrays


def _edges(columns: Columns, node: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    ends = (np.fromiter(map(node.__getitem__, columns[name]), np.int32, len(columns[name])) for name in ("from", "to"))
    start, end = ends
    return start, end


def _sides(pieces: Iterable[tuple[np.ndarray, np.ndarray, Kind, np.ndarray]], nodes: int) -> dict[str, np.ndarray]:
    """Both directions of the transitions without loops and doubles, grouped by node."""
    import numpy as np

    kept = [(start, end, np.full(len(start), kind, np.uint8), breadth) for start, end, kind, breadth in pieces]
    start, end, kind, breadth = (np.concatenate(column) for column in zip(*kept, strict=True))
    rows = np.unique(np.stack([start, end, kind.astype(np.int32), breadth])[:, start != end], axis=1)
    found: dict[str, np.ndarray] = {}
    for direction, here, there in (("out", 0, 1), ("in", 1, 0)):
        placed = rows[:, np.lexsort((rows[2], rows[there], rows[here]))]
        found |= {
            f"{direction} offsets": np.searchsorted(placed[here], np.arange(nodes + 1)).astype(np.int64),
            f"{direction} next": np.ascontiguousarray(placed[there], np.int32),
            f"{direction} kind": placed[2].astype(np.uint8),
            f"{direction} breadth": np.ascontiguousarray(placed[3], np.int32),
        }
    return found


def _labels(names: Iterable[str], numbers: dict[str, int]) -> dict[str, np.ndarray]:
    """Labels in the order of their buckets, for look-up by text; ``numbers`` is filled with their places."""
    import numpy as np

    texts = [(crc32(name.encode()), name) for name in names]
    size = 1 << max(4, len(texts).bit_length())
    texts.sort(key=lambda pair: (pair[0] & (size - 1), pair[1]))
    numbers.update((name, place) for place, (_, name) in enumerate(texts))
    buckets = np.array([hashed & (size - 1) for hashed, _ in texts], np.int64)
    found = _texts("label", (name for _, name in texts))
    found["buckets"] = np.searchsorted(buckets, np.arange(size + 1)).astype(np.int32)
    return found


def _texts(name: str, values: Iterable[str]) -> dict[str, np.ndarray]:
    import numpy as np

    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    return {name: np.frombuffer(b"".join(encoded), np.uint8), f"{name} offsets": offsets}


def _grouped(name: str, keys: list[int], values: list[int], size: int) -> dict[str, np.ndarray]:
    import numpy as np

    offsets = np.searchsorted(np.array(keys, np.int64), np.arange(size + 1)).astype(np.int64)
    return {name: np.array(values, np.int32), f"{name} offsets": offsets}
