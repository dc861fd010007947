"""What can go wrong while something is evaluated, and how to mend it."""

from __future__ import annotations

from ..core.errors import WaywordError


class EvaluationError(WaywordError):
    """An evaluation cannot be carried out."""


class GoldError(EvaluationError):
    """A file of human judgements cannot be read."""


class RatingsInvalid(EvaluationError):
    """A file of ratings cannot be read."""


class LedgerError(EvaluationError):
    """The ledger of runs cannot be opened, read or written."""


class LedgerMissing(EvaluationError):
    """There is no ledger yet."""


class RunUnknown(EvaluationError):
    """A run that is not in the ledger, or not of the kind or state that is asked for."""


class ListsInvalid(EvaluationError):
    """Lists of hashtags that cannot be read, or that do not go together."""
