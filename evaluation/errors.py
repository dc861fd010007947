"""Errors of evaluations and of the ledger."""

from __future__ import annotations

from ..core.errors import WaywordError


class EvaluationError(WaywordError):
    """An evaluation cannot be carried out."""


class GoldError(EvaluationError):
    """A file of human judgements cannot be read."""


class ScoresInvalid(EvaluationError):
    """Scores of a system cannot be read, or are not what can be evaluated."""


class RatingsInvalid(EvaluationError):
    """A file of concreteness ratings cannot be read."""


class LedgerError(EvaluationError):
    """The ledger of runs cannot be opened, read or written."""


class LedgerDamaged(LedgerError):
    """The content of a ledger is not what was written."""


class LedgerMissing(EvaluationError):
    """There is no ledger yet."""


class RunUnknown(EvaluationError):
    """A run is not in the ledger, or not of the kind or in the state that is needed."""


class KeyphrasesInvalid(EvaluationError):
    """A file or folder of keyphrases cannot be read, or no document has both candidates and gold keyphrases."""


class ListsInvalid(EvaluationError):
    """Lists of hashtags cannot be read, or do not have the same number of lines."""


class MatcherError(EvaluationError):
    """A matcher is unknown, cannot be loaded from its package, or lacks something that it needs."""


class CorpusInvalid(EvaluationError):
    """A corpus of phrases cannot be read."""


class SheetsImpossible(EvaluationError):
    """Question sheets of this size cannot be made."""


class TuningError(EvaluationError):
    """Parameters cannot be tuned as asked."""
