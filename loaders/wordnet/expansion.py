"""Connect the synsets of a lexicon by the relations of another WordNet, as the ``expand`` lexicons of the package ``wn`` do.

Synsets of two WordNets correspond if they have the same id in the Collaborative Interlingual Index (ILI). A relation between
two synsets of the stored WordNet holds between all synsets of the lexicon that correspond to them. Where it has none, an
inferred synset without words takes its place, so that the way from a poodle to an animal exists in a lexicon without canines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arrays import BoolArray, IntArray
from ...graph.schema import RELATIONSHIPS
from ..errors import SourceInvalid
from .lexicon import Relation

if TYPE_CHECKING:
    from ...graph.store import Store
    from .lexicon import Lexicon

RELATIONS = tuple(name for name, type in RELATIONSHIPS.items() if type.ends == (("Synset", "Synset"),))


@dataclass(frozen=True, slots=True)
class Expansion:
    """The concepts of a stored WordNet, which are its ILIs, and the relations between them.

    - ``base``: the name of its base
    - ``concepts``: by ILI the properties of a synset that has it
    - ``links``: by relation the numbers of the concepts at both ends
    """

    base: str
    concepts: Mapping[str, Mapping[str, Any]]
    links: Mapping[Relation, tuple[IntArray, IntArray]]


def read_expansion(store: Store, base: str) -> Expansion:
    """Read a stored WordNet for the expansion of a lexicon.

    Raises:
        SourceInvalid: No synset of the base has an ILI.
    """
    concepts: dict[str, Mapping[str, Any]] = {}
    numbers: dict[str, int] = {}  # by synset
    concept_numbers: dict[str, int] = {}
    for rows in store.stream_nodes("Synset", base):
        for row in rows.select(["id", "name", "pos", "gloss", "lexfile", "ili"]).to_pylist():
            if row["ili"]:
                concepts.setdefault(row["ili"], row)
                numbers[row["id"]] = concept_numbers.setdefault(row["ili"], len(concept_numbers))
    if not concepts:
        raise SourceInvalid(
            f"the base {base!r} has no ILIs, which Open English WordNet and other WN-LMF files have and database files lack"
        )
    links: dict[Relation, list[tuple[int, int]]] = {}
    for name in RELATIONS:
        for relation, start, end in _read_relations(store, name, base):
            if start in numbers and end in numbers:
                links.setdefault(relation, []).append((numbers[start], numbers[end]))
    columns = {relation: np.array(pairs, np.int64).T for relation, pairs in links.items()}
    return Expansion(base, concepts, {relation: (pairs[0], pairs[1]) for relation, pairs in columns.items()})


def _read_relations(store: Store, name: str, base: str) -> Iterator[tuple[Relation, str, str]]:
    """Yield the relations of a type between whole synsets; those between words do not hold in another language."""
    properties = RELATIONSHIPS[name].properties
    for rows in store.stream_edges(name, base):
        unused = [rows[column].is_valid() for column in ("from_lemma", "to_lemma") if column in properties]
        instances = rows["instance"].to_pylist() if "instance" in properties else [False] * rows.num_rows
        kinds = rows["kind"].to_pylist() if "kind" in properties else [None] * rows.num_rows
        lexical = (
            np.any([each.to_numpy(zero_copy_only=False) for each in unused], axis=0) if unused else [False] * rows.num_rows
        )
        ends = zip(rows["from"].to_pylist(), rows["to"].to_pylist(), strict=True)
        for (start, end), instance, kind, is_lexical in zip(ends, instances, kinds, lexical, strict=True):
            if not is_lexical:
                yield Relation(name, instance=bool(instance), kind=kind), start, end


def expand(lexicon: Lexicon, expansion: Expansion) -> Iterator[tuple[Relation, IntArray, IntArray]]:
    """Add the inferred synsets that are connected with synsets of a lexicon, and yield each relation with its ends.

    Raises:
        SourceInvalid: The lexicon and the base have no ILI in common.
    """
    concepts = list(expansion.concepts)
    synsets: dict[str, list[int]] = {}
    for number, ili in enumerate(lexicon.synsets.ilis()):
        if ili is not None and ili in expansion.concepts:
            synsets.setdefault(ili, []).append(number)
    if not synsets:
        raise SourceInvalid(f"no synset of the lexicon has an ILI of the base {expansion.base!r}; give another base")
    connected = _find_connected(np.array([ili in synsets for ili in concepts]), expansion.links)
    prefix = "ili:"
    while any(key.startswith(prefix) for key in lexicon.synsets.keys):
        prefix += ":"
    for number in np.flatnonzero(connected).tolist():
        ili = concepts[number]
        if ili not in synsets:
            synsets[ili] = [lexicon.synsets.count]
            row = expansion.concepts[ili]
            lexicon.synsets.names[lexicon.synsets.count] = row["name"]
            lexicon.synsets.add(f"{prefix}{ili}", row["pos"], [], row["gloss"] or "", [], row["lexfile"], ili)
    counts = np.array([len(synsets.get(ili, ())) for ili in concepts], np.int64)
    members = np.array([number for ili in concepts for number in synsets.get(ili, ())], np.int64)
    for relation, (start, end) in expansion.links.items():
        rows, starts = _expand_column(start, counts, members)
        more_rows, ends = _expand_column(end[rows], counts, members)
        starts = starts[more_rows]
        yield relation, starts[starts != ends], ends[starts != ends]


def _find_connected(known: BoolArray, links: Mapping[Relation, tuple[IntArray, IntArray]]) -> BoolArray:
    """Return which concepts some relations, in any direction, connect with known ones."""
    start, end = (np.concatenate([columns[side] for columns in links.values()] or [np.zeros(0, np.int64)]) for side in (0, 1))
    connected, size = known.copy(), -1
    while size != (size := int(connected.sum())):
        joined = connected[start] | connected[end]
        connected[start[joined]] = connected[end[joined]] = True
    return connected


def _expand_column(concepts: IntArray, counts: IntArray, members: IntArray) -> tuple[IntArray, IntArray]:
    """Return a row for each synset of each concept: the index of the concept, and the synset."""
    sizes = counts[concepts]
    rows = np.repeat(np.arange(len(concepts)), sizes)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rows, members[(np.cumsum(counts) - counts)[concepts][rows] + within]
