"""Ways between words: how well one phrase can stand in for another, with the path that proves it.

>>> import wayword
>>> with wayword.open(store) as graph:
...     print(graph.score("toilet", "public toilet").score > 0.69)
True
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers treat it as True; importing typing would double the time of this import

if TYPE_CHECKING:
    from .api import Graph, open
    from .checking import check
    from .core.errors import WaywordError
    from .evaluation.hop.results import Summary
    from .loading import load_hashtags, load_wikipedia, load_wordnet, unload
    from .results import Answer, BaseInfo, CheckResult, Info, LoadResult
    from .search.bases.wikipedia.results import BodyLink, Links
    from .search.hashtags.results import Similar
    from .search.results import AspectMatch, AspectTargets, Match, MissingPath, Senses, Step, Target
    from .search.scoring.parameters import Parameters
    from .search.scoring.profiles import PROFILES
    from .search.traversal.results import Trail
    from .store_address import default_store
else:
    from .core.lazy_exports import lazy_exports

    __getattr__ = lazy_exports(
        __name__,
        {
            "api": ("Graph", "open"),
            "checking": ("check",),
            "core.errors": ("WaywordError",),
            "evaluation.hop.results": ("Summary",),
            "loading": ("load_hashtags", "load_wikipedia", "load_wordnet", "unload"),
            "results": ("Answer", "BaseInfo", "CheckResult", "Info", "LoadResult"),
            "search.bases.wikipedia.results": ("BodyLink", "Links"),
            "search.hashtags.results": ("Similar",),
            "search.results": ("AspectMatch", "AspectTargets", "Match", "MissingPath", "Senses", "Step", "Target"),
            "search.scoring.parameters": ("Parameters",),
            "search.scoring.profiles": ("PROFILES",),
            "search.traversal.results": ("Trail",),
            "store_address": ("default_store",),
        },
    )

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
    "CheckResult",
    "Graph",
    "Info",
    "Links",
    "LoadResult",
    "Match",
    "MissingPath",
    "Parameters",
    "Senses",
    "Similar",
    "Step",
    "Summary",
    "Target",
    "Trail",
    "WaywordError",
    "check",
    "default_store",
    "load_hashtags",
    "load_wikipedia",
    "load_wordnet",
    "open",
    "unload",
]
