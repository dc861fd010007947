"""Makes the projection of a WordNet from what its store streams."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....core.normalization import fold, normalise
from ....graph.schema import label_id
from ...scoring.transitions import TransitionKind
from ..array_builder import (
    Transitions,
    flat_transitions,
    group_arrays,
    hierarchy_transitions,
    index_arrays,
    text_arrays,
    transition_arrays,
)

if TYPE_CHECKING:
    import numpy as np

    from ..projector import TableReader

Columns = dict[str, list[Any]]


def project_wordnet(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    """The number of synsets, and the arrays."""

    def columns(type: str, *names: str) -> Columns:
        found = source.table(type, *names)
        return {name: found[name].to_pylist() for name in names}

    synsets = columns("Synset", "id", "name", "pos", "gloss", "hyponyms")
    order = sorted(range(len(synsets["id"])), key=synsets["id"].__getitem__)
    sorted_synsets = {name: [column[place] for place in order] for name, column in synsets.items()}
    node = {id: number for number, id in enumerate(sorted_synsets["id"])}
    pos = [each or " " for each in sorted_synsets["pos"]]
    names, arrays = index_arrays("label", columns("Label", "name")["name"])
    label = {name: number for number, name in enumerate(names)}
    arrays |= _entities(sorted_synsets)
    arrays |= _folded(names)
    cut = len(label_id(source.base, ""))
    senses = columns("SENSE", "from", "to", "uses", "rank")
    meant = sorted(
        (label[text[cut:]], -(uses or 0), rank or 0, node[entity])
        for text, uses, rank, entity in zip(senses["from"], senses["uses"], senses["rank"], senses["to"], strict=True)
    )
    arrays |= group_arrays("sense", [row[0] for row in meant], [row[3] for row in meant], len(names))
    arrays |= _inflections(columns("INFLECTION_OF", "from", "to", "pos"), label, cut)
    words: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for place, _, _, number in meant:
        words[place, pos[number]].append(number)
    derivations = columns("DERIVATION", "from", "to", "to_lemma")
    linked = _linked(derivations, node, pos, label, words)
    breadths = sorted_synsets["hyponyms"]
    pieces = [
        *hierarchy_transitions(_edges(columns("HYPERNYM", "from", "to"), node), breadths),
        flat_transitions(_edges(columns("SIMILAR", "from", "to"), node), TransitionKind.SIMILAR),
        flat_transitions(_edges(columns("ALSO", "from", "to"), node), TransitionKind.ALSO),
        *_derivations(derivations, node, linked),
    ]
    arrays |= transition_arrays(pieces, len(node))
    arrays["out word"] = _linking_words(arrays, linked, label)
    return len(node), arrays


def _entities(synsets: Columns) -> dict[str, np.ndarray]:
    import numpy as np

    parts = "".join((pos or " ")[0] for pos in synsets["pos"])
    found: dict[str, np.ndarray] = {
        "pos": np.frombuffer(parts.encode("latin-1", "replace"), np.uint8),
        "node label": np.zeros(len(parts), np.uint8),
    }
    for name in ("id", "name", "gloss"):
        found |= text_arrays(name, (text or "" for text in synsets[name]))
    return found


def _folded(names: Sequence[str]) -> dict[str, np.ndarray]:
    """An index of folded forms, and the labels that have each, of those that are written otherwise."""
    labels: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        folded = fold(name)
        if folded and folded != name:
            labels[folded].append(number)
    forms, arrays = index_arrays("folded", labels)
    pairs = [(place, number) for place, form in enumerate(forms) for number in labels[form]]
    return arrays | group_arrays("folded label", [place for place, _ in pairs], [number for _, number in pairs], len(forms))


def _inflections(forms: Columns, label: dict[str, int], cut: int) -> dict[str, np.ndarray]:
    import numpy as np

    irregular = sorted(
        (label[text[cut:]], label[of[cut:]], pos)
        for text, of, pos in zip(forms["from"], forms["to"], forms["pos"], strict=True)
    )
    found = group_arrays("inflection", [row[0] for row in irregular], [row[1] for row in irregular], len(label))
    found["inflection pos"] = np.frombuffer("".join(row[2] for row in irregular).encode("latin-1"), np.uint8)
    return found


def _linked(
    columns: Columns,
    node: dict[str, int],
    pos: Sequence[str],
    label: dict[str, int],
    words: Mapping[tuple[int, str], list[int]],
) -> dict[tuple[int, int], str]:
    """The pairs of entities that derivation between words joins, each with the word that it leads to."""
    found: dict[tuple[int, int], str] = {}
    for start, end, lemma in zip(columns["from"], columns["to"], columns["to_lemma"], strict=True):
        word = normalise(lemma or "")
        for target in words.get((label.get(word, -1), pos[node[end]]), ()):
            pair = node[start], target
            found[pair] = min(word, found.get(pair, word))
    return found


def _derivations(columns: Columns, node: dict[str, int], linked: Iterable[tuple[int, int]]) -> list[Transitions]:
    """Derivation as the pointers print it, and what reading it as a relation between words adds."""
    import numpy as np

    start, end = _edges(columns, node)
    implied = set(linked).difference(zip(start.tolist(), end.tolist(), strict=True))
    pairs = np.array(sorted(implied), np.int32).reshape(-1, 2)
    return [
        flat_transitions((start, end), TransitionKind.DERIVATION),
        flat_transitions((pairs[:, 0], pairs[:, 1]), TransitionKind.WORD_DERIVATION),
    ]


def _linking_words(arrays: dict[str, np.ndarray], linked: Mapping[tuple[int, int], str], label: dict[str, int]) -> np.ndarray:
    """For each transition in the order of the arrays the label of the word that it leads to, -1 for those that lead to none."""
    import numpy as np

    offsets, kinds = arrays["out offsets"], arrays["out kind"]
    found = np.full(len(kinds), -1, np.int32)
    rows = np.flatnonzero((kinds == TransitionKind.DERIVATION) | (kinds == TransitionKind.WORD_DERIVATION))
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
