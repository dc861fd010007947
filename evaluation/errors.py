"""What can go wrong while something is evaluated, and how to mend it."""

from __future__ import annotations

from ..graph.errors import WaywordError


class EvaluationError(WaywordError):
    """An evaluation cannot be carried out."""


class GoldError(EvaluationError):
    """A file of human judgements cannot be read."""
