"""The records of the store protocol: bases, batches, labels, edges, links and Cypher answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from .schema import schema_fingerprint

if TYPE_CHECKING:
    import pyarrow as pa


Direction = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows for one table of the graph.

    For nodes, ``type`` is their label and ``ends`` is None. For relationships, ``type`` is their type, ``ends`` are the labels
    of source and target, and the columns ``from`` and ``to`` hold the ids of the nodes.
    """

    type: str
    rows: pa.RecordBatch
    ends: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """The metadata of the part of the graph that one load created, such as a WordNet.

    Attributes:
        id: The name of the base, with which the ids of its nodes begin.
        kind: ``wordnet``, ``wikipedia``, ``hashtags`` or a registered kind.
        source: A readable name of the file or dump that was loaded.
        revision: Grows with every load; unique across stores.
        left_out: Counts of what the load left out, by code.
        language: ISO code, empty if unknown.
        options: The options of the load that affect what is stored, as JSON values by name.
        replaced_revision: The revision of the base that this load replaced, None if there was none. It is not stored: only
            ``Store.replace_base`` knows it.
    """

    id: str
    kind: str
    source: str
    revision: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    language: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    replaced_revision: int | None = field(default=None, compare=False)

    def to_row(self) -> dict[str, Any]:
        """Return the properties of the base's node."""
        return {
            "id": self.id,
            "kind": self.kind,
            "source": self.source,
            "revision": self.revision,
            "state": "ready",
            "left_out": json.dumps(dict(self.left_out), sort_keys=True),
            "language": self.language,
            "load_options": json.dumps(dict(self.options), sort_keys=True),
            "schema": schema_fingerprint(),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read a base from the properties of its node.

        >>> base = Base("wordnet", "wordnet", "dict", left_out={"self_link": 2})
        >>> Base.from_row(base.to_row()) == base
        True
        """
        return cls(
            row["id"],
            row["kind"],
            row["source"],
            row["revision"],
            json.loads(row["left_out"]),
            row["language"] or "",
            json.loads(row["load_options"]),
        )


@dataclass(frozen=True, slots=True)
class Sense:
    """An entity that a label can mean; ``pos`` is the entity's part of speech, None if it has none."""

    entity: str
    uses: int
    prior: float
    rank: int
    lemma: str | None = None
    pos: str | None = None


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """A stored label with its senses and number of uses; ``inflections`` are the (name, part of speech) it is a form of."""

    name: str
    senses: tuple[Sense, ...] = ()
    inflections: tuple[tuple[str, str], ...] = ()
    uses: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship seen from one end.

    - ``type``: its type
    - ``other``: the id of the other end
    - ``breadth``: the breadth of its general end, which may be either end
    - ``from_lemma``, ``to_lemma``: the words that it joins; None if it joins meanings
    - ``instance``: whether it leads from an instance to its class
    - ``from_pos``, ``to_pos``, ``from_descendants``, ``to_descendants``: these properties of its ends if both are synsets
    """

    type: str
    other: str
    breadth: int | None = None
    from_lemma: str | None = None
    to_lemma: str | None = None
    instance: bool = False
    from_pos: str | None = None
    to_pos: str | None = None
    from_descendants: int | None = None
    to_descendants: int | None = None


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link in the body of an article: its position among all links, and its rank among those outside parentheses."""

    other: str
    anchor: str
    position: int
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a Cypher statement; ``truncated`` if there are more rows than the limit.

    >>> answer = Answer(("n",), ((1,), (2,)))
    >>> len(answer), list(answer)
    (2, [(1,), (2,)])
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return each row as a dictionary.

        >>> Answer(("n",), ((1,), (2,))).to_dicts()
        [{'n': 1}, {'n': 2}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A synonym of a hashtag: its rank (from 1), its cosine distance and its number of tweets, None if unknown."""

    other: str
    rank: int
    distance: float | None = None
    tweets: int | None = None


def reading_order(link: BodyLink) -> tuple[int, int, str, str]:
    """Sort key of the links of an article."""
    return link.position, link.rank or 0, link.other, link.anchor


def rank_order(neighbour: Neighbour) -> tuple[int, str]:
    """Sort key of the synonyms of a hashtag."""
    return neighbour.rank, neighbour.other


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """What a check found about one part of what is stored.

    Attributes:
        part: ``store``, ``projection`` or ``ledger``.
        name: Its path or address.
        state: ``sound``, ``damaged``, or ``unverified`` if nothing shows whether it is damaged.
        problems: Counts of damaged parts, by code; ``wayword.core.problems`` describes the codes.
    """

    part: str
    name: str
    state: Literal["sound", "damaged", "unverified"]
    problems: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, part: str, name: str, problems: Mapping[str, int]) -> Self:
        """Describe a part that is sound if it has no problems."""
        return cls(part, name, "damaged" if any(problems.values()) else "sound", {code: n for code, n in problems.items() if n})
