"""What can go wrong while something is evaluated, and how to mend it."""

from __future__ import annotations

from ..graph.errors import WaywordError


class EvaluationError(WaywordError):
    """An evaluation cannot be carried out."""


class GoldError(EvaluationError):
    """A file of human judgements cannot be read."""


class TargetUnknown(EvaluationError):
    """A strategy knows nothing of the target, so nothing could be near to it."""


class StartersUnfit(EvaluationError):
    """Articles to start from that are not in the wiki, or too few of them."""


class RulesUnfit(EvaluationError):
    """Rules of a traversal that cannot be, or options that go with another strategy."""


class RatingsUnfit(EvaluationError):
    """A file of ratings cannot be read."""


class OpeningsMissing(EvaluationError):
    """A wiki was loaded without the openings of its articles."""


class StrategyUnknown(EvaluationError):
    """A strategy that there is not, or that lacks what it needs."""


class LedgerUnfit(EvaluationError):
    """The ledger of runs cannot be opened, read or written."""


class LedgerMissing(EvaluationError):
    """There is no ledger yet."""


class RunUnknown(EvaluationError):
    """A run that is not in the ledger, or not of the kind or state that is asked for."""


class ListsUnfit(EvaluationError):
    """Lists of hashtags that cannot be read, or that do not go together."""
