"""Show a match as a graph for other programs: networkx, GraphML, DOT."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...rendering.text import clean, format_score
from .end_factors import score_line
from .step_styles import line_style

if TYPE_CHECKING:
    import networkx as nx

    from ..results import AspectMatch, Match, Step


def to_networkx(match: Match) -> nx.DiGraph:
    """Return a graph with one node for each entity and one edge for each transition.

    Nodes have the attributes ``name``, ``label``, ``gloss`` and ``score``, the best score on any path; edges have ``step``,
    ``word``, ``breadth`` and ``factor``; attributes that are None are left out. The first and the last node of a path have its
    ``substitute_weight``, ``substitutee_weight`` and ``antonym`` unless that is 1, of several paths the greatest. The graph
    has ``substitute``, ``substitutee`` and ``score``.

    >>> from wayword.search.results import AspectMatch, Match, Step
    >>> path = (Step("b:1", "admire"), Step("b:2", "admiration", None, "derivation", None, 0.7, 0.7))
    >>> aspects = (AspectMatch("admire", "appreciation", 0.7, path),)
    >>> graph = to_networkx(Match("admire", "appreciation", 0.7, ("b",), "thesis", 0.08, "word", matches=aspects))
    >>> graph.edges["b:1", "b:2"]
    {'step': 'derivation', 'factor': 0.7}
    """
    import networkx as nx

    graph = nx.DiGraph(substitute=match.substitute, substitutee=match.substitutee, score=match.score)
    for each in match.matches:
        for step in each.path:
            score = max(step.score, graph.nodes[step.id]["score"]) if step.id in graph else step.score
            graph.add_node(step.id, **_without_none(name=step.name, label=step.label, gloss=step.gloss, score=score))
        for before, step in pairwise(each.path):
            known = _without_none(step=step.step, word=step.word, breadth=step.breadth, factor=step.factor)
            graph.add_edge(before.id, step.id, **known)
        if each.path:
            _add_weight(graph.nodes[each.path[0].id], "substitute_weight", each.substitute_weight)
            _add_weight(graph.nodes[each.path[-1].id], "substitutee_weight", each.substitutee_weight)
            _add_weight(graph.nodes[each.path[-1].id], "antonym", each.antonym)
    return graph


def _add_weight(attributes: dict[str, Any], name: str, weight: float) -> None:
    if weight != 1.0:
        attributes[name] = max(weight, attributes.get(name, 0.0))


def _without_none(**attributes: Any) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def to_graphml(match: Match) -> str:
    """Return the graph of a match as GraphML."""
    return write_graphml(to_networkx(match))


def write_graphml(graph: nx.DiGraph) -> str:
    """Return a graph as GraphML, with all text made valid in XML."""
    import networkx as nx

    graph.graph.update({name: clean(value) for name, value in graph.graph.items() if isinstance(value, str)})
    for _, attributes in graph.nodes(data=True):
        attributes.update({name: clean(value) for name, value in attributes.items() if isinstance(value, str)})
    written = io.BytesIO()
    nx.write_graphml(graph, written, named_key_ids=True)
    return written.getvalue().decode()


def to_dot(match: Match) -> str:
    """Return the paths of a match in DOT, the language of Graphviz, with a cluster for each pair of aspects."""
    lines = [
        "digraph match {",
        f"  label={quote_lines(f'{match.substitute} → {match.substitutee}: {format_score(match.score)}')};",
        '  labelloc="t"; fontname="DejaVu Sans"; bgcolor="white";',
        '  node [shape="box", style="rounded", fontname="DejaVu Sans"];',
        '  edge [fontname="DejaVu Sans", fontsize=10];',
    ]
    for number, each in enumerate(match.matches):
        lines += _cluster(match, each, number)
    if not match.matches:
        lines += [f"  {quote_lines(phrase)};" for phrase in dict.fromkeys((match.substitute, match.substitutee))]
    return "\n".join([*lines, "}", ""])


def _cluster(match: Match, each: AspectMatch, number: int) -> list[str]:
    lines = [f"  subgraph cluster_{number} {{", '    color="white";']
    if len(match.matches) > 1:
        lines.append(f"    label={quote_lines(f'{each.substitute} → {each.substitutee}: {format_score(each.score)}')};")
    if not each.path:
        ends = [quote_lines(f"{number} {phrase}") for phrase in (each.substitute, each.substitutee)]
        for end, phrase in zip(ends, (each.substitute, each.substitutee), strict=True):
            lines.append(f'    {end} [label={quote_lines(phrase)}, style="rounded,dashed"];')
        lines.append(f'    {ends[0]} -> {ends[1]} [label="no path", style="dotted", arrowhead="none"];')
    for index, step in enumerate(each.path):
        tip = f", tooltip={quote_lines(step.gloss)}" if step.gloss else ""
        name = quote_lines(f"{number} {step.id}")
        lines.append(f"    {name} [label={quote_lines(step.title, score_line(each, index))}{tip}];")
    for before, step in pairwise(each.path):
        lines += _edge(before, step, number)
    return [*lines, "  }"]


def _edge(before: Step, step: Step, number: int) -> list[str]:
    """Return the lines of a transition. Graphviz puts the first node of an edge above the second, unless they have one rank."""
    ends = [quote_lines(f"{number} {end.id}") for end in (before, step)]
    breadth = [] if step.breadth is None else [f"breadth {step.breadth}"]
    colour, _, dashes, _ = line_style(step)
    look = f'color="{colour}", style="{"dashed" if dashes else "solid"}"'
    label = quote_lines(step.step_text, f"× {format_score(step.factor)}", *breadth)
    if step.step == "generalisation":
        return [f'    {ends[1]} -> {ends[0]} [label={label}, {look}, dir="back"];']
    edge = f"    {ends[0]} -> {ends[1]} [label={label}, {look}];"
    return [edge] if step.step == "specialisation" else [edge, f'    {{ rank="same"; {ends[0]}; {ends[1]}; }}']


def quote_lines(*parts: str) -> str:
    r"""Quote lines of text as one string of DOT, with all special characters escaped.

    >>> quote_lines('say "cage"', "0.36")
    '"say \\"cage\\"\\n0.36"'
    """
    return '"' + "\\n".join(clean(part).replace("\\", "\\\\").replace('"', '\\"') for part in parts) + '"'
