"""The store on a Neo4j server: the same graph, shared by everybody who reaches the server.

What of a user's own data is on it is neither read as ours nor touched, see ``server_marks``; how a load stays atomic is told
in ``server_load``, how a read sees one state in ``server_reading``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...core.progress import Progress, no_progress
from ..arrow_schema import node_columns, relationship_columns
from ..records import Answer, Base, Batch, BodyLink, Direction, Edge, LabelEntry, Neighbour, Sense, by_rank, reading_order
from ..schema import NODES, RELATIONSHIPS, base_of, label_id
from . import consistent_reads, load
from .connection import Connection
from .markers import LIVE, STEM, loaded_labels, marker_label

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 5_000
"""Ids in one statement."""


class ServerStore:
    """A graph on a Neo4j server, 5.26 or later.

    Opening asks the server for nothing. User name, password and database come from ``NEO4J_USERNAME``, ``NEO4J_PASSWORD``
    and ``NEO4J_DATABASE`` unless they are given.

    >>> ServerStore("bolt://localhost:7687", "ann", "secret")
    ServerStore('bolt://localhost:7687')
    """

    batch_size = 200
    persistent = True
    cheap_state_id = False

    def __init__(
        self, address: str, username: str | None = None, password: str | None = None, database: str | None = None
    ) -> None:
        self._connection = Connection(address, username, password, database)
        self.address = self._connection.address

    def __repr__(self) -> str:
        return f"ServerStore({self.address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the server."""
        self._connection.close()

    def bases(self) -> list[Base]:
        """The bases that can be read, by id."""
        returned = "b.id, b.kind, b.source, b.revision, b.left_out, coalesce(b.language, ''), coalesce(b.load_options, '{}')"
        statement = f"MATCH (b:Base:{LIVE}) RETURN {returned} ORDER BY b.id"
        rows = consistent_reads.read_long(self._connection, None, lambda: self._connection.read(statement))
        return [
            Base(key, kind, source, revision, json.loads(left), language, json.loads(options))
            for key, kind, source, revision, left, language, options in rows
        ]

    def revision(self) -> int:
        """The newest revision of all bases, 0 for a server without any."""
        connection = self._connection

        def attempt() -> tuple[consistent_reads.Stamp, int, consistent_reads.Stamp]:
            found = consistent_reads.stamp(connection)
            return found, max((revision or 0 for _, _, revision in found), default=0), found

        return consistent_reads.settled(connection, attempt)

    def state_id(self) -> tuple[int, ...]:
        """The newest revision."""
        return (self.revision(),)

    def engine(self) -> str:
        """The server and its version."""
        self._connection.read("RETURN 1")
        return self._connection.agent.replace("/", " ")

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Put these rows in the place of everything the base had, atomically.

        Whatever else is on the server stays as it is. The load is refused, and nothing changed, if a node that wayword did
        not make has an id of this base under the same label, or if somebody has hung relationships, labels or properties of
        his own on nodes of the base that is to be replaced.
        """
        return load.replace_base(self._connection, base, batches, progress)

    def recover(self, progress: Progress = no_progress) -> bool:
        """Finish, or clean up after, a load that died; whether there was anything to do. Every load begins with it."""
        return load.recover(self._connection, progress)

    def counts(self) -> dict[str, dict[str, int]]:
        """For each base the number of its nodes by label and of its relationships by type; stems under the empty name."""
        return consistent_reads.read_long(self._connection, None, self._counts)

    def _counts(self) -> dict[str, dict[str, int]]:
        read = self._connection.read
        found: dict[str, dict[str, int]] = {id_: {} for (id_,) in read(f"MATCH (b:Base:{LIVE}) RETURN b.id ORDER BY b.id")}
        for statement in (_COUNT_NODES, _COUNT_STEMS, _count_edges()):
            for base, kind, number in read(statement, {"labels": loaded_labels()}):
                if number and (base in found or not base):
                    found.setdefault(base, {})[kind] = number
        return found

    def size(self) -> int | None:
        """None: a server does not tell how many bytes are ours."""
        return None

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The properties of these nodes, ``label`` among them; ids that are not stored are left out."""
        found: dict[str, dict[str, Any]] = {}
        for labels, properties in self._each(_NODES, ids):
            label = next((label for label in labels if label in NODES), None)
            if label is None:  # a stranger's node, under our very mark
                continue
            found.setdefault(
                properties["id"], {"label": label, **{name: properties.get(name) for name in NODES[label].properties}}
            )
        return {id_: found[id_] for id_ in dict.fromkeys(ids) if id_ in found}

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """The entries of these labels of a base, senses by rank and entity; names that are not stored are left out."""
        wanted = {label_id(base, name): name for name in names}
        found = {wanted[id_]: _entry(*facts) for id_, *facts in self._each(_LABELS, list(wanted))}
        return {name: found[name] for name in wanted.values() if name in found}

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """For each stem the entries of the base's labels that have it, by name; stems without any are left out."""
        found: dict[str, dict[str, LabelEntry]] = {}
        for stem, *facts in self._each(_FOLDED_STEMS if folded else _STEMS, stems, base=base):
            entry = _entry(*facts)
            found.setdefault(stem, {})[entry.name] = entry
        return {stem: [found[stem][name] for name in sorted(found[stem])] for stem in dict.fromkeys(stems) if stem in found}

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """For each stem the articles (id, name) whose title has it before a bracketed end, by id; others are left out."""
        found: dict[str, list[tuple[str, str]]] = {}
        for stem, id_, name in self._each(_FOLDED_BRACKETED if folded else _BRACKETED, stems, base=base):
            found.setdefault(stem, []).append((id_, name))
        return {stem: sorted(found[stem]) for stem in dict.fromkeys(stems) if stem in found}

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """For each article the links that are stored of it, in reading order."""
        found: dict[str, list[BodyLink]] = {id_: [] for id_ in ids}
        for id_, other, anchor, place, rank in self._each(_LINKS, list(found)):
            found[id_].append(BodyLink(other, anchor or "", place or 0, rank))
        return {id_: sorted(links, key=reading_order) for id_, links in found.items()}

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """For each hashtag those that are stored as its synonyms, by rank."""
        found: dict[str, list[Neighbour]] = {id_: [] for id_ in ids}
        for id_, other, rank, distance, tweets in self._each(_SYNONYMS, list(found)):
            found[id_].append(Neighbour(other, rank or 0, distance, tweets))
        return {id_: sorted(synonyms, key=by_rank) for id_, synonyms in found.items()}

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """For each id its relationships of these types in one direction, ordered by type, other end and lemmas."""
        found: dict[str, list[Edge]] = {id_: [] for id_ in ids}
        wanted = sorted(set(types))
        for shared in (False, True):
            some = [name for name in wanted if NODES[RELATIONSHIPS[name].ends[0][0]].shared is shared]
            if not some:
                continue
            breadths = sorted({breadth for name in some if (breadth := RELATIONSHIPS[name].breadth) is not None})
            statement = _expand(tuple(some), direction, shared, tuple(breadths))
            for id_, type_, other, from_lemma, to_lemma, *values in self._each(statement, list(found), everywhere=shared):
                breadth = RELATIONSHIPS[type_].breadth
                value = None if breadth is None else values[breadths.index(breadth)]
                found[id_].append(Edge(type_, other, value, from_lemma, to_lemma))
        for edges in found.values():
            edges.sort(key=lambda edge: (edge.type, edge.other, edge.from_lemma or "", edge.to_lemma or ""))
        return found

    def _each(
        self, statement: str, ids: Sequence[str], *, everywhere: bool = False, base: str | None = None
    ) -> Iterator[list[Any]]:
        """The rows of a short statement over many ids, each piece of one state of this base, of those they name, or of all."""
        distinct = list(dict.fromkeys(ids))
        for start in range(0, len(distinct), AT_ONCE):
            some = distinct[start : start + AT_ONCE]
            bases = None if everywhere else {base_of(id_) for id_ in some} if base is None else {base}
            yield from consistent_reads.read_short(self._connection, statement, bases, {"ids": some, "base": base})

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All nodes of a label (of one base), with the columns of the schema."""
        columns = node_columns(label)
        returned = ", ".join(f"n.{name}" for name in columns.names)
        only = "" if base is None or NODES[label].shared else "WHERE n.base = $base "
        statement = f"MATCH (n:{label}:{marker_label(label)}) {only}RETURN {returned}"
        some = [base] if only and base else None
        yield from consistent_reads.spooled(self._connection, some, statement, {"base": base}, columns)

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """All relationships of a type (whose target is of one base): ``from``, ``to`` and the columns of the schema."""
        columns = relationship_columns(type)
        returned = "".join(f", r.{name}" for name in columns.names[2:])
        start = marker_label(RELATIONSHIPS[type].ends[0][0])
        only = "" if base is None else "WHERE b.base = $base "
        statement = f"MATCH (a:{start})-[r:{type}]->(b:{LIVE}) {only}RETURN a.id, b.id{returned}"
        some = None if base is None else [base]
        yield from consistent_reads.spooled(self._connection, some, statement, {"base": base}, columns)

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """The rows of one read-only statement.

        The server may hold other data than ours, and a statement sees what it names: also nodes of the user's own.
        """
        from ..cypher.guard import check_limits, check_statement
        from .user_cypher import run_statement

        check_limits(limit, timeout)
        given = check_statement(statement, parameters)
        connection = self._connection
        return consistent_reads.read_long(connection, None, lambda: run_statement(connection, statement, given, limit, timeout))


_COUNT_NODES = f"""MATCH (n:{LIVE}) WHERE n.base IS NOT NULL
WITH n.base AS base, head([label IN labels(n) WHERE label IN $labels]) AS label
WHERE label IS NOT NULL RETURN base, label, count(*) ORDER BY base, label"""
_COUNT_STEMS = f"MATCH (n:{STEM}) RETURN '', 'Stem', count(*)"


def _count_edges() -> str:
    return f"""MATCH (a)-[r:{"|".join(RELATIONSHIPS)}]->(b:{LIVE}) WHERE a:{LIVE} OR a:{STEM}
RETURN b.base AS base, type(r) AS type, count(*) ORDER BY base, type"""


_NODES = consistent_reads.short(
    f"""UNWIND $ids AS id
CALL (id) {{ MATCH (n:{LIVE} {{id: id}}) RETURN n UNION ALL MATCH (n:{STEM} {{id: id}}) RETURN n }}
RETURN collect([labels(n), properties(n)]) AS rows"""
)

_OF_LABEL = f"""l.name, l.uses, [(l)-[s:SENSE]->(e:{LIVE}) | [e.id, s.uses, s.prior, s.rank, s.lemma, e.pos]],
 [(l)-[i:INFLECTION_OF]->(o:{LIVE}) | [o.name, i.pos]]"""
_LABELS = consistent_reads.short(
    f"UNWIND $ids AS id MATCH (l:{LIVE} {{id: id}}) WHERE l:Label RETURN collect([id, {_OF_LABEL}]) AS rows"
)
_STEMS, _FOLDED_STEMS = (
    consistent_reads.short(
        f"""UNWIND $ids AS id MATCH (:{STEM} {{id: id}})-[:{type}]->(l:{LIVE}) WHERE l.base = $base
RETURN collect([id, {_OF_LABEL}]) AS rows"""
    )
    for type in ("FORM", "FOLDS")
)
_LINKS = consistent_reads.short(
    f"""UNWIND $ids AS id MATCH (:{LIVE} {{id: id}})-[r:LINKS_TO|LINKS_IN_PARENTHESES]->(a:{LIVE})
RETURN collect([id, a.id, r.anchor, r.place, r.rank]) AS rows"""
)
_SYNONYMS = consistent_reads.short(
    f"""UNWIND $ids AS id MATCH (:{LIVE} {{id: id}})-[r:SYNONYM]->(h:{LIVE})
RETURN collect([id, h.id, r.rank, r.distance, h.tweets]) AS rows"""
)
_BRACKETED, _FOLDED_BRACKETED = (
    consistent_reads.short(
        f"""UNWIND $ids AS id MATCH (a:Article:{LIVE} {{{key}: id}}) WHERE a.base = $base
RETURN collect([id, a.id, a.name]) AS rows"""
    )
    for key in ("stem", "folded_stem")
)


def _entry(name: str, uses: int | None, senses: list[list[Any]], inflections: list[list[Any]]) -> LabelEntry:
    read = [Sense(entity, count or 0, prior or 0.0, rank or 0, *facts) for entity, count, prior, rank, *facts in senses]
    read.sort(key=lambda sense: (sense.rank, sense.entity, sense.lemma or ""))
    return LabelEntry(name, tuple(read), tuple(sorted((of, pos or "") for of, pos in inflections)), uses or 0)


def _expand(types: tuple[str, ...], direction: Direction, shared: bool, breadths: tuple[str, ...]) -> str:
    """The statement that expands many nodes; the start of a shared type is a stem."""
    here, there = (STEM if shared else LIVE, LIVE) if direction == "out" else (LIVE, STEM if shared else LIVE)
    left, right = ("-", "->") if direction == "out" else ("<-", "-")
    general = "m" if direction == "out" else "n"
    values = "".join(f", {general}.{breadth}" for breadth in breadths)
    return consistent_reads.short(
        f"""UNWIND $ids AS id MATCH (n:{here} {{id: id}}){left}[r:{"|".join(types)}]{right}(m:{there})
RETURN collect([id, type(r), m.id, r.from_lemma, r.to_lemma{values}]) AS rows"""
    )
