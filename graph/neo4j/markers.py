"""How our nodes are told from a stranger's on a server that keeps both, and the indexes they need.

A user's own data may use our labels, so each node of ours carries a second one. Readers see only what is marked, loads change
only what is marked:

- ``Wayword``: a live node of a base, and the ``Base`` node itself; ids are unique among them.
- ``WaywordStem``: a live stem; stems have no base, and a stem may be spelled like an id of something else.
- ``WaywordLoadingSynset`` and so on: staged by a load, not yet to be seen; such a node has no other label.
- ``WaywordRetired``: no longer to be seen, about to be deleted; such a node has no other label.
- ``WaywordLock``: the one node that loads lock.

Uniqueness is asked of our marks alone: a constraint on ``(:Label {id})`` would bind the user's own labels of that name.
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
    """The labels that a load can bring, in the order of the schema."""
    return tuple(label for label in NODES if label != "Base")


def marker_label(label: str) -> str:
    """The second label of a live node.

    >>> marker_label("Synset"), marker_label("Stem")
    ('Wayword', 'WaywordStem')
    """
    return STEM if NODES[label].shared and label != "Base" else LIVE


def staging_label(label: str) -> str:
    """The only label of a staged node.

    >>> staging_label("Synset")
    'WaywordLoadingSynset'
    """
    return f"WaywordLoading{label}"


@dataclass(frozen=True, slots=True)
class Index:
    """An index, or a constraint with its index, that the store wants."""

    name: str
    label: str
    key: str
    unique: bool = False

    @property
    def statement(self) -> str:
        """What makes it."""
        if self.unique:
            return f"CREATE CONSTRAINT {self.name} IF NOT EXISTS FOR (n:{self.label}) REQUIRE n.{self.key} IS UNIQUE"
        return f"CREATE INDEX {self.name} IF NOT EXISTS FOR (n:{self.label}) ON (n.{self.key})"


def wanted_indexes() -> Iterator[Index]:
    """Every index we want. Those of the schema's labels come first: ``labels(n)[0]`` is then the label, not the mark."""
    for label, node in NODES.items():
        for name in ("id", "name", "stem", "folded_stem"):
            if name in node.properties:
                yield Index(f"wayword_{label.lower()}_{name}", label, name)
    for label, name in ((LIVE, "wayword_id"), (STEM, "wayword_stem"), (LOCK, "wayword_lock")):
        yield Index(name, label, "id", unique=True)


def create_indexes(connection: Connection) -> None:
    """Make the indexes that are not there; refuse a server where a stranger's rules would break a load."""
    missing = list(_missing(connection))
    if not missing:
        return
    made: list[Index] = []
    with connection.session("WRITE") as session:
        try:
            for index in missing:
                session.run(index.statement).consume()
                made.append(index)
            session.run("CALL db.awaitIndexes(300)").consume()
        except BaseException as error:
            for index in made:
                session.run(f"DROP {'CONSTRAINT' if index.unique else 'INDEX'} {index.name} IF EXISTS").consume()
            if not isinstance(error, Exception):
                raise
            raise LoadError(
                f"cannot make the index {missing[min(len(made), len(missing) - 1)].name} on {connection.address}:"
                f" {first_line(getattr(error, 'message', None) or error)}; nothing was changed"
            ) from error


def _missing(connection: Connection) -> Iterator[Index]:
    constraints = connection.read("SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties")
    _refuse_rules(constraints, connection.address)
    unique = {(labels[0], tuple(names)) for _, kind, labels, names in constraints if kind in ("UNIQUENESS", "NODE_KEY")}
    names: dict[str, Any] = {name: labels for name, _, labels, _ in constraints}
    ranges = set()
    for name, kind, entity, labels, properties in connection.read(
        "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties"
    ):
        names[name] = labels
        if kind == "RANGE" and entity == "NODE":
            ranges.add((labels[0], tuple(properties)))
    for index in wanted_indexes():
        if (index.label, (index.key,)) in (unique if index.unique else ranges):
            continue
        if index.name in names:
            raise LoadError(
                f"{connection.address} has an index or constraint {index.name} that is not ours, on"
                f" {', '.join(names[index.name] or ['everything'])}; rename it and load again; nothing was changed"
            )
        yield index


def _refuse_rules(constraints: list[tuple[Any, ...]], address: str) -> None:
    for name, kind, labels, properties in constraints:
        ours = {*labels} & {*NODES, *RELATIONSHIPS}
        if ours and not (kind == "UNIQUENESS" and list(properties) == ["id"]):
            raise LoadError(
                f"the constraint {name} of {address} ({kind.lower()} of {', '.join(labels)} {', '.join(properties)}) would bind"
                " our rows too; drop it, or load into another database; nothing was changed"
            )
