"""How similar links are to the target in their context, as an encoder reads them (the BERT strategy of the paper).

The encoder reads the opening of an article (the paper: its first two paragraphs, section 6). A link has the mean vector of the
tokens of its anchor there. The target has that of its title where its own opening first names it, or of the whole opening if
it does not. A link scores the cosine with the target's vector. A link after the opening has no context: it is unknown and
scores 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ...core.errors import hint
from ...core.progress import Progress, no_progress
from ...embeddings.encoders.cache import VectorCache, key_of, round_to_half
from ...embeddings.word_vectors import cosines
from ...graph.schema import entity_id
from ..errors import OpeningsMissing, TargetUnknown

if TYPE_CHECKING:
    from ...core.arrays import BoolArray, Float32Array, FloatArray, IntArray
    from ...embeddings.encoders.transformer import Span
    from ...graph.store import Store
    from .link_graph import LinkGraph

BATCH = 64
"""Articles whose openings go to the encoder together, and whose vectors are cached in one transaction."""

_BRACKETS = re.compile(r"\[\[(?!\[)|\]\]")


class SpanEncoder(Protocol):
    """Encodes spans of texts as vectors, as ``Encoder`` does."""

    @property
    def fingerprint(self) -> str:
        """Identifies the model and its weights; part of the keys of the cache."""

    @property
    def dimensions(self) -> int:
        """The length of the vectors."""

    def vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[Float32Array]:
        """Return for each text a matrix with a row for each of its spans."""


class Opening(NamedTuple):
    """The opening of an article without the brackets of its links, and the positions at which links start."""

    text: str
    link_starts: list[int]


def read_opening(marked: str) -> Opening:
    """Parse an opening as the store holds it, with links in double brackets.

    >>> read_opening("A [[dog]]s' [[best friend]].")
    Opening(text="A dogs' best friend.", link_starts=[2, 8])
    """
    text, link_starts, position = "", list[int](), 0
    for bracket in _BRACKETS.finditer(marked):
        text += marked[position : bracket.start()]
        position = bracket.end()
        if bracket[0] == "[[":
            link_starts.append(len(text))
    return Opening(text + marked[position:], link_starts)


def find_anchors(opening: Opening, anchors: Sequence[str]) -> list[Span | None]:
    """Find the spans of the anchors of an article's links in its opening.

    Both are in reading order, so each anchor is searched after the one before; a link without a match is skipped.

    >>> find_anchors(read_opening("A [[dog]]s' [[x]] and [[best friend]]."), ["dogs", "best friend", "man"])
    [(2, 6), (14, 25), None]
    """
    spans: list[Span | None] = []
    next_index = 0
    for anchor in anchors:
        index = next(
            (
                index
                for index in range(next_index, len(opening.link_starts))
                if anchor and opening.text.startswith(anchor, opening.link_starts[index])
            ),
            None,
        )
        if index is None:
            spans.append(None)
        else:
            start = opening.link_starts[index]
            spans.append((start, start + len(anchor)))
            next_index = index + 1
    return spans


class ContextualSimilarity:
    """Scores links by their anchors in the openings of their articles.

    All links of an article are scored when the first of them is, because its opening is encoded as a whole.
    """

    def __init__(
        self,
        store: Store,
        graph: LinkGraph,
        encoder: SpanEncoder,
        cache: VectorCache,
        target: str,
        progress: Progress = no_progress,
    ) -> None:
        self._store, self._graph, self._encoder, self._cache, self._progress = store, graph, encoder, cache, progress
        self._scores = np.full(len(graph.destinations), np.nan)
        self._known = np.zeros(len(graph.destinations), bool)
        self._articles_read = self._invalid_vectors = 0
        self._target_vector = self._encode_target(target)

    def score(self, links: IntArray) -> FloatArray:
        """Return the similarity of each link to the target."""
        self._ensure_scored(links)
        found: FloatArray = self._scores[links]
        return found

    def is_known(self, links: IntArray) -> BoolArray:
        """Return whether each link occurs in the opening of its article."""
        self._ensure_scored(links)
        found: BoolArray = self._known[links]
        return found

    def count_left_out(self) -> dict[str, int]:
        """Count what could not be scored, by code."""
        return {"invalid_link_vector": self._invalid_vectors} if self._invalid_vectors else {}

    def _ensure_scored(self, links: IntArray) -> None:
        new = links[np.isnan(self._scores[links])]
        articles = np.unique(np.searchsorted(self._graph.offsets, new, side="right") - 1)
        for start in range(0, len(articles), BATCH):
            self._score_articles(articles[start : start + BATCH].tolist())
            done = min(start + BATCH, len(articles))
            self._progress("reading openings", self._articles_read + done, done / len(articles))
        self._articles_read += len(articles)

    def _score_articles(self, articles: list[int]) -> None:
        """Score all links of these articles."""
        ids = [self._graph.id(article) for article in articles]
        nodes = self._store.nodes(ids)
        texts, spans, links = [], [], []
        for article, key in zip(articles, ids, strict=True):
            first, last = int(self._graph.offsets[article]), int(self._graph.offsets[article + 1])
            self._scores[first:last] = 0.0
            opening = read_opening(str(nodes[key].get("opening") or "") if key in nodes else "")
            anchors = find_anchors(opening, [self._graph.anchor(link) for link in range(first, last)])
            located = [(link, span) for link, span in zip(range(first, last), anchors, strict=True) if span is not None]
            if located:
                texts.append(opening.text)
                spans.append([span for _, span in located])
                links.append([link for link, _ in located])
        for numbers, vectors in zip(links, self._encode(texts, spans), strict=True):
            similarities = cosines(vectors.astype(np.float64), self._target_vector)
            valid = np.isfinite(similarities)
            self._scores[numbers], self._known[numbers] = np.where(valid, similarities, 0.0), valid
            self._invalid_vectors += int((~valid).sum())

    def _encode(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Iterator[Float32Array]:
        """Yield the vectors of each text's spans, from the cache or from the encoder."""
        keys = [key_of(self._encoder.fingerprint, text, its_spans) for text, its_spans in zip(texts, spans, strict=True)]
        vectors = self._cache.read(keys, self._encoder.dimensions)
        missing = [index for index, key in enumerate(keys) if key not in vectors or len(vectors[key]) != len(spans[index])]
        if missing:
            encoded = self._encoder.vectors([texts[index] for index in missing], [spans[index] for index in missing])
            # Rounded as the cache stores them, so that scores do not depend on what was cached.
            new = {keys[index]: round_to_half(each) for index, each in zip(missing, encoded, strict=True)}
            self._cache.write(new)
            vectors |= new
        for key in keys:
            yield vectors[key]

    def _encode_target(self, target: str) -> FloatArray:
        key = entity_id(self._graph.base, target)
        node = self._store.nodes([key]).get(key, {})
        text = read_opening(str(node.get("opening") or "")).text
        if not text.strip():
            raise TargetUnknown(f"the target {target!r} has no opening to read; choose another target, or another strategy")
        name = re.search(rf"(?<!\w){re.escape(target)}(?!\w)", text, re.IGNORECASE)
        (vectors,) = self._encode([text], [[name.span() if name else (0, len(text))]])
        found: FloatArray = vectors[0].astype(np.float64)
        return found


def check_openings(store: Store, graph: LinkGraph) -> None:
    """Raise if the wiki was loaded without the openings of its articles."""
    options = next(each.options for each in store.bases() if each.id == graph.base)
    if not options.get("openings"):
        raise OpeningsMissing(
            f"the base {graph.base!r} holds no openings, which the strategy contextual reads",
            hint("load", kind="wikipedia", option="openings", value=3000),
        )
