"""Ways between words: how well one phrase can stand in for another, with the path that proves it.

>>> import wayword
>>> with wayword.open(store) as graph:
...     print(graph.score("toilet", "public toilet").score > 0.69)
True
"""

from __future__ import annotations

TYPE_CHECKING = False  # which type checkers take for True; typing takes as long to import as all the rest

if TYPE_CHECKING:
    from .evaluation.hop.results import Summary, Trail
    from .graph.errors import WaywordError
    from .search.result import (
        Answer,
        AspectMatch,
        AspectTargets,
        BaseInfo,
        BodyLink,
        Info,
        Links,
        Match,
        Senses,
        Step,
        Target,
    )
    from .search.similar import Similar
    from .search.transitions import PROFILES, Parameters
    from .session import Graph, default_store, open
else:

    def __getattr__(name):  # noqa: ANN001, ANN202 - type checkers read the imports above
        """Import what is asked for: the command line begins with this package, and Ctrl-C is to be heard from the first."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        for home in (
            "session",
            "search.result",
            "search.transitions",
            "graph.errors",
            "search.similar",
            "evaluation.hop.results",
        ):
            module = import_module(f".{home}", __name__)
            if hasattr(module, name):
                return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():  # noqa: ANN202
        return sorted({*globals(), *__all__})


__version__ = "0.1.0"

__all__ = [
    "PROFILES",
    "Answer",
    "AspectMatch",
    "AspectTargets",
    "BaseInfo",
    "BodyLink",
    "Graph",
    "Info",
    "Links",
    "Match",
    "Parameters",
    "Senses",
    "Similar",
    "Step",
    "Summary",
    "Target",
    "Trail",
    "WaywordError",
    "default_store",
    "open",
]
