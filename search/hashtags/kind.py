"""The record of the kind ``hashtags``: a thesaurus of hashtags."""

from __future__ import annotations

from ..bases.registry import BaseKind

HASHTAGS = BaseKind("hashtags", "thesaurus of hashtags", "thesauri of hashtags", ("Hashtag",))
