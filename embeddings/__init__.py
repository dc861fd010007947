"""Vectors of words, of text in context, and of hashtags.

Thesauri of hashtags are trained by ``wayword.hashtags``, which joins the readers of tweets with the encoders of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from .encoders.transformer import Encoder
    from .errors import VectorsError
    from .vector_files import open_vectors
    from .word_vectors import WordVectors
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "encoders.transformer": ("Encoder",),
            "errors": ("VectorsError",),
            "vector_files": ("open_vectors",),
            "word_vectors": ("WordVectors",),
        },
    )

__all__ = ["Encoder", "VectorsError", "WordVectors", "open_vectors"]
