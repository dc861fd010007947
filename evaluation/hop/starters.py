"""Where traversals begin: everywhere, at random, evenly over how concrete articles are, or as a list says."""

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
from ...core.progress import Progress, no_progress
from ...search.errors import ArticleUnknown, StartersInvalid
from ...search.traversal.trails import resolve_article
from .concreteness import Ratings

if TYPE_CHECKING:
    from ...graph.store import Store
    from ...search.traversal.link_graph import LinkGraph
    from ...search.traversal.strategies import Real, Whole

How = Literal["all", "sample", "balanced", "listed"]

BINS = 20
"""Equal parts of the range of concreteness, from each of which as many articles are taken as from any other."""

LEAST, TIMES = 10_000, 20
"""The articles that are rated: so many, or so many times those that are wanted, drawn by the seed."""

COLUMNS = ("title", "article", "article_name", "starter", "start_article_title", "name")
"""What the column of titles may be called in a list with a header."""

AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Starters:
    """Which articles; ``seed`` draws them, ``ratings`` is a file of how concrete words are, ``titles`` a list.

    Of a list that was used before, ``titles`` are those that were starters, ``unused`` tells of the others, and ``digest``
    stands for the whole list.
    """

    how: How = "all"
    count: int | None = None
    seed: int = 0
    ratings: str | None = None
    titles: tuple[str, ...] = ()
    unused: Mapping[str, int] = field(default_factory=dict)
    digest: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """What is written of them into the ledger; the titles of a list are the starters of its traversals."""
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

    def files(self) -> dict[str, Any]:
        """What tells the file of ratings from another one, if there is one."""
        return {} if self.ratings is None else {"ratings": describe_file(Path(self.ratings))}

    def choose(self, store: Store, world: LinkGraph, target: int, progress: Progress = no_progress) -> ChosenStarters:
        """The starters in this world."""
        if self.how == "listed":
            found = _listed(store, world, target, self.titles)
            return replace(found, left_out=dict(Counter(found.left_out) + Counter(self.unused)))
        others = np.delete(np.arange(world.size), target)
        if self.how == "all":
            return ChosenStarters(others)
        wanted = self.count or 0
        if wanted > len(others):
            raise StartersInvalid(f"{wanted:,} starters are asked for, and {world.base} has {len(others):,} articles for it")
        if self.how == "sample":
            return ChosenStarters(np.sort(shuffle_articles(world, others, self.seed)[:wanted]))
        if self.ratings is None:
            raise StartersInvalid(
                "balanced starters need ratings of how concrete words are; name a file of them with --ratings"
            )
        pool = shuffle_articles(world, others, self.seed)[: max(LEAST, TIMES * wanted)]
        rated = _concreteness(store, world, pool, Ratings.read(self.ratings), progress)
        known = np.isfinite(rated)
        if known.sum() < wanted:
            raise StartersInvalid(
                f"{wanted:,} starters are asked for, and of {known.sum():,} articles the concreteness is known"
            )
        pool, rated = pool[known], rated[known]
        taken = balanced_sample(rated, wanted)
        taken = taken[np.argsort(pool[taken])]
        unrated = {"articles without a rated word": int((~known).sum())} if not known.all() else {}
        return ChosenStarters(pool[taken], unrated, rated[taken])


def make_starters(
    titles: Iterable[str] | None, sample: int | None, balanced: int | None, ratings: str | None, seed: int
) -> Starters:
    """The starters that are asked for in one of these ways, all articles where in none."""
    ways = {"starters": titles is not None, "sample": sample is not None, "balanced": balanced is not None}
    if sum(ways.values()) > 1:
        raise StartersInvalid(f"choose one of {' and '.join(name for name, given in ways.items() if given)}")
    if ratings is not None and balanced is None:
        raise StartersInvalid("ratings of words are for balanced starters; ask for some, or leave the ratings out")
    count = sample if balanced is None else balanced
    if count is not None and count < 1:
        raise StartersInvalid(f"{count} starters are asked for; ask for one at least")
    if isinstance(titles, str):
        raise StartersInvalid(f"the starters {titles!r} are one text; give a list of titles")
    if titles is not None:
        return Starters("listed", seed=seed, titles=tuple(titles))
    how: How = "all" if count is None else "sample" if balanced is None else "balanced"
    return Starters(how, count, seed, ratings)


@dataclass(frozen=True, slots=True)
class ChosenStarters:
    """The starters, what was left out and why, and how concrete each is, if that was asked."""

    articles: Whole
    left_out: dict[str, int] = field(default_factory=dict)
    concreteness: Real | None = None


def shuffle_articles(world: LinkGraph, articles: Whole, seed: int) -> Whole:
    """The articles in an order by chance: the same for the same seed, and a title's place hangs on no other title."""
    chance = [
        hashlib.blake2b(f"{seed}:starter:{world.title(each)}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for each in articles.tolist()
    ]
    return articles[np.argsort(np.array(chance, "S8"), kind="stable")]


def balanced_sample(values: Real, count: int) -> Whole:
    """The places of so many values, as many from each part of their range as from any other, as far as it has them.

    >>> balanced_sample(np.array([1.0, 1.1, 1.05, 1.02, 3.0, 5.0]), 4).tolist()
    [0, 1, 4, 5]
    """
    low, high = float(values.min()), float(values.max())
    of = np.minimum(((values - low) / ((high - low) or 1.0) * BINS).astype(np.int64), BINS - 1)
    rank = np.zeros(len(values), np.int64)
    for part in range(BINS):
        inside = np.flatnonzero(of == part)
        rank[inside] = np.arange(len(inside))
    order = np.lexsort((np.arange(len(values)), rank))  # one of each part, then a second of each, and so on
    return np.sort(order[:count])


def _concreteness(store: Store, world: LinkGraph, articles: Whole, ratings: Ratings, progress: Progress) -> Real:
    found = np.full(len(articles), np.nan)
    for start in range(0, len(articles), AT_ONCE):
        ids = [world.id(article) for article in articles[start : start + AT_ONCE].tolist()]
        nodes = store.nodes(ids)
        for place, key in enumerate(ids, start):
            mean = ratings.mean(str(nodes[key].get("gloss") or "")) if key in nodes else None
            found[place] = np.nan if mean is None else mean
        progress("rating articles", min(start + AT_ONCE, len(articles)), min(1.0, (start + AT_ONCE) / len(articles)))
    return found


def _listed(store: Store, world: LinkGraph, target: int, titles: Sequence[str]) -> ChosenStarters:
    left_out, found, unknown = Counter[str](), dict[int, None](), list[str]()
    for title in titles:
        try:
            article = resolve_article(store, world, title)
        except ArticleUnknown:
            left_out["starters that are not in the wiki"] += 1
            unknown.append(title)
            continue
        if article == target:
            left_out["starters that are the target"] += 1
        elif article in found:
            left_out["starters that were there before"] += 1
        else:
            found[article] = None
    if not found:
        named = f" ({unknown[0]!r} is not there)" if unknown else ""
        raise StartersInvalid(
            f"none of the {len(titles):,} starters is an article of {world.base} other than the target{named}; give some"
        )
    return ChosenStarters(np.array(list(found), np.int64), dict(left_out))


def read_titles(file: str) -> tuple[str, ...]:
    """The titles in a file: one a line, or the column of titles of a CSV or TSV file with a header."""
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as stream:
            titles = tuple(_titles(stream, Path(file).suffix.lower(), file))
    except (OSError, ValueError) as error:
        reason = "it is not in UTF-8" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise StartersInvalid(f"{file}: cannot be read ({reason}); name a file with a title in each line") from None
    except csv.Error as error:
        raise StartersInvalid(f"{file}: is no table ({error}); name a file with a title in each line") from None
    if not titles:
        raise StartersInvalid(f"{file}: holds no titles; give one a line, or a CSV file with a column title")
    return titles


def _titles(stream: Iterator[str], ending: str, file: str) -> Iterator[str]:
    if ending not in (".csv", ".tsv"):
        yield from (line.strip() for line in stream if line.strip())
        return
    rows = csv.reader(stream, delimiter="\t" if ending == ".tsv" else ",")
    head = [name.strip().lower() for name in next(rows, [])]
    column = next((head.index(name) for name in COLUMNS if name in head), None)
    if column is None:
        raise StartersInvalid(
            f"{file}: has no column called {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]}; name the one of titles so"
        )
    yield from (row[column].strip() for row in rows if len(row) > column and row[column].strip())
