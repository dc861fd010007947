"""The vectors of hashtags, their updates, nearest neighbours, and the thesaurus file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wayword.embeddings.errors import ThesaurusInvalid, VectorsMissing
from wayword.embeddings.hashtags.centroids import Centroids
from wayword.embeddings.hashtags.nearest import Neighbours, nearest_neighbours, nearest_neighbours_of, update_neighbours
from wayword.embeddings.hashtags.nearest_hnsw import approximate_neighbours
from wayword.embeddings.hashtags.seen_tweets import SeenTweets, tweet_key
from wayword.embeddings.hashtags.thesaurus_file import ThesaurusInfo, TrainedThesaurus, read_trained, write_thesaurus
from wayword.embeddings.hashtags.training import TweetMemory, to_thesaurus, within_distance

TWEETS = st.lists(st.tuples(st.sampled_from("abcd"), st.tuples(*[st.integers(-3, 3)] * 3)), min_size=1, max_size=30)


@given(TWEETS)
def test_vector_is_the_normalised_mean_of_the_tweets(tweets: list[tuple[str, tuple[int, ...]]]) -> None:
    centroids = Centroids(3)
    for name, vector in tweets:
        centroids.add([name], np.array([vector], float))
    for name, number in centroids.numbers.items():
        mean = np.mean([vector for other, vector in tweets if other == name], axis=0)
        assert centroids.lengths()[number] == pytest.approx(np.linalg.norm(mean), abs=1e-9)
        expected = mean / np.linalg.norm(mean) if np.linalg.norm(mean) > 1e-12 else np.zeros(3)
        assert centroids.units()[number] == pytest.approx(expected, abs=1e-6)


@given(TWEETS, st.integers(0, 30))
def test_exact_update_equals_training_at_once(tweets: list[tuple[str, tuple[int, ...]]], split: int) -> None:
    whole, parts = Centroids(3), Centroids(3)
    whole.add([name for name, _ in tweets], np.array([vector for _, vector in tweets], float))
    for some in (tweets[:split], tweets[split:]):
        if some:
            parts.add([name for name, _ in some], np.array([vector for _, vector in some], float))
            parts = Centroids.from_units(parts.numbers, parts.tweets, parts.lengths(), parts.units())  # as a file stores them
    assert list(parts.numbers) == list(whole.numbers)
    assert parts.tweets.tolist() == whole.tweets.tolist()
    assert parts.sums == pytest.approx(whole.sums, abs=1e-5)


def as_printed(vectors: np.ndarray) -> np.ndarray:
    """Equations (1) and (2), transcribed."""
    v, n = np.zeros(vectors.shape[1]), 0
    for new in vectors:
        moved = n / (n + 1) * v + 1 / (n + 1) * new
        v, n = moved / np.linalg.norm(moved), n + 1
    return v


@given(arrays(np.float64, (7, 4), elements=st.floats(0.1, 2)), st.integers(1, 6))
def test_printed_update_follows_equation_1_in_batches_of_any_size(vectors: np.ndarray, split: int) -> None:
    centroids = Centroids(4)
    centroids.add(["#flu"] * split, vectors[:split], "printed")
    centroids.add(["#flu"] * (7 - split), vectors[split:], "printed")
    assert centroids.units()[0] == pytest.approx(as_printed(vectors), abs=1e-6)


def test_printed_rule_drifts_more_the_more_tweets_differ() -> None:
    rng = np.random.default_rng(1)
    drifts = []
    for spread in (0.1, 1.0, 3.0):
        vectors = np.array([1.0, *[0.0] * 19]) + spread * rng.normal(size=(200, 20))
        exact, printed = Centroids(20), Centroids(20)
        exact.add(["#flu"] * 200, vectors)
        printed.add(["#flu"] * 200, vectors, "printed")
        drifts.append(1 - float(exact.units()[0] @ printed.units()[0]))
    assert drifts[0] < 1e-4
    assert drifts == sorted(drifts)
    assert drifts[2] > 0.001


def naive_distances(units: np.ndarray, k: int) -> np.ndarray:
    """Return the distances of the k nearest others from the whole matrix."""
    exact = units.astype(np.float64)
    exact /= np.maximum(np.linalg.norm(exact, axis=1, keepdims=True), 1e-12)
    far = np.clip(1 - exact @ exact.T, 0, 2)
    np.fill_diagonal(far, np.inf)
    found = np.full((len(units), k), np.inf)
    found[:, : len(units)] = np.sort(far, axis=1)[:, :k]
    return found


def some_units(size: int, seed: int, dimensions: int = 4) -> np.ndarray:
    """Return unit vectors, many of them equal."""
    found = np.random.default_rng(seed).integers(-2, 3, (size, dimensions)).astype(np.float32)
    found[~found.any(axis=1), 0] = 1
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


@given(st.integers(1, 60), st.integers(0, 1000), st.integers(1, 12), st.sampled_from([3, 8, 64]))
def test_neighbours_in_blocks_equal_those_of_the_whole_matrix(size: int, seed: int, k: int, block: int) -> None:
    units = some_units(size, seed)
    found = nearest_neighbours(units, k, block=block)
    assert found.distances == pytest.approx(naive_distances(units, k), abs=1e-9)
    assert not (found.numbers == np.arange(size)[:, None]).any()
    rows = np.arange(0, size, 2)
    assert nearest_neighbours_of(units, rows, k, block=block).distances == pytest.approx(found.distances[rows], abs=1e-9)


def test_ties_are_ordered_by_number() -> None:
    units = np.repeat(some_units(1, 1), 9, axis=0)
    assert nearest_neighbours(units, 3, block=4).numbers[[0, 5, 8]].tolist() == [[1, 2, 3], [0, 1, 2], [0, 1, 2]]


@given(st.data(), st.integers(1, 40), st.integers(0, 1000), st.integers(1, 8), st.integers(0, 5))
def test_updated_neighbours_equal_recomputed_ones(data: st.DataObject, size: int, seed: int, k: int, new: int) -> None:
    units = some_units(size, seed)
    changed = np.array(data.draw(st.lists(st.integers(0, size - 1), unique=True, max_size=6)), np.int64)
    within = data.draw(st.sampled_from([None, 0.3]))
    after = np.concatenate([units, some_units(new, seed + 1)])
    after[changed] = np.roll(after[changed], 1, axis=1)
    again = within_distance(update_neighbours(after, within_distance(nearest_neighbours(units, k), within), changed, k), within)
    assert again.distances == pytest.approx(within_distance(nearest_neighbours(after, k), within).distances, abs=1e-9)


@pytest.mark.slow
def test_approximate_index_finds_nearly_all_neighbours() -> None:
    rng = np.random.default_rng(2)
    middles = rng.normal(size=(60, 48))
    units = (middles[rng.integers(0, 60, 3_000)] + 0.7 * rng.normal(size=(3_000, 48))).astype(np.float32)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    exact, found = nearest_neighbours(units, 10), approximate_neighbours(units, 10)
    same = [len({*one} & {*other}) for one, other in zip(exact.numbers.tolist(), found.numbers.tolist(), strict=True)]
    assert sum(same) / 30_000 > 0.98
    assert (found.distances[:, 0] >= exact.distances[:, 0] - 1e-9).all()
    assert approximate_neighbours(units[:1], 3).numbers.tolist() == [[-1, -1, -1]]


@given(st.lists(st.lists(st.integers(0, 50), max_size=20), max_size=8))
def test_each_key_is_new_only_when_first_added(batches: list[list[int]]) -> None:
    seen, known = SeenTweets(), set[int]()
    for batch in batches:
        flags = seen.add(np.array(batch, np.uint64)).tolist()
        for key, is_new in zip(batch, flags, strict=True):
            assert is_new == (key not in known)
            known.add(key)
    assert tweet_key("a", "#b") != tweet_key("b", "#a")


def make_thesaurus(**options: Any) -> TrainedThesaurus:
    """Return a thesaurus of three hashtags."""
    centroids = Centroids(2)
    centroids.add(["#flu", "#nhs", "#ebola"], np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]]))
    keys = [np.array([number], np.uint64) for number in (1, 1 << 63, 3)]
    return TrainedThesaurus(
        ThesaurusInfo("model", "f00d", **{"k": 2, "tweets": 3, **options}),
        centroids,
        nearest_neighbours(centroids.units(), 2),
        keys,
    )


def test_thesaurus_file_round_trip(tmp_path: Path) -> None:
    before, file = make_thesaurus(within=0.5), tmp_path / "t.parquet"
    write_thesaurus(
        file, TrainedThesaurus(before.info, before.centroids, within_distance(before.neighbours, 0.5), before.tweet_keys)
    )
    after = read_trained(file)
    assert after.info == before.info
    assert after.centroids.numbers == before.centroids.numbers
    assert after.centroids.sums == pytest.approx(before.centroids.sums, abs=1e-6)
    assert after.neighbours.numbers.tolist() == [[1, -1], [0, 2], [1, -1]]
    assert [each.tolist() for each in after.tweet_keys] == [[1], [1 << 63], [3]]
    table = pq.read_table(file)
    assert table.column_names[:4] == ["hashtag", "synonym", "rank", "distance"]
    first = table.slice(0, 2).to_pylist()
    assert [(each["synonym"], each["rank"], each["tweets"]) for each in first] == [("#flu", 0, 1), ("#nhs", 1, None)]
    (near,) = to_thesaurus(after).of("#flu", 5) or []
    assert (near.hashtag, near.rank) == ("#nhs", 1)
    assert near.distance == pytest.approx(0.2)


def test_csv_has_only_the_synonyms(tmp_path: Path) -> None:
    write_thesaurus(tmp_path / "t.csv", make_thesaurus())
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == "hashtag,synonym,rank,distance"
    assert [line.rpartition(",")[0] for line in lines[1:3]] == ["#flu,#nhs,1", "#flu,#ebola,2"]


def test_invalid_thesaurus_files_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(VectorsMissing, match="there is no file"):
        read_trained(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("no parquet")
    pq.write_table(pa.table({"hashtag": ["#flu"]}), tmp_path / "other.parquet")
    for name in ("text", "other"):
        with pytest.raises(ThesaurusInvalid, match="is not a thesaurus with vectors"):
            read_trained(tmp_path / f"{name}.parquet")
    write_thesaurus(tmp_path / "t.parquet", make_thesaurus())
    content = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(content[:-20])
    with pytest.raises(ThesaurusInvalid):
        read_trained(tmp_path / "cut.parquet")


def test_stored_tweet_keys_are_returned_by_hashtag() -> None:
    memory = TweetMemory.from_keys(["#a", "#b"], [np.array([5, 6], np.uint64), np.array([7], np.uint64)])
    assert [each.tolist() for each in memory.keys_by_hashtag({"#b": 0, "#a": 1})] == [[7], [5, 6]]
    assert isinstance(make_thesaurus().neighbours, Neighbours)
