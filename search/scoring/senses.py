"""The senses of a phrase: its aspects, each with its target set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..results import AspectTargets, Senses

if TYPE_CHECKING:
    from ...graph.store import Store
    from .aspects import Aspect
    from .scorer import Scorer


def find_senses(scorer: Scorer[Any], store: Store, phrase: str) -> Senses:
    """Split a phrase into aspects, and look up the target set of each with the details that people read."""
    view, parameters = scorer.view.view, scorer.view.parameters

    def find_aspect(aspect: Aspect[Any]) -> AspectTargets:
        targets = view.senses(store, aspect.text, parameters)
        if aspect.weights is not None:
            ids = (entity.id for entity in view.entities(aspect.targets))
            weights = dict(zip(ids, aspect.weights, strict=True))
            targets = (replace(target, weight=weights[target.id]) for target in targets)
        return AspectTargets(aspect.text, tuple(targets))

    return Senses(phrase, view.bases, tuple(map(find_aspect, scorer.aspects(phrase))))
