"""The name of a strategy with its options: validated, recorded, and opened."""

from __future__ import annotations

import glob
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ...core.atomic_files import describe_file
from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...core.suggestions import suggest
from ..errors import RulesInvalid, StrategyUnknown
from .strategies import STRATEGIES, NearestLink, SharedVocabulary, Strategy, StrategyContext

if TYPE_CHECKING:
    from ...graph.store import Store
    from .link_graph import LinkGraph
    from .strategies import RegisteredStrategy

Words = Literal["title", "anchor"]


class StrategyKeywords(TypedDict, total=False):
    """The fields of ``StrategyOptions`` as keyword arguments."""

    strategy: str
    seed: int
    vectors: str | None
    vocabulary: str | None
    encoder: str | None
    lexicon: str
    words: Words
    per_word: bool
    first_sense: bool


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    """A strategy and its options.

    - ``strategy``: ``random``, ``first``, ``second``, ``wordnet``, ``vectors`` or ``contextual``
    - ``seed``: of ``random``, 64 bits
    - ``vectors``, ``vocabulary``: for ``vectors``: a file of word vectors; the words of a .npy file
    - ``encoder``: for ``contextual``: a transformer, a folder or a name on Hugging Face
    - ``lexicon``: for ``wordnet``: the base
    - ``words``: which words of a link are compared: its anchor, or the title of the article that it leads to
    - ``per_word``: for ``vectors``: average the words' cosines, not their vectors
    - ``first_sense``: for ``wordnet``: use the most frequent sense of each noun only
    """

    strategy: str = "first"
    seed: int = 0
    vectors: str | None = None
    vocabulary: str | None = None
    encoder: str | None = None
    lexicon: str = "wordnet"
    words: Words = "title"
    per_word: bool = False
    first_sense: bool = False

    @property
    def registered(self) -> RegisteredStrategy:
        """The registration of the strategy."""
        if self.strategy not in STRATEGIES:
            choices = hint("choose", option="strategy", choices=list(STRATEGIES))
            raise StrategyUnknown(f"there is no strategy {self.strategy!r}", *suggest(self.strategy, STRATEGIES), choices)
        return STRATEGIES[self.strategy]

    def to_dict(self) -> dict[str, Any]:
        """Return the options that this strategy takes, ready for JSON, with absolute paths."""
        registered = self.registered
        values = {name: value for name, value in asdict(self).items() if name in registered.options and value is not None}
        return {name: _absolute(value) if name in registered.files else value for name, value in values.items()}

    def validate(self) -> None:
        """Raise if an option is invalid or unused by this strategy.

        Raises:
            StrategyUnknown: There is no such strategy.
            RulesInvalid: An option is invalid, or belongs to another strategy.
        """
        registered = self.registered
        if self.words not in ("title", "anchor"):
            raise RulesInvalid(f"words is {self.words!r}; choose title or anchor")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise RulesInvalid(f"the seed {self.seed} is too large; it must fit into 64 bits")
        defaults = StrategyOptions(self.strategy)
        for name, value in asdict(self).items():
            # A seed is always accepted: it draws the starters of an experiment too.
            if name not in ("strategy", "seed", *registered.options) and value != getattr(defaults, name):
                others = [each.name for each in STRATEGIES.values() if name in each.options]
                raise RulesInvalid(
                    f"the strategy {self.strategy} has no option {name.replace('_', '-')}",
                    hint("omit", option=name),
                    hint("choose", option="strategy", choices=others),
                )

    def bases(self) -> set[str]:
        """Return the bases that this strategy reads besides the wiki."""
        return {getattr(self, name) for name in self.registered.bases}

    def describe_files(self) -> list[Any]:
        """Describe the content of the strategy's files, and of those that belong to them.

        These are all files of a folder, and the files beside one that have the same name with another suffix.
        """
        found: list[Path] = []
        for name in self.registered.files:
            path = Path(str(getattr(self, name))).expanduser()
            if path.is_dir():
                found += sorted(each for each in path.iterdir() if each.is_file())
            elif path.is_file():
                found += sorted(each for each in path.parent.glob(f"{glob.escape(path.stem)}.*") if each.is_file())
                found += [path]
        return [describe_file(each) for each in dict.fromkeys(found)]

    def open(self, store: Store, graph: LinkGraph, target: str, progress: Progress = no_progress) -> Strategy:
        """Validate the options and open the strategy.

        Args:
            store: The store that holds the wiki, and the WordNet of ``wordnet``.
            graph: The link graph of the wiki.
            target: The title of the target.
            progress: Receives the progress of loading and reading.

        Raises:
            TraversalError: An option is invalid or missing, or the strategy does not know the target.
        """
        self.validate()
        return self.registered.open(self, StrategyContext(store, graph, target, progress, _notify))


def open_strategy(
    options: StrategyOptions,
    vocabularies: Sequence[StrategyOptions],
    store: Store,
    graph: LinkGraph,
    target: str,
    progress: Progress = no_progress,
) -> Strategy:
    """Open a strategy, restricted to links that all vocabularies know; a strategy that scores no links knows all."""
    strategy = options.open(store, graph, target, progress)
    others = [each.open(store, graph, target, progress) for each in vocabularies]
    restricting = [each for each in others if isinstance(each, NearestLink)]
    return SharedVocabulary(strategy, restricting) if restricting else strategy


def _absolute(file: str) -> str:
    """Return the absolute path of a file; the name of a model on Hugging Face stays as it is."""
    path = Path(file).expanduser()
    return str(path.resolve()) if path.exists() else file


def _notify(line: str) -> None:
    """Write a line to stderr at once, even if notes are suppressed: nothing is downloaded without notice."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
