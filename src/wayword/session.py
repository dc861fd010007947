"""An open graph and the questions that can be put to it; what ``import wayword`` offers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from .graph import open_store
from .graph.errors import CypherRefused, WaywordError
from .graph.store import Progress, silent
from .search.errors import BaseUnknown, PhraseError
from .search.morphology import forms_of
from .search.result import Answer, AspectTargets, BaseInfo, Info, Match, Senses, Target
from .search.stopwords import stop_words as read_stop_words
from .search.substitutability import Find, Substitutability
from .search.targets import check_text
from .search.transitions import Parameters
from .search.transitions import profile as read_profile
from .search.view import CacheInfo, View, Weighted

if TYPE_CHECKING:
    from .graph.store import Sense, Store
    from .search.batch import Batch
    from .search.live import LiveView
    from .search.opening import Choice
    from .search.projection import Projection


class GraphClosed(WaywordError):
    """A question to a graph that has been closed."""


def default_store() -> Path:
    """Where the embedded graph lies if nobody says otherwise: in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("wayword") / "graph.lbug"


def open(
    address: str | os.PathLike[str] | None = None,
    *,
    base: str | Sequence[str] | None = None,
    profile: str = "thesis",
    view: Choice = "auto",
    stop_words: str | os.PathLike[str] | None = None,
    progress: Progress = silent,
    **parameters: float | str | None,
) -> Graph:
    """Open a graph: a path, a ``bolt://`` address, or by default ``WAYWORD_STORE`` or the store in the user's data directory.

    ``profile`` names a set of parameters (``thesis``, ``tuned``, or a TOML file); any of them can be given by name, as in
    ``open(threshold=0.1, derivation="synset")``. ``view`` chooses between the store itself ("live") and its projection.

    >>> import wayword
    >>> with wayword.open(store) as graph:
    ...     round(graph.score("enclose", "birdcage").score, 2)
    0.27
    """
    chosen = (os.environ.get("WAYWORD_STORE") or default_store()) if address is None else address
    names = [base] if isinstance(base, str) else list(base or [])
    if len(names) > 1:
        raise BaseUnknown(f"one base at a time: {', '.join(names)} are {len(names)}; give --base once")
    return Graph(
        open_store(chosen),
        base=names[0] if names else None,
        parameters=read_profile(profile, **parameters),
        profile=profile,
        view=view,
        stop_words=read_stop_words(stop_words),
        progress=progress,
    )


class Graph:
    """An open store and the way to ask it; a context manager. Any number of them may read while a load runs."""

    def __init__(
        self,
        store: Store,
        *,
        base: str | None,
        parameters: Parameters,
        profile: str,
        view: Choice,
        stop_words: frozenset[str],
        progress: Progress,
    ) -> None:
        self.store = store
        self.parameters = parameters
        self._base, self._profile, self._choice, self._stop_words = base, profile, view, stop_words
        self._progress = progress
        self._stamp: tuple[int, ...] | None = None
        self._question: Substitutability[Any] | None = None
        self._batch: Batch | None = None
        self._closed = False
        self._lock = RLock()

    def __repr__(self) -> str:
        base = "" if self._base is None else f", base={self._base!r}"
        return f"<wayword.Graph {self.store.address!r}{base}{', closed' if self._closed else ''}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store; what is asked after that is refused."""
        with self._lock:
            self._question = self._batch = None
            if not self._closed:
                self._closed = True
                self.store.close()

    def _opened(self) -> Store:
        if self._closed:
            raise GraphClosed(f"the graph at {self.store.address} is closed; open it again with wayword.open")
        return self.store

    def _ask(self) -> Substitutability[Any]:
        """What answers questions about the store as it is now."""
        with self._lock:
            stamp = self._opened().stamp()
            if self._question is None or stamp != self._stamp:
                from .search.opening import open_view

                opened: Projection | LiveView = open_view(self.store, self._base, self._choice, self._progress)
                faster = None if self._choice == "live" else partial(self._faster, cast("Projection", opened))
                weighted: Weighted[Any] = Weighted(opened, self.parameters)
                self._question = Substitutability(weighted, self._profile, self._stop_words, faster)
                self._batch = None
                self._stamp = stamp
            return self._question

    def _faster(self, projection: Projection) -> Find[Any] | None:
        """The search in machine code, where that is installed."""
        from importlib.util import find_spec

        if find_spec("numba") is None:
            return None
        from .search.compiled import Compiled

        return Compiled(projection, self.parameters).search

    def score(self, substitute: str, substitutee: str) -> Match:
        """How well a phrase stands in for another, with the path that proves it.

        >>> match = graph.score("enclose", "birdcage")
        >>> [step.name for step in match.path][-1], match.unknown
        ('birdcage', ())
        """
        check_text(substitute)
        check_text(substitutee)
        return self._ask().match(substitute, substitutee)

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """The scores of pairs, lazily and in order.

        >>> [round(score, 2) for score in graph.scores([("enclose", "birdcage"), ("xyzzy", "birdcage")])]
        [0.27, 0.0]
        """
        question, pairs = self._ask(), _checked(pairs)
        if self._choice == "live":
            return (question.score(*pair) for pair in pairs)
        from .search.batch import Batch

        with self._lock:
            if self._batch is None:
                self._batch = Batch(question)
            return self._batch.scores(pairs)

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
        question = self._ask()
        view = question.view.view
        aspects = tuple(
            AspectTargets(aspect.text, tuple(self._targets(view, aspect.text))) for aspect in question.aspects(phrase)
        )
        return Senses(phrase, (view.base,), aspects)

    def _targets(self, view: View[Any], text: str) -> Iterator[Target]:
        """The target set of an aspect: by part of speech, then as the lexicon ranks them."""
        forms = forms_of(view, tuple(text.split(" ")))
        entries = self.store.labels(view.base, [entry.name for entry, _ in forms])
        found: dict[str, tuple[str, str, Sense]] = {}
        for entry, pos in forms:
            for sense in entries[entry.name].senses:
                if sense.entity.endswith(f"-{pos}"):
                    found.setdefault(sense.entity, (entry.name, pos, sense))
        nodes = self.store.nodes(list(found))
        for entity, (label, pos, sense) in found.items():
            node = nodes[entity]
            yield Target(entity, node["name"], node["gloss"], label, pos, sense.uses, sense.prior, sense.rank)

    def cypher(self, statement: str, *, limit: int = 1000, timeout: float = 30.0, **parameters: Any) -> Answer:
        """The rows of one read-only Cypher statement.

        >>> graph.cypher("MATCH (:Label {id: $id})-[:SENSE]->(s) RETURN s.name AS name", id="wordnet/birdcage").rows
        (('birdcage',),)
        """
        try:
            found = self._opened().cypher(statement, parameters, limit=limit, timeout=timeout)
        except CypherRefused as error:
            # Whoever calls this has no -p to add.
            advice = re.sub(r"add -p (.+)=VALUE$", r"give it as an argument: cypher(..., \1=VALUE)", str(error))
            raise type(error)(advice) from None
        return Answer(found.columns, found.rows, found.truncated)

    def info(self) -> Info:
        """What the store holds, and how the caches of this session did."""
        from .graph.schema import NODES

        counts = self._opened().counts()
        bases = tuple(
            BaseInfo(
                each.id,
                each.kind,
                each.source,
                each.revision,
                {name: number for name, number in counts.get(each.id, {}).items() if name in NODES},
                {name: number for name, number in counts.get(each.id, {}).items() if name not in NODES},
                each.left_out,
            )
            for each in self.store.bases()
        )
        caches = {name: each._asdict() for name, each in self.cache_info().items()}
        return Info(
            self.store.address, self.store.engine(), self.store.revision(), self.store.size(), bases, counts.get("", {}), caches
        )

    def cache_info(self) -> dict[str, CacheInfo]:
        """Hits, misses, limit and size of every bounded cache of this session."""
        return self._question.caches() if self._question is not None else {}


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
