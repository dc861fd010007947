"""The number of hypothesis examples for properties that are slower or faster to check than most."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import HealthCheck, settings


def share_of_examples(share: float, *, suppress: Collection[HealthCheck] = (HealthCheck.too_slow,)) -> settings:
    """Return settings with a share of the profile's number of examples, so that quick and nightly runs scale it too."""
    return settings(max_examples=max(1, round(share * settings().max_examples)), suppress_health_check=suppress)
