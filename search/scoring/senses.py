"""What a phrase means: its aspects, each with the entities that it may stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..results import AspectTargets, Senses

if TYPE_CHECKING:
    from ...graph.store import Store
    from .scorer import Scorer


def find_senses(scorer: Scorer[Any], store: Store, phrase: str) -> Senses:
    """How a phrase is split into aspects, and the target set of each in full."""
    view, parameters = scorer.view.view, scorer.view.parameters
    aspects = (
        AspectTargets(aspect.text, tuple(view.senses(store, aspect.text, parameters))) for aspect in scorer.aspects(phrase)
    )
    return Senses(phrase, view.bases, tuple(aspects))
