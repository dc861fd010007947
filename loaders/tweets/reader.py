"""Read tweets from files, folders, archives and standard input, one by one in bounded memory."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...core.left_out import describe_left_out
from ..archives import translate_errors
from ..errors import SourceInvalid
from .formats import FORMATS, detect_format
from .sources import TweetFile, check_source, find_files
from .text_lines import OpenedFile, TweetCounts

FILE_WITHOUT_TWEETS = "file_without_tweets"


class Tweet(NamedTuple):
    """A tweet: its text with HTML entities decoded, its id if the file has one, and its file and line (None in a document)."""

    text: str
    id: str | None
    file: str
    line: int | None


def read_tweets(sources: Sequence[Path | str], counts: TweetCounts | None = None, column: str | None = None) -> Iterator[Tweet]:
    r"""Read the tweets of all sources in order.

    The format of a file is detected from its first lines: one tweet per line; ``id|date|text`` lines; CSV or TSV with a column
    ``text``, ``full_text``, ``tweet`` or ``content``; JSON, as one value per line or one document, of strings or of
    objects of Twitter's API, version 1 (also premium) or 2. Files may be compressed (.gz, .bz2). A truncated retweet is read
    with the full text of the tweet that it repeats, if the response contains that.

    Args:
        sources: Files, folders, archives (.tar, .tar.gz, .tar.bz2), or ``-`` for standard input. If a folder or an archive has
            files that end in ``_text.txt``, only these are read, because in benchmarks with such names the other files contain
            labels.
        counts: Counts, during iteration, what is left out and what is read in a guessed encoding.
        column: The column of tables, or the field of JSON objects, with the texts, if it has another name.

    Returns:
        A lazy iterator, which raises if a source has no tweets.

    Raises:
        SourceError: A source is missing (raised at once), is damaged or has no tweets (raised during iteration), or is a single
            file that is not text. Such a file in a folder or an archive is skipped and noted.

    >>> _ = Path("tweets.txt").write_text("Wash your hands #flu\nSalt &amp; sugar #diet\n\n")
    >>> counts = TweetCounts()
    >>> [(tweet.text, tweet.line) for tweet in read_tweets(["tweets.txt"], counts)]
    [('Wash your hands #flu', 1), ('Salt & sugar #diet', 2)]
    >>> counts.without_text
    1
    """
    for source in sources:
        check_source(source)
    return _read_all(sources, TweetCounts() if counts is None else counts, column)


def _read_all(sources: Sequence[Path | str], counts: TweetCounts, column: str | None) -> Iterator[Tweet]:
    for source in sources:
        is_empty, before, without_text = True, counts.left_out + counts.notes, counts.without_text
        with translate_errors(Path("standard input" if str(source) == "-" else source)):
            for file in find_files(source):
                for tweet in _read_file(file, counts, column):
                    is_empty = False
                    yield tweet
        if is_empty:
            raise _no_tweets_error(source, counts.left_out + counts.notes - before, counts.without_text - without_text)


def _read_file(file: TweetFile, counts: TweetCounts, column: str | None) -> Iterator[Tweet]:
    opened = OpenedFile(file.name, file.stream)
    try:
        opened.check()
        format = detect_format(opened, column)
    except SourceInvalid:
        if file.is_source:
            raise
        counts.notes[FILE_WITHOUT_TWEETS] += 1
        return
    for text, id, line in FORMATS[format](opened, counts, column):
        plain = (html.unescape(text) if "&" in text else text).strip()
        if plain:
            yield Tweet(plain, id, file.name, line)
        else:
            counts.without_text += 1


def _no_tweets_error(source: Path | str, problems: Counter[str], without_text: int) -> SourceInvalid:
    name = "standard input" if str(source) == "-" else source
    reasons = [describe_left_out(*item) for item in problems.most_common(3)]
    if without_text:
        reasons.append(f"{without_text:,} {'entry' if without_text == 1 else 'entries'} without text")
    why = f" ({', '.join(reasons)})" if reasons else ""
    return SourceInvalid(f"{name} has no tweets{why}; give a text with a tweet a line, CSV, TSV or JSON")
