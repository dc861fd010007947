"""The store on a Neo4j server: the same graph, shared by everybody who can reach the server.

Users' own data on the server is neither read nor changed (``markers``). Loads are atomic (``load``), and every read sees one
state (``consistent_reads``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...core.progress import Progress, no_progress
from ..arrow_schema import node_columns, relationship_columns
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
from ..schema import NODES, RELATIONSHIPS, base_of, label_id
from . import consistent_reads, load
from .connection import Connection
from .markers import LIVE, STEM, loaded_labels, marker_label

if TYPE_CHECKING:
    import pyarrow as pa

IDS_PER_STATEMENT = 5_000


class ServerStore:
    """A store on a Neo4j server, 5.26 or later. Opening it does not connect to the server.

    Args:
        address: A URL such as ``bolt://localhost:7687``, which may contain user name and password.
        username: By default that of the URL, or ``NEO4J_USERNAME``.
        password: By default that of the URL, or ``NEO4J_PASSWORD``.
        database: By default ``NEO4J_DATABASE``, or the server's default.

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
        """Return the bases, ordered by id."""
        connection = self._connection
        return consistent_reads.read_consistently(connection, None, lambda: load.read_bases(connection), any_schema=True)

    def revision(self) -> int:
        """Return the newest revision of all bases, 0 in an empty store."""
        return max(self.state_id(), default=0)

    def state_id(self) -> tuple[int, ...]:
        """Return the revisions of all bases."""
        connection = self._connection

        def attempt() -> tuple[consistent_reads.BaseStates, tuple[int, ...], consistent_reads.BaseStates]:
            states = consistent_reads.read_states(connection)
            return states, tuple(revision or 0 for _, _, revision, _ in states), states

        return consistent_reads.retry_until_consistent(connection, attempt)

    def engine(self) -> str:
        """Return the name and version of the server."""
        self._connection.read("RETURN 1")
        return self._connection.agent.replace("/", " ")

    def check_load(self, base: Base) -> None:
        """Raise ``LoadError`` if the name of the base is invalid, or a base of another kind has it."""
        load.check_load(self._connection, base)

    def replace_base(self, base: Base, batches: Iterable[Batch], progress: Progress = no_progress) -> Base:
        """Replace a base, or add it, atomically. Other data on the server is not touched.

        Raises:
            LoadError: Also if a user's node has the label and id of a node of this base, or if a user has attached
                relationships, labels or properties to nodes of the base that is to be replaced.
        """
        return load.replace_base(self._connection, base, batches, progress)

    def remove_base(self, name: str, progress: Progress = no_progress) -> Base:
        """Remove a base atomically, with the stems that no other base has. Other data on the server is not touched.

        Raises:
            UnloadError: A user has attached relationships, labels or properties to nodes of the base.
        """
        return load.remove_base(self._connection, name, progress)

    def check(self) -> CheckedPart:
        """Compare the nodes, relationships and indexes with what the loads have recorded."""
        from .check import find_problems

        return CheckedPart.of("store", self.address, find_problems(self._connection, self.counts))

    def counts(self) -> dict[str, dict[str, int]]:
        """Return for each base its number of nodes by label and of relationships by type; stems under the empty name."""
        return consistent_reads.read_consistently(self._connection, None, self._counts)

    def _counts(self) -> dict[str, dict[str, int]]:
        read = self._connection.read
        counts: dict[str, dict[str, int]] = {id_: {} for (id_,) in read(f"MATCH (b:Base:{LIVE}) RETURN b.id ORDER BY b.id")}
        for statement in (_COUNT_NODES, _COUNT_STEMS, _count_edges()):
            for base, kind, number in read(statement, {"labels": loaded_labels()}):
                if number and (base in counts or not base):
                    counts.setdefault(base, {})[kind] = number
        return counts

    def size(self) -> int | None:
        """Return None: the server does not report the size of a part of its data."""
        return None

    def nodes(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the properties of nodes, and their ``label``, by id; unknown ids are omitted."""
        result: dict[str, dict[str, Any]] = {}
        for labels, properties in self._read(_NODES, ids):
            label = next((label for label in labels if label in NODES), None)
            if label is None:  # a user's node with our marker
                continue
            result.setdefault(
                properties["id"], {"label": label, **{name: properties.get(name) for name in NODES[label].properties}}
            )
        return {id_: result[id_] for id_ in dict.fromkeys(ids) if id_ in result}

    def labels(self, base: str, names: Sequence[str]) -> dict[str, LabelEntry]:
        """Return labels of a base by name, senses ordered by rank and entity; unknown names are omitted."""
        name_of = {label_id(base, name): name for name in names}
        result = {name_of[id_]: _entry(*fields) for id_, *fields in self._read(_LABELS, list(name_of))}
        return {name: result[name] for name in name_of.values() if name in result}

    def labels_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[LabelEntry]]:
        """Return for each stem the labels of a base that have it, ordered by name; stems without labels are omitted."""
        result: dict[str, dict[str, LabelEntry]] = {}
        for stem, *fields in self._read(_FOLDED_STEMS if folded else _STEMS, stems, base=base):
            entry = _entry(*fields)
            result.setdefault(stem, {})[entry.name] = entry
        return {stem: [result[stem][name] for name in sorted(result[stem])] for stem in dict.fromkeys(stems) if stem in result}

    def articles_by_stem(self, base: str, stems: Sequence[str], *, folded: bool = False) -> dict[str, list[tuple[str, str]]]:
        """Return for each stem the articles (id, name) whose title has it before a bracketed qualifier, ordered by id."""
        result: dict[str, list[tuple[str, str]]] = {}
        for stem, id_, name in self._read(_FOLDED_ARTICLES if folded else _ARTICLES, stems, base=base):
            result.setdefault(stem, []).append((id_, name))
        return {stem: sorted(result[stem]) for stem in dict.fromkeys(stems) if stem in result}

    def links(self, ids: Sequence[str]) -> dict[str, list[BodyLink]]:
        """Return for each article its stored links in reading order."""
        result: dict[str, list[BodyLink]] = {id_: [] for id_ in ids}
        for id_, other, anchor, position, rank in self._read(_LINKS, list(result)):
            result[id_].append(BodyLink(other, anchor or "", position or 0, rank))
        return {id_: sorted(links, key=reading_order) for id_, links in result.items()}

    def synonyms(self, ids: Sequence[str]) -> dict[str, list[Neighbour]]:
        """Return for each hashtag its stored synonyms, ordered by rank."""
        result: dict[str, list[Neighbour]] = {id_: [] for id_ in ids}
        for id_, other, rank, distance, tweets in self._read(_SYNONYMS, list(result)):
            result[id_].append(Neighbour(other, rank or 0, distance, tweets))
        return {id_: sorted(synonyms, key=rank_order) for id_, synonyms in result.items()}

    def edges(self, ids: Sequence[str], types: Sequence[str], direction: Direction) -> dict[str, list[Edge]]:
        """Return for each id its relationships of some types, ordered by type, other end and lemmas."""
        result: dict[str, list[Edge]] = {id_: [] for id_ in ids}
        for from_stems in (False, True):
            names = [name for name in sorted(set(types)) if NODES[RELATIONSHIPS[name].ends[0][0]].shared is from_stems]
            if not names:
                continue
            breadths = sorted({breadth for name in names if (breadth := RELATIONSHIPS[name].breadth) is not None})
            statement = _edges(tuple(names), direction, from_stems, tuple(breadths))
            for id_, type_, other, *properties, values in self._read(statement, list(result), all_bases=from_stems):
                breadth = RELATIONSHIPS[type_].breadth
                value = None if breadth is None else values[breadths.index(breadth)]
                from_lemma, to_lemma, instance, *of_synsets = properties
                if ("Synset", "Synset") not in RELATIONSHIPS[type_].ends:
                    of_synsets = []
                result[id_].append(Edge(type_, other, value, from_lemma, to_lemma, bool(instance), *of_synsets))
        for edges in result.values():
            edges.sort(key=lambda edge: (edge.type, edge.other, edge.from_lemma or "", edge.to_lemma or ""))
        return result

    def _read(
        self, statement: str, ids: Sequence[str], *, all_bases: bool = False, base: str | None = None
    ) -> Iterator[list[Any]]:
        """Yield the rows of a statement for many ids, in pieces.

        Each piece sees one state of ``base``, or of all bases, or by default of the bases of its ids.
        """
        distinct = list(dict.fromkeys(ids))
        for start in range(0, len(distinct), IDS_PER_STATEMENT):
            piece = distinct[start : start + IDS_PER_STATEMENT]
            bases = None if all_bases else {base_of(id_) for id_ in piece} if base is None else {base}
            yield from consistent_reads.read_statement(self._connection, statement, bases, {"ids": piece, "base": base})

    def stream_nodes(self, label: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all nodes of a label, or those of one base."""
        columns = node_columns(label)
        returned = ", ".join(f"n.{name}" for name in columns.names)
        of_base = "" if base is None or NODES[label].shared else "WHERE n.base = $base "
        statement = f"MATCH (n:{label}:{marker_label(label)}) {of_base}RETURN {returned}"
        bases = [base] if of_base and base else None
        yield from consistent_reads.stream(self._connection, bases, statement, {"base": base}, columns)

    def stream_edges(self, type: str, base: str | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all relationships of a type, or those whose target is of one base."""
        columns = relationship_columns(type)
        returned = "".join(f", r.{name}" for name in columns.names[2:])
        start = marker_label(RELATIONSHIPS[type].ends[0][0])
        of_base = "" if base is None else "WHERE b.base = $base "
        statement = f"MATCH (a:{start})-[r:{type}]->(b:{LIVE}) {of_base}RETURN a.id, b.id{returned}"
        bases = None if base is None else [base]
        yield from consistent_reads.stream(self._connection, bases, statement, {"base": base}, columns)

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 1000,
        timeout: float = 30.0,
    ) -> Answer:
        """Run one read-only statement. It can see all data on the server, users' own included."""
        from ..cypher.guard import check_request
        from .user_cypher import run_statement

        return run_statement(self._connection, check_request(statement, parameters, limit, timeout))


_COUNT_NODES = f"""MATCH (n:{LIVE}) WHERE n.base IS NOT NULL
WITH n.base AS base, head([label IN labels(n) WHERE label IN $labels]) AS label
WHERE label IS NOT NULL RETURN base, label, count(*) ORDER BY base, label"""
_COUNT_STEMS = f"MATCH (n:{STEM}) RETURN '', 'Stem', count(*)"


def _count_edges() -> str:
    return f"""MATCH (a)-[r:{"|".join(RELATIONSHIPS)}]->(b:{LIVE}) WHERE a:{LIVE} OR a:{STEM}
RETURN b.base AS base, type(r) AS type, count(*) ORDER BY base, type"""


_NODES = consistent_reads.make_statement(
    f"""UNWIND $ids AS id
CALL (id) {{ MATCH (n:{LIVE} {{id: id}}) RETURN n UNION ALL MATCH (n:{STEM} {{id: id}}) RETURN n }}
RETURN collect([labels(n), properties(n)]) AS rows"""
)

_ENTRY = f"""l.name, l.uses, [(l)-[s:SENSE]->(e:{LIVE}) | [e.id, s.uses, s.prior, s.rank, s.lemma, e.pos]],
 [(l)-[i:INFLECTION_OF]->(o:{LIVE}) | [o.name, i.pos]]"""
_LABELS = consistent_reads.make_statement(
    f"UNWIND $ids AS id MATCH (l:{LIVE} {{id: id}}) WHERE l:Label RETURN collect([id, {_ENTRY}]) AS rows"
)
_STEMS, _FOLDED_STEMS = (
    consistent_reads.make_statement(
        f"""UNWIND $ids AS id MATCH (:{STEM} {{id: id}})-[:{type}]->(l:{LIVE}) WHERE l.base = $base
RETURN collect([id, {_ENTRY}]) AS rows"""
    )
    for type in ("FORM", "FOLDS")
)
_LINKS = consistent_reads.make_statement(
    f"""UNWIND $ids AS id MATCH (:{LIVE} {{id: id}})-[r:LINKS_TO|LINKS_IN_PARENTHESES]->(a:{LIVE})
RETURN collect([id, a.id, r.anchor, r.place, r.rank]) AS rows"""
)
_SYNONYMS = consistent_reads.make_statement(
    f"""UNWIND $ids AS id MATCH (:{LIVE} {{id: id}})-[r:SYNONYM]->(h:{LIVE})
RETURN collect([id, h.id, r.rank, r.distance, h.tweets]) AS rows"""
)
_ARTICLES, _FOLDED_ARTICLES = (
    consistent_reads.make_statement(
        f"""UNWIND $ids AS id MATCH (a:Article:{LIVE} {{{key}: id}}) WHERE a.base = $base
RETURN collect([id, a.id, a.name]) AS rows"""
    )
    for key in ("stem", "folded_stem")
)


def _entry(name: str, uses: int | None, senses: list[list[Any]], inflections: list[list[Any]]) -> LabelEntry:
    ranked = [
        Sense(entity, count or 0, prior or 0.0, rank or 0, lemma, pos) for entity, count, prior, rank, lemma, pos in senses
    ]
    ranked.sort(key=lambda sense: (sense.rank, sense.entity, sense.lemma or ""))
    return LabelEntry(name, tuple(ranked), tuple(sorted((name_of, pos or "") for name_of, pos in inflections)), uses or 0)


def _edges(types: tuple[str, ...], direction: Direction, from_stems: bool, breadths: tuple[str, ...]) -> str:
    """Return the statement that reads relationships of many nodes; the sources are either all stems or all other nodes."""
    source = STEM if from_stems else LIVE
    own, other = (source, LIVE) if direction == "out" else (LIVE, source)
    left, right = ("-", "->") if direction == "out" else ("<-", "-")
    start, end = ("n", "m") if direction == "out" else ("m", "n")
    of_synsets = f"{start}.pos, {end}.pos, {start}.descendants, {end}.descendants"
    values = ", ".join(f"{end}.{breadth}" for breadth in breadths)
    return consistent_reads.make_statement(
        f"""UNWIND $ids AS id MATCH (n:{own} {{id: id}}){left}[r:{"|".join(types)}]{right}(m:{other})
RETURN collect([id, type(r), m.id, r.from_lemma, r.to_lemma, r.instance, {of_synsets}, [{values}]]) AS rows"""
    )
