"""Tweets out of files, folders, archives and standard input, one by one, however large these are."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..archives import translate_errors
from ..errors import SourceInvalid
from .formats import FORMATS, detect_format
from .sources import TweetFile, check_source, find_files
from .text_lines import NO_TEXT, Counts, OpenedFile


class Tweet(NamedTuple):
    """The text of a tweet with its entities unescaped, its id if the file tells one, and where it stands."""

    text: str
    id: str | None
    file: str
    line: int | None


def read_tweets(sources: Sequence[Path | str], left_out: Counter[str], notes: Counter[str] | None = None) -> Iterator[Tweet]:
    r"""The tweets of all sources, in order; what is not read is counted in ``left_out``, what is read with doubt in ``notes``.

    A source is a file, a folder, an archive (.tar, .tar.gz) or ``-`` for standard input; files and archives may be compressed
    (.gz, .bz2). The form of a file is seen in its beginning: a tweet a line; ``id|date|text`` lines; CSV or TSV with a column
    ``text``, ``full_text``, ``tweet`` or ``content``; JSON, a value a line or one document, of strings or of what Twitter's API
    gives in version 1 or 2. If a folder or an archive has files that end in ``_text.txt``, these alone are read, since files
    beside them hold labels. A source without any tweet is a ``SourceError``, as is a file that is no text when it is named
    itself; in a folder or an archive it is counted.

    >>> _ = Path("tweets.txt").write_text("Wash your hands #flu\nSalt &amp; sugar #diet\n")
    >>> [(tweet.text, tweet.line) for tweet in read_tweets(["tweets.txt"], Counter())]
    [('Wash your hands #flu', 1), ('Salt & sugar #diet', 2)]
    """
    for source in sources:
        check_source(source)
    return _all(sources, Counts(left_out, Counter() if notes is None else notes))


def _all(sources: Sequence[Path | str], counts: Counts) -> Iterator[Tweet]:
    for source in sources:
        found, before = False, Counter(counts.left_out)
        with translate_errors(Path("standard input" if str(source) == "-" else source)):
            for file in find_files(source):
                for tweet in _tweets(file, counts):
                    found = True
                    yield tweet
        if not found:
            raise SourceInvalid(_nothing(source, counts.left_out - before))


def _tweets(file: TweetFile, counts: Counts) -> Iterator[Tweet]:
    start = OpenedFile(file.name, file.stream)
    try:
        start.check()
        form = detect_format(start)
    except SourceInvalid:
        if file.alone:
            raise
        counts.left_out["files that hold no tweets"] += 1
        return
    for text, id, line in FORMATS[form](start, counts):
        plain = (html.unescape(text) if "&" in text else text).strip()
        if plain:
            yield Tweet(plain, id, file.name, line)
        else:
            counts.left_out[NO_TEXT] += 1


def _nothing(source: Path | str, left_out: Counter[str]) -> str:
    name = "standard input" if str(source) == "-" else source
    reasons = ", ".join(f"{what}: {number:,}" for what, number in left_out.most_common(3))
    return f"{name} holds no tweets{f' ({reasons})' if reasons else ''}; give a text with a tweet a line, CSV, TSV or JSON"
