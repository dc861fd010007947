"""``wayword senses``: what a phrase can mean in a base."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..progress import watched
from .output import room, say, say_json
from .questions import Question, question_options

if TYPE_CHECKING:
    from ..search.result import Senses
    from . import Settings


@click.command()
@click.argument("phrase")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@question_options
def senses(settings: Settings, question: Question, phrase: str, as_json: bool) -> None:
    """What PHRASE can mean: how it is split into aspects, and which entities each of them names."""
    with watched(quiet=settings.quiet) as progress, question.open(progress) as graph:
        found = graph.senses(phrase)
    if as_json:
        say_json(found.to_dict())
    else:
        say(_in_words(found))


def _in_words(found: Senses) -> str:
    from ..search.rendering.lettering import clean
    from ..search.rendering.tables import aligned

    bases = " or ".join(found.bases)
    if found.unknown:
        return f'Nothing is known of "{clean(found.phrase)}" in {bases}.'
    blocks = []
    for aspect in found.aspects:
        rows: list[tuple[Any, ...]] = [
            (each.name, each.pos, each.label, each.uses, f"{each.prior:.2f}", each.id, each.gloss) for each in aspect.targets
        ]
        table = aligned(("entity", "pos", "label", "uses", "prior", "id", "meaning"), rows, room=room(), indent="  ")
        blocks.append(f"{clean(aspect.text)}\n{table}")
    return "\n\n".join(blocks)
