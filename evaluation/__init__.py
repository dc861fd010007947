"""Measures, data sets, experiments and the ledger of runs, for any matcher or word vectors.

- ``agreement``: agreement with human judgements
- ``hop``: HOP experiments
- ``keyphrases``: precision, recall and F of extractors, and consistency of indexers, under any matcher
- ``reval``: #REval, the evaluation of hashtag recommendations
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports
from . import agreement, hop, keyphrases, reval

if TYPE_CHECKING:
    from .agreement.correlation import spearman
    from .agreement.hyperlex import read_hyperlex
    from .runs.ledger import Ledger
    from .runs.records import Run
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "agreement.hyperlex": ("read_hyperlex",),
            "agreement.correlation": ("spearman",),
            "runs.ledger": ("Ledger",),
            "runs.records": ("Run",),
        },
    )

__all__ = ["Ledger", "Run", "agreement", "hop", "keyphrases", "read_hyperlex", "reval", "spearman"]
