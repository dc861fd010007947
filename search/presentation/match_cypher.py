"""Write the Cypher statement that returns the paths of a match, for Neo4j Browser and the embedded store alike.

Every step is a MATCH of its own, so that two steps may share a relationship, and is anchored at ids, so that no engine scans
all nodes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ...graph.cypher.values import quote_text
from ...rendering.errors import RenderError
from ..bases.registry import find_phrase_search, kinds_with_phrases

if TYPE_CHECKING:
    from ..results import Match, Step


class PathStatement:
    """A statement under construction: its clauses, and the names that it returns (``returned``)."""

    def __init__(self) -> None:
        self.returned: list[str] = []
        self._clauses: list[str] = []

    @property
    def next_number(self) -> int:
        """The number of the next name."""
        return len(self.returned) + 1

    def node(self, step: Step, name: str = "") -> str:
        """Return the pattern of a step's node, anchored at its id."""
        return f"({name}:{step.label} {{id: {quote_text(step.id)}}})"

    def add(self, clause: str) -> None:
        """Append a clause."""
        self._clauses.append(clause)

    def match(self, name: str, pattern: str) -> None:
        """Append a MATCH of a path and return the path under this name."""
        self.returned.append(name)
        self.add(f"MATCH {name} = {pattern}")

    def match_node(self, step: Step) -> None:
        """Append a MATCH of a node alone."""
        name = f"n{self.next_number}"
        self.returned.append(name)
        self.add(f"MATCH {self.node(step, name)}")

    def relate(self, before: Step, relationship: str, step: Step) -> None:
        """Append a MATCH of one relationship, such as ``-[:HYPERNYM]->``, between the nodes of two steps."""
        self.match(f"p{self.next_number}", f"{self.node(before)}{relationship}{self.node(step)}")

    def __str__(self) -> str:
        return "\n".join([*self._clauses, f"RETURN {', '.join(self.returned)}"])


def to_cypher(match: Match) -> str:
    """Return one statement that returns the paths of a match.

    Raises:
        RenderError: The match has no path, or the kind of base has no Cypher for one of its steps.

    >>> from wayword.search.results import AspectMatch, Match, Step
    >>> path = (Step("b:1", "cage"), Step("b:2", "birdcage", None, "specialisation", 3, 0.75, 0.75))
    >>> aspects = (AspectMatch("cage", "birdcage", 0.75, path),)
    >>> print(to_cypher(Match("cage", "birdcage", 0.75, ("b",), "thesis", 0.08, "word", matches=aspects)))
    MATCH p1 = (:Synset {id: 'b:1'})<-[:HYPERNYM]-(:Synset {id: 'b:2'})
    RETURN p1
    """
    paths = [each.path for each in match.matches if each.path]
    if not paths:
        pair = f"{match.substitute!r} to {match.substitutee!r}"
        raise RenderError(f"there is no path from {pair} to show")
    statement = PathStatement()
    for path in paths:
        if len(path) == 1:
            statement.match_node(path[0])
        for before, step in pairwise(path):
            _write_step(statement, before, step, match.derivation)
    return str(statement)


def _write_step(statement: PathStatement, before: Step, step: Step, derivation: str | None) -> None:
    if step.step == "crossing":  # no relationship: the two bases have a name in common
        statement.match(f"p{statement.next_number}", statement.node(step))
        return
    phrases = find_phrase_search(step.label)
    if phrases is None:
        kinds = ", ".join(kinds_with_phrases())
        raise RenderError(f"no kind of base with phrases has nodes {step.label}; the registered ones are {kinds}")
    try:
        phrases.write_step(statement, before, step, derivation)
    except KeyError:
        raise RenderError(f"there is no Cypher for the step {step.step} to a node {step.label}") from None
