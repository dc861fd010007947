"""The kind of base that a thesaurus of hashtags makes."""

from __future__ import annotations

from ..bases.registry import BaseKind

HASHTAGS = BaseKind("hashtags", "thesaurus of hashtags", "thesauri of hashtags", ("Hashtag",))
