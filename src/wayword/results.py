"""Results of questions to a store itself: the rows of a Cypher statement, and what the store holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .graph.records import Answer as Rows
from .graph.schema import NODES

if TYPE_CHECKING:
    from .graph.records import Base


@dataclass(frozen=True, slots=True)
class Answer(Rows):
    """The rows of a Cypher statement, which can be walked through, counted and shown.

    - ``columns``: their names, in the order of the statement
    - ``rows``: a tuple of values for each row
    - ``truncated``: whether the row limit cut them off

    >>> print(Answer(("name", "n"), (("cage", 3), ("pen", 12))))
    name   n
    cage   3
    pen   12
    """

    def __str__(self) -> str:
        from .answer_text import answer_text

        return answer_text(self)

    def _repr_html_(self) -> str:
        from .answer_text import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True)
class BaseInfo:
    """What one base holds."""

    id: str
    kind: str
    source: str
    revision: int
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    left_out: Mapping[str, int]
    options: Mapping[str, Any]

    @classmethod
    def of(cls, base: Base, counts: Mapping[str, int]) -> BaseInfo:
        """Describe a base, given the numbers of its nodes by label and of its relationships by type."""
        nodes = {name: number for name, number in counts.items() if name in NODES}
        relationships = {name: number for name, number in counts.items() if name not in NODES}
        return cls(base.id, base.kind, base.source, base.revision, nodes, relationships, base.left_out, base.options)


@dataclass(frozen=True, slots=True)
class Info:
    """What a store holds, and how the caches of this session did."""

    address: str
    engine: str
    revision: int
    size: int | None
    bases: tuple[BaseInfo, ...]
    shared: Mapping[str, int]
    caches: Mapping[str, Mapping[str, int | None]]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        return {**asdict(self), "bases": [asdict(each) for each in self.bases]}
