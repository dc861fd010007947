"""Files by others become batches of nodes and relationships here; no module of this room knows a database."""

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
    from .tweets.reader import read_tweets
    from .wikipedia.languages import Language
    from .wikipedia.loader import WikiLoader
    from .wikipedia.options import Options
else:
    __getattr__ = lazy_exports(__name__, {"tweets.reader": ("read_tweets",)})

__all__ = [
    "SourceDamaged",
    "SourceError",
    "SourceInvalid",
    "SourceMissing",
    "SourceRefused",
    "WordNetLoader",
    "open_hashtags",
    "open_wikipedia",
    "open_wordnet",
    "read_tweets",
]


def _quiet(note: str) -> None:
    """A listener that hears nothing."""


def open_wordnet(
    source: str | Path | None = None, name: str = "wordnet", note: Callable[[str], None] = _quiet
) -> WordNetLoader:
    """A loader for a WordNet: a ``dict`` directory, an archive of one, a WN-LMF file, or whatever can be found.

    ``note`` is told what was tried and taken. What is wrong with a source is a ``SourceError``, here or while the loader's
    batches are taken.

    >>> open_wordnet("no/such/folder")
    Traceback (most recent call last):
    ...
    wayword.loaders.errors.SourceMissing: there is no file or folder 'no/such/folder'; check the path
    """
    from .wordnet import database_files, discovery

    found = discovery.find_anywhere(note) if source is None else discovery.find_at(source)
    if found.folder is not None:
        for file in database_files.NEEDED:
            found.folder.open(file).close()
        described = database_files.described(found.folder)
        return WordNetLoader(name, f"{described}, {found.name}", partial(database_files.read, found.folder))
    from .wordnet import lmf

    assert found.file is not None  # noqa: S101 - a source is one of the two
    return WordNetLoader(name, f"{lmf.described(found.file)}, {found.name}", partial(lmf.read, found.file))


def open_hashtags(source: str | Path, name: str = "hashtags") -> HashtagLoader:
    """A loader for a thesaurus of hashtags: Parquet or CSV with the columns hashtag, synonym, rank and distance.

    What is wrong with the file is a ``SourceError`` while the loader's batches are taken.

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
    """A loader for a wiki's dump, pages-articles XML plain, .bz2 or .gz; a context manager that holds its work folder.

    ``name`` is the base's (by default the wiki's database name). ``language`` takes the place of what is known of the wiki's
    language; ``sql`` is a folder with the wiki's SQL dumps. ``bundle`` names a work folder that is to stay; ``workers`` or
    ``executor`` read the dump. What is wrong with a source is a ``SourceError``, here or while the loader's batches are taken.

    >>> open_wikipedia("no/such/file.xml.bz2")
    Traceback (most recent call last):
    ...
    wayword.loaders.errors.SourceMissing: there is no file 'no/such/file.xml.bz2'; check the path
    """
    from .wikipedia.dump.dump_file import Dump
    from .wikipedia.loader import WikiLoader
    from .wikipedia.options import Options
    from .wikipedia.pipeline import Resources

    means = Resources(workers, executor, None if bundle is None else Path(bundle))
    return WikiLoader(Dump(Path(dump)), name, options or Options(), language, None if sql is None else Path(sql), means)
