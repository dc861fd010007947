"""Errors of questions put to the graph."""

from __future__ import annotations

from ..core.errors import WaywordError


class SearchError(WaywordError):
    """A question that cannot be answered."""


class PhraseError(SearchError):
    """A phrase that cannot be looked up: empty, too long, or not text."""


class ParameterError(SearchError):
    """A profile, a parameter or an option whose value makes no sense."""


class BaseUnknown(SearchError):
    """The store has no base of this name, or none that can answer this question."""


class ArticleUnknown(SearchError):
    """No article of a wiki has this title."""


class HashtagUnknown(SearchError):
    """No hashtag of a thesaurus has this name."""


class LinksMissing(SearchError):
    """A base holds fewer links of each article than are asked for."""


class TraversalError(SearchError):
    """A traversal or an experiment of traversals that cannot begin."""


class StrategyUnknown(TraversalError):
    """A strategy that does not exist, or that lacks something it needs."""


class RulesInvalid(TraversalError):
    """Rules of a traversal that are impossible, or options that belong to another strategy."""


class TargetUnknown(TraversalError):
    """A strategy knows nothing of the target, so nothing can be near it."""


class StartersInvalid(TraversalError):
    """Starters that are not in the wiki, or too few of them."""


class OpeningsMissing(TraversalError):
    """A wiki that was loaded without the openings of its articles."""
