"""A request for matchers: their names and options, as a record that opens them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .core.errors import hint
from .core.progress import Progress, no_progress
from .evaluation.errors import MatcherError

if TYPE_CHECKING:
    from .api import Graph
    from .evaluation.matchers import Matcher
    from .evaluation.matchers.resources import Resources
    from .graph.records import Base
    from .query import Query

DEFAULT = ("wayword",)
OPTIONS = ("corpus", "vectors", "encoder")
"""The options that some matchers need."""


@dataclass(frozen=True, slots=True)
class OpenMatchers:
    """Open matchers, and what a run of the ledger records about them.

    - ``by_name``: the matchers, in the order in which they were named
    - ``parameters``: their names and options, ready for JSON; with the weights of the search if they query a graph
    - ``store``, ``bases``: the address of the store and the bases that they query; empty if they query none
    - ``inputs``: the files that they read
    """

    by_name: dict[str, Matcher]
    parameters: dict[str, Any] = field(default_factory=dict)
    store: str = ""
    bases: list[dict[str, Any]] = field(default_factory=list)
    inputs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatcherRequest:
    """The names of matchers, by default ``wayword``, and their options: a query of the graph, and files or models.

    - ``query``: the graph and its options; the graph is opened only if a matcher queries it
    - ``names``: the names of the matchers
    - ``corpus``, ``vectors``, ``encoder``: as in ``Resources``
    """

    query: Query
    names: tuple[str, ...] = ()
    corpus: str | None = None
    vectors: str | None = None
    encoder: str | None = None

    @contextmanager
    def open(self, progress: Progress = no_progress, note: Callable[[str], None] = lambda _: None) -> Iterator[OpenMatchers]:
        """Open the matchers; the graph that they query is closed when the block ends.

        Args:
            progress: Receives progress while a projection is built, which the first search in a base needs.
            note: Receives notes, such as the size of a download.

        Raises:
            MatcherError: A matcher is unknown, broken, named twice, or lacks what it needs; or an option is of no use.
        """
        from .core.atomic_files import describe_files
        from .evaluation.matchers.registry import open_matchers
        from .evaluation.matchers.resources import Resources

        self._check()
        bases = tuple(self.query.options.get("base") or ())
        with ExitStack() as stack:
            graphs: list[tuple[Query, Graph]] = []

            def open_graph(profile: str | None) -> Graph:
                query = self.query if profile is None else self.query.with_profile(profile)
                graph = stack.enter_context(query.open(progress))
                graphs.append((query, graph))
                return graph

            resources = Resources(open_graph, bases, self.corpus, self.vectors, self.encoder, note)
            matchers = open_matchers(self.names or DEFAULT, resources)
            opened = OpenMatchers(matchers, self._describe_options(matchers), inputs={"files": describe_files(self._files())})
            yield self._with_bases(opened, graphs, resources) if graphs else opened

    def _check(self) -> None:
        """Raise if a matcher is unknown or named twice, or if no matcher needs an option."""
        from .evaluation.matchers.registry import find_matcher

        names = self.names or DEFAULT
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise MatcherError(f"the matcher {duplicate!r} is given twice; give each matcher once")
        needed = {find_matcher(name).needs for name in names}
        for option in OPTIONS:
            if getattr(self, option) is not None and option not in needed:
                raise MatcherError(f"no matcher of {', '.join(names)} needs {option}", hint("omit", option=option))

    def _files(self) -> list[Path]:
        """Return the paths of the corpus and the vectors; an encoder is identified by its name."""
        return [Path(name).resolve() for name in (self.corpus, self.vectors) if name is not None]

    def _describe_options(self, matchers: Mapping[str, Matcher]) -> dict[str, Any]:
        options = {option: value for option in OPTIONS if (value := getattr(self, option)) is not None}
        resolved = {name: str(Path(value).resolve()) for name, value in options.items() if Path(value).exists()}
        return {"matchers": list(matchers), **options, **resolved}

    def _with_bases(self, opened: OpenMatchers, graphs: Sequence[tuple[Query, Graph]], resources: Resources) -> OpenMatchers:
        """Add the bases that the matchers query, and the options of the queries."""
        from .evaluation.matchers.registry import is_wayword
        from .evaluation.runs.recording import describe_bases
        from .search.bases.selection import choose_base

        _, graph = graphs[0]
        bases: dict[str, Base] = {}
        if resources.has_wordnet:
            bases[resources.wordnet.base] = choose_base(graph.store, resources.wordnet.base)
        if not resources.has_wordnet or any(is_wayword(name) for name in opened.by_name):
            queried = [choose_base(graph.store, name) for name in resources.bases or (None,)]
            bases |= {base.id: base for base in queried}
        first, *others = (query.describe(graph) for query, graph in graphs)
        parameters = {**opened.parameters, **first, **({"other_queries": others} if others else {})}
        return replace(opened, parameters=parameters, store=graph.store.address, bases=describe_bases(bases.values()))
