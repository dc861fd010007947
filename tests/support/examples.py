"""How many examples slow tests check."""

from __future__ import annotations

import os
from collections.abc import Collection

from hypothesis import HealthCheck, settings

EVERY = 8 if os.environ.get("CI") else 1
"""Slow comparisons on real data take every so many rows."""


def share_of_examples(share: float, *, suppress: Collection[HealthCheck] = (HealthCheck.too_slow,)) -> settings:
    """Return settings with a share of the profile's number of examples, so that quick and nightly runs scale it too."""
    return settings(max_examples=max(1, round(share * settings().max_examples)), suppress_health_check=suppress)
