"""How near links are to the target in their context, as an encoder reads them.

It reads the opening of an article, and a link has the mean vector of its anchor's tokens in there. The target has that of its
title where its own opening names it first, or of all its opening.

A link that stands behind the opening has no context, and nothing is known of it: it counts as far as 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ...core.progress import Progress, no_progress
from ...embeddings.encoders.cache import VectorCache, key_of, round_to_half
from ...embeddings.word_vectors import cosines
from ...graph.schema import entity_id
from ..errors import OpeningsMissing, TargetUnknown

if TYPE_CHECKING:
    from ...core.arrays import Float32Array as Vectors
    from ...embeddings.encoders.transformer import Span
    from ...graph.store import Store
    from .link_graph import LinkGraph
    from .strategies import Real, Truth, Whole

AT_ONCE = 64
"""Articles whose openings go to the encoder together, and whose vectors are written together."""

_MARK = re.compile(r"\[\[(?!\[)|\]\]")


class Reader(Protocol):
    """What makes vectors of pieces of texts; an ``Encoder`` does."""

    @property
    def fingerprint(self) -> str:
        """What tells it from every other."""

    @property
    def dimensions(self) -> int:
        """How long its vectors are."""

    def vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[Vectors]:
        """For each text the vectors of its pieces."""


class Opening(NamedTuple):
    """The opening of an article without the marks of its links, and where each link begins in it."""

    text: str
    begins: list[int]


def read_opening(marked: str) -> Opening:
    """The opening that an article of the graph has.

    >>> read_opening("A [[dog]]s' [[best friend]].")
    Opening(text="A dogs' best friend.", begins=[2, 8])
    """
    text, begins, place = "", list[int](), 0
    for mark in _MARK.finditer(marked):
        text += marked[place : mark.start()]
        place = mark.end()
        if mark[0] == "[[":
            begins.append(len(text))
    return Opening(text + marked[place:], begins)


def find_anchors(opening: Opening, anchors: Sequence[str]) -> list[Span | None]:
    """Where the anchors of an article's links stand in its opening; the links come in the order in which they stand there.

    >>> find_anchors(read_opening("A [[dog]]s' [[x]] and [[best friend]]."), ["dogs", "best friend", "man"])
    [(2, 6), (14, 25), None]
    """
    found: list[Span | None] = []
    waiting = 0
    for anchor in anchors:
        place = next(
            (
                number
                for number in range(waiting, len(opening.begins))
                if anchor and opening.text.startswith(anchor, opening.begins[number])
            ),
            None,
        )
        if place is None:
            found.append(None)
        else:
            begin = opening.begins[place]
            found.append((begin, begin + len(anchor)))
            waiting = place + 1
    return found


class ContextualSimilarity:
    """Asks of links by what an encoder makes of their anchors."""

    def __init__(
        self, store: Store, world: LinkGraph, encoder: Reader, cache: VectorCache, target: str, progress: Progress = no_progress
    ) -> None:
        self._store, self._world, self._encoder, self._cache, self._progress = store, world, encoder, cache, progress
        self._scores = np.full(len(world.next), np.nan)
        self._known = np.zeros(len(world.next), bool)
        self._read = self._damaged = 0
        self._target = self._meant(target)

    def score(self, links: Whole) -> Real:
        """How near each of these links is."""
        self._look_at(links)
        found: Real = self._scores[links]
        return found

    def knows(self, links: Whole) -> Truth:
        """Whether each of these links stands in the opening of its article."""
        self._look_at(links)
        found: Truth = self._known[links]
        return found

    def lost(self) -> dict[str, int]:
        """What could not be judged."""
        return {"links whose vectors are no numbers": self._damaged} if self._damaged else {}

    def _look_at(self, links: Whole) -> None:
        new = links[np.isnan(self._scores[links])]
        articles = np.unique(np.searchsorted(self._world.offsets, new, side="right") - 1)
        for start in range(0, len(articles), AT_ONCE):
            self._take(articles[start : start + AT_ONCE].tolist())
            done = min(start + AT_ONCE, len(articles))
            self._progress("reading openings", self._read + done, done / len(articles))
        self._read += len(articles)

    def _take(self, articles: list[int]) -> None:
        """Work out the scores of all links of these articles."""
        ids = [self._world.id(article) for article in articles]
        nodes = self._store.nodes(ids)
        texts, spans, links = [], [], []
        for article, key in zip(articles, ids, strict=True):
            first, last = int(self._world.offsets[article]), int(self._world.offsets[article + 1])
            self._scores[first:last] = 0.0
            opening = read_opening(str(nodes[key].get("opening") or "") if key in nodes else "")
            found = find_anchors(opening, [self._world.anchor(link) for link in range(first, last)])
            there = [(link, span) for link, span in zip(range(first, last), found, strict=True) if span is not None]
            if there:
                texts.append(opening.text)
                spans.append([span for _, span in there])
                links.append([link for link, _ in there])
        for numbers, vectors in zip(links, self._vectors(texts, spans), strict=True):
            near = cosines(vectors.astype(np.float64), self._target)
            fine = np.isfinite(near)
            self._scores[numbers], self._known[numbers] = np.where(fine, near, 0.0), fine
            self._damaged += int((~fine).sum())

    def _vectors(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Iterator[Vectors]:
        """The vectors of pieces of texts, from the cache or from the encoder."""
        keys = [key_of(self._encoder.fingerprint, text, pieces) for text, pieces in zip(texts, spans, strict=True)]
        known = self._cache.read(keys, self._encoder.dimensions)
        new = [place for place, key in enumerate(keys) if key not in known or len(known[key]) != len(spans[place])]
        if new:
            made = self._encoder.vectors([texts[place] for place in new], [spans[place] for place in new])
            fresh = {keys[place]: round_to_half(vectors) for place, vectors in zip(new, made, strict=True)}
            self._cache.write(fresh)
            known |= fresh
        for key in keys:
            yield known[key]

    def _meant(self, target: str) -> Real:
        """The vector of the target."""
        key = entity_id(self._world.base, target)
        node = self._store.nodes([key]).get(key, {})
        text = read_opening(str(node.get("opening") or "")).text
        if not text.strip():
            raise TargetUnknown(f"the target {target!r} has no opening to read; choose another target, or another strategy")
        named = re.search(rf"(?<!\w){re.escape(target)}(?!\w)", text, re.IGNORECASE)
        (vectors,) = self._vectors([text], [[named.span() if named else (0, len(text))]])
        found: Real = vectors[0].astype(np.float64)
        return found


def check_openings(store: Store, world: LinkGraph) -> None:
    """Refuse a wiki that was loaded without its openings."""
    options = next(each.options for each in store.bases() if each.id == world.base)
    if not options.get("openings"):
        raise OpeningsMissing(
            f"the base {world.base!r} holds no openings for the strategy contextual to read; "
            "load its dump again with --openings 3000: wayword load wikipedia DUMP --openings 3000"
        )
