"""The kinds of bases, and the views through which each is searched: live views and projections."""

from __future__ import annotations

from ..hashtags.kind import HASHTAGS
from .registry import register
from .wikipedia.kind import WIKIPEDIA
from .wordnet.kind import WORDNET

for _kind in (WORDNET, WIKIPEDIA, HASHTAGS):
    register(_kind)
