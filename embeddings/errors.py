"""What can be wrong with vectors and encoders, and how to mend it."""

from __future__ import annotations

from ..core.errors import WaywordError


class VectorsError(WaywordError):
    """Vectors that cannot be used."""


class VectorsMissing(VectorsError):
    """There is no file of vectors at the place that was named."""


class VectorsInvalid(VectorsError):
    """A file that holds no vectors, or not such as its first line says."""


class EncoderMissing(VectorsError):
    """There is no encoder of this name here, or what it needs is not installed."""


class EncoderInvalid(VectorsError):
    """A folder that holds no encoder, or none that tells where its tokens stand."""


class ThesaurusInvalid(VectorsError):
    """A file that holds no thesaurus with vectors, or one that cannot go on learning as it is asked to."""


class TweetsInvalid(VectorsError):
    """Tweets from which nothing can be learnt."""


class CleaningWorkerLost(VectorsError):
    """A process that cleaned tweets has ended before its time."""

    exit_code = 1
