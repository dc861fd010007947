"""A store in plain dictionaries: a graph for a notebook that need not last, and the oracle of the contract tests.

It is simple on purpose. A load works on a copy and replaces the content at its end, so it is atomic.
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
from .records import Answer, Base, Batch, BodyLink, Direction, Edge, LabelEntry, Neighbour, Sense, by_rank, reading_order
from .schema import NODES, RELATIONSHIPS, base_of, label_id
from .validation import check_base, conform

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]


@dataclass
class _Content:
    """Everything that is stored: nodes by id, relationships by type."""

    bases: dict[str, Base] = field(default_factory=dict)
    stems: dict[str, Row] = field(default_factory=dict)
    nodes: dict[str, tuple[str, Row]] = field(default_factory=dict)
    edges: dict[str, list[tuple[tuple[str, str], Row]]] = field(default_factory=lambda: defaultdict(list))


class MemoryStore:
    """A store that lives as long as this handle."""

    address = "memory:"
    batch_size = 1_000
    persistent = False
    cheap_state_id = True

    def __init__(self) -> None:
        self._content = _Content()
        self._loading = threading.Lock()
        self._around: tuple[_Content, dict[tuple[str, Direction], list[tuple[str, Row]]]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Discard the content."""
        self._content = _Content()
        self._around = None

    def bases(self) -> list[Base]:
        """The bases that can be read, by id."""
        content = self._content
        return [content.bases[name] for name in sorted(content.bases)]

    def revision(self) -> int:
        """The newest revision of all bases, 0 for an empty store."""
        return max((base.revision for base in self.bases()), default=0)

    def state_id(self) -> tuple[int, ...]:
        """The revision."""
        return (self.revision(),)

    def engine(self) -> str:
        """What this store is."""
        return "memory"

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Put these rows in the place of everything the base had, atomically."""
        check_base(base)
        with self._loading:
            content = self._kept(base.id)
            taken = 0
            for batch in batches:
                rows = conform(batch, base.id).to_pylist()
                if batch.ends is None:
                    _add_nodes(content, batch.type, rows)
                else:
                    content.edges[batch.type].extend((batch.ends, row) for row in rows)
                taken += len(rows)
                progress("reading", taken, None)
            _check_ends(content)
            revision = max(self.revision() + 1, time.time_ns() // 1000)
            done = replace(base, revision=revision, left_out=dict(base.left_out), options=dict(base.options))
            content.bases[base.id] = done
            self._content = content
        return done

    def _kept(self, name: str) -> _Content:
        """A copy of everything but one base."""
        old, kept = self._content, _Content()
        kept.bases = {id: base for id, base in old.bases.items() if id != name}
        kept.nodes = {id: node for id, node in old.nodes.items() if base_of(id) != name}
        for type, edges in old.edges.items():
            kept.edges[type] = [edge for edge in edges if base_of(edge[1]["to"]) != name]
        used = {edge["from"] for type in ("FORM", "FOLDS") for _, edge in kept.edges[type]}
        kept.stems = {id: row for id, row in old.stems.items() if id in used}
        return kept

    def counts(self) -> dict[str, dict[str, int]]:
        """For each base the number of its nodes by label and of its relationships by type; stems under the empty name."""
        content = self._content
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for id, (label, _) in content.nodes.items():
            found[base_of(id)][label] += 1
        for type, edges in content.edges.items():
            for _, edge in edges:
                found[base_of(edge["to"])][type] += 1
        if content.stems:
            found[""]["Stem"] = len(content.stems)
        return {base: dict(counted) for base, counted in found.items()}

    def size(self) -> int | None:
        """None: a graph in memory has no file."""
        return None

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The properties of these nodes, ``label`` among them; ids that are not stored are left out."""
        content = self._content
        found = {id: {"label": content.nodes[id][0], **content.nodes[id][1]} for id in ids if id in content.nodes}
        return found | {id: {"label": "Stem", "id": id} for id in ids if id in content.stems}

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """The entries of these labels of a base, senses by rank and entity; names that are not stored are left out."""
        content = self._content
        return {name: self._entry(content, base, name) for name in names if label_id(base, name) in content.nodes}

    def _entry(self, content: _Content, base: str, name: str) -> LabelEntry:
        senses, inflections = [], []
        for type, edge in self._edges(content, label_id(base, name), "out"):
            if type == "SENSE":
                figures = (edge["uses"] or 0, edge["prior"] or 0.0, edge["rank"] or 0)
                senses.append(Sense(edge["to"], *figures, edge["lemma"], content.nodes[edge["to"]][1].get("pos")))
            elif type == "INFLECTION_OF":
                inflections.append((content.nodes[edge["to"]][1]["name"], edge["pos"] or ""))
        senses.sort(key=lambda sense: (sense.rank, sense.entity, sense.lemma or ""))
        uses = content.nodes[label_id(base, name)][1]["uses"] or 0
        return LabelEntry(name, tuple(senses), tuple(sorted(inflections)), uses)

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """For each stem the entries of the base's labels that have it, by name; stems without any are left out."""
        found = {}
        wanted = "FOLDS" if folded else "FORM"
        for stem in stems:
            forms = [edge["to"] for type, edge in self._edges(self._content, stem, "out") if type == wanted]
            names = sorted({self._content.nodes[id][1]["name"] for id in forms if base_of(id) == base})
            if names:
                found[stem] = list(self.labels(base, names).values())
        return found

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """For each stem the articles (id, name) whose title has it before a bracketed end, by id; others are left out."""
        found: dict[str, list[tuple[str, str]]] = {}
        key = "folded_stem" if folded else "stem"
        for id, (label, row) in sorted(self._content.nodes.items()):
            if label == "Article" and row["base"] == base and row[key] in stems:
                found.setdefault(row[key], []).append((id, row["name"]))
        return {stem: found[stem] for stem in stems if stem in found}

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """For each article the links that are stored of it, in reading order."""
        found = {}
        for id in ids:
            links = [
                BodyLink(edge["to"], edge["anchor"] or "", edge["place"] or 0, edge.get("rank"))
                for type, edge in self._edges(self._content, id, "out")
                if type in ("LINKS_TO", "LINKS_IN_PARENTHESES")
            ]
            found[id] = sorted(links, key=reading_order)
        return found

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """For each hashtag those that are stored as its synonyms, by rank."""
        content, found = self._content, {}
        for id in ids:
            synonyms = [
                Neighbour(edge["to"], edge["rank"] or 0, edge["distance"], content.nodes[edge["to"]][1]["tweets"])
                for type, edge in self._edges(content, id, "out")
                if type == "SYNONYM"
            ]
            found[id] = sorted(synonyms, key=by_rank)
        return found

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """For each id its relationships of these types in one direction, ordered by type, other end and lemmas."""
        content = self._content
        found = {}
        for id in ids:
            edges = [
                Edge(
                    type,
                    edge["to" if direction == "out" else "from"],
                    _breadth(content, type, edge),
                    edge.get("from_lemma"),
                    edge.get("to_lemma"),
                )
                for type, edge in self._edges(content, id, direction)
                if type in types
            ]
            found[id] = sorted(edges, key=lambda edge: (edge.type, edge.other, edge.from_lemma or "", edge.to_lemma or ""))
        return found

    def _edges(self, content: _Content, id: str, direction: Direction) -> list[tuple[str, Row]]:
        if self._around is None or self._around[0] is not content:
            around: dict[tuple[str, Direction], list[tuple[str, Row]]] = {}
            for type, edges in content.edges.items():
                for _, edge in edges:
                    around.setdefault((edge["from"], "out"), []).append((type, edge))
                    around.setdefault((edge["to"], "in"), []).append((type, edge))
            self._around = (content, around)
        return self._around[1].get((id, direction), [])

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All nodes of a label (of one base), with the columns of the schema."""
        content = self._content
        if NODES[label].shared:
            rows = list(content.stems.values())
        else:
            rows = [row for id, (kind, row) in content.nodes.items() if kind == label and base in (None, base_of(id))]
        yield from _batches(rows, node_columns(label))

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All relationships of a type (whose target is of one base): ``from``, ``to`` and the columns of the schema."""
        rows = [edge for _, edge in self._content.edges[type] if base in (None, base_of(edge["to"]))]
        yield from _batches(rows, relationship_columns(type))

    def cypher(
        self,
        statement: str,  # noqa: ARG002
        parameters: Mapping[str, Any] | None = None,  # noqa: ARG002
        *,
        limit: int = 1000,  # noqa: ARG002
        timeout: float = 30.0,  # noqa: ARG002
    ) -> Answer:
        """Refused: a store in memory has no engine."""
        raise CypherRefused("a store in memory understands no Cypher; open a path or a bolt:// address")


def _add_nodes(content: _Content, label: str, rows: Iterable[Row]) -> None:
    for row in rows:
        if NODES[label].shared:
            content.stems.setdefault(row["id"], row)
        elif row["id"] in content.nodes:
            raise LoadError(f"two rows have the id {row['id']!r}, the second one a {label}; an id names one node")
        else:
            content.nodes[row["id"]] = (label, row)


def _check_ends(content: _Content) -> None:
    for type, edges in content.edges.items():
        for ends, edge in edges:
            for column, label in zip(("from", "to"), ends, strict=True):
                id = edge[column]
                stored = "Stem" if label == "Stem" and id in content.stems else content.nodes.get(id, ("",))[0]
                if stored != label:
                    raise LoadError(f"a {type} leads from or to {id!r}, which is no {label} of this load")


def _breadth(content: _Content, type: str, edge: Row) -> int | None:
    name = RELATIONSHIPS[type].breadth
    return None if name is None else content.nodes[edge["to"]][1][name]


def _batches(rows: list[Row], columns: pa.Schema) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for start in range(0, len(rows), 10_000):
        yield pa.RecordBatch.from_pylist(rows[start : start + 10_000], schema=columns)
