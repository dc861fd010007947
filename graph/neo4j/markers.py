"""The marker labels by which wayword recognises its own nodes on a shared server, and the indexes of the store.

A user's own data may use our labels, so each of our nodes has a second label, the marker. Readers see marked nodes only, and
loads change marked nodes only:

- ``Wayword``: a live node of a base, or a ``Base`` node; ids are unique among them.
- ``WaywordStem``: a live stem. Stems belong to no base, and a stem may equal the id of another node.
- ``WaywordLoadingSynset`` and so on: a staged node, invisible to readers; it has no other label.
- ``WaywordRetired``: a node of the old base, invisible to readers and about to be deleted; it has no other label.
- ``WaywordLock``: the node that loads lock.

Only markers have uniqueness constraints: one on ``(:Label {id})`` would also apply to a user's own nodes with that label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core.messages import first_line
from ..errors import LoadError
from ..schema import NODES, RELATIONSHIPS

if TYPE_CHECKING:
    from .connection import Connection

LIVE = "Wayword"
STEM = "WaywordStem"
RETIRED = "WaywordRetired"
LOCK = "WaywordLock"


def loaded_labels() -> tuple[str, ...]:
    """Return the labels that a load can contain, in the order of the schema."""
    return tuple(label for label in NODES if label != "Base")


def marker_label(label: str) -> str:
    """Return the marker of a live node.

    >>> marker_label("Synset"), marker_label("Stem")
    ('Wayword', 'WaywordStem')
    """
    return STEM if NODES[label].shared and label != "Base" else LIVE


def staging_label(label: str) -> str:
    """Return the only label of a staged node.

    >>> staging_label("Synset")
    'WaywordLoadingSynset'
    """
    return f"WaywordLoading{label}"


@dataclass(frozen=True, slots=True)
class Index:
    """An index of the store, or a uniqueness constraint with its index."""

    name: str
    label: str
    key: str
    unique: bool = False

    @property
    def statement(self) -> str:
        """The statement that creates it."""
        if self.unique:
            return f"CREATE CONSTRAINT {self.name} IF NOT EXISTS FOR (n:{self.label}) REQUIRE n.{self.key} IS UNIQUE"
        return f"CREATE INDEX {self.name} IF NOT EXISTS FOR (n:{self.label}) ON (n.{self.key})"


def required_indexes() -> Iterator[Index]:
    """Yield the indexes of the store, those of the schema's labels first.

    The order matters: Neo4j lists the labels of a node in the order of their first use in the database, so ``labels(n)[0]`` is
    the label of the schema and not the marker.
    """
    for label, node in NODES.items():
        for name in ("id", "name", "stem", "folded_stem"):
            if name in node.properties:
                yield Index(f"wayword_{label.lower()}_{name}", label, name)
    for label, name in ((LIVE, "wayword_id"), (STEM, "wayword_stem"), (LOCK, "wayword_lock")):
        yield Index(name, label, "id", unique=True)


def create_indexes(connection: Connection) -> None:
    """Create missing indexes; raise ``LoadError`` if other constraints or indexes would break a load."""
    missing = list(find_missing_indexes(connection))
    if not missing:
        return
    created: list[Index] = []
    with connection.session("WRITE") as session:
        try:
            for index in missing:
                session.run(index.statement).consume()
                created.append(index)
            session.run("CALL db.awaitIndexes(300)").consume()
        except BaseException as error:
            for index in created:
                session.run(f"DROP {'CONSTRAINT' if index.unique else 'INDEX'} {index.name} IF EXISTS").consume()
            if not isinstance(error, Exception):
                raise
            raise LoadError(
                f"cannot create the index {missing[min(len(created), len(missing) - 1)].name} on {connection.address}:"
                f" {first_line(getattr(error, 'message', None) or error)}; nothing was changed"
            ) from error


def find_missing_indexes(connection: Connection) -> Iterator[Index]:
    """Yield the indexes that a load would create; raise ``LoadError`` if others would break it."""
    constraints = connection.read("SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties")
    _refuse_foreign_constraints(constraints, connection.address)
    unique = {(labels[0], tuple(names)) for _, kind, labels, names in constraints if kind in ("UNIQUENESS", "NODE_KEY")}
    names: dict[str, Any] = {name: labels for name, _, labels, _ in constraints}
    ranges = set()
    for name, kind, entity, labels, properties in connection.read(
        "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties"
    ):
        names[name] = labels
        if kind == "RANGE" and entity == "NODE":
            ranges.add((labels[0], tuple(properties)))
    for index in required_indexes():
        if (index.label, (index.key,)) in (unique if index.unique else ranges):
            continue
        if index.name in names:
            raise LoadError(
                f"{connection.address} has another index or constraint named {index.name}, on"
                f" {', '.join(names[index.name] or ['all labels'])}; rename it and load again; nothing was changed"
            )
        yield index


def _refuse_foreign_constraints(constraints: list[tuple[Any, ...]], address: str) -> None:
    for name, kind, labels, properties in constraints:
        affected = {*labels} & {*NODES, *RELATIONSHIPS}
        if affected and not (kind == "UNIQUENESS" and list(properties) == ["id"]):
            raise LoadError(
                f"the constraint {name} of {address} ({kind.lower()} of {', '.join(labels)} {', '.join(properties)}) would also"
                " apply to wayword's data; drop it, or load into another database; nothing was changed"
            )
