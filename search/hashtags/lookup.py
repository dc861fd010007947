"""Look up synonyms of hashtags in a store or in a thesaurus in memory, and compare thesauri."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.messages import quote_value
from ...core.normalisation import is_encodable
from ...core.suggestions import suggest
from ...graph.schema import entity_id
from ..bases.projection_cache import read_consistently
from ..bases.selection import choose_base_of_kind
from ..errors import HashtagUnknown, ParameterError
from ..scoring.aspects import check_text
from .kind import HASHTAGS
from .results import Similar, SimilarHashtag, SynonymEdge, ThesauriComparison

if TYPE_CHECKING:
    import pyarrow as pa

    from ...core.thesaurus import Synonym, Thesaurus
    from ...graph.store import Store

MAX_TIED = 60
"""The number of synonyms that are checked for ties: as many as a picture shows."""


def _choose(store: Store, base: str | None) -> str:
    return choose_base_of_kind(store, HASHTAGS, [] if base is None else [base]).id


def read_synonyms(store: Store, base: str | None = None) -> Thesaurus:
    """Read all synonyms of a thesaurus in a store, with the hashtags in the order of their names.

    Args:
        store: The store.
        base: The name of the thesaurus; by default the only one in the store.

    Raises:
        BaseUnknown: There is no such thesaurus, or more than one.
    """
    return read_consistently(store, lambda: _read_all(store, _choose(store, base)))[1]


def _read_all(store: Store, base: str) -> Thesaurus:
    import numpy as np

    from ...core.thesaurus import Thesaurus

    nodes = _columns(store.stream_nodes("Hashtag", base), "id", "tweets")
    nodes = nodes.sort_by("id")
    numbers = {name: number for number, name in enumerate(nodes["id"].to_pylist())}
    parts = [
        (
            np.fromiter(map(numbers.__getitem__, batch["from"].to_pylist()), np.int64, batch.num_rows),
            np.fromiter(map(numbers.__getitem__, batch["to"].to_pylist()), np.int64, batch.num_rows),
            batch["rank"].fill_null(0).to_numpy(zero_copy_only=False),
            batch["distance"].fill_null(float("nan")).to_numpy(zero_copy_only=False),
        )
        for batch in store.stream_edges("SYNONYM", base)
    ]
    empty = np.empty(0, np.int64)
    start, end, rank, distance = map(np.concatenate, zip((empty, empty, empty, empty.astype(np.float64)), *parts, strict=True))
    order = np.lexsort((end, rank, start))
    prefix = len(entity_id(base, ""))
    has_tweets = nodes["tweets"].null_count < len(nodes)
    return Thesaurus(
        [id[prefix:] for id in numbers],
        np.concatenate([[0], np.cumsum(np.bincount(start, minlength=len(numbers)))]).astype(np.int64),
        end[order],
        distance[order],
        nodes["tweets"].fill_null(0).to_numpy() if has_tweets else None,
    )


def _columns(batches: Iterable[pa.RecordBatch], *names: str) -> pa.Table:
    import pyarrow as pa

    from ...graph.arrow_schema import node_columns

    schema = pa.schema([node_columns("Hashtag").field(name) for name in names])
    return pa.Table.from_batches([batch.select(list(names)) for batch in batches], schema)


def find_similar(store: Store, hashtag: str, k: int = 10, base: str | None = None) -> Similar:
    """Look up the k nearest synonyms of a hashtag, without reading the whole thesaurus.

    Args:
        store: The store.
        hashtag: The hashtag; upper case and a missing # do not matter.
        k: The greatest number of synonyms, at least 1.
        base: The name of the thesaurus; by default the only one in the store.

    Raises:
        BaseUnknown: There is no such thesaurus, or more than one.
        HashtagUnknown: The thesaurus does not have the hashtag.
        ParameterError: ``k`` is less than 1.
        PhraseError: The hashtag is not text, or empty.
    """
    name = _normalise(hashtag, k)
    return read_consistently(store, lambda: _read_similar(store, _choose(store, base), name, k))[1]


def _normalise(hashtag: str, k: int) -> str:
    """Return the normalised name of a hashtag."""
    from ...core.thesaurus import normalise_hashtag

    check_text(hashtag)
    if k < 1:
        raise ParameterError(f"k is {k}; it must be at least 1")
    return normalise_hashtag(hashtag.strip())


def _read_similar(store: Store, base: str, name: str, k: int) -> Similar:
    node = entity_id(base, name)
    stored = store.nodes([node]) if is_encodable(name) else {}
    if not stored:
        names = (id for batch in store.stream_nodes("Hashtag", base) for id in batch["name"].to_pylist())
        raise _unknown(name, base, names)
    found = store.synonyms([node])[node][:k]
    prefix = len(entity_id(base, ""))
    synonyms = tuple(SimilarHashtag(each.other[prefix:], each.rank, each.distance, each.tweets) for each in found)
    neighbours = store.synonyms([each.other for each in found[:MAX_TIED]])
    further = {
        id[prefix:]: [(each.other[prefix:], each.rank, each.distance) for each in others] for id, others in neighbours.items()
    }
    return Similar(name, base, synonyms, _ties(name, further, k), stored[node]["tweets"])


def find_similar_in(thesaurus: Thesaurus, hashtag: str, k: int = 10, label: str = "thesaurus") -> Similar:
    """Look up the k nearest synonyms of a hashtag in a thesaurus in memory.

    Args:
        thesaurus: The thesaurus.
        hashtag: The hashtag; upper case and a missing # do not matter.
        k: The greatest number of synonyms, at least 1.
        label: What the result and messages call the thesaurus.

    Raises:
        HashtagUnknown: The thesaurus does not have the hashtag.
        ParameterError: ``k`` is less than 1.
        PhraseError: The hashtag is not text, or empty.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> three = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 3]), np.array([1, 2, 0]), np.array([0.1, 0.2, 0.2]))
    >>> [each.hashtag for each in find_similar_in(three, "Swim")]
    ['#dive', '#sport']
    """
    name = _normalise(hashtag, k)
    found = thesaurus.of(name, k)
    if found is None:
        raise _unknown(name, label, thesaurus.hashtags)
    synonyms = tuple(
        SimilarHashtag(each.hashtag, each.rank, _none_if_nan(each.distance), _tweets(thesaurus, each.hashtag)) for each in found
    )
    further = {each.hashtag: [_to_tuple(other) for other in thesaurus.of(each.hashtag) or ()] for each in found[:MAX_TIED]}
    return Similar(name, label, synonyms, _ties(name, further, k), _tweets(thesaurus, name))


def compare_thesauri(hashtags: Sequence[str], thesauri: Mapping[str, Callable[[str], Similar]]) -> ThesauriComparison:
    """Look up several hashtags in several thesauri (table 5 of the paper).

    Args:
        hashtags: The hashtags.
        thesauri: For each thesaurus by name a function that looks a hashtag up.

    Raises:
        HashtagUnknown: No thesaurus has any of the hashtags.
    """
    rows, unknown = [], None
    for hashtag in hashtags:
        row: list[Similar | None] = []
        for look_up in thesauri.values():
            try:
                row.append(look_up(hashtag))
            except HashtagUnknown as error:
                row.append(None)
                unknown = error
        rows.append(tuple(row))
    if unknown is not None and not any(each is not None for row in rows for each in row):
        raise unknown
    return ThesauriComparison(tuple(_normalise(each, 1) for each in hashtags), tuple(thesauri), tuple(rows))


def _to_tuple(synonym: Synonym) -> tuple[str, int, float | None]:
    return synonym.hashtag, synonym.rank, _none_if_nan(synonym.distance)


def _none_if_nan(distance: float) -> float | None:
    return None if distance != distance else distance


def _tweets(thesaurus: Thesaurus, name: str) -> int | None:
    return None if thesaurus.tweets is None else int(thesaurus.tweets[thesaurus.numbers[name]])


def _ties(name: str, further: Mapping[str, Iterable[tuple[str, int, float | None]]], k: int) -> tuple[SynonymEdge, ...]:
    """Return the edges from the ``further`` hashtags to one another or to the named one, if it is among their k nearest."""
    shown = {name, *further}
    return tuple(
        SynonymEdge(one, other, rank, distance)
        for one, others in further.items()
        for other, rank, distance in others
        if other in shown and rank <= k
    )


def _unknown(name: str, where: str, names: Iterable[str]) -> HashtagUnknown:
    """Return the error for an unknown hashtag, with the hashtags that are spelt most like it."""
    return HashtagUnknown(f"the thesaurus {where} has no hashtag {quote_value(name)}", *suggest(name, names))
