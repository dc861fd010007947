"""What tests share: small inputs, servers, and ways to look at results."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the repository."""
