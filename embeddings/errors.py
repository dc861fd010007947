"""What can be wrong with vectors and encoders, and how to mend it."""

from __future__ import annotations

from ..core.errors import WaywordError


class VectorsError(WaywordError):
    """Vectors that cannot be used."""


class VectorsMissing(VectorsError):
    """There is no file of vectors at the place that was named."""


class VectorsUnfit(VectorsError):
    """A file that holds no vectors, or not such as its first line says."""


class EncoderMissing(VectorsError):
    """There is no encoder of this name here, or what it needs is not installed."""


class EncoderUnfit(VectorsError):
    """A folder that holds no encoder, or none that tells where its tokens stand."""


class ThesaurusUnfit(VectorsError):
    """A file that holds no thesaurus with vectors, or one that cannot go on learning as it is asked to."""


class TweetsUnfit(VectorsError):
    """Tweets from which nothing can be learnt."""


class CleaningLost(VectorsError):
    """A process that cleaned tweets has ended before its time."""

    exit_code = 1
