"""The in-memory store: for notebooks, and the oracle of the contract tests.

It is deliberately simple: plain dictionaries, and a load works on a copy that replaces the content at its end.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..core.progress import Progress, no_progress
from .arrow_schema import node_columns, relationship_columns
from .errors import CypherRefused, LoadError
from .records import (
    Answer,
    Base,
    Batch,
    BodyLink,
    CheckedPart,
    Direction,
    Edge,
    LabelEntry,
    Neighbour,
    Sense,
    rank_order,
    reading_order,
)
from .schema import NODES, RELATIONSHIPS, base_of, label_id
from .validation import check_base, check_kind, conform, missing_base

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]


@dataclass
class _Content:
    """The stored graph: nodes by id, relationships by type."""

    bases: dict[str, Base] = field(default_factory=dict)
    stems: dict[str, Row] = field(default_factory=dict)
    nodes: dict[str, tuple[str, Row]] = field(default_factory=dict)
    edges: dict[str, list[tuple[tuple[str, str], Row]]] = field(default_factory=lambda: defaultdict(list))


class MemoryStore:
    """A store without Cypher that is lost when it is closed."""

    address = "memory:"
    batch_size = 1_000
    persistent = False
    cheap_state_id = True

    def __init__(self) -> None:
        self._content = _Content()
        self._load_lock = threading.Lock()
        self._adjacency: tuple[_Content, dict[tuple[str, Direction], list[tuple[str, Row]]]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Discard the content."""
        self._content = _Content()
        self._adjacency = None

    def bases(self) -> list[Base]:
        """Return the bases, ordered by id."""
        content = self._content
        return [content.bases[name] for name in sorted(content.bases)]

    def revision(self) -> int:
        """Return the newest revision of all bases, 0 in an empty store."""
        return max((base.revision for base in self.bases()), default=0)

    def state_id(self) -> tuple[int, ...]:
        """Return the revisions of all bases."""
        return tuple(base.revision for base in self.bases())

    def engine(self) -> str:
        """Return ``memory``."""
        return "memory"

    def check_load(self, base: Base) -> None:
        """Raise ``LoadError`` if the name of the base is invalid, or a base of another kind has it."""
        check_base(base)
        stored = self._content.bases.get(base.id)
        check_kind(base, stored)

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Replace a base, or add it, atomically."""
        with self._load_lock:
            self.check_load(base)
            old = self._content.bases.get(base.id)
            content = self._copy_without(base.id)
            count = 0
            for batch in batches:
                rows = conform(batch, base.id).to_pylist()
                if batch.ends is None:
                    _add_nodes(content, batch.type, rows)
                else:
                    content.edges[batch.type].extend((batch.ends, row) for row in rows)
                count += len(rows)
                progress("reading", count, None)
            _check_ends(content)
            revision = max(self.revision() + 1, time.time_ns() // 1000)
            stored = replace(base, revision=revision, left_out=dict(base.left_out), options=dict(base.options))
            content.bases[base.id] = stored
            self._content = content
        return replace(stored, replaced_revision=old.revision if old else None)

    def remove_base(self, name: str, progress: Progress = no_progress) -> Base:  # noqa: ARG002 - it takes no time
        """Remove a base atomically, with the stems that no other base has."""
        with self._load_lock:
            if name not in self._content.bases:
                raise missing_base(self.address, name, sorted(self._content.bases))
            removed = self._content.bases[name]
            self._content = self._copy_without(name)
        return removed

    def _copy_without(self, name: str) -> _Content:
        """Copy everything but one base, and the stems that only its labels have."""
        old, copy = self._content, _Content()
        copy.bases = {id: base for id, base in old.bases.items() if id != name}
        copy.nodes = {id: node for id, node in old.nodes.items() if base_of(id) != name}
        for type, edges in old.edges.items():
            copy.edges[type] = [edge for edge in edges if base_of(edge[1]["to"]) != name]
        used = {edge["from"] for type in ("FORM", "FOLDS") for _, edge in copy.edges[type]}
        copy.stems = {id: row for id, row in old.stems.items() if id in used}
        return copy

    def check(self) -> CheckedPart:
        """Return that nothing is damaged."""
        return CheckedPart("store", self.address, "sound")

    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each base its number of nodes by label and of relationships by type; stems under the empty name."""
        content = self._content
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for id, (label, _) in content.nodes.items():
            counts[base_of(id)][label] += 1
        for type, edges in content.edges.items():
            for _, edge in edges:
                counts[base_of(edge["to"])][type] += 1
        if content.stems:
            counts[""]["Stem"] = len(content.stems)
        return {base: dict(of_base) for base, of_base in counts.items()}

    def size(self) -> int | None:
        """Return None: there is no file."""
        return None

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the properties of nodes, and their ``label``, by id; unknown ids are omitted."""
        content = self._content
        result = {id: {"label": content.nodes[id][0], **content.nodes[id][1]} for id in ids if id in content.nodes}
        return result | {id: {"label": "Stem", "id": id} for id in ids if id in content.stems}

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """Return labels of a base by name, senses ordered by rank and entity; unknown names are omitted."""
        content = self._content
        return {name: self._entry(content, base, name) for name in names if label_id(base, name) in content.nodes}

    def _entry(self, content: _Content, base: str, name: str) -> LabelEntry:
        senses, inflections = [], []
        for type, edge in self._edges(content, label_id(base, name), "out"):
            if type == "SENSE":
                numbers = (edge["uses"] or 0, edge["prior"] or 0.0, edge["rank"] or 0)
                senses.append(Sense(edge["to"], *numbers, edge["lemma"], content.nodes[edge["to"]][1].get("pos")))
            elif type == "INFLECTION_OF":
                inflections.append((content.nodes[edge["to"]][1]["name"], edge["pos"] or ""))
        senses.sort(key=lambda sense: (sense.rank, sense.entity, sense.lemma or ""))
        uses = content.nodes[label_id(base, name)][1]["uses"] or 0
        return LabelEntry(name, tuple(senses), tuple(sorted(inflections)), uses)

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """Return for each stem the labels of a base that have it, ordered by name; stems without labels are omitted."""
        result = {}
        form = "FOLDS" if folded else "FORM"
        for stem in stems:
            forms = [edge["to"] for type, edge in self._edges(self._content, stem, "out") if type == form]
            names = sorted({self._content.nodes[id][1]["name"] for id in forms if base_of(id) == base})
            if names:
                result[stem] = list(self.labels(base, names).values())
        return result

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """Return for each stem the articles (id, name) whose title has it before a bracketed qualifier, ordered by id."""
        result: dict[str, list[tuple[str, str]]] = {}
        key = "folded_stem" if folded else "stem"
        for id, (label, row) in sorted(self._content.nodes.items()):
            if label == "Article" and row["base"] == base and row[key] in stems:
                result.setdefault(row[key], []).append((id, row["name"]))
        return {stem: result[stem] for stem in stems if stem in result}

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """Return for each article its stored links in reading order."""
        result = {}
        for id in ids:
            links = [
                BodyLink(edge["to"], edge["anchor"] or "", edge["place"] or 0, edge.get("rank"))
                for type, edge in self._edges(self._content, id, "out")
                if type in ("LINKS_TO", "LINKS_IN_PARENTHESES")
            ]
            result[id] = sorted(links, key=reading_order)
        return result

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """Return for each hashtag its stored synonyms, ordered by rank."""
        content, result = self._content, {}
        for id in ids:
            synonyms = [
                Neighbour(edge["to"], edge["rank"] or 0, edge["distance"], content.nodes[edge["to"]][1]["tweets"])
                for type, edge in self._edges(content, id, "out")
                if type == "SYNONYM"
            ]
            result[id] = sorted(synonyms, key=rank_order)
        return result

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """Return for each id its relationships of some types, ordered by type, other end and lemmas."""
        content = self._content
        result = {}
        for id in ids:
            edges = [
                Edge(
                    type,
                    edge["to" if direction == "out" else "from"],
                    _breadth(content, type, edge),
                    edge.get("from_lemma"),
                    edge.get("to_lemma"),
                    bool(edge.get("instance")),
                    *_properties_of_synsets(content, edge),
                )
                for type, edge in self._edges(content, id, direction)
                if type in types
            ]
            result[id] = sorted(edges, key=lambda edge: (edge.type, edge.other, edge.from_lemma or "", edge.to_lemma or ""))
        return result

    def _edges(self, content: _Content, id: str, direction: Direction) -> list[tuple[str, Row]]:
        if self._adjacency is None or self._adjacency[0] is not content:
            adjacency: dict[tuple[str, Direction], list[tuple[str, Row]]] = {}
            for type, edges in content.edges.items():
                for _, edge in edges:
                    adjacency.setdefault((edge["from"], "out"), []).append((type, edge))
                    adjacency.setdefault((edge["to"], "in"), []).append((type, edge))
            self._adjacency = (content, adjacency)
        return self._adjacency[1].get((id, direction), [])

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all nodes of a label, or those of one base."""
        content = self._content
        if label == "Base":
            rows = [{"loading": None, **stored.to_row()} for stored in content.bases.values()]
        elif label == "Stem":
            rows = list(content.stems.values())
        else:
            rows = [row for id, (kind, row) in content.nodes.items() if kind == label and base in (None, base_of(id))]
        yield from _batches(rows, node_columns(label))

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all relationships of a type, or those whose target is of one base."""
        rows = [edge for _, edge in self._content.edges[type] if base in (None, base_of(edge["to"]))]
        yield from _batches(rows, relationship_columns(type))

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """Raise ``CypherRefused``: for what is wrong with the statement, or because there is no engine."""
        from .cypher.guard import check_request

        check_request(statement, parameters, limit, timeout)
        raise CypherRefused("an in-memory store has no Cypher; open a path or a bolt:// URL")


def _add_nodes(content: _Content, label: str, rows: Iterable[Row]) -> None:
    for row in rows:
        if NODES[label].shared:
            content.stems.setdefault(row["id"], row)
        elif row["id"] in content.nodes:
            raise LoadError(f"two rows have the id {row['id']!r}, the second is a {label}; give each node its own id")
        else:
            content.nodes[row["id"]] = (label, row)


def _check_ends(content: _Content) -> None:
    for type, edges in content.edges.items():
        for ends, edge in edges:
            for column, label in zip(("from", "to"), ends, strict=True):
                id = edge[column]
                stored = "Stem" if label == "Stem" and id in content.stems else content.nodes.get(id, ("",))[0]
                if stored != label:
                    raise LoadError(f"a {type} leads from or to {id!r}, which is not a {label} of this load")


def _breadth(content: _Content, type: str, edge: Row) -> int | None:
    name = RELATIONSHIPS[type].breadth
    return None if name is None else content.nodes[edge["to"]][1][name]


def _properties_of_synsets(content: _Content, edge: Row) -> Iterator[Any]:
    """Yield the part of speech and the descendants of both ends if they are synsets."""
    ends = [content.nodes.get(edge[end], ("", {})) for end in ("from", "to")]
    if all(label == "Synset" for label, _ in ends):
        yield from (row[name] for name in ("pos", "descendants") for _, row in ends)


def _batches(rows: list[Row], columns: pa.Schema) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for start in range(0, len(rows), 10_000):
        yield pa.RecordBatch.from_pylist(rows[start : start + 10_000], schema=columns)
