"""Open a graph and query it: the main part of the Python API."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import islice
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, Unpack, cast

from .core.errors import WaywordError, hint
from .core.progress import Progress, no_progress
from .graph import open_store
from .graph.errors import StoreMissing
from .search.bases.view import CacheInfo, View
from .search.errors import ArraysDamaged, BaseUnknown, PhraseError
from .search.paths.native_search import open_native_search
from .search.paths.weighted import WeightedView
from .search.results import Match, Senses
from .search.scoring.aspects import check_text
from .search.scoring.parameters import Parameters
from .search.scoring.profiles import DEFAULT_PROFILE, read_profile
from .search.scoring.scorer import FindPath, Scorer
from .search.scoring.stop_words import default_stop_words, read_stop_words
from .store_address import resolve_address

if TYPE_CHECKING:
    from .evaluation.hop.results import Summary
    from .graph.store import Store
    from .results import Answer, Info
    from .search.bases.projection import Projection
    from .search.bases.selection import ViewChoice
    from .search.bases.wikipedia.results import Links
    from .search.hashtags.results import Similar
    from .search.scoring.batches import PairScorer
    from .search.traversal.results import Trail
    from .search.traversal.strategy_options import StrategyKeywords


P = ParamSpec("P")
T = TypeVar("T")


class GraphClosed(WaywordError):
    """The graph has been closed."""


def open(
    address: str | os.PathLike[str] | None = None,
    *,
    base: str | Sequence[str] | None = None,
    profile: str = DEFAULT_PROFILE,
    view: ViewChoice = "auto",
    stop_words: str | os.PathLike[str] | None = None,
    depth_limited: bool = False,
    progress: Progress = no_progress,
    **parameters: float | str | bool | None,
) -> Graph:
    """Open a graph.

    Open a separate graph in each process: one that was opened before a fork must not be used in the child.

    Args:
        address: A path, or a ``bolt://`` or ``neo4j://`` address; by default ``WAYWORD_STORE``, else the store in the user's
            data directory. ``memory:`` is a new, empty graph that is lost when it is closed.
        base: The base to query, by default ``wordnet``, or the only one; several bases are searched as one.
        profile: The parameters of the search: ``people``, ``entailment``, ``thesis``, ``tuned``, or a TOML file.
        view: ``live`` searches the store itself, ``projection`` a snapshot in memory-mapped files that is built once per
            revision, ``auto`` chooses.
        stop_words: A file of words to drop from unknown phrases, one per line; by default those of the bases' languages.
        depth_limited: Search the first base alone, and all bases only if it finds nothing.
        progress: Receives the current step, the number of rows done, and the share done (None: unknown).
        parameters: Parameters that replace those of the profile, such as ``threshold=0.1`` or ``derivation="synset"``.

    Raises:
        StoreError: The address is invalid, or there is no store; a server is only connected to on first use.
        ParameterError: A parameter is unknown or out of its range.

    >>> import wayword
    >>> with wayword.open(store) as graph:
    ...     round(graph.score("enclose", "birdcage").score, 2)
    0.29
    """
    names = [base] if isinstance(base, str) else list(base or [])
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise BaseUnknown(f"the base {duplicate!r} is given twice; give each base once")
    if depth_limited and len(names) < 2:
        raise BaseUnknown("a depth-limited search needs two bases or more", hint("set", option="base", what="another one"))
    opened = open_store(resolve_address(address))
    if opened.persistent and opened.cheap_state_id and not opened.state_id():
        raise StoreMissing(f"there is no store at {opened.address}", hint("load", kind="wordnet"))
    return Graph(
        opened,
        bases=names,
        depth_limited=depth_limited,
        parameters=read_profile(profile, **parameters),
        profile=profile,
        view=view,
        stop_words=None if stop_words is None else read_stop_words(stop_words),
        progress=progress,
    )


def _rebuild_damaged(query: Callable[Concatenate[Graph, P], T]) -> Callable[Concatenate[Graph, P], T]:
    """Ask a second time if a projection turned out to be damaged: its file was deleted, so it is built again."""

    @wraps(query)
    def ask(graph: Graph, /, *arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return query(graph, *arguments, **keywords)
        except ArraysDamaged:
            graph._discard_projections()
            return query(graph, *arguments, **keywords)

    return ask


class Graph:
    """An open graph, as a context manager; see ``wayword.open``.

    Methods may be called from several threads. A base may be loaded while graphs are open, in this or other processes; calls
    that begin after the load use the new revision.
    """

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
        self._state: tuple[int, ...] | None = None
        self._scorers: dict[tuple[str, ...], Scorer[Any]] = {}
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
        """Close the store; later calls raise ``GraphClosed``."""
        with self._lock:
            self._scorers, self._batches = {}, {}
            if not self._closed:
                self._closed = True
                self.store.close()

    def _discard_projections(self) -> None:
        """Open the projections again when they are needed next."""
        with self._lock:
            self._state = None

    def _open_store(self) -> Store:
        if self._closed:
            raise GraphClosed(f"the graph at {self.store.address} is closed; open it again with wayword.open")
        return self.store

    def scorer(self) -> Scorer[Any]:
        """Return the scorer of all bases at the current revision, for evaluations that weigh its view again."""
        return self._scorer()

    def _scorer(self, bases: tuple[str, ...] | None = None) -> Scorer[Any]:
        """Return the scorer of some bases, by default all, at the current revision."""
        bases = self._bases if bases is None else bases
        with self._lock:
            state = self._open_store().state_id()
            if state != self._state:
                self._scorers, self._batches, self._state = {}, {}, state
            if bases not in self._scorers:
                self._scorers[bases] = self._make_scorer(bases)
            return self._scorers[bases]

    def _make_scorer(self, bases: tuple[str, ...]) -> Scorer[Any]:
        from .search.bases.selection import open_union, open_view

        view: View[Any]
        if len(bases) < 2:
            view = open_view(self.store, bases[0] if bases else None, self._choice, self._progress)
        else:
            view = open_union(self.store, bases, self.parameters, self._choice, self._progress)
        find_path: FindPath[Any] | None = None
        if self._choice != "live" and (native := open_native_search(cast("Projection", view), self.parameters)) is not None:
            find_path = native.search
        stop_words = self._stop_words
        if stop_words is None:
            stop_words = default_stop_words(view.languages)
        return Scorer(WeightedView(view, self.parameters), self._profile, stop_words, find_path)

    @_rebuild_damaged
    def score(self, substitute: str, substitutee: str) -> Match:
        """Score how well a phrase stands in for another, from 0 to 1, with the path that proves it.

        >>> match = graph.score("enclose", "birdcage")
        >>> [step.name for step in match.path][-1], match.unknown
        ('birdcage', ())
        """
        check_text(substitute)
        check_text(substitutee)
        if not self._depth_limited:
            return self._scorer().match(substitute, substitutee)
        match = self._scorer(self._bases[:1]).match(substitute, substitutee)
        return replace(match if match.score else self._scorer().match(substitute, substitutee), depth_limited=True)

    @_rebuild_damaged
    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """Score pairs of phrases, lazily and in order; many pairs are faster than single calls of ``score``.

        >>> [round(score, 2) for score in graph.scores([("enclose", "birdcage"), ("xyzzy", "birdcage")])]
        [0.29, 0.0]
        """
        pairs = _check_pairs(pairs)
        if not self._depth_limited:
            return self._scores(pairs, self._bases)
        return self._scores_depth_limited(pairs)

    def _scores(self, pairs: Iterable[tuple[str, str]], bases: tuple[str, ...]) -> Iterator[float]:
        scorer = self._scorer(bases)
        if self._choice == "live":
            return (scorer.score(*pair) for pair in pairs)
        from .search.scoring.batches import PairScorer

        with self._lock:
            if bases not in self._batches:
                self._batches[bases] = PairScorer(scorer)
            return self._batches[bases].scores(pairs)

    def _scores_depth_limited(self, pairs: Iterator[tuple[str, str]]) -> Iterator[float]:
        """Score pairs in the first base, and pairs that score 0 there in all bases."""
        size = 64
        while chunk := list(islice(pairs, size)):
            scores = list(self._scores(chunk, self._bases[:1]))
            fallback = self._scores([pair for pair, score in zip(chunk, scores, strict=True) if not score], self._bases)
            yield from (score or next(fallback) for score in scores)
            size = min(2 * size, 65_536)

    @_rebuild_damaged
    def unknown(self, phrases: Iterable[str]) -> set[str]:
        """Return the phrases that the bases do not contain: their scores of 0 mean unknown, not unrelated.

        >>> graph.unknown(["birdcage", "xyzzy"])
        {'xyzzy'}
        """
        scorer = self._scorer()
        unknown = set()
        for phrase in [phrases] if isinstance(phrases, str) else phrases:
            check_text(phrase)
            if not scorer.aspects(phrase):
                unknown.add(phrase)
        return unknown

    @_rebuild_damaged
    def senses(self, phrase: str) -> Senses:
        """Split a phrase into aspects, and return the entities that each may mean.

        >>> [aspect.text for aspect in graph.senses("smelly birdcage").aspects][-1]
        'birdcage'
        """
        check_text(phrase)
        from .search.scoring.senses import find_senses

        return find_senses(self._scorer(), self.store, phrase)

    def links(self, article: str, *, first: int | None = None, keep_parentheses: bool = False) -> Links:
        """Return the links of an article's running text in reading order, as in ``graph.links("Philosophy", first=5)``.

        Args:
            article: The title of the article, or of a redirect to it.
            first: The largest number of links; by default all stored links.
            keep_parentheses: Include links in parentheses.
        """
        from .search.bases.wikipedia.articles import article_links

        check_text(article)
        return article_links(self._open_store(), self._bases, article, first, keep_parentheses=keep_parentheses)

    def similar(self, hashtag: str, k: int = 10) -> Similar:
        """Return the k nearest synonyms of a hashtag in a thesaurus of the store, as in ``graph.similar("#flu", k=5)``.

        Upper case and a missing # are ignored. The result can be iterated over, drawn, and exported as a graph.
        """
        from .search.bases.selection import choose_base_of_kind
        from .search.hashtags.kind import HASHTAGS
        from .search.hashtags.lookup import find_similar

        store = self._open_store()
        return find_similar(store, hashtag, k, choose_base_of_kind(store, HASHTAGS, self._bases).id)

    @_rebuild_damaged
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
        """Traverse a wiki from an article to a target, following one link of each article.

        Args:
            article: The title of the article to start at.
            target: The title of the article to reach.
            first_links: How many links of each article are considered, in reading order.
            limit: The largest number of hops.
            keep_parentheses: Consider links in parentheses too.
            no_revisit: Never visit an article twice.
            options: ``strategy`` (``first``, the default, ``second``, ``random``, ``wordnet``, ``vectors`` or ``contextual``),
                and the options of that strategy, see ``wayword.search.traversal.strategy_options.StrategyOptions``.
        """
        from .search.traversal.link_graph import open_link_graph
        from .search.traversal.strategy_options import StrategyOptions
        from .search.traversal.trails import make_trail
        from .search.traversal.walk import WalkRules

        check_text(article)
        check_text(target)
        store = self._open_store()
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
            limit: The largest number of hops of a traversal.
            keep_parentheses: Consider links in parentheses too.
            no_revisit: Never visit an article twice.
            starters: Titles of the articles to start at; by default all articles.
            sample: Start at a random sample of this size instead.
            balanced: Start at a sample of this size, balanced from abstract to concrete openings.
            ratings: A file of concreteness ratings of words, for ``balanced``.
            ledger: A path or a SQLAlchemy URL; by default ``WAYWORD_LEDGER``, else the ledger in the user's data directory.
            options: As for ``trail``; ``seed`` is also that of the sample.
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
        rules = WalkRules(first_links, limit, keep_parentheses, no_revisit)
        experiment = Experiment(chosen, rules, target, make_starters(starters, sample, balanced, ratings, chosen.seed))
        store = self._open_store()
        with Ledger.open(ledger) as opened:
            return run_experiment(
                store, open_link_graph(store, self._bases, self._progress), experiment, opened, self._progress
            )

    def cypher(self, statement: str, *, limit: int = 1000, timeout: float = 30.0, **parameters: Any) -> Answer:
        """Run a read-only Cypher statement.

        Args:
            statement: The statement; ``$name`` is a parameter.
            limit: The largest number of rows.
            timeout: The largest number of seconds.
            parameters: The values of the parameters.

        >>> graph.cypher("MATCH (:Label {id: $id})-[:SENSE]->(s) RETURN s.name AS name", id="wordnet/birdcage").rows
        (('birdcage',),)
        """
        from .results import Answer

        answer = self._open_store().cypher(statement, parameters, limit=limit, timeout=timeout)
        return Answer(answer.columns, answer.rows, answer.truncated)

    def info(self) -> Info:
        """Return the contents of the store and the state of the caches."""
        from .results import BaseInfo, Info

        counts = self._open_store().counts()
        bases = tuple(BaseInfo.of(base, counts.get(base.id, {})) for base in self.store.bases())
        caches = {name: info._asdict() for name, info in self.cache_info().items()}
        return Info(
            self.store.address, self.store.engine(), self.store.revision(), self.store.size(), bases, counts.get("", {}), caches
        )

    def cache_info(self) -> dict[str, CacheInfo]:
        """Return hits, misses, limit and size of every bounded cache."""
        caches: dict[str, CacheInfo] = {}
        for bases, scorer in self._scorers.items():
            prefix = f"{'+'.join(bases)}: " if len(self._scorers) > 1 else ""
            caches |= {f"{prefix}{name}": info for name, info in scorer.cache_info().items()}
        return caches


def _check_pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield pairs of phrases; raise ``PhraseError`` with the index of anything else."""
    for index, pair in enumerate(pairs):
        try:
            first, second = () if isinstance(pair, str) else pair
        except (TypeError, ValueError):
            raise PhraseError(f"the pair at index {index} is {pair!r}: give two phrases") from None
        for phrase in (first, second):
            if not isinstance(phrase, str):
                check_text(phrase, f"in the pair at index {index}, ")
        yield first, second
