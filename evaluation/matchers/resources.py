"""The resources of matchers: a graph, a corpus, word vectors, an encoder; each is opened once, when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, cast

from ...core.errors import hint
from ..errors import MatcherError

if TYPE_CHECKING:
    from ...embeddings.encoders.transformer import Encoder
    from ...embeddings.word_vectors import WordVectors
    from ...graph.store import Store
    from ...search.bases.wordnet.projection import WordNetProjection
    from .phrases import Words


class ScoringGraph(Protocol):
    """A graph that scores phrases, such as ``wayword.Graph``."""

    @property
    def store(self) -> Store:
        """The store with its bases."""

    def scores(self, pairs: Iterable[tuple[str, str]]) -> Iterator[float]:
        """Score pairs of phrases, lazily and in order."""

    def unknown(self, phrases: Iterable[str]) -> set[str]:
        """Return the phrases that the bases do not contain."""


@dataclass
class Resources:
    """The resources of matchers. A matcher that needs one that was not given raises a ``MatcherError``.

    Attributes:
        open_graph: Opens the graph with a profile, by default that of the query; who names this function closes the graph.
        bases: The names of the bases that the graph queries; if one of them is a WordNet, it is the one for all matchers.
        corpus: A file with a phrase a line.
        vectors: A file of word vectors.
        encoder: A folder, or the name of a model on Hugging Face.
        note: Receives notes, such as the size of a download.

    >>> Resources(corpus="gold.txt").require("corpus", "nist")
    'gold.txt'
    """

    open_graph: Callable[[str | None], ScoringGraph] | None = None
    bases: Sequence[str] = ()
    corpus: str | None = None
    vectors: str | None = None
    encoder: str | None = None
    note: Callable[[str], None] = lambda _: None

    def require(self, name: str, matcher: str) -> str:
        """Return what the user named as ``corpus``, ``vectors`` or ``encoder``.

        Raises:
            MatcherError: The user named nothing.
        """
        value: str | None = getattr(self, name)
        if value is None:
            what, pronoun = _NEEDED[name]
            raise MatcherError(f"the matcher {matcher} needs {what}", hint("set", option=name, what=pronoun))
        return value

    @cached_property
    def graph(self) -> ScoringGraph:
        """The graph."""
        return self.open_profile(None)

    def open_profile(self, profile: str | None) -> ScoringGraph:
        """Open the graph with a profile, by default that of the query."""
        if self.open_graph is None:
            raise MatcherError("there is no graph to ask", hint("set", option="open_graph", what="a function that opens one"))
        return self.open_graph(profile)

    @cached_property
    def wordnet(self) -> WordNetProjection:
        """The WordNet of the graph: that among ``bases``, else ``wordnet``, else the only one."""
        from ...search.bases.selection import DEFAULT_BASE, choose_base_of_kind, open_view
        from ...search.bases.wordnet.kind import WORDNET

        store = self.graph.store
        loaded = [base.id for base in store.bases() if base.kind == WORDNET.name]
        named = [name for name in (*self.bases, DEFAULT_BASE) if name in loaded][:1]
        return cast("WordNetProjection", open_view(store, choose_base_of_kind(store, WORDNET, named).id))

    @property
    def has_wordnet(self) -> bool:
        """Whether a matcher has asked for the WordNet."""
        return "wordnet" in vars(self)

    @cached_property
    def corpus_words(self) -> list[Words]:
        """The words of the phrases of the corpus."""
        from .nist import read_corpus

        return read_corpus(self.require("corpus", "nist"))

    @cached_property
    def word_vectors(self) -> WordVectors:
        """The word vectors."""
        from ...embeddings.vector_files import open_vectors

        return open_vectors(self.require("vectors", "vectors"))

    @cached_property
    def text_encoder(self) -> Encoder:
        """The encoder of texts."""
        from ...embeddings.encoders.transformer import Encoder

        return Encoder.open(self.require("encoder", "encoder"), self.note, needs_spans=False)


_NEEDED = {"corpus": ("a corpus", "one"), "vectors": ("word vectors", "them"), "encoder": ("an encoder", "one")}
