"""Errors of questions about the stored graph."""

from __future__ import annotations

from ..core.errors import WaywordError


class SearchError(WaywordError):
    """Base of the errors of searches and traversals."""


class ArraysDamaged(SearchError, ValueError):
    """A cached projection has changed since it was written."""


class PhraseError(SearchError):
    """A phrase is empty, too long, or not text."""


class ParameterError(SearchError):
    """A profile, a parameter or an option has an invalid value."""


class BaseUnknown(SearchError):
    """The store has no base of this name, or none that can answer the question; or its kind is not registered."""


class ArticleUnknown(SearchError):
    """A wiki has no article with this title."""


class HashtagUnknown(SearchError):
    """A thesaurus has no hashtag of this name."""


class LinksMissing(SearchError):
    """A base stores fewer links of each article than a question needs."""


class TraversalError(SearchError):
    """A traversal or an experiment of traversals cannot start."""


class StrategyUnknown(TraversalError):
    """A strategy does not exist, or lacks something it needs."""


class RulesInvalid(TraversalError):
    """The rules of a traversal are invalid, or an option belongs to another strategy."""


class TargetUnknown(TraversalError):
    """A strategy does not know the target, so it cannot compare links with it."""


class StartersInvalid(TraversalError):
    """Starters are not in the wiki, or there are too few of them."""


class OpeningsMissing(TraversalError):
    """A wiki was loaded without the openings of its articles."""
