"""Build the arrays of the projection of a WordNet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....core.normalisation import fold, normalise
from ....graph.schema import label_id
from ...scoring.transitions import ASIDE, TransitionKind
from ..array_builder import (
    EdgeEnds,
    Transitions,
    flat_transitions,
    group_arrays,
    hierarchy_transitions,
    index_arrays,
    text_arrays,
    transition_arrays,
)
from .relations import FURTHER_RELATIONS, INSTANCES, NOUN_HIERARCHY, THESIS_RELATIONS, VERB, VERB_HIERARCHY

if TYPE_CHECKING:
    import numpy as np

    from ..projector import TableReader

Columns = dict[str, list[Any]]
"""The columns of a table by name."""


def project_wordnet(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    """Return the number of synsets, and the arrays."""
    import numpy as np

    def columns(type: str, *names: str) -> Columns:
        found = source.table(type, *names)
        return {name: found[name].to_pylist() for name in names}

    synsets = columns("Synset", "id", "name", "pos", "gloss", "hyponyms", "descendants")
    order = sorted(range(len(synsets["id"])), key=synsets["id"].__getitem__)
    sorted_synsets = {name: [column[row] for row in order] for name, column in synsets.items()}
    node = {id: number for number, id in enumerate(sorted_synsets["id"])}
    pos = [each or " " for each in sorted_synsets["pos"]]
    names, arrays = index_arrays("label", columns("Label", "name")["name"])
    label = {name: number for number, name in enumerate(names)}
    arrays |= _entities(sorted_synsets)
    arrays |= _folded(names)
    prefix = len(label_id(source.base, ""))
    senses = columns("SENSE", "from", "to", "uses", "rank")
    ranked = sorted(
        (label[text[prefix:]], -(uses or 0), rank or 0, node[entity])
        for text, uses, rank, entity in zip(senses["from"], senses["uses"], senses["rank"], senses["to"], strict=True)
    )
    arrays |= group_arrays("sense", [row[0] for row in ranked], [row[3] for row in ranked], len(names))
    arrays["sense rank"] = np.array([rank for _, _, rank, _ in ranked], np.int32)
    arrays["sense uses"] = np.array([-uses for _, uses, _, _ in ranked], np.int64)
    arrays |= _inflections(columns("INFLECTION_OF", "from", "to", "pos"), label, prefix)
    words: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for number, _, _, synset in ranked:
        words[number, pos[synset]].append(synset)
    derivations = columns("DERIVATION", "from", "to", "to_lemma")
    by_word = _derivations_by_word(derivations, node, pos, label, words)
    pieces = [
        *_hierarchies(columns("HYPERNYM", "from", "to", "instance"), node, sorted_synsets),
        *_derivations(derivations, node, by_word),
    ]
    relations = {**THESIS_RELATIONS, **FURTHER_RELATIONS}
    del relations["DERIVATION"]
    edges = {type: _edges(columns(type, "from", "to"), node) for type in (*relations, "ANTONYM")}
    for type, (along, against) in relations.items():
        start, end = edges[type]
        pieces += [flat_transitions((start, end), along)]
        pieces += [] if against is None else [flat_transitions((end, start), against)]
    below = np.array([number or 0 for number in sorted_synsets["descendants"]], np.int64)
    pieces = [each._replace(share=1 / (1 + below[each.end])) if each.kind in ASIDE else each for each in pieces]
    arrays |= transition_arrays(_with_changes_of_pos(pieces, pos), len(node))
    arrays["out word"] = _linking_words(arrays, by_word, label)
    arrays |= _opposites(edges["ANTONYM"], edges["SIMILAR"], len(node))
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
    """Return an index of folded forms, and for each the labels that have it and are written differently."""
    labels: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        folded = fold(name)
        if folded and folded != name:
            labels[folded].append(number)
    forms, arrays = index_arrays("folded", labels)
    pairs = [(index, number) for index, form in enumerate(forms) for number in labels[form]]
    return arrays | group_arrays("folded label", [index for index, _ in pairs], [number for _, number in pairs], len(forms))


def _inflections(forms: Columns, label: dict[str, int], prefix: int) -> dict[str, np.ndarray]:
    import numpy as np

    irregular = sorted(  # by the texts of the base forms, as stores return them
        (label[text[prefix:]], of[prefix:], pos) for text, of, pos in zip(forms["from"], forms["to"], forms["pos"], strict=True)
    )
    found = group_arrays("inflection", [row[0] for row in irregular], [label[row[1]] for row in irregular], len(label))
    found["inflection pos"] = np.frombuffer("".join(row[2] for row in irregular).encode("latin-1"), np.uint8)
    return found


def _derivations_by_word(
    columns: Columns,
    node: dict[str, int],
    pos: Sequence[str],
    label: dict[str, int],
    words: Mapping[tuple[int, str], list[int]],
) -> dict[tuple[int, int], str]:
    """Return the pairs of synsets that are joined by derivation between words, each with the word it leads to."""
    found: dict[tuple[int, int], str] = {}
    for start, end, lemma in zip(columns["from"], columns["to"], columns["to_lemma"], strict=True):
        word = normalise(lemma or "")
        for target in words.get((label.get(word, -1), pos[node[end]]), ()):
            pair = node[start], target
            found[pair] = min(word, found.get(pair, word))
    return found


def _derivations(columns: Columns, node: dict[str, int], by_word: Iterable[tuple[int, int]]) -> list[Transitions]:
    """Return the derivations that are pointers, and those added by reading derivation as a relation between words."""
    import numpy as np

    start, end = _edges(columns, node)
    implied = set(by_word).difference(zip(start.tolist(), end.tolist(), strict=True))
    pairs = np.array(sorted(implied), np.int32).reshape(-1, 2)
    return [
        flat_transitions((start, end), TransitionKind.DERIVATION),
        flat_transitions((pairs[:, 0], pairs[:, 1]), TransitionKind.WORD_DERIVATION),
    ]


def _linking_words(arrays: dict[str, np.ndarray], by_word: Mapping[tuple[int, int], str], label: dict[str, int]) -> np.ndarray:
    """Return for each transition the label of the word that it leads to, -1 if it leads to none."""
    import numpy as np

    offsets, kinds = arrays["out offsets"], arrays["group kind"][arrays["class group"]][arrays["out class"]]
    found = np.full(len(kinds), -1, np.int32)
    rows = np.flatnonzero((kinds == TransitionKind.DERIVATION) | (kinds == TransitionKind.WORD_DERIVATION))
    starts = np.searchsorted(offsets, rows, side="right") - 1
    for row, *pair in zip(rows.tolist(), starts.tolist(), arrays["out next"][rows].tolist(), strict=True):
        word = by_word.get((pair[0], pair[1]))
        if word is not None:
            found[row] = label[word]
    return found


def _opposites(antonyms: EdgeEnds, similar: EdgeEnds, nodes: int) -> dict[str, np.ndarray]:
    """Return the antonyms of each synset, see ``Lexicon.opposites``."""
    near: defaultdict[int, list[int]] = defaultdict(list)
    into: defaultdict[int, list[int]] = defaultdict(list)
    for start, end in zip(*(column.tolist() for column in similar), strict=True):
        near[start].append(end)
        into[end].append(start)
    found = sorted(
        {
            (one, other)
            for start, end in zip(*(column.tolist() for column in antonyms), strict=True)
            for one in (start, *into[start])
            for other in (end, *near[end])
        }
    )
    return group_arrays("opposite", [one for one, _ in found], [other for _, other in found], nodes)


def _hierarchies(columns: Columns, node: dict[str, int], synsets: Columns) -> list[Transitions]:
    """Return the transitions along HYPERNYM: ``hierarchy_kinds`` and ``share_below`` for whole columns."""
    import numpy as np

    specific, general = _edges(columns, node)
    below = np.array([number or 0 for number in synsets["descendants"]], np.int64)
    share = np.minimum(1.0, (1 + below[specific]) / (1 + below[general]))
    is_verb = np.array([pos == VERB for pos in synsets["pos"]], bool)
    is_instance = np.array([bool(each) for each in columns["instance"]], bool)
    of_verbs = is_verb[specific] & is_verb[general] & ~is_instance
    found = []
    for rows, kinds in ((~is_instance & ~of_verbs, NOUN_HIERARCHY), (of_verbs, VERB_HIERARCHY), (is_instance, INSTANCES)):
        pieces = hierarchy_transitions((specific[rows], general[rows]), synsets["hyponyms"], kinds)
        found += [piece._replace(share=share[rows]) for piece in pieces]
    return found


def _with_changes_of_pos(pieces: Iterable[Transitions], pos: Sequence[str]) -> Iterator[Transitions]:
    """Yield transitions with the column that says whether they lead to another part of speech."""
    import numpy as np

    number = np.unique(np.array(pos, object), return_inverse=True)[1] if pos else np.zeros(0, np.int64)
    for piece in pieces:
        yield piece._replace(changes_pos=number[piece.start] != number[piece.end])


def _edges(columns: Columns, node: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    start, end = (np.fromiter(map(node.__getitem__, columns[name]), np.int32, len(columns[name])) for name in ("from", "to"))
    return start, end
