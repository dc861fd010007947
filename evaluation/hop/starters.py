"""The articles at which traversals begin: all, a random sample, a sample balanced over concreteness, or a list."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...core.atomic_files import describe_file
from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...search.errors import ArticleUnknown, StartersInvalid
from ...search.traversal.trails import resolve_article
from .concreteness import Ratings

if TYPE_CHECKING:
    from ...core.arrays import FloatArray, IntArray
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph

How = Literal["all", "sample", "balanced", "listed"]

BINS = 20
"""Equal parts of the range of concreteness; a balanced sample draws equally from each."""

MIN_POOL, POOL_FACTOR = 10_000, 20
"""The random articles that are rated for a balanced sample: this number, or this many times the sample if that is more."""

TITLE_COLUMNS = ("title", "article", "article_name", "starter", "start_article_title", "name")
"""The names that the column of titles may have in a table of starters."""

CHUNK = 5_000
"""Articles that are read together."""

UNKNOWN, IS_TARGET, DUPLICATE, UNRATED = "unknown_starter", "starter_is_target", "duplicate_starter", "unrated_article"
LIST_CODES = (UNKNOWN, IS_TARGET, DUPLICATE)
"""The codes under which entries of a list of starters are left out."""


@dataclass(frozen=True, slots=True)
class Starters:
    """How starters are chosen.

    - ``how``: ``all``, ``sample``, ``balanced`` or ``listed``
    - ``count``: the size of a sample
    - ``seed``: of a sample
    - ``ratings``: for ``balanced``: a file of concreteness ratings
    - ``titles``: for ``listed``: the titles
    - ``left_out``, ``digest``: for a list that is restored from the ledger, when ``titles`` are those that were used: how many
      others there were, by code, and the digest of the whole list
    """

    how: How = "all"
    count: int | None = None
    seed: int = 0
    ratings: str | None = None
    titles: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    digest: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the ledger stores; the titles of a list are the starters of the recorded traversals."""
        match self.how:
            case "all":
                return {"starters": "all"}
            case "sample":
                return {"starters": "sample", "count": self.count, "drawn_by": self.seed}
            case "balanced":
                ratings = self.ratings and str(Path(self.ratings).resolve())
                return {"starters": "balanced", "count": self.count, "ratings": ratings, "drawn_by": self.seed}
        digest = hashlib.sha256("\n".join(self.titles).encode("utf-8", "surrogatepass")).hexdigest()
        return {"starters": "listed", "count": self.count or len(self.titles), "titles": self.digest or digest}

    def describe_files(self) -> dict[str, Any]:
        """Describe the content of the file of ratings, if there is one."""
        return {} if self.ratings is None else {"ratings": describe_file(Path(self.ratings))}

    def choose(self, store: Store, graph: LinkGraph, target: int, progress: Progress = no_progress) -> ChosenStarters:
        """Choose the starters among the articles of a wiki; the target is never one.

        Raises:
            StartersInvalid: There are too few articles, or no title of the list is one.
        """
        if self.how == "listed":
            listed = _resolve_titles(store, graph, target, self.titles)
            return replace(listed, left_out=dict(Counter(listed.left_out) + Counter(self.left_out)))
        others = np.delete(np.arange(graph.size), target)
        if self.how == "all":
            return ChosenStarters(others)
        count = self.count or 0
        if count > len(others):
            raise StartersInvalid(f"{graph.base} has {len(others):,} articles to begin at, not {count:,}; choose fewer")
        shuffled = shuffle_articles(graph, others, self.seed)
        if self.how == "sample":
            return ChosenStarters(np.sort(shuffled[:count]))
        if self.ratings is None:
            raise StartersInvalid(
                "balanced starters need concreteness ratings of words", hint("set", option="ratings", what="a file of them")
            )
        pool = shuffled[: max(MIN_POOL, POOL_FACTOR * count)]
        concreteness = _rate(store, graph, pool, Ratings.read(self.ratings), progress)
        rated = np.isfinite(concreteness)
        if rated.sum() < count:
            raise StartersInvalid(
                f"only {rated.sum():,} of {len(pool):,} articles have a rated word, not {count:,}; choose fewer starters"
            )
        left_out = {} if rated.all() else {UNRATED: int((~rated).sum())}
        pool, concreteness = pool[rated], concreteness[rated]
        chosen = balanced_sample(concreteness, count)
        chosen = chosen[np.argsort(pool[chosen])]
        return ChosenStarters(pool[chosen], left_out, concreteness[chosen])


def make_starters(
    titles: Iterable[str] | None, sample: int | None, balanced: int | None, ratings: str | None, seed: int
) -> Starters:
    """Return the starters for the one option that is given, all articles if none is.

    Raises:
        StartersInvalid: Options exclude each other, or are invalid.
    """
    options = {"starters": titles is not None, "sample": sample is not None, "balanced": balanced is not None}
    if sum(options.values()) > 1:
        raise StartersInvalid(f"choose one of {' and '.join(name for name, is_given in options.items() if is_given)}")
    if ratings is not None and balanced is None:
        raise StartersInvalid(
            "only balanced starters use ratings of words",
            hint("set", option="balanced", what="a number of starters"),
            hint("omit", option="ratings"),
        )
    count = sample if balanced is None else balanced
    if count is not None and count < 1:
        raise StartersInvalid(f"the number of starters is {count}; it must be at least 1")
    if isinstance(titles, str):
        raise StartersInvalid(f"the starters are a single string, {titles!r}; give a list of titles")
    if titles is not None:
        return Starters("listed", seed=seed, titles=tuple(titles))
    how: How = "all" if count is None else "sample" if balanced is None else "balanced"
    return Starters(how, count, seed, ratings)


@dataclass(frozen=True, slots=True)
class ChosenStarters:
    """Starters as articles of the link graph.

    - ``left_out``: what could not be a starter, counted by code
    - ``concreteness``: of balanced starters the rating of each
    """

    articles: IntArray
    left_out: dict[str, int] = field(default_factory=dict)
    concreteness: FloatArray | None = None


def shuffle_articles(graph: LinkGraph, articles: IntArray, seed: int) -> IntArray:
    """Sort articles by a hash of the seed and their titles.

    So the order of two articles does not depend on the others, and a larger sample contains the smaller one.
    """
    hashes = [
        hashlib.blake2b(f"{seed}:starter:{graph.title(each)}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for each in articles.tolist()
    ]
    return articles[np.argsort(np.array(hashes, "S8"), kind="stable")]


def balanced_sample(values: FloatArray, count: int) -> IntArray:
    """Draw a sample that is uniform over the range of the values, as far as they allow.

    The paper uses as many concrete starters as abstract ones (section 4). The range is cut into ``BINS`` equal parts. One
    value is drawn from each part, then a second, and so on, until there are ``count``. Parts that are used up are skipped.

    Returns:
        The indices of the sample, ascending.

    >>> balanced_sample(np.array([1.0, 1.1, 1.05, 1.02, 3.0, 5.0]), 4).tolist()
    [0, 1, 4, 5]
    """
    low, high = float(values.min()), float(values.max())
    bins = np.minimum(((values - low) / ((high - low) or 1.0) * BINS).astype(np.int64), BINS - 1)
    round_ = np.zeros(len(values), np.int64)
    for number in range(BINS):
        inside = np.flatnonzero(bins == number)
        round_[inside] = np.arange(len(inside))
    order = np.lexsort((np.arange(len(values)), round_))
    return np.sort(order[:count])


def _rate(store: Store, graph: LinkGraph, articles: IntArray, ratings: Ratings, progress: Progress) -> FloatArray:
    """Return the concreteness of the openings of articles, NaN if unknown."""
    found = np.full(len(articles), np.nan)
    for start in range(0, len(articles), CHUNK):
        ids = [graph.id(article) for article in articles[start : start + CHUNK].tolist()]
        nodes = store.nodes(ids)
        for index, key in enumerate(ids, start):
            mean = ratings.mean(str(nodes[key].get("gloss") or "")) if key in nodes else None
            found[index] = np.nan if mean is None else mean
        progress("rating articles", min(start + CHUNK, len(articles)), min(1.0, (start + CHUNK) / len(articles)))
    return found


def _resolve_titles(store: Store, graph: LinkGraph, target: int, titles: Sequence[str]) -> ChosenStarters:
    left_out, articles, unknown = Counter[str](), dict[int, None](), list[str]()
    for title in titles:
        try:
            article = resolve_article(store, graph, title)
        except ArticleUnknown:
            left_out[UNKNOWN] += 1
            unknown.append(title)
            continue
        if article == target:
            left_out[IS_TARGET] += 1
        elif article in articles:
            left_out[DUPLICATE] += 1
        else:
            articles[article] = None
    if not articles:
        example = f" ({unknown[0]!r} is unknown)" if unknown else ""
        raise StartersInvalid(
            f"none of the {len(titles):,} starters is an article of {graph.base} other than the target{example}; name others"
        )
    return ChosenStarters(np.array(list(articles), np.int64), dict(left_out))


def read_titles(file: str) -> tuple[str, ...]:
    """Read the titles in a file: one per line, or the column of titles of a CSV or TSV file with a header.

    Raises:
        StartersInvalid: The file cannot be read, or holds no titles.
    """
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as stream:
            titles = tuple(_parse_titles(stream, Path(file).suffix.lower(), file))
    except (OSError, ValueError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise StartersInvalid(f"{file}: cannot be read ({reason}); name a file with one title per line") from None
    except csv.Error as error:
        raise StartersInvalid(f"{file}: is not a table ({error}); name a file with one title per line") from None
    if not titles:
        raise StartersInvalid(f"{file}: holds no titles; write one per line, or a CSV file with a column title")
    return titles


def _parse_titles(stream: Iterator[str], suffix: str, file: str) -> Iterator[str]:
    if suffix not in (".csv", ".tsv"):
        yield from (line.strip() for line in stream if line.strip())
        return
    rows = csv.reader(stream, delimiter="\t" if suffix == ".tsv" else ",")
    header = [name.strip().lower() for name in next(rows, [])]
    column = next((header.index(name) for name in TITLE_COLUMNS if name in header), None)
    if column is None:
        raise StartersInvalid(f"{file}: has no column {', '.join(TITLE_COLUMNS[:-1])} or {TITLE_COLUMNS[-1]}; rename one")
    yield from (row[column].strip() for row in rows if len(row) > column and row[column].strip())
