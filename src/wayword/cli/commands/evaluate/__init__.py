"""``wayword evaluate``: how well matchers, extractors, embeddings and classifiers agree with people."""

from __future__ import annotations

import click

from ...groups import SuggestingGroup


@click.group(cls=SuggestingGroup)
def evaluate() -> None:
    """Measure how well matchers agree with people."""
