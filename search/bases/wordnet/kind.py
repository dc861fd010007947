"""The record of the kind ``wordnet``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.normalisation import normalise
from ....rendering.line_styles import LineStyle
from ..registry import BaseKind, PhraseSearch

if TYPE_CHECKING:
    import numpy as np

    from ....graph.store import Store
    from ...presentation.match_cypher import PathStatement
    from ...results import Step
    from ..array_file import Arrays
    from ..projector import TableReader
    from .live import LiveWordNet
    from .projection import WordNetProjection

_RELATIONSHIPS = {
    "similar": "-[:SIMILAR]-",
    "also": "-[:ALSO]-",
    "derivation": "-[:DERIVATION]->",
    "generalisation": "-[:HYPERNYM]->",
    "specialisation": "<-[:HYPERNYM]-",
    "part_of": "-[:PART_OF]->",
    "has_part": "<-[:PART_OF]-",
    "member_of": "-[:MEMBER_OF]->",
    "has_member": "<-[:MEMBER_OF]-",
    "substance_of": "-[:SUBSTANCE_OF]->",
    "has_substance": "<-[:SUBSTANCE_OF]-",
    "verb_group": "-[:VERB_GROUP]-",
    "entailment": "-[:ENTAILS]-",
    "cause": "-[:CAUSES]-",
    "attribute": "-[:ATTRIBUTE]-",
    "pertainym": "-[:PERTAINS_TO]-",
    "participle": "-[:PARTICIPLE_OF]-",
}


def _live(store: Store, base: str) -> LiveWordNet:
    from .live import LiveWordNet

    return LiveWordNet(store, base)


def _projection(arrays: Arrays) -> WordNetProjection:
    from .projection import WordNetProjection

    return WordNetProjection(arrays)


def _project(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    from .projector import project_wordnet

    return project_wordnet(source)


def _plain_names(store: Store, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the words of each synset."""
    nodes = store.nodes(ids)
    return {id: sorted(set(filter(None, map(normalise, node["lemmas"] or ())))) for id, node in nodes.items()}


def _write_step(statement: PathStatement, before: Step, step: Step, derivation: str | None) -> None:
    if step.step == "derivation" and derivation == "word":
        _write_derivation_by_word(statement, before, step)
    else:
        statement.relate(before, _RELATIONSHIPS[step.step or ""], step)


def _write_derivation_by_word(statement: PathStatement, before: Step, step: Step) -> None:
    """Add a derivation that leads by a pointer to a word, and from the word to a synset that contains it."""
    number = statement.next_number
    word = f"w{number}"
    names = f"p{number}", f"p{number + 1}", f"p{number + 2}"
    statement.match(names[0], f"{statement.node(before)}-[d{number}:DERIVATION]->({word}:Synset)")
    statement.match(names[1], f"({word})<-[s{number}:SENSE]-(l{number}:Label)")
    statement.match(names[2], f"(l{number})-[:SENSE]->{statement.node(step)}")
    statement.add(f"WHERE s{number}.lemma = d{number}.to_lemma OR l{number}.name = toLower(d{number}.to_lemma)")
    # Several words may lead to the same synset; one of them is enough.
    chosen = f"l{number}.name AS a{number}, {word}.id AS b{number} ORDER BY a{number}, b{number} LIMIT 1"
    statement.add(f"WITH {', '.join(statement.returned)}, {chosen}")


WORDNET = BaseKind(
    name="wordnet",
    noun="WordNet",
    plural="WordNets",
    node_labels=("Synset",),
    phrases=PhraseSearch(
        live=_live,
        projection=_projection,
        project=_project,
        tables=18,
        plain_names=_plain_names,
        write_step=_write_step,
        line_styles={
            "derivation": LineStyle("#7a2a8c", 1.8, (9, 3, 2, 3)),
            "similar": LineStyle("#94690a", 1.8, (6, 4)),
            "also": LineStyle("#94690a", 1.8, (3, 3)),
            "part_of": LineStyle("#0f6b6b", 2.0, (16, 3)),
            "has_part": LineStyle("#0f6b6b", 2.0, (3, 3, 16, 3)),
            "member_of": LineStyle("#0f6b6b", 2.0, (10, 3)),
            "has_member": LineStyle("#0f6b6b", 2.0, (3, 3, 10, 3)),
            "substance_of": LineStyle("#0f6b6b", 2.0, (5, 3)),
            "has_substance": LineStyle("#0f6b6b", 2.0, (3, 3, 5, 3)),
            "verb_group": LineStyle("#5a4a9c", 1.6, (6, 2)),
            "entailment": LineStyle("#5a4a9c", 1.6, (10, 2, 2, 2)),
            "cause": LineStyle("#5a4a9c", 1.6, (10, 2, 2, 2, 2, 2)),
            "attribute": LineStyle("#7a2a8c", 1.6, (6, 3, 2, 3)),
            "pertainym": LineStyle("#7a2a8c", 1.6, (9, 3, 2, 3)),
            "participle": LineStyle("#7a2a8c", 1.6, (12, 3, 2, 3)),
        },
    ),
)
