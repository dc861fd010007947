"""Matchers that score pairs of phrases, as baselines for wayword."""

from __future__ import annotations

from collections.abc import Callable

Matcher = Callable[[str, str], "float | None"]
"""Scores how well the first phrase can replace the second; None if one of them is unknown."""
