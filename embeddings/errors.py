"""Errors of vectors, encoders and trained thesauri."""

from __future__ import annotations

from ..core.errors import WaywordError


class VectorsError(WaywordError):
    """Vectors or an encoder cannot be used."""


class VectorsMissing(VectorsError):
    """There is no file of vectors at this path."""


class VectorsInvalid(VectorsError):
    """A file has no vectors, is damaged, or contradicts its first line."""


class EncoderMissing(VectorsError):
    """There is no encoder of this name, or a package that it needs is not installed."""


class EncoderInvalid(VectorsError):
    """A folder has no encoder, or its tokenizer does not return the positions of tokens."""


class ThesaurusInvalid(VectorsError):
    """A file is not a thesaurus with vectors, or cannot be updated or written as requested."""


class TweetsInvalid(VectorsError):
    """No tweet can be used for training."""


class CleaningWorkerLost(VectorsError):
    """A process that cleaned tweets died."""

    exit_code = 1
