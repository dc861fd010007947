"""What a question can get wrong."""

from __future__ import annotations

from ..graph.errors import WaywordError


class PhraseError(WaywordError):
    """A phrase that cannot be looked up: empty, too long, or no text."""


class ParameterError(WaywordError):
    """A profile, a parameter or an option with a value that makes no sense."""


class BaseUnknown(WaywordError):
    """The store has no base of this name, or none that this question can be put to."""


class ArticleUnknown(WaywordError):
    """No article of a wiki has this title."""


class HashtagUnknown(WaywordError):
    """No hashtag of a thesaurus has this name."""


class LinksMissing(WaywordError):
    """A base does not hold as many links of its articles as are asked for."""
