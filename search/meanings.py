"""What a part of a phrase means in one base, in full: each entity with the label that leads to it, its uses and their share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .labels import taken
from .morphology import forms_of
from .result import Target

if TYPE_CHECKING:
    from ..graph.store import Sense, Store
    from .live_wiki import LiveWiki
    from .live_wordnet import LiveWordNet
    from .transitions import Parameters
    from .wiki_projection import WikiProjection
    from .wordnet_projection import WordNetProjection


def meanings(
    view: LiveWiki | LiveWordNet | WikiProjection | WordNetProjection, store: Store, text: str, parameters: Parameters
) -> Iterator[Target]:
    """The target set of an aspect in a base."""
    from .live_wordnet import LiveWordNet
    from .wordnet_projection import WordNetProjection

    if isinstance(view, LiveWordNet | WordNetProjection):
        return _of_words(view, store, text)
    return _of_labels(view, text, parameters)


def _of_words(view: Any, store: Store, text: str) -> Iterator[Target]:
    """By part of speech, then as the lexicon ranks them."""
    forms = forms_of(view, tuple(text.split(" ")))
    entries = store.labels(view.base, [entry.name for entry, _ in forms])
    found: dict[str, tuple[str, str, Sense]] = {}
    for entry, pos in forms:
        for sense in entries[entry.name].senses:
            if sense.entity.endswith(f"-{pos}"):
                found.setdefault(sense.entity, (entry.name, pos, sense))
    nodes = store.nodes(list(found))
    for entity, (label, pos, sense) in found.items():
        node = nodes[entity]
        yield Target(entity, node["name"], node["gloss"], label, pos, sense.uses, sense.prior, sense.rank)


def _of_labels(view: Any, text: str, parameters: Parameters) -> Iterator[Target]:
    """By their uses; an article that several labels lead to comes with the one that it is most used for."""
    seen = set()
    for each in taken(view.stemmed(view.stem(text)), parameters):
        if each.node not in seen:
            seen.add(each.node)
            (entity,) = view.entities([each.node])
            yield Target(entity.id, entity.name, entity.gloss, each.label, None, each.uses, each.prior, each.rank)
