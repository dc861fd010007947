"""Read source files (WordNet, Wikipedia dumps, hashtag thesauri) as batches of nodes and relationships, and files of tweets.

A loader has a ``base`` (the metadata) and ``batches()`` (the rows); ``wayword.graph.ingestion.ingest`` writes them to a store.
Loaders do not depend on any database.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.lazy_exports import lazy_exports
from .errors import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused
from .wordnet.loader import WordNetLoader

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .thesauri.loader import HashtagLoader
    from .tweets.reader import Tweet, read_tweets
    from .tweets.text_lines import TweetCounts
    from .wikipedia.languages import Language
    from .wikipedia.loader import WikiLoader
    from .wikipedia.options import Options
    from .wordnet.expansion import Expansion
else:
    __getattr__ = lazy_exports(
        __name__,
        {
            "thesauri.loader": ("HashtagLoader",),
            "tweets.reader": ("Tweet", "read_tweets"),
            "tweets.text_lines": ("TweetCounts",),
            "wikipedia.loader": ("WikiLoader",),
        },
    )

__all__ = [
    "HashtagLoader",
    "SourceDamaged",
    "SourceError",
    "SourceInvalid",
    "SourceMissing",
    "SourceRefused",
    "Tweet",
    "TweetCounts",
    "WikiLoader",
    "WordNetLoader",
    "open_hashtags",
    "open_wikipedia",
    "open_wordnet",
    "read_tweets",
]


def _ignore_note(note: str) -> None:
    """Drop a note."""


def open_wordnet(
    source: str | Path | None = None,
    name: str = "wordnet",
    note: Callable[[str], None] = _ignore_note,
    *,
    expansion: Expansion | None = None,
) -> WordNetLoader:
    """Open a WordNet for loading.

    Args:
        source: A ``dict`` directory of database files, a WN-LMF file (plain, .gz or .xz), a folder with one WN-LMF file, or an
            archive of any of them (.tar, .tar.gz, .tar.xz, .zip). By default the first WordNet that is found on this machine or
            can be downloaded.
        name: The name of the base.
        note: Receives one line for each attempt to find a source, if none is given.
        expansion: Adds the relations of a stored WordNet, which ``wordnet.expansion.read_expansion`` reads.

    Returns:
        A loader that can be used more than once; it reads the source when its batches are consumed.

    Raises:
        SourceError: The source is missing or invalid. Damage within it is reported while the batches are consumed.

    >>> open_wordnet("no/such/folder")
    Traceback (most recent call last):
    ...
    wayword.loaders.errors.SourceMissing: there is no file or folder 'no/such/folder'; check the path
    """
    from .wordnet import database_files, discovery

    wordnet = discovery.find_anywhere(note) if source is None else discovery.find_at(source)
    if wordnet.folder is not None:
        for file in database_files.REQUIRED_FILES:
            wordnet.folder.open(file).close()
        label = database_files.describe(wordnet.folder)
        return WordNetLoader(name, f"{label}, {wordnet.name}", partial(database_files.read, wordnet.folder), "en", expansion)
    from .wordnet import lmf, lmf_document

    assert wordnet.file is not None  # noqa: S101 - a source is one of the two
    headers = lmf_document.read_headers(wordnet.file)
    read = partial(lmf.read, wordnet.file, headers)
    return WordNetLoader(
        name, f"{lmf_document.describe(headers)}, {wordnet.name}", read, lmf_document.find_language(headers), expansion
    )


def open_hashtags(source: str | Path, name: str = "hashtags") -> HashtagLoader:
    """Open a thesaurus of hashtags for loading.

    Args:
        source: A Parquet, CSV or TSV file (text may be gzipped) with the columns hashtag, synonym, rank and distance; rank or
            distance may be missing.
        name: The name of the base.

    Returns:
        A loader that can be used more than once. It raises a ``SourceError`` if the file cannot be read, but only while its
        batches are consumed.

    >>> open_hashtags("synonyms.csv").base.kind
    'hashtags'
    """
    from .thesauri.loader import HashtagLoader

    return HashtagLoader(Path(source), name)


def open_wikipedia(
    dump: str | Path,
    name: str | None = None,
    options: Options | None = None,
    *,
    language: Language | None = None,
    sql: str | Path | None = None,
    bundle: str | Path | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
) -> WikiLoader:
    """Open the dump of a wiki for loading.

    Args:
        dump: A *pages-articles* XML dump, plain, .bz2 or .gz.
        name: The name of the base; by default the wiki's database name.
        options: The options of the load, such as the number of links per article.
        language: Replaces the built-in data about the wiki's language.
        sql: A folder with SQL dumps of the same wiki, which add what the XML lacks.
        bundle: A work folder that is not deleted, so that the next load can reuse it; by default one that is deleted.
        workers: The number of processes that read the dump; by default one for each processor.
        executor: Reads the dump instead of those processes. The caller shuts it down.

    Returns:
        A loader and context manager: its work folder exists until it is closed.

    Raises:
        SourceError: The dump is missing or invalid. Damage within it is reported while the batches are consumed.

    >>> open_wikipedia("no/such/file.xml.bz2")
    Traceback (most recent call last):
    ...
    wayword.loaders.errors.SourceMissing: there is no file 'no/such/file.xml.bz2'; check the path
    """
    from .wikipedia.dump.dump_file import Dump
    from .wikipedia.loader import WikiLoader
    from .wikipedia.options import Options
    from .wikipedia.pipeline import Resources

    resources = Resources(workers, executor, None if bundle is None else Path(bundle))
    return WikiLoader(Dump(Path(dump)), name, options or Options(), language, None if sql is None else Path(sql), resources)
