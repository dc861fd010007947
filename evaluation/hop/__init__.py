"""HOP experiments (Molnar, 2022): how many links lead from articles to Philosophy, and how strategies compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .comparison import Comparison, compare_runs
    from .experiment import Experiment, run_experiment
    from .results import Summary
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "comparison": ("Comparison", "compare_runs"),
            "experiment": ("Experiment", "run_experiment"),
            "results": ("Summary",),
        },
    )

__all__ = ["Comparison", "Experiment", "Summary", "compare_runs", "run_experiment"]
