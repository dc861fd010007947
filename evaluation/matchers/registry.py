"""The matchers that can be named: those of wayword, and those that installed packages register under an entry point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import Matcher
    from .resources import Resources

ENTRY_POINT = "wayword.matchers"


@dataclass(frozen=True, slots=True)
class MatcherKind:
    """A matcher that can be named.

    - ``name``: what users type
    - ``description``: what it compares, in a few words
    - ``open``: returns the matcher; what it needs, such as a graph or vectors, it asks of the resources
    """

    name: str
    description: str
    open: Callable[[Resources], Matcher]
