"""The senses of a phrase in a WordNet: each synset with the word that leads to it, its uses and its prior."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...results import Target
from .morphology import find_entries

if TYPE_CHECKING:
    from ....graph.records import Sense
    from ....graph.store import Store
    from ..view import Lexicon


def describe_senses(lexicon: Lexicon[Any], store: Store, base: str, text: str) -> Iterator[Target]:
    """Yield the synsets of a phrase's base forms, by part of speech and then as the lexicon ranks them."""
    forms = find_entries(lexicon, tuple(text.split(" ")))
    entries = store.labels(base, [entry.name for entry, _ in forms])
    found: dict[str, tuple[str, str, Sense]] = {}
    for entry, pos in forms:
        for sense in entries[entry.name].senses:
            if sense.pos == pos:
                found.setdefault(sense.entity, (entry.name, pos, sense))
    nodes = store.nodes(list(found))
    for entity, (label, pos, sense) in found.items():
        node = nodes[entity]
        yield Target(entity, node["name"], node["gloss"], label, pos, sense.uses, sense.prior, sense.rank)
