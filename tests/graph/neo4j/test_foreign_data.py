"""Users' own data on the server is neither read as ours, nor changed, nor deleted."""

from __future__ import annotations

import pytest

from wayword.graph.errors import LoadError, UnloadError
from wayword.graph.neo4j import load
from wayword.graph.neo4j.store import ServerStore

from ...support.graphs import animals, base, wiki, words
from ...support.neo4j_servers import NEO4J, run
from ...support.neo4j_views import count_owned_nodes, drop_our_indexes, read_everything, recover, sorted_rows

FOREIGN = "MATCH (n) WHERE n.mine RETURN labels(n), properties(n), COUNT { (n)--() } ORDER BY n.number"


# A user's own data, with our labels and types, and with ids that look like ours or do not.
FOREIGN_DATA = """
CREATE (:Base {id: 'x', mine: true, number: 1}), (:Base {mine: true, number: 2}),
 (a:Synset {name: 'mine', mine: true, number: 3}),
 (b:Synset {id: 'x', name: 'mine', mine: true, number: 4}),
 (:Synset {id: 'x', base: 'wordnet', mine: true, number: 5}),
 (:Synset {id: 'wordnet:mine', base: 'wordnet', mine: true, number: 6}),
 (s:Stem {id: 'dog', mine: true, number: 7}), (:Stem {id: 'mine', mine: true, number: 8}),
 (l:Label {id: 'wordnet/mine', base: 'wordnet', name: 'mine', mine: true, number: 9}),
 (:Label {id: 7, mine: true, number: 10}),
 (:Article:Category {id: 'wordnet:x', base: 'wordnet', mine: true, number: 11}),
 (:Person {id: 'wordnet', mine: true, number: 12}),
 (:Retired {base: 'wordnet', id: 'wordnet:1-n', mine: true, number: 13}),
 (:LoadingSynset {base: 'wordnet', mine: true, number: 14}),
 (a)-[:HYPERNYM {instance: false}]->(b), (s)-[:FORM]->(l), (l)-[:SENSE {rank: 1}]->(b), (a)-[:LIKES]->(b)
"""


@NEO4J
def test_foreign_data_is_neither_read_nor_changed_nor_deleted(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    expected = read_everything(store)
    run(address, "MATCH (n) DETACH DELETE n")
    run(address, FOREIGN_DATA)
    before = run(address, FOREIGN)
    assert len(before) == 14
    assert store.bases() == []
    assert store.counts() == {}
    assert store.nodes(["wordnet:mine", "dog", "x", "wordnet/mine"]) == {}
    loaded = [store.replace_base(base(), animals()), store.replace_base(base("wiki", "wikipedia"), wiki())]
    content = read_everything(store)
    assert content.pop("bases") == sorted(loaded, key=lambda each: each.id)
    expected.pop("bases")
    assert content == expected
    assert run(address, FOREIGN) == before
    store.replace_base(base(), words("wordnet", "mouse"))
    store.replace_base(base("wiki", "wikipedia"), [])
    recover(store)
    assert run(address, FOREIGN) == before
    assert sorted_rows(store.stream_nodes("Stem")) == ["{'id': 'mouse'}"]


@NEO4J
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("CREATE (:Synset {id: 'wordnet:2-n', mine: true})", "wordnet:2-n"),
        ("CREATE (:Label {id: 'wordnet/dog', mine: true})", "wordnet/dog"),
        ("CREATE (:Base {id: 'wordnet', mine: true})", "wordnet"),
        ("CREATE (:Wayword {id: 'x', mine: true}), (:Wayword {id: 'x', mine: true})", None),
        ("CREATE CONSTRAINT mine FOR (s:Synset) REQUIRE s.name IS UNIQUE", "mine"),
        ("CREATE CONSTRAINT mine FOR ()-[r:HYPERNYM]-() REQUIRE r.instance IS UNIQUE", "mine"),
        ("CREATE INDEX wayword_synset_id FOR (p:Person) ON (p.name)", "wayword_synset_id"),
        ("CREATE CONSTRAINT wayword_id FOR (p:Person) REQUIRE p.name IS UNIQUE", "wayword_id"),
    ],
)
def test_a_load_that_would_conflict_with_foreign_data_is_refused(address: str, statement: str, named: str | None) -> None:
    with ServerStore(address) as store:
        store.replace_base(base("wiki", "wikipedia"), wiki())
        drop_our_indexes(address)
        run(address, statement)
        rules = "SHOW CONSTRAINTS YIELD name WHERE NOT name STARTS WITH 'wayword_' RETURN name"
        before = read_everything(store), run(address, FOREIGN), run(address, rules)
        with pytest.raises(LoadError) as caught:
            store.replace_base(base(), animals())
        assert (named or address) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (read_everything(store), run(address, FOREIGN), run(address, rules)) == before
        assert not [labels for labels, _ in count_owned_nodes(address) if "Retired" in str(labels) or "Loading" in str(labels)]
    drop_our_indexes(address)


@NEO4J
def test_a_users_constraint_on_ids_is_respected(store: ServerStore, address: str) -> None:
    drop_our_indexes(address)
    run(address, "CREATE CONSTRAINT theirs FOR (s:Stem) REQUIRE s.id IS UNIQUE")
    run(address, "CREATE (:Stem {id: 'mine', mine: true})")
    loaded = store.replace_base(base(), animals())
    assert store.bases() == [loaded]
    with pytest.raises(LoadError, match="mine"):
        store.replace_base(base("other"), words("other", "mine"))
    assert store.bases() == [loaded]


@NEO4J
@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) CREATE (:Person {mine: true})-[:LIKES]->(s)", "a relationship"),
        (
            "MATCH (s:Synset {id: 'wordnet:1-n'}) MATCH (t:Synset {id: 'wordnet:2-n'}) CREATE (s)-[:LIKES]->(t)",
            "a relationship",
        ),
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) SET s.mine = true", "a property"),
        ("MATCH (s:Synset {id: 'wordnet:1-n'}) SET s:Favourite", "a label"),
        (
            "MATCH (:Label {id: 'wordnet/dog'})-[r:SENSE]->(:Synset {id: 'wordnet:1-n'}) SET r.note = 'x'",
            "a relationship with a property",
        ),
    ],
)
def test_what_users_attached_to_our_nodes_is_never_deleted(store: ServerStore, address: str, statement: str, what: str) -> None:
    store.replace_base(base(), animals())
    run(address, statement)
    before = read_everything(store)
    with pytest.raises(LoadError, match=f"wordnet:1-n.*{what}"):
        store.replace_base(base(), animals())
    assert read_everything(store) == before
    theirs = "n.mine OR n:Favourite OR EXISTS { (n)-[r]-() WHERE r:LIKES OR r.note = 'x' }"
    assert run(address, f"MATCH (n) WHERE {theirs} RETURN count(n) > 0") == [[True]]
    store.replace_base(base("other"), animals("other"))
    assert store.counts()["wordnet"] == before["counts"]["wordnet"]


@NEO4J
def test_a_stem_with_foreign_relationships_is_not_deleted(store: ServerStore, address: str) -> None:
    store.replace_base(base(), words("wordnet", "dog", "cat"))
    run(address, "MATCH (s:Stem {id: 'dog'}) CREATE (:Person {mine: true})-[:LIKES]->(s)")
    store.replace_base(base(), words("wordnet", "mouse"))
    assert sorted_rows(store.stream_nodes("Stem")) == ["{'id': 'dog'}", "{'id': 'mouse'}"]
    assert run(address, "MATCH (:Person)-[:LIKES]->(s) RETURN s.id") == [["dog"]]


@NEO4J
def test_a_node_is_not_deleted_if_a_user_attaches_data_during_the_switch(
    store: ServerStore, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.replace_base(base(), animals())

    def attach(phase: str) -> None:
        if phase == "promoting":
            run(address, "MATCH (n:WaywordRetired {id: 'wordnet:1-n'}) CREATE (:Person {mine: true})-[:LIKES]->(n)")

    load.replace_base(store._connection, base(), animals(), lambda *_: None, attach)
    assert run(address, "MATCH (:Person)-[:LIKES]->(n) RETURN n.id") == [["wordnet:1-n"]]
    assert store.counts()["wordnet"]["Synset"] == 4


ADDED = {
    "HYPERNYM": "MATCH (a:Synset {id: 'wordnet:3-n'}) MATCH (b:Synset {id: 'wordnet:2-n'}) CREATE (a)-[:HYPERNYM]->(b)",
    "SIMILAR": "MATCH (a:Stem {id: 'dog'}) MATCH (b:Synset {id: 'wordnet:2-n'}) CREATE (a)-[:SIMILAR]->(b)",
    "FORM": "MATCH (a:Stem {id: 'dog'}) MATCH (b:Label {id: 'wordnet/canine'}) CREATE (a)-[:FORM]->(b)",
    "CAUSES": "MATCH (a:Synset {id: 'wordnet:3-n'}) CREATE (a)-[:CAUSES]->(a)",
}


@NEO4J
@pytest.mark.parametrize("type", ADDED)
def test_added_relationships_of_our_types_are_never_deleted(store: ServerStore, address: str, type: str) -> None:
    store.replace_base(base("wiki", "wikipedia"), wiki())
    store.replace_base(base(), animals())
    loaded = store.counts()["wordnet"].get(type, 0)
    run(address, ADDED[type])
    before = read_everything(store)
    with pytest.raises(
        LoadError, match=rf"has {loaded + 1} relationships {type} between its nodes, but wayword created {loaded};"
    ):
        store.replace_base(base(), animals())
    assert read_everything(store) == before
    assert not [labels for labels, _ in count_owned_nodes(address) if "Retired" in str(labels) or "Loading" in str(labels)]
    store.replace_base(base("wiki", "wikipedia"), wiki())
    run(address, f"MATCH (a:Wayword|WaywordStem)-[r:{type}]->(b:Wayword) WITH r ORDER BY elementId(r) DESC LIMIT 1 DELETE r")
    run(address, "MATCH (b:Base:Wayword) REMOVE b.relationships")  # as after an import of CSV files
    store.replace_base(base(), words("wordnet", "mouse"))
    store.replace_base(base(), animals())


@NEO4J
@pytest.mark.parametrize(("start", "end"), [("wordnet:1-n", "other:2-n"), ("other:2-n", "wordnet:1-n")])
def test_added_relationships_between_two_bases_are_never_deleted(
    store: ServerStore, address: str, start: str, end: str
) -> None:
    store.replace_base(base("other"), animals("other"))
    store.replace_base(base(), animals())
    run(address, f"MATCH (a:Synset {{id: '{start}'}}) MATCH (b:Synset {{id: '{end}'}}) CREATE (a)-[:SIMILAR]->(b)")
    for name in ("wordnet", "other"):
        with pytest.raises(LoadError, match="SIMILAR"):
            store.replace_base(base(name), animals(name))
    assert run(address, "MATCH (a)-[:SIMILAR]->(b) WHERE a.base <> b.base RETURN a.id, b.id") == [[start, end]]


@NEO4J
def test_relationships_between_foreign_nodes_are_not_counted(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    run(address, "UNWIND range(1, 20) AS x CREATE (:Synset {mine: true})-[:HYPERNYM]->(:Synset {mine: true})")
    loaded = store.replace_base(base(), animals())
    assert store.bases() == [loaded]
    assert run(address, "MATCH (n)-[:HYPERNYM]->() WHERE n.mine RETURN count(*)") == [[20]]


@NEO4J
def test_a_marker_alone_does_not_make_a_node_ours(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    before = read_everything(store)
    run(address, "CREATE (:Wayword {id: 'zz', base: 'wordnet'}), (:Wayword:Person {id: 'zy', base: 'nobody'})")
    run(address, "CREATE (:Wayword:Label {id: 'nobody/dog', base: 'nobody'})")
    assert store.counts() == before["counts"]
    assert store.nodes(["zz", "zy"]) == {}
    store.replace_base(base(), animals())
    assert store.counts() == before["counts"]
    assert run(address, "MATCH (n) WHERE n.id IN ['zz', 'zy', 'nobody/dog'] RETURN count(n)") == [[3]]


@NEO4J
def test_removing_a_base_touches_no_foreign_data(store: ServerStore, address: str) -> None:
    run(address, FOREIGN_DATA)
    before = run(address, FOREIGN)
    store.replace_base(base(), animals())
    run(address, "MATCH (s:Stem:WaywordStem {id: 'goose'}) CREATE (:Person {mine: true, number: 15})-[:LIKES]->(s)")
    store.remove_base("wordnet")
    assert run(address, FOREIGN)[:14] == before
    assert run(address, "MATCH (:Person)-[:LIKES]->(s:Stem) RETURN s.id") == [["goose"]]
    assert count_owned_nodes(address) == [[["Stem", "WaywordStem"], 1]]


@NEO4J
@pytest.mark.parametrize(
    "attach",
    [
        "CREATE (:Person)-[:LIKES]->(s)",
        "SET s.mine = 1",
        "SET s:Mine",
        "WITH s MATCH (t:Synset {id: 'wordnet:4-a'}) CREATE (s)-[:SIMILAR]->(t)",
    ],
)
def test_a_base_to_which_users_attached_data_is_not_removed(store: ServerStore, address: str, attach: str) -> None:
    store.replace_base(base(), animals())
    run(address, f"MATCH (s:Synset {{id: 'wordnet:1-n'}}) {attach}")
    before = read_everything(store)
    with pytest.raises(UnloadError, match=r"wordnet was not removed: .*; remove") as caught:
        store.remove_base("wordnet")
    assert not caught.value.hints
    assert read_everything(store) == before


@NEO4J
def test_a_check_counts_what_was_changed_on_the_server(store: ServerStore, address: str) -> None:
    store.replace_base(base(), animals())
    run(address, FOREIGN_DATA)
    assert store.check().problems == {}
    run(address, "MATCH (:Wayword)-[r:HYPERNYM]->(:Wayword) WITH r LIMIT 1 DELETE r")
    run(address, "MATCH (a:Wayword:Label), (b:Wayword:Synset) WITH a, b LIMIT 2 CREATE (a)-[:SENSE]->(b)")
    run(address, "CREATE (:Synset:Wayword {id: 'gone:1', base: 'gone'})")
    run(address, "DROP INDEX wayword_synset_id")
    expected = {"missing_index": 1, "orphan_node": 1, "missing_relationship": 1, "added_relationship": 2}
    assert (store.check().state, store.check().problems) == ("damaged", expected)
    run(address, "MATCH (b:Base:Wayword) SET b.state = 'switching'")
    assert store.check().problems == {"unfinished_base": 1}
