"""The record of the kind ``wikipedia``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.normalisation import normalise, strip_brackets
from ....graph.schema import CATEGORY, base_of, entity_id
from ....rendering.line_styles import LineStyle
from ..registry import BaseKind, PhraseSearch

if TYPE_CHECKING:
    import numpy as np

    from ....graph.store import Store
    from ...presentation.match_cypher import PathStatement
    from ...results import Step
    from ..array_file import Arrays
    from ..projector import TableReader
    from .live import LiveWiki
    from .projection import WikiProjection

_HIERARCHIES = {"Article": "IN_CATEGORY", "Category": "SUBCATEGORY_OF"}
"""The relationship that leads to the more general node, by the label of the node it starts from."""


def _live(store: Store, base: str) -> LiveWiki:
    from .live import LiveWiki

    return LiveWiki(store, base)


def _projection(arrays: Arrays) -> WikiProjection:
    from .projection import WikiProjection

    return WikiProjection(arrays)


def _project(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    from .projector import project_wiki

    return project_wiki(source)


def _plain_names(store: Store, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return for each article its title with and without brackets and its redirects; for a category its name without them."""
    nodes = store.nodes(ids)
    redirects = store.edges(ids, ("REDIRECTS_TO",), "in")
    found = {}
    for id, node in nodes.items():
        bare = strip_brackets(node["name"])
        if node["label"] == "Category":
            names = [bare or node["name"]]
        else:
            prefix = len(entity_id(base_of(id), ""))
            names = [node["name"], *([bare] if bare else []), *(edge.other[prefix:] for edge in redirects.get(id, ()))]
        found[id] = sorted(set(filter(None, map(normalise, names))))
    return found


def _write_step(statement: PathStatement, before: Step, step: Step, _derivation: str | None) -> None:
    match step.step:
        case "generalisation":
            relationship = f"-[:{_HIERARCHIES[before.label]}]->"
        case "specialisation":
            relationship = f"<-[:{_HIERARCHIES[step.label]}]-"
        case "central":
            relationship = "-[:CENTRAL_TO]->" if before.label == "Article" else "<-[:CENTRAL_TO]-"
        case other:
            raise KeyError(other)
    statement.relate(before, relationship, step)


WIKIPEDIA = BaseKind(
    name="wikipedia",
    noun="wiki",
    plural="wikis",
    node_labels=("Article", "Category"),
    phrases=PhraseSearch(
        live=_live,
        projection=_projection,
        project=_project,
        tables=10,
        plain_names=_plain_names,
        write_step=_write_step,
        line_styles={
            "central": LineStyle("#0b6e4f", 1.8, (14, 4)),
            "redirect": LineStyle("#1a1a1a", 1.4, (2, 3)),
        },
        title_prefixes={"Category": CATEGORY},
    ),
)
