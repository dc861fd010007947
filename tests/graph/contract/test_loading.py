"""What a load changes, and what it must not change, in every store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pytest

from wayword.graph.errors import BaseMissing, LoadError
from wayword.graph.ingestion import ingest
from wayword.graph.records import Base, Batch
from wayword.graph.store import Store

from ...support.graphs import ANIMALS, animals, base, edges, nodes, wiki, words

pytestmark = pytest.mark.slow


def _stems(store: Store) -> set[str]:
    return {row["id"] for batch in store.stream_nodes("Stem") for row in batch.to_pylist()}


def _all(store: Store) -> object:
    return (
        store.bases(),
        store.counts(),
        store.labels("wordnet", ["dog", "canine", "geese"]),
        store.nodes(["wordnet:1-n", "wordnet:2-n", "dog"]),
        store.edges(["wordnet:1-n", "wordnet:2-n"], ["HYPERNYM", "DERIVATION"], "out"),
    )


def test_a_loaded_base_can_be_read(store: Store) -> None:
    loaded = store.replace_base(base(skipped=3), animals())
    assert loaded.revision > 0
    assert store.bases() == [loaded]
    assert store.revision() == loaded.revision
    assert store.counts() == {"wordnet": ANIMALS, "": {"Stem": 5}}


def test_a_load_replaces_the_whole_previous_base(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base(), [*words("wordnet", "cats"), nodes("Synset", {"id": "wordnet:9-n", "name": "cat", "pos": "n"})])
    assert store.counts() == {"wordnet": {"Label": 1, "Synset": 1, "FORM": 1}, "": {"Stem": 1}}
    assert store.labels("wordnet", ["dog", "cats"]).keys() == {"cats"}
    assert store.nodes(["wordnet:1-n", "wordnet:9-n"]).keys() == {"wordnet:9-n"}


def test_repeating_a_load_changes_only_the_revision(store: Store) -> None:
    first = store.replace_base(base(left=1), animals())
    before = _all(store)
    second = store.replace_base(base(left=1), animals())
    assert second.revision > first.revision
    after = _all(store)
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    assert after[0] == [second]
    assert after[1:] == before[1:]


def test_a_load_does_not_change_other_bases(store: Store) -> None:
    unchanged = store.replace_base(base(), animals())
    before = _all(store)
    other = store.replace_base(base("wiki", "wikipedia"), wiki())
    assert store.bases() == [other, unchanged]
    assert store.revision() == other.revision > unchanged.revision
    again = store.replace_base(base("wiki", "wikipedia"), [*words("wiki", "wolf")])
    assert store.bases() == [again, unchanged]
    assert store.labels("wiki", ["dog", "wolf"]).keys() == {"wolf"}
    after = _all(store)
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    assert after[2:] == before[2:]
    assert store.counts()["wordnet"] == before[1]["wordnet"]


def test_a_base_can_be_empty(store: Store) -> None:
    loaded = store.replace_base(base(), [])
    assert store.bases() == [loaded]
    assert store.counts().get("wordnet", {}) == {}
    assert store.labels("wordnet", ["dog"]) == {}
    assert store.nodes(["wordnet:1-n"]) == {}
    assert list(store.stream_edges("HYPERNYM")) == []


def test_an_empty_load_removes_all_rows_of_the_base(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base(), [])
    assert store.counts().get("wordnet", {}) == {}
    assert _stems(store) == set()


def test_a_stem_remains_while_a_base_uses_it(store: Store) -> None:
    store.replace_base(base("one"), words("one", "dogs", "cat"))
    store.replace_base(base("two"), words("two", "dog", "bird"))
    assert _stems(store) == {"dog", "cat", "bird"}
    assert store.counts()[""] == {"Stem": 3}
    store.replace_base(base("one"), words("one", "fish"))
    assert _stems(store) == {"dog", "bird", "fish"}
    formed = store.edges(["dog", "cat"], ["FORM"], "out")
    assert [edge.other for edge in formed["dog"]] == ["two/dog"]
    assert formed.get("cat", []) == []
    store.replace_base(base("two"), [])
    assert _stems(store) == {"fish"}


def test_repeated_stems_are_stored_once(store: Store) -> None:
    store.replace_base(
        base(), [nodes("Stem", {"id": "dog"}, {"id": "dog"}), nodes("Stem", {"id": "dog"}), *words("wordnet", "dogs")]
    )
    assert _stems(store) == {"dog"}


def test_left_out_is_read_after_the_last_batch(store: Store) -> None:
    left_out: dict[str, int] = {}

    def batches() -> Iterator[Batch]:
        yield nodes("Synset", {"id": "wordnet:1-n"})
        left_out["broken_pointer"] = 7

    store.replace_base(Base("wordnet", "wordnet", "here", left_out=left_out), batches())
    (stored,) = store.bases()
    assert stored.left_out == {"broken_pointer": 7}
    assert (stored.kind, stored.source) == ("wordnet", "here")


def test_progress_is_reported(store: Store) -> None:
    calls: list[tuple[str, int, float | None]] = []
    store.replace_base(base(), animals(), lambda *call: calls.append(call))
    assert calls
    assert all(activity and rows >= 0 and (share is None or 0 <= share <= 1) for activity, rows, share in calls)


class _Animals:
    base = base()

    def batches(self) -> Iterator[Batch]:
        yield from animals()

    def share(self) -> float | None:
        return None


def test_ingest_counts_like_the_store(store: Store) -> None:
    counts = Counter[str]()
    ingest(store, _Animals(), counts=counts)
    assert counts
    assert counts == store.counts()["wordnet"]


class _BrokenFileError(Exception):
    pass


@pytest.mark.parametrize("after", [0, 1, 4, 8])
def test_a_failed_load_changes_nothing(store: Store, after: int) -> None:
    store.replace_base(base(), animals())
    before, revision = _all(store), store.revision()

    def batches() -> Iterator[Batch]:
        yield from [nodes("Synset", {"id": "wordnet:77-n"}), *words("wordnet", "zebra"), *animals()][:after]
        raise _BrokenFileError

    with pytest.raises(_BrokenFileError):
        store.replace_base(base(), batches())
    assert _all(store) == before
    assert store.revision() == revision
    assert "zebra" not in _stems(store)
    assert store.replace_base(base(), animals()).revision > revision


def test_a_load_after_an_interrupted_first_load_succeeds(store: Store) -> None:
    def batches() -> Iterator[Batch]:
        yield from animals()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.replace_base(base(), batches())
    loaded = store.replace_base(base(), animals())
    assert store.bases() == [loaded]


_SYNSET = nodes("Synset", {"id": "wordnet:1-n"}, {"id": "wordnet:2-n"})
_INVALID: dict[str, tuple[list[Batch], str]] = {
    "unknown label": ([Batch("Sunset", pa.record_batch({"id": ["wordnet:1-n"]}))], "Sunset"),
    "a base as a row": ([Batch("Base", pa.record_batch({"id": ["other"]}))], "Base"),
    "unknown type": ([Batch("HYPERNYMS", pa.record_batch({"from": ["a"], "to": ["b"]}), ("Synset", "Synset"))], "HYPERNYMS"),
    "unknown column": ([Batch("Synset", pa.record_batch({"id": ["wordnet:1-n"], "colour": ["red"]}))], "colour"),
    "column of another type": ([Batch("Synset", pa.record_batch({"id": ["wordnet:1-n"], "hyponyms": ["many"]}))], "hyponyms"),
    "wrong ends": ([_SYNSET, edges("HYPERNYM", ("wordnet:1-n", "wordnet:2-n"), ends=("Synset", "Label"))], "HYPERNYM"),
    "no id": ([nodes("Synset", {"id": None})], "id"),
    "no end": ([_SYNSET, edges("HYPERNYM", ("wordnet:1-n", None))], "to"),  # type: ignore[arg-type]
    "same id twice": ([_SYNSET, nodes("Synset", {"id": "wordnet:2-n"})], "wordnet:2-n"),
    "same id twice at once": ([nodes("Label", *2 * [{"id": "wordnet/a", "name": "a"}])], "wordnet/a"),
    "same id under two labels": ([nodes("Article", {"id": "wordnet:a"}), nodes("Redirect", {"id": "wordnet:a"})], "wordnet:a"),
    "id of another base": ([nodes("Synset", {"id": "wordnet2:1-n"})], "wordnet2:1-n"),
    "id of a label": ([nodes("Synset", {"id": "wordnet/dog"})], "wordnet/dog"),
    "id of an entity": ([nodes("Label", {"id": "wordnet:dog", "name": "dog"})], "wordnet:dog"),
    "id without a key": ([nodes("Synset", {"id": "wordnet:"})], "wordnet:"),
    "id that is not the name": ([nodes("Label", {"id": "wordnet/dog", "name": "cat"})], "wordnet/dog"),
    "too long an id": ([nodes("Synset", {"id": "wordnet:" + "é" * 2_050})], "'wordnet:éé"),
    "too long a name": ([nodes("Synset", {"id": "wordnet:1", "name": "n" * 4_097})], "'name'"),
    "empty stem": ([nodes("Stem", {"id": ""})], "Stem"),
    "base of another": ([nodes("Synset", {"id": "wordnet:1-n", "base": "other"})], "other"),
    "missing target": ([_SYNSET, edges("HYPERNYM", ("wordnet:1-n", "wordnet:3-n"))], "wordnet:3-n"),
    "missing source": ([_SYNSET, edges("HYPERNYM", ("wordnet:3-n", "wordnet:1-n"))], "wordnet:3-n"),
    "end of another base": ([_SYNSET, edges("HYPERNYM", ("wordnet:1-n", "wiki:1-n"))], "wiki:1-n"),
    "end that was replaced": ([_SYNSET, edges("HYPERNYM", ("wordnet:1-n", "wordnet:4-a"))], "wordnet:4-a"),
}


@pytest.mark.parametrize("case", _INVALID)
def test_an_invalid_row_is_refused_and_named(store: Store, case: str) -> None:
    store.replace_base(base(), animals())
    before, revision = _all(store), store.revision()
    batches, value = _INVALID[case]
    with pytest.raises(LoadError) as caught:
        store.replace_base(base(), batches)
    assert value in str(caught.value)
    assert "\n" not in str(caught.value)
    assert _all(store) == before
    assert store.revision() == revision


@pytest.mark.parametrize("name", ["", "Wordnet", "a b", "a:b", "a/b", "wörd"])
def test_an_invalid_name_of_a_base_is_refused(store: Store, name: str) -> None:
    with pytest.raises(LoadError, match="base"):
        store.replace_base(base(name), [])


def test_one_name_of_a_base_may_be_a_prefix_of_another(store: Store) -> None:
    for name in ("a", "ab", "a.b", "a-b"):
        store.replace_base(base(name), animals(name))
    store.replace_base(base("a"), [])
    assert [each.id for each in store.bases()] == ["a", "a-b", "a.b", "ab"]
    counts = store.counts()
    assert counts.pop("a", {}) == {}
    assert counts.pop("") == {"Stem": 5}
    assert {name: counted["Synset"] for name, counted in counts.items()} == {"a-b": 4, "a.b": 4, "ab": 4}


def test_a_base_is_replaced_only_by_one_of_its_kind(store: Store) -> None:
    store.replace_base(base(), animals())
    before, revision = _all(store), store.revision()

    def batches() -> Iterator[Batch]:
        raise AssertionError("the source was read")
        yield

    for call in (store.check_load, lambda other: store.replace_base(other, batches())):
        with pytest.raises(
            LoadError, match="'wordnet' of the kind wordnet, which one of the kind wikipedia cannot replace"
        ) as caught:
            call(base("wordnet", "wikipedia"))
        assert [hint.code for hint in caught.value.hints] == ["set", "unload"]
    assert _all(store) == before
    assert store.revision() == revision
    store.check_load(base())
    store.check_load(base("wiki", "wikipedia"))
    store.remove_base("wordnet")
    assert store.replace_base(base("wordnet", "wikipedia"), wiki("wordnet")).kind == "wikipedia"


def test_a_load_tells_which_revision_it_replaced(store: Store) -> None:
    first = store.replace_base(base(), animals())
    second = store.replace_base(base(), animals())
    assert (first.replaced_revision, second.replaced_revision) == (None, first.revision)
    assert store.replace_base(base("other"), animals("other")).replaced_revision is None


def test_removing_a_base_leaves_what_other_bases_need(store: Store) -> None:
    kept = store.replace_base(base("two"), words("two", "dog", "bird"))
    before = store.counts()
    removed = store.replace_base(base("one"), [*words("one", "dogs", "cat"), nodes("Synset", {"id": "one:1-n", "name": "dog"})])
    state = store.state_id()
    assert store.remove_base("one") == removed
    assert store.bases() == [kept]
    assert store.counts() == before
    assert _stems(store) == {"dog", "bird"}
    assert store.labels("one", ["dogs", "cat"]) == {}
    assert store.nodes(["one:1-n", "one/cat"]) == {}
    assert [edge.other for edge in store.edges(["dog"], ["FORM"], "out")["dog"]] == ["two/dog"]
    assert list(store.stream_nodes("Synset")) == []
    assert store.state_id() != state


def test_removing_an_older_base_changes_the_state(store: Store) -> None:
    store.replace_base(base("one"), words("one", "cat"))
    kept = store.replace_base(base("two"), words("two", "dog"))
    state = store.state_id()
    store.remove_base("one")
    assert store.revision() == kept.revision
    assert store.state_id() != state


def test_the_last_base_can_be_removed_and_loaded_again(store: Store) -> None:
    first = store.replace_base(base(), animals())
    store.remove_base("wordnet")
    assert store.bases() == []
    assert store.counts() == {}
    assert store.revision() == 0
    again = store.replace_base(base(), animals())
    assert again.revision > first.revision
    assert again.replaced_revision is None
    assert store.counts() == {"wordnet": ANIMALS, "": {"Stem": 5}}


def test_removing_a_base_that_is_not_there_is_an_error(store: Store) -> None:
    store.replace_base(base("a-b"), animals("a-b"))
    store.replace_base(base("ab"), animals("ab"))
    before = store.counts()
    for name in ("a", "", "AB", "a-b:1-n"):
        with pytest.raises(BaseMissing, match=r"has no base .*; it has a-b, ab"):
            store.remove_base(name)
    assert store.counts() == before
    store.remove_base("a-b")
    assert [each.id for each in store.bases()] == ["ab"]
    assert store.counts()["ab"] == before["ab"]


def test_a_store_is_sound_after_loads_and_removals(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    assert (store.check().state, store.check().problems) == ("sound", {})
    store.remove_base("wordnet")
    store.replace_base(base("other"), animals("other"))
    assert (store.check().state, store.check().problems) == ("sound", {})
