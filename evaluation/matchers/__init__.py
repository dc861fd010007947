"""Everything that scores a pair of phrases, behind one protocol.

A matcher returns how well the first phrase can replace the second. In an evaluation with a gold standard the first is the
candidate and the second the gold phrase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .registry import ListedMatcher, MatcherKind, find_matcher, list_matchers, open_matchers
    from .resources import Resources
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "registry": ("ListedMatcher", "MatcherKind", "find_matcher", "list_matchers", "open_matchers"),
            "resources": ("Resources",),
        },
    )

__all__ = ["ListedMatcher", "Matcher", "MatcherKind", "Resources", "find_matcher", "list_matchers", "open_matchers"]


class Matcher(Protocol):
    """Scores how well a phrase can replace another."""

    def __call__(self, substitute: str, substitutee: str, /) -> float | None:
        """Return the score; None if the matcher does not know one of the phrases."""

    def score_many(self, pairs: Iterable[tuple[str, str]], /) -> Iterator[float | None]:
        """Yield the scores of many pairs, in their order: the same as one by one, but faster where the matcher can."""
