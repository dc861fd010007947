"""Ways between words: how well one phrase can stand in for another, with the path that proves it.

>>> import wayword
>>> with wayword.open(store) as graph:
...     print(graph.score("toilet", "public toilet").score > 0.69)
True
"""

from __future__ import annotations

from .graph.errors import WaywordError
from .search.result import Answer, AspectMatch, AspectTargets, BaseInfo, Info, Match, Senses, Step, Target
from .search.transitions import PROFILES, Parameters
from .session import Graph, default_store, open

__version__ = "0.1.0"

__all__ = [
    "PROFILES",
    "Answer",
    "AspectMatch",
    "AspectTargets",
    "BaseInfo",
    "Graph",
    "Info",
    "Match",
    "Parameters",
    "Senses",
    "Step",
    "Target",
    "WaywordError",
    "default_store",
    "open",
]
