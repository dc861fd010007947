"""The synonyms of hashtags that a store has, of one hashtag or of all; and the same questions put to a thesaurus in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.messages import quote_value, truncate
from ...core.normalization import is_encodable
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

MOST_TIED = 60
"""Of how many synonyms it is asked which of them are synonyms of each other: as many as a picture can show."""


def _chosen(store: Store, base: str | None) -> str:
    return choose_base_of_kind(store, HASHTAGS, [] if base is None else [base]).id


def read_synonyms(store: Store, base: str | None = None) -> Thesaurus:
    """All synonyms of a base of hashtags, or of the only one; the hashtags stand in the order of their names."""
    return read_consistently(store, lambda: _all(store, _chosen(store, base)))[1]


def _all(store: Store, base: str) -> Thesaurus:
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
    nothing = np.empty(0, np.int64)
    start, end, rank, distance = map(
        np.concatenate, zip((nothing, nothing, nothing, nothing.astype(np.float64)), *parts, strict=True)
    )
    order = np.lexsort((end, rank, start))
    begin = len(entity_id(base, ""))
    known = nodes["tweets"].null_count < len(nodes)
    return Thesaurus(
        [id[begin:] for id in numbers],
        np.concatenate([[0], np.cumsum(np.bincount(start, minlength=len(numbers)))]).astype(np.int64),
        end[order],
        distance[order],
        nodes["tweets"].fill_null(0).to_numpy() if known else None,
    )


def _columns(batches: Iterable[pa.RecordBatch], *names: str) -> pa.Table:
    import pyarrow as pa

    from ...graph.arrow_schema import node_columns

    schema = pa.schema([node_columns("Hashtag").field(name) for name in names])
    return pa.Table.from_batches([batch.select(list(names)) for batch in batches], schema)


def find_similar(store: Store, hashtag: str, k: int = 10, base: str | None = None) -> Similar:
    """The k nearest synonyms of one hashtag of a base of hashtags, or of the only one; no more is read than they need.

    Upper case and a missing # do not matter.
    """
    name = _asked(hashtag, k)
    return read_consistently(store, lambda: _near(store, _chosen(store, base), name, k))[1]


def _asked(hashtag: str, k: int) -> str:
    """The hashtag as it is compared."""
    from ...core.thesaurus import normalise_hashtag

    check_text(hashtag)
    if k < 1:
        raise ParameterError(f"k is {k}; ask for one synonym or more")
    return normalise_hashtag(hashtag.strip())


def _near(store: Store, base: str, name: str, k: int) -> Similar:
    asked = entity_id(base, name)
    own = store.nodes([asked]) if is_encodable(name) else {}
    if not own:
        names = (id for batch in store.stream_nodes("Hashtag", base) for id in batch["name"].to_pylist())
        raise _unknown(name, base, names)
    found = store.synonyms([asked])[asked][:k]
    begin = len(entity_id(base, ""))
    synonyms = tuple(SimilarHashtag(each.other[begin:], each.rank, each.distance, each.tweets) for each in found)
    tied = store.synonyms([each.other for each in found[:MOST_TIED]])
    further = {id[begin:]: [(each.other[begin:], each.rank, each.distance) for each in others] for id, others in tied.items()}
    return Similar(name, base, synonyms, _ties(name, further, k), own[asked]["tweets"])


def find_similar_in(thesaurus: Thesaurus, hashtag: str, k: int = 10, called: str = "thesaurus") -> Similar:
    """The k nearest synonyms of a hashtag in a thesaurus, such as one of a file.

    >>> import numpy as np
    >>> from wayword.core.thesaurus import Thesaurus
    >>> three = Thesaurus(["#swim", "#dive", "#sport"], np.array([0, 2, 2, 3]), np.array([1, 2, 0]), np.array([0.1, 0.2, 0.2]))
    >>> [each.hashtag for each in find_similar_in(three, "Swim")]
    ['#dive', '#sport']
    """
    name = _asked(hashtag, k)
    found = thesaurus.of(name, k)
    if found is None:
        raise _unknown(name, called, thesaurus.hashtags)
    synonyms = tuple(
        SimilarHashtag(each.hashtag, each.rank, _known(each.distance), _tweets(thesaurus, each.hashtag)) for each in found
    )
    further = {each.hashtag: [_plain(other) for other in thesaurus.of(each.hashtag) or ()] for each in found[:MOST_TIED]}
    return Similar(name, called, synonyms, _ties(name, further, k), _tweets(thesaurus, name))


def compare_thesauri(hashtags: Sequence[str], thesauri: Mapping[str, Callable[[str], Similar]]) -> ThesauriComparison:
    """What several thesauri, each under its name a way to ask it, say of several hashtags (table 5 of the paper)."""
    rows, unknown = [], None
    for hashtag in hashtags:
        row: list[Similar | None] = []
        for ask in thesauri.values():
            try:
                row.append(ask(hashtag))
            except HashtagUnknown as error:
                row.append(None)
                unknown = error
        rows.append(tuple(row))
    if unknown is not None and not any(each is not None for row in rows for each in row):
        raise unknown
    return ThesauriComparison(tuple(_asked(each, 1) for each in hashtags), tuple(thesauri), tuple(rows))


def _plain(synonym: Synonym) -> tuple[str, int, float | None]:
    return synonym.hashtag, synonym.rank, _known(synonym.distance)


def _known(distance: float) -> float | None:
    return None if distance != distance else distance


def _tweets(thesaurus: Thesaurus, name: str) -> int | None:
    return None if thesaurus.tweets is None else int(thesaurus.tweets[thesaurus.numbers[name]])


def _ties(name: str, further: Mapping[str, Iterable[tuple[str, int, float | None]]], k: int) -> tuple[SynonymEdge, ...]:
    """Which hashtags have the one that was asked for, or one another, among their k nearest."""
    shown = {name, *further}
    return tuple(
        SynonymEdge(one, other, rank, distance)
        for one, others in further.items()
        for other, rank, distance in others
        if other in shown and rank <= k
    )


def _unknown(name: str, where: str, names: Iterable[str]) -> HashtagUnknown:
    """What to say of a hashtag that nobody knows: those that are written nearly as it is."""
    from rapidfuzz import fuzz, process

    near = process.extract(name, names, scorer=fuzz.ratio, limit=3, score_cutoff=75)
    advice = f"is it {' or '.join(truncate(each[0], 60) for each in near)}?" if near else "check how it is written"
    return HashtagUnknown(f"no hashtag of {where} is called {quote_value(name)}; {advice}")
