"""An open graph and the questions that can be put to it; what ``import wayword`` offers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack, cast

from .core.errors import WaywordError
from .core.progress import Progress, no_progress
from .graph import open_store
from .results import Answer, BaseInfo, Info
from .search.bases.view import CacheInfo, View
from .search.bases.wikipedia.results import Links
from .search.errors import BaseUnknown, PhraseError
from .search.paths.weighted import WeightedView
from .search.results import Match, Senses
from .search.scoring.aspects import check_text
from .search.scoring.parameters import Parameters, read_profile
from .search.scoring.scorer import FindPath, Scorer
from .search.scoring.stop_words import default_stop_words, read_stop_words
from .store_address import resolve_address

if TYPE_CHECKING:
    from .evaluation.hop.results import Summary
    from .graph.store import Store
    from .search.bases.projection import Projection
    from .search.bases.selection import ViewChoice
    from .search.hashtags.results import Similar
    from .search.scoring.batches import PairScorer
    from .search.traversal.results import Trail
    from .search.traversal.strategy_options import StrategyKeywords


class GraphClosed(WaywordError):
    """A question to a graph that has been closed."""


def open(
    address: str | os.PathLike[str] | None = None,
    *,
    base: str | Sequence[str] | None = None,
    profile: str = "thesis",
    view: ViewChoice = "auto",
    stop_words: str | os.PathLike[str] | None = None,
    depth_limited: bool = False,
    progress: Progress = no_progress,
    **parameters: float | str | bool | None,
) -> Graph:
    """Open a graph: a path, a ``bolt://`` address, or by default ``WAYWORD_STORE`` or the store in the user's data directory.

    ``memory:`` is a new, empty graph that lives as long as its handle; ``wayword.graph.ingest`` loads into its ``store``.

    ``profile`` names a set of parameters (``thesis``, ``tuned``, or a TOML file); any of them can be given by name, as in
    ``open(threshold=0.1, derivation="synset")``. ``view`` chooses between the store itself ("live") and its projection.
    More bases than one are searched as one; ``depth_limited`` asks the first of them alone, and all only if it finds nothing.
    Open a graph in each process: as with sqlite3 and the neo4j driver, one opened before a fork must not be used in the child.

    >>> import wayword
    >>> with wayword.open(store) as graph:
    ...     round(graph.score("enclose", "birdcage").score, 2)
    0.27
    """
    names = [base] if isinstance(base, str) else list(base or [])
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BaseUnknown(f"the base {twice!r} is named twice; name each base once")
    if depth_limited and len(names) < 2:
        raise BaseUnknown("depth-limited asks the first base alone, then all together: name two bases or more")
    return Graph(
        open_store(resolve_address(address)),
        bases=names,
        depth_limited=depth_limited,
        parameters=read_profile(profile, **parameters),
        profile=profile,
        view=view,
        stop_words=None if stop_words is None else read_stop_words(stop_words),
        progress=progress,
    )


class Graph:
    """An open store and the way to ask it; a context manager. Any number of them may read while a load runs."""

    def __init__(
        self,
        store: Store,
        *,
        bases: Sequence[str],
        depth_limited: bool,
        parameters: Parameters,
        profile: str,
        view: ViewChoice,
        stop_words: frozenset[str] | None,
        progress: Progress,
    ) -> None:
        self.store = store
        self.parameters = parameters
        self._bases, self._profile, self._choice, self._stop_words = tuple(bases), profile, view, stop_words
        self._depth_limited = depth_limited
        self._progress = progress
        self._stamp: tuple[int, ...] | None = None
        self._questions: dict[tuple[str, ...], Scorer[Any]] = {}
        self._batches: dict[tuple[str, ...], PairScorer] = {}
        self._closed = False
        self._lock = RLock()

    def __repr__(self) -> str:
        base = {0: "", 1: f", base={''.join(self._bases)!r}"}.get(len(self._bases), f", base={list(self._bases)!r}")
        return f"<wayword.Graph {self.store.address!r}{base}{', closed' if self._closed else ''}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store; what is asked after that is refused."""
        with self._lock:
            self._questions, self._batches = {}, {}
            if not self._closed:
                self._closed = True
                self.store.close()

    def _opened(self) -> Store:
        if self._closed:
            raise GraphClosed(f"the graph at {self.store.address} is closed; open it again with wayword.open")
        return self.store

    def _ask(self, bases: tuple[str, ...] | None = None) -> Scorer[Any]:
        """What answers questions about these bases (by default all that were named) as they are now."""
        wanted = self._bases if bases is None else bases
        with self._lock:
            stamp = self._opened().state_id()
            if stamp != self._stamp:
                self._questions, self._batches, self._stamp = {}, {}, stamp
            if wanted not in self._questions:
                self._questions[wanted] = self._question(wanted)
            return self._questions[wanted]

    def _question(self, bases: tuple[str, ...]) -> Scorer[Any]:
        from .search.bases.selection import open_union, open_view

        opened: View[Any]
        if len(bases) < 2:
            opened = open_view(self.store, bases[0] if bases else None, self._choice, self._progress)
        else:
            opened = open_union(self.store, bases, self.parameters, self._choice, self._progress)
        faster = None if self._choice == "live" else partial(self._faster, cast("Projection", opened))
        stop_words = self._stop_words
        if stop_words is None:
            stop_words = default_stop_words(opened.languages)
        return Scorer(WeightedView(opened, self.parameters), self._profile, stop_words, faster)

    def _faster(self, projection: Projection) -> FindPath[Any] | None:
        """The search in machine code, where that is installed."""
        from importlib.util import find_spec

        if find_spec("numba") is None:
            return None
        from .search.paths.compiled.searcher import CompiledSearch

        return CompiledSearch(projection, self.parameters).search

    def score(self, substitute: str, substitutee: str) -> Match:
        """How well a phrase stands in for another, with the path that proves it.

        >>> match = graph.score("enclose", "birdcage")
        >>> [step.name for step in match.path][-1], match.unknown
        ('birdcage', ())
        """
        check_text(substitute)
        check_text(substitutee)
        if not self._depth_limited:
            return self._ask().match(substitute, substitutee)
        match = self._ask(self._bases[:1]).match(substitute, substitutee)
        return replace(match if match.score else self._ask().match(substitute, substitutee), depth_limited=True)

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """The scores of pairs, lazily and in order.

        >>> [round(score, 2) for score in graph.scores([("enclose", "birdcage"), ("xyzzy", "birdcage")])]
        [0.27, 0.0]
        """
        pairs = _checked(pairs)
        if not self._depth_limited:
            return self._scores(pairs, self._bases)
        return self._in_depth(pairs)

    def _scores(self, pairs: Iterable[tuple[str, str]], bases: tuple[str, ...]) -> Iterator[float]:
        question = self._ask(bases)
        if self._choice == "live":
            return (question.score(*pair) for pair in pairs)
        from .search.scoring.batches import PairScorer

        with self._lock:
            if bases not in self._batches:
                self._batches[bases] = PairScorer(question)
            return self._batches[bases].scores(pairs)

    def _in_depth(self, pairs: Iterator[tuple[str, str]]) -> Iterator[float]:
        """The scores in the first base; of the pairs that have none there, those in all bases."""
        size = 64
        while chunk := list(islice(pairs, size)):
            scores = list(self._scores(chunk, self._bases[:1]))
            rest = self._scores([pair for pair, score in zip(chunk, scores, strict=True) if not score], self._bases)
            yield from (score or next(rest) for score in scores)
            size = min(2 * size, 65_536)

    def unknown(self, phrases: Iterable[str]) -> set[str]:
        """Those of the phrases that nothing is known of: their scores of 0 say nothing about meaning.

        >>> graph.unknown(["birdcage", "xyzzy"])
        {'xyzzy'}
        """
        question = self._ask()
        found = set()
        for phrase in [phrases] if isinstance(phrases, str) else phrases:
            check_text(phrase)
            if not question.aspects(phrase):
                found.add(phrase)
        return found

    def senses(self, phrase: str) -> Senses:
        """How a phrase is split, and which entities each part may mean.

        >>> [aspect.text for aspect in graph.senses("smelly birdcage").aspects][-1]
        'birdcage'
        """
        check_text(phrase)
        from .search.scoring.senses import find_senses

        return find_senses(self._ask(), self.store, phrase)

    def links(self, article: str, *, first: int | None = None, keep_parentheses: bool = False) -> Links:
        """The links of an article's running text in reading order, those within parentheses only if they are asked for.

        The article is named by its title, or by that of a redirect to it; ``graph.links("Philosophy", first=5)``.
        """
        from .search.bases.wikipedia.articles import article_links

        check_text(article)
        return article_links(self._opened(), self._bases, article, first, keep_parentheses=keep_parentheses)

    def similar(self, hashtag: str, k: int = 10) -> Similar:
        """The k nearest synonyms of a hashtag in the thesaurus that the store holds; ``graph.similar("#flu", k=5)``.

        Upper case and a missing # do not matter. They can be walked through, drawn, and shown as a graph.
        """
        from .search.bases.selection import choose_base_of_kind
        from .search.hashtags.kind import HASHTAGS
        from .search.hashtags.lookup import find_similar

        store = self._opened()
        return find_similar(store, hashtag, k, choose_base_of_kind(store, HASHTAGS, self._bases).id)

    def trail(
        self,
        article: str,
        *,
        target: str = "Philosophy",
        first_links: int = 20,
        limit: int = 100,
        keep_parentheses: bool = False,
        no_revisit: bool = False,
        **options: Unpack[StrategyKeywords],
    ) -> Trail:
        """Walk from an article of a wiki to a target, following one link of each article.

        Args:
            article: The title of the article to begin at.
            target: The title of the article to reach.
            first_links: How many links of each article are considered, in reading order.
            limit: The traversal ends after so many links.
            keep_parentheses: Links in parentheses are considered too.
            no_revisit: No article is visited twice.
            options: ``strategy`` (``first``, the default, ``second``, ``random``, ``wordnet``, ``vectors`` or ``contextual``),
                and what that strategy takes, see ``wayword.search.traversal.strategy_options.StrategyOptions``.
        """
        from .search.traversal.link_graph import open_link_graph
        from .search.traversal.strategy_options import StrategyOptions
        from .search.traversal.trails import make_trail
        from .search.traversal.walk import WalkRules

        check_text(article)
        check_text(target)
        store = self._opened()
        links = open_link_graph(store, self._bases, self._progress)
        rules = WalkRules(first_links, limit, keep_parentheses, no_revisit)
        return make_trail(store, links, StrategyOptions(**options), article, target, rules)

    def hop(
        self,
        *,
        target: str = "Philosophy",
        starters: Iterable[str] | None = None,
        sample: int | None = None,
        balanced: int | None = None,
        ratings: str | None = None,
        first_links: int = 20,
        limit: int = 100,
        keep_parentheses: bool = False,
        no_revisit: bool = False,
        ledger: str | None = None,
        **options: Unpack[StrategyKeywords],
    ) -> Summary:
        """Run an experiment: traversals from many articles to a target, each recorded in the ledger.

        Args:
            target: The title of the article to reach.
            first_links: How many links of each article are considered, in reading order.
            limit: A traversal ends after so many links.
            keep_parentheses: Links in parentheses are considered too.
            no_revisit: No article is visited twice.
            starters: Titles of the articles to begin at; by default all articles.
            sample: Begin at a random sample of this size instead.
            balanced: Begin at so many articles, balanced over how concrete their openings are.
            ratings: A file of concreteness ratings of words, for ``balanced``.
            ledger: A path or a SQLAlchemy URL; by default ``WAYWORD_LEDGER``, else the ledger in the user's data directory.
            options: As for ``trail``; ``seed`` also draws the starters.
        """
        from .evaluation.hop.experiment import Experiment, run_experiment
        from .evaluation.hop.starters import make_starters
        from .evaluation.runs.ledger import Ledger
        from .search.traversal.link_graph import open_link_graph
        from .search.traversal.strategy_options import StrategyOptions
        from .search.traversal.walk import WalkRules

        check_text(target)
        chosen = StrategyOptions(**options)
        chosen.validate()
        begin = make_starters(starters, sample, balanced, ratings, chosen.seed)
        asked = Experiment(chosen, WalkRules(first_links, limit, keep_parentheses, no_revisit), target, begin)
        store = self._opened()
        with Ledger.open(ledger) as book:
            return run_experiment(store, open_link_graph(store, self._bases, self._progress), asked, book, self._progress)

    def cypher(self, statement: str, *, limit: int = 1000, timeout: float = 30.0, **parameters: Any) -> Answer:
        """The rows of one read-only Cypher statement.

        >>> graph.cypher("MATCH (:Label {id: $id})-[:SENSE]->(s) RETURN s.name AS name", id="wordnet/birdcage").rows
        (('birdcage',),)
        """
        found = self._opened().cypher(statement, parameters, limit=limit, timeout=timeout)
        return Answer(found.columns, found.rows, found.truncated)

    def info(self) -> Info:
        """What the store holds, and how the caches of this session did."""
        counts = self._opened().counts()
        bases = tuple(BaseInfo.of(each, counts.get(each.id, {})) for each in self.store.bases())
        caches = {name: each._asdict() for name, each in self.cache_info().items()}
        return Info(
            self.store.address, self.store.engine(), self.store.revision(), self.store.size(), bases, counts.get("", {}), caches
        )

    def cache_info(self) -> dict[str, CacheInfo]:
        """Hits, misses, limit and size of every bounded cache of this session."""
        found: dict[str, CacheInfo] = {}
        for bases, question in self._questions.items():
            first = f"{'+'.join(bases)}: " if len(self._questions) > 1 else ""
            found |= {f"{first}{name}": info for name, info in question.cache_info().items()}
        return found


def _checked(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs, up to the first that is none; who gave them is told which it was."""
    for index, pair in enumerate(pairs):
        try:
            first, second = () if isinstance(pair, str) else pair
        except (TypeError, ValueError):
            raise PhraseError(f"the pair at index {index} is {pair!r}: give two phrases") from None
        for phrase in (first, second):
            if not isinstance(phrase, str):
                check_text(phrase, f"in the pair at index {index}, ")
        yield first, second
