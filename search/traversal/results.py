"""The result of one traversal: a trail, hop by hop."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os


@dataclass(frozen=True, slots=True)
class Considered:
    """A link that was looked at: what a reader clicks, where it leads, and how near that is to the target (None: not asked)."""

    anchor: str
    title: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop: from which article, by which of the links that were looked at."""

    title: str
    chosen: int
    links: tuple[Considered, ...]


@dataclass(frozen=True, slots=True)
class Trail:
    """One traversal, hop by hop.

    - ``strategy``, ``target``, ``base``: how links were chosen, to reach which article of which wiki
    - ``ending``: ``reached``, ``cycle``, ``dead-end`` or ``limit``
    - ``hops``: how many links were followed
    - ``trail``: the titles, the starter first; in a cycle the last is one that stood there before
    - ``cycle``: how long the cycle is, if that was the end
    - ``steps``: what was looked at in each article
    """

    strategy: str
    target: str
    base: str
    ending: str
    hops: int
    trail: tuple[str, ...]
    cycle: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    steps: tuple[Hop, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["trail"] = list(self.trail)
        plain["steps"] = [{**step, "links": list(step["links"])} for step in plain["steps"]]
        return plain

    def to_cypher(self) -> str:
        """The statement that shows it in Neo4j Browser."""
        from .presentation.trail_cypher import trail_to_cypher

        return trail_to_cypher(self)

    def draw(self, file: str | os.PathLike[str]) -> None:
        """Draw it to a file; its ending says how: .svg or .png."""
        from .presentation.trail_picture import draw_trail

        draw_trail(self, file)

    def _repr_svg_(self) -> str:
        from ...rendering.svg import to_svg_document
        from .presentation.trail_picture import trail_picture

        return to_svg_document(trail_picture(self), style="max-width:100%;height:auto")

    def __str__(self) -> str:
        from .presentation.trail_text import trail_text

        return trail_text(self)
