"""Strategies: which of an article's first links is followed (the word selection strategies of sections 4 and 5 of the paper).

A strategy is a class and a registration at the end of this module. The registration holds the
options that the strategy takes and its names in tables and texts; no other module distinguishes strategies.

Strategies work on many articles at once. ``links`` has a row for each article with the numbers of its first links in the link
graph, padded with -1. Of the links that are ``allowed`` a strategy picks one per row and returns its column, -1 for none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from ...core.errors import hint
from ..errors import StrategyUnknown

if TYPE_CHECKING:
    from ...core.arrays import BoolArray, FloatArray, IntArray
    from ...core.progress import Progress
    from ...graph.store import Store
    from ..bases.wordnet.projection import WordNetProjection
    from .link_graph import LinkGraph
    from .strategy_options import StrategyOptions
    from .title_similarity import TextSimilarity

DIGITS = 12
"""Scores that agree to this number of digits are ties: the order of summation may change the last digits of equal scores."""


class Strategy(Protocol):
    """Chooses links. A ``deterministic`` one always makes the same choice among the same links."""

    name: str
    deterministic: bool

    def pick(self, links: IntArray, allowed: BoolArray, starters: IntArray, hop: int) -> IntArray:
        """Return the column of the link to follow in each row, -1 for none.

        Args:
            links: The candidate links of each article.
            allowed: Which of them may be followed.
            starters: The article at which the traversal of each row began.
            hop: The number of links that these traversals have followed.
        """

    def score_links(self, links: IntArray) -> FloatArray | None:
        """Return the similarity of each link to the target, None if this strategy does not score links."""

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""


class LinkSimilarity(Protocol):
    """Scores links, given by their numbers in the link graph, by their similarity to the target."""

    def score(self, links: IntArray) -> FloatArray:
        """Return the similarity of each link; an unknown one scores 0."""

    def is_known(self, links: IntArray) -> BoolArray:
        """Return whether each link is in the vocabulary."""

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""


class NthLink:
    """Picks the allowed link at a position: the baselines "1st link" and "2nd link" of the paper.

    An article with too few links is a dead end.
    """

    deterministic = True

    def __init__(self, name: str, position: int) -> None:
        self.name, self._position = name, position

    def pick(self, links: IntArray, allowed: BoolArray, starters: IntArray, hop: int) -> IntArray:  # noqa: ARG002
        """Return the column of the allowed link at the position."""
        return nth_allowed(allowed, np.full(len(links), self._position))

    def score_links(self, links: IntArray) -> None:
        """Return None."""

    def count_left_out(self) -> dict[str, int]:
        """Return nothing."""
        return {}


class RandomLink:
    """Picks an allowed link at random: the baseline "Random" of the paper.

    The random number depends on the seed, the title of the starter and the hop only, so a traversal does not depend on which
    others are walked with it, nor in which order.
    """

    name, deterministic = "random", False

    def __init__(self, graph: LinkGraph, seed: int) -> None:
        self._graph, self._seed = graph, seed
        self._hashes: dict[int, int] = {}

    def pick(self, links: IntArray, allowed: BoolArray, starters: IntArray, hop: int) -> IntArray:  # noqa: ARG002
        """Return the column of a random allowed link."""
        # SplitMix64: the state of a starter advances by the golden ratio with every hop
        bits = mix_bits(self._hash(starters.tolist()) + np.uint64((hop * _GOLDEN_RATIO) % (1 << 64)))
        counts = allowed.sum(axis=1)
        # the upper 53 bits as a number from 0 to 1, scaled to the allowed links
        return nth_allowed(allowed, ((bits >> np.uint64(11)).astype(np.float64) * 2.0**-53 * counts).astype(np.int64))

    def score_links(self, links: IntArray) -> None:
        """Return None."""

    def count_left_out(self) -> dict[str, int]:
        """Return nothing."""
        return {}

    def _hash(self, starters: Sequence[int]) -> npt.NDArray[np.uint64]:
        hashes = self._hashes
        for starter in starters:
            if starter not in hashes:
                text = f"{self._seed}:{self._graph.title(starter)}".encode("utf-8", "surrogatepass")
                hashes[starter] = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
        return np.array([hashes[starter] for starter in starters], np.uint64)


class NearestLink:
    """Picks the allowed link that is most similar to the target, of ties the first: the informed strategies of the paper."""

    deterministic = True

    def __init__(self, name: str, similarity: LinkSimilarity) -> None:
        self.name, self._similarity = name, similarity

    def pick(self, links: IntArray, allowed: BoolArray, starters: IntArray, hop: int) -> IntArray:  # noqa: ARG002
        """Return the column of the most similar allowed link."""
        best = np.where(allowed, np.round(self.score_links(links), DIGITS), -np.inf).argmax(axis=1)
        return np.where(allowed.any(axis=1), best, -1)

    def score_links(self, links: IntArray) -> FloatArray:
        """Return the similarity of each link to the target, 0 for padding."""
        found = np.zeros(links.shape)
        valid = links >= 0
        found[valid] = self._similarity.score(links[valid])
        return found

    def is_known(self, links: IntArray) -> BoolArray:
        """Return whether each link is in the vocabulary; padding is not."""
        found = np.zeros(links.shape, bool)
        valid = links >= 0
        found[valid] = self._similarity.is_known(links[valid])
        return found

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""
        return self._similarity.count_left_out()


class SharedVocabulary:
    """Restricts a strategy to links that several vocabularies all know (proposed in section 8 of the paper)."""

    def __init__(self, strategy: Strategy, vocabularies: Sequence[NearestLink]) -> None:
        self.name, self.deterministic = strategy.name, strategy.deterministic
        self._strategy, self._vocabularies = strategy, vocabularies

    def pick(self, links: IntArray, allowed: BoolArray, starters: IntArray, hop: int) -> IntArray:
        """Return the column that the strategy picks among the links that all vocabularies know."""
        known = allowed.copy()
        for vocabulary in self._vocabularies:
            known &= vocabulary.is_known(links)
        return self._strategy.pick(links, known, starters, hop)

    def score_links(self, links: IntArray) -> FloatArray | None:
        """Return the scores of the strategy, also of links that may not be followed."""
        return self._strategy.score_links(links)

    def count_left_out(self) -> dict[str, int]:
        """Count what the strategy could not score, by code."""
        return self._strategy.count_left_out()


_GOLDEN_RATIO = 0x9E3779B97F4A7C15


def mix_bits(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Map numbers to pseudo-random ones, one to one (the finalising function of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def nth_allowed(allowed: BoolArray, positions: IntArray) -> IntArray:
    """Return in each row the column of the allowed link at a position (from 0), -1 if there are too few.

    >>> nth_allowed(np.array([[True, False, True], [False, True, False]]), np.array([1, 1])).tolist()
    [2, -1]
    """
    hit = allowed & (np.cumsum(allowed, axis=1) == (positions + 1)[:, None])
    return np.where(hit.any(axis=1), hit.argmax(axis=1), -1)


class StrategyContext(NamedTuple):
    """What opening a strategy needs besides its options. ``notify`` shows a line to the user."""

    store: Store
    graph: LinkGraph
    target: str
    progress: Progress
    notify: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RegisteredStrategy:
    """The registration of a strategy.

    - ``name``: its name in ``StrategyOptions`` and on the command line
    - ``label``: its name in tables, as in tables 1 and 2 of the paper
    - ``phrase``: what links are chosen by, in a text: "by the first link"
    - ``open``: opens the strategy
    - ``options``: the fields of ``StrategyOptions`` that it takes
    - ``files``: those of them that are paths
    - ``bases``: those of them that name a base of the store
    - ``has_vocabulary``: whether it is a ``NearestLink``, which scores links and does not know all of them
    """

    name: str
    label: str
    phrase: str
    open: Callable[[StrategyOptions, StrategyContext], Strategy]
    options: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    has_vocabulary: bool = False


STRATEGIES: dict[str, RegisteredStrategy] = {}
"""The registered strategies by name."""


def register_strategy(strategy: RegisteredStrategy) -> None:
    """Add a strategy to those that can be chosen by name."""
    STRATEGIES[strategy.name] = strategy


def _open_wordnet(options: StrategyOptions, context: StrategyContext) -> Strategy:
    from ..bases.selection import choose_base_of_kind, open_view
    from ..bases.wordnet.kind import WORDNET
    from .noun_similarity import NounSimilarity
    from .title_similarity import noun_text_similarity

    wordnet = choose_base_of_kind(context.store, WORDNET, [options.lexicon])
    lexicon = cast("WordNetProjection", open_view(context.store, wordnet.id, progress=context.progress))
    nouns = NounSimilarity(lexicon, context.target, first_sense=options.first_sense)
    return _nearest_text(options, context, noun_text_similarity(nouns))


def _open_vectors(options: StrategyOptions, context: StrategyContext) -> Strategy:
    from ...embeddings.vector_files import open_vectors
    from .title_similarity import vector_text_similarity

    if options.vectors is None:
        raise StrategyUnknown("the strategy vectors needs word vectors", hint("set", option="vectors", what="a file of them"))
    vectors = open_vectors(options.vectors, options.vocabulary)
    return _nearest_text(options, context, vector_text_similarity(vectors, context.target, per_word=options.per_word))


def _nearest_text(options: StrategyOptions, context: StrategyContext, texts: TextSimilarity) -> Strategy:
    from .title_similarity import AnchorSimilarity, TitleSimilarity

    similarity = AnchorSimilarity if options.words == "anchor" else TitleSimilarity
    return NearestLink(options.strategy, similarity(context.graph, texts))


def _open_contextual(options: StrategyOptions, context: StrategyContext) -> Strategy:
    from platformdirs import user_cache_path

    from ...embeddings.encoders.cache import VectorCache
    from ...embeddings.encoders.transformer import Encoder
    from .contextual_similarity import ContextualSimilarity, check_openings

    if options.encoder is None:
        raise StrategyUnknown(
            "the strategy contextual needs an encoder", hint("set", option="encoder", what="a folder or a model")
        )
    check_openings(context.store, context.graph)
    encoder = Encoder.open(options.encoder, context.notify)
    cache = VectorCache(user_cache_path("wayword", appauthor=False) / "vectors" / f"{encoder.fingerprint}.sqlite")
    if cache.broken:
        context.notify(f"the vectors cannot be cached: {cache.broken}")
    return NearestLink(
        options.strategy,
        ContextualSimilarity(context.store, context.graph, encoder, cache, context.target, context.progress),
    )


register_strategy(
    RegisteredStrategy(
        "random", "Random", "any link", lambda options, context: RandomLink(context.graph, options.seed), options=("seed",)
    )
)
register_strategy(RegisteredStrategy("first", "1st link", "the first link", lambda options, _: NthLink(options.strategy, 0)))
register_strategy(RegisteredStrategy("second", "2nd link", "the second link", lambda options, _: NthLink(options.strategy, 1)))
register_strategy(
    RegisteredStrategy(
        "wordnet",
        "WordNet",
        "wordnet",
        _open_wordnet,
        options=("lexicon", "words", "first_sense"),
        bases=("lexicon",),
        has_vocabulary=True,
    )
)
register_strategy(
    RegisteredStrategy(
        "vectors",
        "Word vectors",
        "vectors",
        _open_vectors,
        options=("vectors", "vocabulary", "words", "per_word"),
        files=("vectors", "vocabulary"),
        has_vocabulary=True,
    )
)
register_strategy(
    RegisteredStrategy(
        "contextual",
        "Contextual",
        "contextual",
        _open_contextual,
        options=("encoder",),
        files=("encoder",),
        has_vocabulary=True,
    )
)
