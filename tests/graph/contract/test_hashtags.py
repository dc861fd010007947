"""Thesauri of hashtags in every store: loaded, replaced, and read back as they were in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from wayword.graph.ingestion import ingest
from wayword.graph.records import Batch, Neighbour
from wayword.graph.store import Store
from wayword.loaders import open_hashtags
from wayword.loaders.thesauri.loader import LONG_HASHTAG, SYNONYM_OF_LONG_HASHTAG, HashtagLoader
from wayword.loaders.thesauri.reader import read_thesaurus
from wayword.search.errors import BaseUnknown, HashtagUnknown
from wayword.search.hashtags.lookup import find_similar, find_similar_in, read_synonyms
from wayword.search.hashtags.results import SimilarHashtag, SynonymEdge

from ...support.graphs import animals, base
from ...support.thesauri import HEALTH, to_rows, write_thesaurus

TWEETS = {"#flu": 40, "#cold": 12, "#grippe": 0}

pytestmark = pytest.mark.slow


@pytest.fixture
def health(tmp_path: Path) -> Path:
    return write_thesaurus(tmp_path / "health.csv", HEALTH, TWEETS)


def test_a_thesaurus_is_read_back_unchanged(store: Store, health: Path) -> None:
    counts = Counter[str]()
    base_ = ingest(store, open_hashtags(health), counts=counts)
    assert (base_.id, base_.kind, base_.source) == ("hashtags", "hashtags", "health.csv")
    assert store.counts() == {"hashtags": {"Hashtag": 4, "SYNONYM": 7}}
    assert counts == {"Hashtag": 4, "SYNONYM": 7}
    similar, written = read_synonyms(store), read_thesaurus(health, Counter())
    assert to_rows(similar) == to_rows(written)
    assert list(similar.hashtags) == ["#cold", "#flu", "#grippe", "#influenza"]
    assert similar.tweets is not None
    assert similar.tweets.tolist() == [12, 40, 0, 0]


def test_synonyms_are_ordered_by_rank(store: Store, health: Path) -> None:
    ingest(store, open_hashtags(health))
    assert store.synonyms(["hashtags:#flu", "hashtags:#nix", "hashtags:#cold", "hashtags:#flu"]) == {
        "hashtags:#flu": [
            Neighbour("hashtags:#grippe", 1, 0.1, 0),
            Neighbour("hashtags:#influenza", 2, 0.125, 0),
            Neighbour("hashtags:#cold", 3, 0.25, 12),
        ],
        "hashtags:#nix": [],
        "hashtags:#cold": [Neighbour("hashtags:#flu", 1, 0.25, 40)],
    }
    assert store.synonyms([]) == {}


def test_hashtags_are_normalised_before_the_lookup(store: Store, health: Path) -> None:
    ingest(store, open_hashtags(health))
    similar = find_similar(store, " FLU ", 2)
    assert (similar.hashtag, similar.thesaurus, similar.tweets) == ("#flu", "hashtags", 40)
    assert similar.synonyms == (SimilarHashtag("#grippe", 1, 0.1, 0), SimilarHashtag("#influenza", 2, 0.125, 0))
    assert set(similar.ties) == {
        SynonymEdge("#grippe", "#influenza", 1, 0.2),
        SynonymEdge("#influenza", "#flu", 1, 0.125),
        SynonymEdge("#influenza", "#grippe", 2, 0.2),
    }
    assert similar == find_similar_in(read_thesaurus(health, Counter()), "flu", 2, "hashtags")


def test_an_unknown_hashtag_is_reported_with_similar_ones(store: Store, health: Path) -> None:
    ingest(store, open_hashtags(health))
    with pytest.raises(HashtagUnknown, match=r"'#infuenza'; did you mean #influenza\?"):
        find_similar(store, "infuenza")
    for odd in ("nothing at all like it", "", "#", "\udcff", "x" * 5_000, "{id: $id} // `'\\"):
        with pytest.raises(HashtagUnknown, match="has no hashtag"):
            find_similar(store, odd)


def test_a_thesaurus_replaces_the_previous_one(store: Store, health: Path, tmp_path: Path) -> None:
    store.replace_base(base(), animals())
    words = store.counts()["wordnet"]
    first = ingest(store, open_hashtags(health))
    other = write_thesaurus(tmp_path / "other.csv", [("#flu", "#virus", 1, 0.5)])
    second = ingest(store, open_hashtags(other))
    assert second.revision > first.revision
    assert to_rows(read_synonyms(store)) == {"#flu": [("#virus", 1, 0.5)], "#virus": []}
    assert read_synonyms(store).tweets is None
    assert store.counts() == {"wordnet": words, "hashtags": {"Hashtag": 2, "SYNONYM": 1}, "": {"Stem": 5}}


def test_an_interrupted_load_leaves_the_thesaurus_unchanged(store: Store, health: Path) -> None:
    ingest(store, open_hashtags(health))
    before, revision = to_rows(read_synonyms(store)), store.revision()

    class Breaking(HashtagLoader):
        def batches(self) -> Iterator[Batch]:
            yield next(super().batches())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(store, Breaking(health, "hashtags"))
    assert (to_rows(read_synonyms(store)), store.revision()) == (before, revision)


def test_one_of_several_thesauri_must_be_chosen(store: Store, health: Path, tmp_path: Path) -> None:
    store.replace_base(base(), animals())
    with pytest.raises(BaseUnknown, match=r"holds no thesaurus of hashtags; load one with wayword\.load_hashtags\(\)"):
        find_similar(store, "flu")
    ingest(store, open_hashtags(health, "one"))
    assert find_similar(store, "flu").thesaurus == "one"
    ingest(store, open_hashtags(write_thesaurus(tmp_path / "two.csv", [("#flu", "#virus", 1, 0.5)]), "two"))
    with pytest.raises(BaseUnknown, match="choose one of one, two as base="):
        find_similar(store, "flu")
    assert len(find_similar(store, "flu", base="one")) == 3
    assert [each.hashtag for each in find_similar(store, "flu", base="two")] == ["#virus"]
    assert to_rows(read_synonyms(store, "two")) == {"#flu": [("#virus", 1, 0.5)], "#virus": []}
    for name in ("wordnet", "nowhere"):
        with pytest.raises(BaseUnknown, match=f"the base '{name}' is not a thesaurus of hashtags.* it has one, two"):
            read_synonyms(store, name)


ODD = [
    "#a\x07b\x1b[31m",
    "#two\nlines",
    "#nul\x00",
    "#\u202eevil",
    "#'\"\\`",
    "#<b>&",
    "#コロナ",
    "#كورونا",
    "#👩‍👩‍👧",
    "#a:b/c",
    "#" + "é" * 2_000,
]


def test_names_of_any_characters_are_preserved(store: Store, tmp_path: Path) -> None:
    from wayword.loaders.thesauri.reader import read_thesaurus

    rows = [
        (name, other, rank, rank / 16) for name in ODD for rank, other in enumerate((each for each in ODD if each != name), 1)
    ]
    file = tmp_path / "odd.parquet"
    _write_parquet(file, rows)
    ingest(store, open_hashtags(file))
    similar = to_rows(read_synonyms(store))
    assert similar == to_rows(read_thesaurus(file, Counter()))
    assert len(similar) == len(ODD)
    assert [each.hashtag for each in find_similar(store, ODD[0], 3)] == ODD[1:4]


def _write_parquet(file: Path, rows: list[tuple[str, str, int, float]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("hashtag", "synonym", "rank", "distance")
    pq.write_table(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), file)


def test_too_long_hashtags_are_left_out_and_ranks_closed_up(store: Store, tmp_path: Path) -> None:
    long = "#" + "x" * 1_000_000
    rows = [("#a", "#b", 1, 0.1), ("#a", long, 2, 0.2), ("#a", "#c", 3, 0.3), (long, "#a", 1, 0.2), ("#b", "#a", 1, 0.1)]
    base_ = ingest(store, open_hashtags(write_thesaurus(tmp_path / "long.csv", rows)))
    assert base_.left_out == {LONG_HASHTAG: 1, SYNONYM_OF_LONG_HASHTAG: 2}
    assert to_rows(read_synonyms(store)) == {"#a": [("#b", 1, 0.1), ("#c", 2, 0.3)], "#b": [("#a", 1, 0.1)], "#c": []}


def test_ranks_continue_across_batches_and_distances_may_be_unknown(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wayword.loaders.thesauri.loader.BATCH_SIZE", 3)
    file = tmp_path / "hub.csv"
    file.write_text("hashtag,synonym,rank\n" + "".join(f"#hub,#t{n},{n}\n#t{n},#hub,1\n" for n in range(1, 12)))
    ingest(store, open_hashtags(file))
    assert to_rows(read_synonyms(store)) == to_rows(read_thesaurus(file, Counter()))
    assert [(each.hashtag, each.rank, each.distance) for each in find_similar(store, "hub", 11)] == [
        (f"#t{n}", n, None) for n in range(1, 12)
    ]
