"""Words without a meaning of their own, which are dropped before a phrase is split into aspects.

The default holds the closed classes of English: articles, pronouns, prepositions, conjunctions, auxiliaries and a few
adverbs of degree and negation. The thesis used the list of a keyphrase extractor, which also drops words such as *computer*
and *clear*; read such a list with ``stop_words(file)`` to repeat its figures.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..graph.phrases import normalise
from .errors import ParameterError
from .smallfile import read_small

if TYPE_CHECKING:
    from os import PathLike

_ENGLISH = """
a an the this that these those each every either neither some any no none all both such
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one oneself who whom whose which what whoever whomever whatever whichever
somebody someone something anybody anyone anything nobody nothing everybody everyone everything
about above across after against along amid among amongst around as at before behind below beneath beside besides between
beyond by concerning despite down during except for from in inside into like near of off on onto out outside over per
regarding since than through throughout till to toward towards under underneath until unto up upon versus via with within
without and but or nor so yet if then else because although though unless whereas whether while whilst when where why how
am is are was were be been being have has had having do does did doing done can could may might must shall should will would
ought cannot not too very also only just quite rather there here again ever never even still already almost
's 't 'd 'll 'm 're 've don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't haven't
hadn't it's that's there's i'm you're we're they're i've we've they've
"""
ENGLISH = frozenset(_ENGLISH.split())


def stop_words(file: str | PathLike[str] | None = None) -> frozenset[str]:
    """The default stop words, or those of a file with one on each line.

    >>> "of" in stop_words(), "god" in stop_words()
    (True, False)
    """
    if file is None:
        return ENGLISH
    try:
        lines = read_small(Path(file)).splitlines()
    except (OSError, ValueError) as error:
        raise ParameterError(f"stop words {file}: {error}: give a text file in UTF-8 with one word on each line") from None
    return frozenset(filter(None, map(normalise, lines)))
