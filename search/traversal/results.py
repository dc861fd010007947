"""The result of one traversal: a trail, hop by hop."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ...rendering.tabular import Rows, Tabular

if TYPE_CHECKING:
    import os


@dataclass(frozen=True, slots=True)
class CandidateLink:
    """A link that a strategy could choose.

    - ``anchor``: the text that a reader clicks
    - ``title``: the article that it leads to
    - ``score``: its similarity to the target; None if the strategy does not score links
    """

    anchor: str
    title: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop: the article left, the number (from 1) of the chosen link, and the candidate links in reading order."""

    title: str
    chosen: int
    links: tuple[CandidateLink, ...]


@dataclass(frozen=True, slots=True)
class Trail(Tabular):
    """One traversal, hop by hop.

    - ``strategy``: how links were chosen
    - ``target``, ``base``: the article to reach, and its wiki
    - ``ending``: ``reached``, ``cycle``, ``dead-end`` or ``limit``
    - ``hops``: the number of links followed
    - ``trail``: the titles of the articles, the starter first; at the end of a cycle the last one occurs twice
    - ``cycle``: the length of the cycle, None if the traversal ended otherwise
    - ``parameters``: the rules and the options of the strategy
    - ``steps``: the hops with their candidate links
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
        """Return the trail as plain dictionaries and lists, ready for JSON."""
        plain = asdict(self)
        plain["trail"] = list(self.trail)
        plain["steps"] = [{**step, "links": list(step["links"])} for step in plain["steps"]]
        return plain

    def _rows(self) -> Rows:
        links = [step.links[step.chosen - 1] for step in self.steps]
        chosen = [(step.chosen, link.anchor, link.score) for step, link in zip(self.steps, links, strict=True)]
        rows = zip(range(len(self.trail)), self.trail, [*chosen, (None, None, None)], strict=False)
        return ("hop", "article", "link", "anchor", "similarity"), [(hop, title, *link) for hop, title, link in rows]

    def to_cypher(self) -> str:
        """Return a Cypher statement that shows the trail in Neo4j Browser."""
        from .presentation.trail_cypher import trail_to_cypher

        return trail_to_cypher(self)

    def draw(self, file: str | os.PathLike[str]) -> None:
        """Draw the trail to a file in the format of its suffix: .svg, .png or .pdf."""
        from .presentation.trail_picture import draw_trail

        draw_trail(self, file)

    def _repr_svg_(self) -> str:
        from ...rendering.svg import to_svg_document
        from .presentation.trail_picture import trail_picture

        return to_svg_document(trail_picture(self), style="max-width:100%;height:auto")

    def __str__(self) -> str:
        from .presentation.trail_text import trail_text

        return trail_text(self)
