"""Makes the projection of a base from what its store streams, with whole columns at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
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
Transitions = tuple["np.ndarray", "np.ndarray", Kind, "np.ndarray"]
"""From, to, the kind of them all, their breadths."""


def project(store: Store, base: str, progress: Progress = silent) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What is to be known about the projection of a base, and its arrays."""
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
    sorted_synsets = {name: [column[place] for place in order] for name, column in synsets.items()}
    node = {id: number for number, id in enumerate(sorted_synsets["id"])}
    names = columns("Label", "name")["name"]
    label, arrays = _labels(names)
    arrays |= _entities(sorted_synsets)
    cut = len(label_id(base, ""))
    senses = columns("SENSE", "from", "to", "uses", "rank")
    meant = sorted(
        (label[text[cut:]], -(uses or 0), rank or 0, node[entity])
        for text, uses, rank, entity in zip(senses["from"], senses["uses"], senses["rank"], senses["to"], strict=True)
    )
    arrays |= _grouped("sense", [row[0] for row in meant], [row[3] for row in meant], len(names))
    arrays |= _inflections(columns("INFLECTION_OF", "from", "to", "pos"), label, cut)
    words: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for place, _, _, number in meant:
        words[place, sorted_synsets["id"][number][-1]].append(number)
    derivations = columns("DERIVATION", "from", "to", "to_lemma")
    linked = _linked(derivations, node, label, words)
    pieces = [
        *_hierarchy(_edges(columns("HYPERNYM", "from", "to"), node), sorted_synsets["hyponyms"]),
        _flat(_edges(columns("SIMILAR", "from", "to"), node), Kind.SIMILAR),
        _flat(_edges(columns("ALSO", "from", "to"), node), Kind.ALSO),
        *_derivations(derivations, node, linked),
    ]
    arrays |= sides(pieces, len(node))
    arrays["out word"] = _linking_words(arrays, linked, label)
    revision = next(each.revision for each in store.bases() if each.id == base)
    return {"format": FORMAT, "base": base, "revision": revision, "nodes": len(node), "labels": len(names)}, arrays


def _entities(synsets: Columns) -> dict[str, np.ndarray]:
    import numpy as np

    found: dict[str, np.ndarray] = {"pos": np.frombuffer("".join(id[-1] for id in synsets["id"]).encode("latin-1"), np.uint8)}
    for name in ("id", "name", "gloss"):
        found |= _texts(name, (text or "" for text in synsets[name]))
    return found


def _inflections(forms: Columns, label: dict[str, int], cut: int) -> dict[str, np.ndarray]:
    import numpy as np

    irregular = sorted(
        (label[text[cut:]], label[of[cut:]], pos)
        for text, of, pos in zip(forms["from"], forms["to"], forms["pos"], strict=True)
    )
    found = _grouped("inflection", [row[0] for row in irregular], [row[1] for row in irregular], len(label))
    found["inflection pos"] = np.frombuffer("".join(row[2] for row in irregular).encode("latin-1"), np.uint8)
    return found


def _hierarchy(edges: tuple[np.ndarray, np.ndarray], hyponyms: list[int | None]) -> list[Transitions]:
    import numpy as np

    special, general = edges
    breadth = np.array([number or 0 for number in hyponyms], np.int32)[general]
    return [(general, special, Kind.SPECIALISATION, breadth), (special, general, Kind.GENERALISATION, breadth)]


def _flat(edges: tuple[np.ndarray, np.ndarray], kind: Kind) -> Transitions:
    import numpy as np

    return *edges, kind, np.zeros(len(edges[0]), np.int32)


def _linked(
    columns: Columns, node: dict[str, int], label: dict[str, int], words: Mapping[tuple[int, str], list[int]]
) -> dict[tuple[int, int], str]:
    """The pairs of entities that derivation between words joins, each with the word that it leads to."""
    found: dict[tuple[int, int], str] = {}
    for start, end, lemma in zip(columns["from"], columns["to"], columns["to_lemma"], strict=True):
        word = normalise(lemma or "")
        for target in words.get((label.get(word, -1), end[-1]), ()):
            pair = node[start], target
            found[pair] = min(word, found.get(pair, word))
    return found


def _derivations(columns: Columns, node: dict[str, int], linked: Iterable[tuple[int, int]]) -> list[Transitions]:
    """Derivation as the pointers print it, and what reading it as a relation between words adds."""
    import numpy as np

    start, end = _edges(columns, node)
    implied = set(linked).difference(zip(start.tolist(), end.tolist(), strict=True))
    pairs = np.array(sorted(implied), np.int32).reshape(-1, 2)
    return [_flat((start, end), Kind.DERIVATION), _flat((pairs[:, 0], pairs[:, 1]), Kind.WORD_DERIVATION)]


def _linking_words(arrays: dict[str, np.ndarray], linked: Mapping[tuple[int, int], str], label: dict[str, int]) -> np.ndarray:
    """For each transition in the order of the arrays the label of the word that it leads to, -1 for those that lead to none."""
    import numpy as np

    offsets, kinds = arrays["out offsets"], arrays["out kind"]
    found = np.full(len(kinds), -1, np.int32)
    rows = np.flatnonzero((kinds == Kind.DERIVATION) | (kinds == Kind.WORD_DERIVATION))
    starts = np.searchsorted(offsets, rows, side="right") - 1
    for row, *pair in zip(rows.tolist(), starts.tolist(), arrays["out next"][rows].tolist(), strict=True):
        word = linked.get((pair[0], pair[1]))
        if word is not None:
            found[row] = label[word]
    return found


def _edges(columns: Columns, node: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    start, end = (np.fromiter(map(node.__getitem__, columns[name]), np.int32, len(columns[name])) for name in ("from", "to"))
    return start, end


def sides(pieces: Iterable[Transitions], nodes: int) -> dict[str, np.ndarray]:
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


def _labels(names: Iterable[str]) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """The places of labels, and their texts in the order of their buckets, for look-up by text."""
    import numpy as np

    texts = [(crc32(name.encode()), name) for name in names]
    size = 1 << max(4, len(texts).bit_length())
    texts.sort(key=lambda pair: (pair[0] & (size - 1), pair[1]))
    buckets = np.array([hashed & (size - 1) for hashed, _ in texts], np.int64)
    found = _texts("label", (name for _, name in texts))
    found["buckets"] = np.searchsorted(buckets, np.arange(size + 1)).astype(np.int32)
    return {name: place for place, (_, name) in enumerate(texts)}, found


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
