"""Show a hashtag and its synonyms as a graph for other programs, and draw them to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...rendering.files import save_picture
from ...rendering.text import format_score
from ..presentation.match_graph import quote_lines, write_graphml
from .picture import LINE_STYLES, similar_picture

if TYPE_CHECKING:
    from os import PathLike

    import networkx as nx

    from .results import Similar


def draw_similar(similar: Similar, file: str | PathLike[str]) -> None:
    """Draw a hashtag and its synonyms to a file in the format of its suffix."""
    save_picture(
        file, lambda: similar_picture(similar), {".dot": lambda: to_dot(similar), ".graphml": lambda: to_graphml(similar)}
    )


def to_networkx(similar: Similar) -> nx.DiGraph:
    """Return a graph with one node for each hashtag and one edge from each hashtag to its synonym.

    Nodes have the attribute ``tweets``, edges have ``rank`` and ``distance``; attributes that are None are left out.

    >>> from wayword.search.hashtags.results import Similar, SimilarHashtag
    >>> to_networkx(Similar("#flu", "hashtags", (SimilarHashtag("#cold", 1, 0.25),))).edges["#flu", "#cold"]
    {'rank': 1, 'distance': 0.25}
    """
    import networkx as nx

    graph = nx.DiGraph(hashtag=similar.hashtag, thesaurus=similar.thesaurus)
    graph.add_node(similar.hashtag, **_without_none(tweets=similar.tweets))
    for each in similar:
        graph.add_node(each.hashtag, **_without_none(tweets=each.tweets))
        graph.add_edge(similar.hashtag, each.hashtag, **_without_none(rank=each.rank, distance=each.distance))
    for tie in similar.ties:
        graph.add_edge(tie.hashtag, tie.synonym, **_without_none(rank=tie.rank, distance=tie.distance))
    return graph


def _without_none(**attributes: Any) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def to_graphml(similar: Similar) -> str:
    """Return the graph as GraphML. The hashtags are in the attribute ``name``: not every program accepts them as ids."""
    import networkx as nx

    graph = to_networkx(similar)
    for name, attributes in graph.nodes(data=True):
        attributes["name"] = name
    return write_graphml(nx.relabel_nodes(graph, {name: f"n{number}" for number, name in enumerate(graph)}))


def to_dot(similar: Similar) -> str:
    """Return the graph in DOT, the language of Graphviz; two hashtags that have each other are joined by one line."""
    lines = [
        "digraph similar {",
        '  fontname="DejaVu Sans"; bgcolor="white"; layout="neato"; overlap="false"; splines="true";',
        '  node [shape="box", style="rounded", fontname="DejaVu Sans"];',
        '  edge [fontname="DejaVu Sans", fontsize=10];',
        f'  {quote_lines(similar.hashtag)} [penwidth=2, style="rounded,filled", fillcolor="#e8eef5"];',
    ]
    graph = to_networkx(similar)
    lines += [f"  {quote_lines(each.hashtag)};" for each in similar]
    for one, other, attributes in graph.edges(data=True):
        mutual = graph.has_edge(other, one)
        with_hashtag = similar.hashtag in (one, other)
        if mutual and (other == similar.hashtag or (not with_hashtag and one > other)):
            continue
        kind = ("mutual synonyms" if mutual else "synonym") if with_hashtag else ("mutual tie" if mutual else "tie")
        colour, wide, dashes, _ = LINE_STYLES[kind]
        line_style = f'color="{colour}", penwidth={wide}, style="{"dashed" if dashes else "solid"}"'
        label = (
            f", label={quote_lines(format_score(attributes['distance']))}" if with_hashtag and "distance" in attributes else ""
        )
        both = ', dir="both"' if mutual else ""
        lines.append(f"  {quote_lines(one)} -> {quote_lines(other)} [{line_style}{label}{both}];")
    return "\n".join([*lines, "}", ""])
