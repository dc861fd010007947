"""Results about the store itself: rows of a Cypher statement, the contents of the store, the outcome of a load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from .graph.records import Answer as StoredAnswer
from .graph.schema import NODES
from .rendering.tabular import HtmlTable, Rows, Tabular

if TYPE_CHECKING:
    from .graph.records import Base, CheckedPart


@dataclass(frozen=True, slots=True)
class Answer(Tabular, StoredAnswer):
    """The rows of a Cypher statement, which can be iterated over, counted and printed.

    Attributes:
        columns: The names of the columns, in the order of the statement.
        rows: A tuple of values for each row.
        truncated: Whether there are more rows than the limit.

    >>> print(Answer(("name", "n"), (("cage", 3), ("pen", 12))))
    name   n
    cage   3
    pen   12
    """

    def __str__(self) -> str:
        from .answer_text import answer_text

        return answer_text(self)

    def _rows(self) -> Rows:
        from .graph.cypher.values import to_json_value

        return self.columns, [[to_json_value(value) for value in row] for row in self.rows]

    def _repr_html_(self) -> str:
        from .answer_text import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True)
class BaseInfo:
    """The contents of a base.

    Attributes:
        id: The name of the base.
        kind: wordnet, wikipedia or hashtags.
        source: The file it was loaded from.
        revision: The revision of the store in which it was loaded.
        nodes: Counts of nodes by label.
        relationships: Counts of relationships by type.
        left_out: Counts of what the load left out, by code; ``wayword.core.left_out`` describes the codes.
        options: The options of the load.
        language: The code of its language; empty if unknown, ``mul`` if it has several.
    """

    id: str
    kind: str
    source: str
    revision: int
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    left_out: Mapping[str, int]
    options: Mapping[str, Any]
    language: str = ""

    @classmethod
    def of(cls, base: Base, counts: Mapping[str, int]) -> Self:
        """Describe a base, given the counts of its nodes by label and of its relationships by type."""
        nodes = {name: number for name, number in counts.items() if name in NODES}
        relationships = {name: number for name, number in counts.items() if name not in NODES}
        facts = base.left_out, base.options, base.language
        return cls(base.id, base.kind, base.source, base.revision, nodes, relationships, *facts)


@dataclass(frozen=True, slots=True)
class LoadResult(BaseInfo):
    """The outcome of a load: the contents of the base and what was left out.

    Attributes:
        store: The address of the store.
        example: A label or hashtag of the base to try first, if there is one.
        left_out_examples: A few titles of what was left out, by code.
        replaced_revision: The revision of the base that this load replaced; None if there was none.
    """

    store: str = ""
    example: str | None = None
    left_out_examples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    replaced_revision: int | None = None


@dataclass(frozen=True, slots=True)
class Info(HtmlTable):
    """The contents of a store, and the caches of this session.

    Attributes:
        address: The path or the address of the store.
        engine: The name and version of the database.
        revision: Changes with every load.
        size: Bytes on disk; None if unknown.
        bases: The bases.
        shared: Counts of nodes that bases share, by label.
        caches: Hits, misses, limit and size of each cache, by its name.
    """

    address: str
    engine: str
    revision: int
    size: int | None
    bases: tuple[BaseInfo, ...]
    shared: Mapping[str, int]
    caches: Mapping[str, Mapping[str, int | None]]

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        return {**asdict(self), "bases": [asdict(base) for base in self.bases]}

    def _rows(self) -> Rows:
        names = ("base", "kind", "source", "revision", "nodes", "relationships", "left out")
        counts = [[sum(each.values()) for each in (base.nodes, base.relationships, base.left_out)] for base in self.bases]
        rows = [(base.id, base.kind, base.source, base.revision, *sums) for base, sums in zip(self.bases, counts, strict=True)]
        return names, rows


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found.

    Attributes:
        parts: The store, its projections and the ledger, in the order in which they were checked.
    """

    parts: tuple[CheckedPart, ...]

    @property
    def damaged(self) -> bool:
        """Whether a part is damaged."""
        return any(part.state == "damaged" for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        return {"damaged": self.damaged, "parts": [asdict(part) for part in self.parts]}
