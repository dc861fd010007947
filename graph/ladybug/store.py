"""The embedded store: one LadybugDB file.

A handle can stay open across loads and can be used from several threads: each call checks whether a load has replaced the file,
and reads one file from beginning to end.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...core.messages import truncate
from ...core.progress import Progress, no_progress
from ..arrow_schema import node_columns, relationship_columns
from ..errors import StoreUnreadable
from ..records import (
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
from ..schema import NODES, RELATIONSHIPS, label_id
from .reader import WINDOW, FileSignature, Reader, file_signature, missing_store

if TYPE_CHECKING:
    import pyarrow as pa

    from .sandbox import Sandbox


COMPRESSED = (".gz", ".gzip")
"""Ends of names of files that the engine unpacks instead of opening them; it could write such a store but never read it."""


class EmbeddedStore:
    """A store in one file. Opening it reads nothing; the first load creates the file."""

    batch_size = 1
    persistent = True
    cheap_state_id = True

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.address = os.fspath(path)
        self.path = _resolve(self.address)
        self._lock = threading.RLock()
        self._reader: Reader | None = None
        self._sandbox: Sandbox | None = None
        self._sandbox_lock = threading.Lock()  # its own, because a long read holds the other

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and end the processes that run users' statements; statements that are running fail."""
        with self._sandbox_lock:
            sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None

    def signature(self) -> FileSignature | None:
        """Return the signature of the file, which changes with every load; None if there is no file."""
        return file_signature(self.path)

    def state_id(self) -> tuple[int, ...]:
        """Return the signature of the file without the time that ``chmod`` changes too; empty if there is no file."""
        return (self.signature() or ())[:3]

    def engine(self) -> str:
        """Return the name and version of the engine."""
        from importlib.metadata import version

        return f"LadybugDB {version('ladybug')}"

    @contextmanager
    def _open(self) -> Iterator[Reader]:
        """Open the current file at the path, for one call."""
        with self._lock:
            if self._reader is not None and self._reader.signature != self.signature():
                self._reader.close()
                self._reader = None
            if self._reader is None:
                self._reader = self._open_reader()
            yield self._reader

    def _open_reader(self) -> Reader:
        while True:
            reader = Reader(self.path)
            if reader.signature == self.signature():
                return reader
            reader.close()  # the file was replaced while it was being opened, so this could be either file

    def bases(self) -> list[Base]:
        """Return the bases, ordered by id."""
        with self._open() as reader:
            return reader.bases()

    def revision(self) -> int:
        """Return the newest revision of all bases, 0 in an empty store."""
        with self._open() as reader:
            return int(reader.rows("MATCH (b:Base) RETURN max(b.revision)")[0][0] or 0)

    def check_load(self, base: Base) -> None:
        """Raise the error with which ``replace_base`` would refuse a base before it reads a batch."""
        from .load import check_load

        check_load(self.path, base)

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Replace a base, or add it, atomically."""
        from .load import replace_base

        return replace_base(self.path, base, batches, progress)

    def remove_base(self, name: str, progress: Progress = no_progress) -> Base:
        """Remove a base atomically, with the stems that no other base has."""
        from .load import remove_base

        return remove_base(self.path, name, progress)

    def check(self) -> CheckedPart:
        """Compare the file with its digest; without a digest read all rows, in a process of its own."""
        from .check import check_file

        return check_file(self.path, _read_all)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each base its number of nodes by label and of relationships by type; stems under the empty name."""
        counts: dict[str, dict[str, int]] = {}
        with self._open() as reader:
            for base in reader.bases():
                counts[base.id] = {}
            for label, node in NODES.items():
                if label != "Base":
                    base_ = "''" if node.shared else "n.base"
                    _add_counts(counts, label, reader.rows(f"MATCH (n:`{label}`) RETURN {base_} AS base, count(*)"))
            for name, relationship in RELATIONSHIPS.items():
                for start, end in relationship.ends:
                    statement = f"MATCH (:`{start}`)-[r:`{name}`]->(b:`{end}`) RETURN b.base AS base, count(*)"
                    _add_counts(counts, name, reader.rows(statement))
        return counts

    def size(self) -> int | None:
        """Return the size of the file in bytes, or None."""
        signature = self.signature()
        return None if signature is None else signature[1]

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the properties of nodes, and their ``label``, by id; unknown ids are omitted."""
        result = {}
        with self._open() as reader:
            for id in dict.fromkeys(ids):
                for label in _labels_of(id):
                    properties = list(NODES[label].properties)
                    columns = ", ".join(f"n.`{name}`" for name in properties)
                    rows = reader.rows(f"MATCH (n:`{label}` {{id: $id}}) RETURN {columns}", {"id": id})
                    if rows:
                        result[id] = {"label": label, **dict(zip(properties, rows[0], strict=True))}
                        break
        return result

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """Return labels of a base by name, senses ordered by rank and entity; unknown names are omitted."""
        result = {}
        with self._open() as reader:
            for name in dict.fromkeys(names):
                entry = _entry(reader, label_id(base, name), name)
                if entry is not None:
                    result[name] = entry
        return result

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """Return for each stem the labels of a base that have it, ordered by name; stems without labels are omitted."""
        result = {}
        with self._open() as reader:
            for stem in dict.fromkeys(stems):
                names = sorted(
                    {name for (name,) in reader.rows(_FOLDED_FORMS if folded else _FORMS, {"id": stem, "base": base})}
                )
                entries = [_entry(reader, label_id(base, name), name) for name in names]
                if entries:
                    result[stem] = [entry for entry in entries if entry is not None]
        return result

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """Return for each stem the articles (id, name) whose title has it before a bracketed qualifier, ordered by id."""
        result: dict[str, list[tuple[str, str]]] = {}
        with self._open() as reader:
            for stem in dict.fromkeys(stems):
                articles = sorted(
                    (id, name)
                    for id, name in reader.rows(_FOLDED_ARTICLES if folded else _ARTICLES, {"stem": stem, "base": base})
                )
                if articles:
                    result[stem] = articles
        return result

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """Return for each article its stored links in reading order."""
        result = {}
        with self._open() as reader:
            for id in dict.fromkeys(ids):
                links = [
                    BodyLink(to, text or "", position, rank) for to, text, position, rank in reader.rows(_LINKS, {"id": id})
                ]
                result[id] = sorted(links, key=reading_order)
        return result

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """Return for each hashtag its stored synonyms, ordered by rank."""
        result = {}
        with self._open() as reader:
            for id in dict.fromkeys(ids):
                result[id] = sorted((Neighbour(*row) for row in reader.rows(_SYNONYMS, {"id": id})), key=rank_order)
        return result

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """Return for each id its relationships of some types, ordered by type, other end and lemmas."""
        result: dict[str, list[Edge]] = {}
        with self._open() as reader:
            for id in dict.fromkeys(ids):
                edges: list[Edge] = []
                for label, joined in _possible_ends(id, types, direction).items():
                    edges += _edges(reader, id, label, joined, direction)
                    if edges:  # an id names one node, so it has no other label
                        break
                result[id] = sorted(edges, key=_edge_order)
        return result

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all nodes of a label, or those of one base."""
        columns = node_columns(label)
        returned = ", ".join(f"n.`{name}`" for name in columns.names)
        of_base = "" if base is None or NODES[label].shared else " AND n.base = $base"
        statement = f"MATCH (n:`{label}`) WHERE {WINDOW.format('n')}{of_base} RETURN {returned}"
        yield from self._stream(label, statement, {"base": base} if of_base else {}, columns)

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all relationships of a type, or those whose target is of one base."""
        columns = relationship_columns(type)
        returned = "".join(f", r.`{name}`" for name in columns.names[2:])
        of_base = "" if base is None else " AND b.base = $base"
        for start, end in RELATIONSHIPS[type].ends:
            statement = (
                f"MATCH (a:`{start}`)-[r:`{type}`]->(b:`{end}`) WHERE {WINDOW.format('a')}{of_base} RETURN a.id, b.id{returned}"
            )
            yield from self._stream(start, statement, {"base": base} if of_base else {}, columns)

    def _stream(self, label: str, statement: str, parameters: dict[str, Any], columns: pa.Schema) -> Iterator[pa.RecordBatch]:
        with self._open_reader() as reader:  # a separate one, since other calls and loads may run between two rows
            yield from reader.stream(label, statement, parameters, columns)

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """Run one read-only statement in a child process; those that run at the same time do not wait for each other."""
        from ..cypher.guard import check_request, inline_parameters
        from .sandbox import Sandbox

        checked = check_request(statement, parameters, limit, timeout)
        text, typed, edits = inline_parameters(checked)
        if self.signature() is None:
            raise missing_store(self.path)
        with self._sandbox_lock:
            if self._sandbox is None:
                self._sandbox = Sandbox(self.path)
            sandbox = self._sandbox
        return sandbox.run(text, typed, checked, edits)


# Without this join hint, a type with few relationships is joined by reading every node: 10 ms instead of 0.1.
_FROM_A = "HINT (a JOIN r) JOIN b"
_ENTRY = (
    f"MATCH (a:Label {{id: $id}})-[r:SENSE|INFLECTION_OF]->(b) {_FROM_A} "
    "RETURN label(r), b.id, b.name, coalesce(r.pos, b.pos), r.uses, r.prior, r.rank, r.lemma"
)
_FORMS = f"MATCH (a:Stem {{id: $id}})-[r:FORM]->(b:Label) WHERE b.base = $base {_FROM_A} RETURN b.name"
_FOLDED_FORMS = f"MATCH (a:Stem {{id: $id}})-[r:FOLDS]->(b:Label) WHERE b.base = $base {_FROM_A} RETURN b.name"
_LINKS = (
    f"MATCH (a:Article {{id: $id}})-[r:LINKS_TO|LINKS_IN_PARENTHESES]->(b:Article) {_FROM_A} "
    "RETURN b.id, r.anchor, coalesce(r.place, 0), r.rank"
)
_SYNONYMS = (
    f"MATCH (a:Hashtag {{id: $id}})-[r:SYNONYM]->(b:Hashtag) {_FROM_A} RETURN b.id, coalesce(r.rank, 0), r.distance, b.tweets"
)
_ARTICLES = "MATCH (a:Article) WHERE a.stem = $stem AND a.base = $base RETURN a.id, a.name"
_FOLDED_ARTICLES = "MATCH (a:Article) WHERE a.folded_stem = $stem AND a.base = $base RETURN a.id, a.name"


def _read_all(path: str) -> None:
    """Read all rows of a store."""
    with EmbeddedStore(path) as store:
        store.counts()
        for label in NODES:
            deque(store.stream_nodes(label), maxlen=0)
        for type in RELATIONSHIPS:
            deque(store.stream_edges(type), maxlen=0)


def _resolve(address: str) -> Path:
    try:
        path = Path(os.path.realpath(address))
    except (OSError, ValueError) as error:  # such as a relative path when the working directory has been deleted
        reason = getattr(error, "strerror", None) or error
        raise StoreUnreadable(f"cannot reach the store {truncate(address)}: {reason}; use an absolute path") from error
    if address.endswith(os.sep):
        raise StoreUnreadable(f"{truncate(address)} names a folder, but a store is a file; choose another path")
    if path.suffix.casefold() in COMPRESSED:
        raise StoreUnreadable(
            f"the engine takes a store named {path.name} for a compressed file, because its name ends in {path.suffix};"
            " choose another name, or rename the store"
        )
    return path


def _add_counts(counts: dict[str, dict[str, int]], kind: str, rows: list[list[Any]]) -> None:
    for base, number in rows:
        if number:
            of_base = counts.setdefault(base, {})
            of_base[kind] = of_base.get(kind, 0) + number


def _labels_of(id: str) -> list[str]:
    """Return the labels that a node with this id can have; a stem can be any text."""
    separator = next((character for character in id if character in ":/"), "")
    if separator == "/":
        return ["Label", "Stem"]
    entities = [label for label in NODES if label not in ("Base", "Stem", "Label")]
    return [*entities, "Stem"] if separator == ":" else ["Stem"]


def _possible_ends(id: str, types: Sequence[str], direction: Direction) -> dict[str, list[tuple[str, str]]]:
    """Return, for each label that a node with this id can have, the types it may join and the labels of their other ends."""
    own, other = (0, 1) if direction == "out" else (1, 0)
    possible = _labels_of(id)
    result: dict[str, list[tuple[str, str]]] = {}
    for name in dict.fromkeys(types):
        for ends in RELATIONSHIPS[name].ends:
            if ends[own] in possible:
                result.setdefault(ends[own], []).append((name, ends[other]))
    return result


def _edges(reader: Reader, id: str, label: str, joined: list[tuple[str, str]], direction: Direction) -> Iterator[Edge]:
    """Yield the relationships of a node: one statement for each label of the other ends, which may join several types."""
    left, right = ("-", "->") if direction == "out" else ("<-", "-")
    for other in sorted({end for _, end in joined}):
        types = sorted(name for name, end in joined if end == other)
        breadths = sorted({breadth for name in types if (breadth := RELATIONSHIPS[name].breadth) is not None})
        start, end = ("a", "b") if direction == "out" else ("b", "a")
        columns = ["label(r)", "b.id"]
        for property in ("from_lemma", "to_lemma", "instance"):
            is_declared = any(property in RELATIONSHIPS[name].properties for name in types)
            columns.append(f"r.{property}" if is_declared else "NULL")
        of_synsets = (f"{start}.pos", f"{end}.pos", f"{start}.descendants", f"{end}.descendants")
        columns += of_synsets if label == other == "Synset" else ["NULL"] * len(of_synsets)
        columns += [f"{end}.`{breadth}`" for breadth in breadths]
        pattern = "|".join(f"`{name}`" for name in types)
        match = f"MATCH (a:`{label}` {{id: $id}}){left}[r:{pattern}]{right}(b:`{other}`)"
        statement = f"{match} {_FROM_A} RETURN {', '.join(columns)}"
        for name, id_, from_lemma, to_lemma, instance, *values in reader.rows(statement, {"id": id}):
            breadth = RELATIONSHIPS[name].breadth
            value = None if breadth is None else values[len(of_synsets) + breadths.index(breadth)]
            yield Edge(name, id_, value, from_lemma, to_lemma, bool(instance), *values[: len(of_synsets)])


def _edge_order(edge: Edge) -> tuple[str, str, str, str]:
    return edge.type, edge.other, edge.from_lemma or "", edge.to_lemma or ""


def _entry(reader: Reader, id: str, name: str) -> LabelEntry | None:
    uses = reader.rows("MATCH (l:Label {id: $id}) RETURN l.uses", {"id": id})
    if not uses:
        return None
    rows = reader.rows(_ENTRY, {"id": id})
    senses: list[Sense] = []
    inflections: list[tuple[str, str]] = []
    for type, entity, name_of, pos, count, prior, rank, lemma in rows:
        if type == "SENSE":
            senses.append(Sense(entity, count or 0, prior or 0.0, rank or 0, lemma, pos))
        else:
            inflections.append((name_of, pos or ""))
    senses.sort(key=lambda sense: (sense.rank, sense.entity, sense.lemma or ""))
    return LabelEntry(name, tuple(senses), tuple(sorted(inflections)), uses[0][0] or 0)
