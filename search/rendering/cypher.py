"""The Cypher statement that shows a match's paths, in Neo4j Browser and on the embedded store alike.

It is anchored at ids, and each step is a MATCH of its own: so no engine forbids a relationship that two steps share, and
none starts from every node there is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from .errors import RenderError

if TYPE_CHECKING:
    from ..result import Match, Step

_FLAT = {"similar": "-[:SIMILAR]-", "also": "-[:ALSO]-", "derivation": "-[:DERIVATION]->"}
_HIERARCHIES = {"Synset": "HYPERNYM", "Article": "IN_CATEGORY", "Category": "SUBCATEGORY_OF"}
"""The relationship that leads up from a node with this label."""


def to_cypher(match: Match) -> str:
    """One statement that returns the paths of a match.

    >>> from wayword.search.result import AspectMatch, Match, Step
    >>> path = (Step("b:1", "cage"), Step("b:2", "birdcage", None, "specialisation", 3, 0.75, 0.75))
    >>> aspects = (AspectMatch("cage", "birdcage", 0.75, path),)
    >>> print(to_cypher(Match("cage", "birdcage", 0.75, ("b",), "thesis", 0.08, "word", matches=aspects)))
    MATCH p1 = (:Synset {id: 'b:1'})<-[:HYPERNYM]-(:Synset {id: 'b:2'})
    RETURN p1
    """
    paths = [each.path for each in match.matches if each.path]
    if not paths:
        pair = f"{match.substitute!r} to {match.substitutee!r}"
        raise RenderError(f"no path from {pair} keeps {match.threshold:g} or more: there is none to show")
    clauses: list[str] = []
    shown: list[str] = []
    for path in paths:
        if len(path) == 1:
            shown.append(f"n{len(shown) + 1}")
            clauses.append(f"MATCH {_node(path[0], shown[-1])}")
        for before, step in pairwise(path):
            _add(clauses, shown, before, step, match.derivation)
    return "\n".join([*clauses, f"RETURN {', '.join(shown)}"])


def _add(clauses: list[str], shown: list[str], before: Step, step: Step, derivation: str | None) -> None:
    number = len(shown) + 1
    start, end = _node(before), _node(step)
    if step.step == "derivation" and derivation == "word":
        # The pointer leads to a word, and from it to every synset that contains the word.
        word = f"w{number}"
        clauses.append(f"MATCH p{number} = {start}-[d{number}:DERIVATION]->({word}:Synset)")
        clauses.append(f"MATCH p{number + 1} = ({word})<-[s{number}:SENSE]-(l{number}:Label)")
        clauses.append(f"MATCH p{number + 2} = (l{number})-[:SENSE]->{end}")
        clauses.append(f"WHERE s{number}.lemma = d{number}.to_lemma OR l{number}.name = toLower(d{number}.to_lemma)")
        shown += [f"p{number}", f"p{number + 1}", f"p{number + 2}"]
        # More words may lead the same way; one of them is enough.
        by = f"l{number}.name AS a{number}, {word}.id AS b{number} ORDER BY a{number}, b{number} LIMIT 1"
        clauses.append(f"WITH {', '.join(shown)}, {by}")
        return
    shown.append(f"p{number}")
    if step.step == "crossing":  # no relationship: the two bases know a name in common
        clauses.append(f"MATCH p{number} = {end}")
        return
    clauses.append(f"MATCH p{number} = {start}{_relationship(before, step)}{end}")


def _node(step: Step, name: str = "") -> str:
    return f"({name}:{step.label} {{id: {literal(step.id)}}})"


def _relationship(before: Step, step: Step) -> str:
    if step.step in _FLAT:
        return _FLAT[step.step]
    if step.step == "generalisation":
        return f"-[:{_HIERARCHIES[before.label]}]->"
    if step.step == "specialisation":
        return f"<-[:{_HIERARCHIES[step.label]}]-"
    if step.step == "central":
        return "-[:CENTRAL_TO]->" if before.label == "Article" else "<-[:CENTRAL_TO]-"
    raise RenderError(f"{step.step}: no statement is known for this kind of step")


def literal(text: str) -> str:
    r"""A text as Cypher writes it, on both engines.

    >>> print(literal("wordnet:it's"))
    'wordnet:it\'s'
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    # Neo4j decodes a backslash and u before it reads anything else, even after another backslash.
    return "'" + escaped.replace("\\u", "\\' + 'u") + "'"
