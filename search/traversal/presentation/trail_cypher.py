"""A trail as a Cypher statement, for both engines."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ....graph.cypher.values import quote_text
from ....graph.schema import entity_id

if TYPE_CHECKING:
    from ..results import Trail


def trail_to_cypher(trail: Trail) -> str:
    """Return a statement that returns the hops of a trail as paths.

    Each hop is a MATCH of its own, by the rank of the chosen link; with links in parentheses by its position among all links.

    >>> from wayword.search.traversal.results import Hop, Trail
    >>> trail = Trail("second", "Animal", "w", "reached", 1, ("Dog", "Animal"), steps=(Hop("Dog", 2, ()),))
    >>> print(trail_to_cypher(trail))
    MATCH p1 = (:Article {id: 'w:Dog'})-[:LINKS_TO {rank: 2}]->(:Article {id: 'w:Animal'})
    RETURN p1
    """
    nodes = [f"(:Article {{id: {quote_text(entity_id(trail.base, title))}}})" for title in trail.trail]
    types, order = (
        ("LINKS_TO|LINKS_IN_PARENTHESES", "place") if trail.parameters.get("keep_parentheses") else ("LINKS_TO", "rank")
    )
    clauses = [
        f"MATCH p{number} = {start}-[:{types} {{{order}: {step.chosen}}}]->{end}"
        for number, ((start, end), step) in enumerate(zip(pairwise(nodes), trail.steps, strict=True), start=1)
    ]
    if not clauses:
        return f"MATCH p1 = {nodes[0]}\nRETURN p1"
    return "\n".join([*clauses, f"RETURN {', '.join(f'p{number}' for number in range(1, len(nodes)))}"])
