"""Reading from every store."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pyarrow as pa
import pytest

from wayword.graph.arrow_schema import node_columns, relationship_columns
from wayword.graph.errors import StoreMissing
from wayword.graph.records import Base, BodyLink, Edge, LabelEntry, Sense
from wayword.graph.schema import NODES, RELATIONSHIPS, schema_fingerprint
from wayword.graph.store import Store

from ...support.graphs import Row, animals, base, edges, nodes, wiki, words

ODD = [
    'it\'s "quoted" `so`',
    "back\\slash \\n \\",
    "two\nlines\r\nand a\ttab",
    "emoji 👩‍👩‍👧 🏳️‍🌈",
    "שלום עליכם مرحبا",
    "e\u0301 and \u00e9",
    "\u202eoverride\u202c",
    "{id: $id} // */ ; DROP",
    " leading and trailing ",
    "a:b/c#d?e=%20",
    "𝕌𝔫𝔦\U0010ffff",
    "a NUL \0 inside",
    "x" * 1_000,
]


def test_an_empty_store_has_no_bases(store: Store) -> None:
    with suppress(StoreMissing):
        assert store.bases() == []
    with suppress(StoreMissing):
        assert store.revision() == 0


def test_nodes_have_every_property_of_the_schema(store: Store) -> None:
    store.replace_base(base(), animals())
    result = store.nodes(["wordnet:1-n", "wordnet/dog", "dog", "wordnet:nowhere", "wordnet:1-n", "wordnet/nowhere", ""])
    none = dict.fromkeys(NODES["Synset"].properties)
    assert result == {
        "wordnet:1-n": {
            **none,
            "label": "Synset",
            "id": "wordnet:1-n",
            "base": "wordnet",
            "name": "dog",
            "pos": "n",
            "lemmas": ["dog", "hound"],
            "hyponyms": 0,
            "descendants": 0,
        },
        "wordnet/dog": {"label": "Label", "id": "wordnet/dog", "base": "wordnet", "name": "dog", "uses": 3},
        "dog": {"label": "Stem", "id": "dog"},
    }


def test_an_empty_list_is_not_null(store: Store) -> None:
    store.replace_base(base(), animals())
    result = store.nodes(["wordnet:2-n", "wordnet:3-n"])
    assert result["wordnet:2-n"]["lemmas"] == []
    assert result["wordnet:3-n"]["lemmas"] is None
    rows = [row for batch in store.stream_nodes("Synset") for row in batch.to_pylist()]
    assert {row["id"]: row["lemmas"] for row in rows} == {
        "wordnet:1-n": ["dog", "hound"],
        "wordnet:2-n": [],
        "wordnet:3-n": None,
        "wordnet:4-a": None,
    }


def test_the_base_of_a_node_is_filled_in(store: Store) -> None:
    store.replace_base(base(), [nodes("Synset", {"id": "wordnet:1-n"}), nodes("Label", {"id": "wordnet/a", "name": "a"})])
    result = store.nodes(["wordnet:1-n", "wordnet/a"])
    assert {row["base"] for row in result.values()} == {"wordnet"}
    assert store.counts() == {"wordnet": {"Synset": 1, "Label": 1}}


def test_labels_have_their_senses_by_rank_and_their_base_forms(store: Store) -> None:
    store.replace_base(base(), animals())
    assert store.labels("wordnet", ["dog", "canine", "geese", "animal", "cat", "Dog", ""]) == {
        "dog": LabelEntry(
            "dog", (Sense("wordnet:1-n", 5, 0.625, 1, "dog", "n"), Sense("wordnet:2-n", 3, 0.375, 2, "Dog", "n")), uses=3
        ),
        "canine": LabelEntry(
            "canine", (Sense("wordnet:2-n", 1, 0.5, 1, "canine", "n"), Sense("wordnet:4-a", 1, 0.5, 1, "canine", "a")), uses=6
        ),
        "geese": LabelEntry("geese", (), (("goose", "n"),), uses=5),
        "animal": LabelEntry("animal", uses=6),
    }


def test_labels_belong_to_their_base(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    assert store.labels("wiki", ["dog", "canine"]) == {"dog": LabelEntry("dog", (Sense("wiki:Dog", 2, 1.0, 1, None),), uses=3)}
    assert store.labels("nowhere", ["dog"]) == {}


def test_labels_of_one_base_are_found_by_stem(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    result = store.labels_by_stem("wordnet", ["dog", "goose", "hound", "dog", "nowhere", ""])
    assert {stem: [entry.name for entry in entries] for stem, entries in result.items()} == {
        "dog": ["dog", "dogs"],
        "goose": ["goose"],
    }
    assert result["dog"][0] == store.labels("wordnet", ["dog"])["dog"]
    assert store.labels_by_stem("wiki", ["hound"]) == {"hound": [LabelEntry("hounds", uses=6)]}
    assert store.labels_by_stem("nowhere", ["dog"]) == {}


def test_labels_and_titles_are_found_by_the_stems_of_their_folded_forms(store: Store) -> None:
    store.replace_base(
        base("wiki", "wikipedia"),
        [
            nodes("Stem", {"id": "café"}, {"id": "cafe"}),
            nodes("Label", {"id": "wiki/café", "name": "café", "uses": 1}, {"id": "wiki/cafe", "name": "cafe", "uses": 2}),
            nodes("Article", {"id": "wiki:Pâté (food)", "name": "Pâté (food)", "stem": "pâté", "folded_stem": "pate"}),
            edges("FORM", ("café", "wiki/café"), ("cafe", "wiki/cafe")),
            edges("FOLDS", ("cafe", "wiki/café")),
        ],
    )
    assert store.labels_by_stem("wiki", ["cafe"]) == {"cafe": [LabelEntry("cafe", uses=2)]}
    assert store.labels_by_stem("wiki", ["cafe", "café"], folded=True) == {"cafe": [LabelEntry("café", uses=1)]}
    assert store.labels_by_stem("other", ["cafe"], folded=True) == {}
    assert store.articles_by_stem("wiki", ["pate", "pâté"], folded=True) == {"pate": [("wiki:Pâté (food)", "Pâté (food)")]}
    assert store.counts()["wiki"]["FOLDS"] == 1


def test_a_stem_remains_while_a_label_folds_to_it(store: Store) -> None:
    folding = [
        nodes("Stem", {"id": "café"}, {"id": "cafe"}),
        nodes("Label", {"id": "wiki/café", "name": "café", "uses": 1}),
        edges("FORM", ("café", "wiki/café")),
        edges("FOLDS", ("cafe", "wiki/café")),
    ]
    store.replace_base(base("wiki", "wikipedia"), folding)
    store.replace_base(base("other"), words("other", "cafe"))
    store.replace_base(base("other"), [])
    assert [row["id"] for batch in store.stream_nodes("Stem") for row in batch.to_pylist()] in (
        ["cafe", "café"],
        ["café", "cafe"],
    )
    store.replace_base(base("wiki", "wikipedia"), [])
    assert not [row for batch in store.stream_nodes("Stem") for row in batch.to_pylist()]


def test_articles_with_bracketed_titles_are_found_by_the_stem_before_the_bracket(store: Store) -> None:
    store.replace_base(base("wiki", "wikipedia"), wiki())
    store.replace_base(base("other", "wikipedia"), wiki("other"))
    assert store.articles_by_stem("wiki", ["wolf", "dog", "wolf", ""]) == {
        "wolf": [("wiki:Wolf (band)", "Wolf (band)"), ("wiki:Wolf (moon)", "Wolf (moon)")]
    }
    assert store.articles_by_stem("nowhere", ["wolf"]) == {}


def test_edges_are_complete_and_ordered(store: Store) -> None:
    store.replace_base(base(), animals())
    types = ["HYPERNYM", "DERIVATION", "SIMILAR", "ALSO"]
    to_adjective = partial(Edge, "DERIVATION", "wordnet:4-a", from_pos="n", to_pos="a", from_descendants=1)
    assert store.edges(["wordnet:1-n", "wordnet:2-n", "wordnet:4-a", "wordnet:no"], types, "out") == {
        "wordnet:1-n": [
            Edge("HYPERNYM", "wordnet:2-n", 1, None, None, False, "n", "n", 0, 1),
            Edge("HYPERNYM", "wordnet:3-n", 2, None, None, True, "n", "n", 0, 2),
        ],
        "wordnet:2-n": [
            to_adjective(from_lemma="canid", to_lemma="canine"),
            to_adjective(from_lemma="canine", to_lemma="canine"),
            Edge("HYPERNYM", "wordnet:3-n", 2, None, None, False, "n", "n", 1, 2),
        ],
        "wordnet:4-a": [Edge("SIMILAR", "wordnet:4-a", from_pos="a", to_pos="a")],
        "wordnet:no": [],
    }


def test_an_edge_is_told_from_its_start_to_its_end_in_both_directions(store: Store) -> None:
    store.replace_base(base(), animals())
    assert store.edges(["wordnet:3-n", "wordnet:2-n"], ["HYPERNYM"], "in") == {
        "wordnet:3-n": [
            Edge("HYPERNYM", "wordnet:1-n", 2, None, None, True, "n", "n", 0, 2),
            Edge("HYPERNYM", "wordnet:2-n", 2, None, None, False, "n", "n", 1, 2),
        ],
        "wordnet:2-n": [Edge("HYPERNYM", "wordnet:1-n", 1, None, None, False, "n", "n", 0, 1)],
    }
    (derivation, _) = store.edges(["wordnet:4-a"], ["DERIVATION"], "in")["wordnet:4-a"]
    assert (derivation.from_pos, derivation.to_pos) == ("n", "a")


def test_each_hierarchy_has_its_own_breadth(store: Store) -> None:
    store.replace_base(base("wiki", "wikipedia"), wiki())
    types = ["IN_CATEGORY", "CENTRAL_TO", "SUBCATEGORY_OF", "REDIRECTS_TO"]
    animals_, dogs = "wiki:Category:Animals", "wiki:Category:Dogs"
    assert store.edges([animals_, dogs, "wiki:Dog"], types, "in") == {
        animals_: [Edge("IN_CATEGORY", "wiki:Wolf", 1), Edge("SUBCATEGORY_OF", animals_, 2), Edge("SUBCATEGORY_OF", dogs, 2)],
        dogs: [Edge("CENTRAL_TO", "wiki:Dog"), Edge("IN_CATEGORY", "wiki:Wolf", 1)],
        "wiki:Dog": [Edge("REDIRECTS_TO", "wiki:Hound")],
    }
    assert store.edges([dogs, "wiki:Dog"], types, "out") == {
        dogs: [Edge("SUBCATEGORY_OF", animals_, 2)],
        "wiki:Dog": [Edge("CENTRAL_TO", dogs)],
    }


def test_stems_and_senses_have_edges(store: Store) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    assert store.edges(["dog"], ["FORM"], "out") == {
        "dog": [Edge("FORM", "wiki/dog"), Edge("FORM", "wordnet/dog"), Edge("FORM", "wordnet/dogs")]
    }
    assert store.edges(["wordnet/dogs"], ["FORM"], "in") == {"wordnet/dogs": [Edge("FORM", "dog")]}
    assert [edge.other for edge in store.edges(["wordnet/dog"], ["SENSE"], "out")["wordnet/dog"]] == [
        "wordnet:1-n",
        "wordnet:2-n",
    ]
    assert store.edges(["wiki:Dog"], ["SENSE"], "in") == {"wiki:Dog": [Edge("SENSE", "wiki/dog")]}


def test_links_are_in_reading_order(store: Store) -> None:
    store.replace_base(base("wiki", "wikipedia"), wiki())
    assert store.links(["wiki:Dog", "wiki:Wolf", "wiki:nowhere"]) == {
        "wiki:Dog": [BodyLink("wiki:Wolf (band)", "Wolf", 1), BodyLink("wiki:Wolf", "wolves", 2, 1)],
        "wiki:Wolf": [],
        "wiki:nowhere": [],
    }


def test_empty_arguments_give_empty_results(store: Store) -> None:
    store.replace_base(base(), animals())
    assert store.nodes([]) == {}
    assert store.labels("wordnet", []) == {}
    assert store.edges([], ["HYPERNYM"], "out") == {}
    assert store.edges(["wordnet:1-n"], [], "out") == {"wordnet:1-n": []}


@pytest.mark.slow
def test_many_ids_can_be_read_at_once(store: Store) -> None:
    count = 3_000
    names = [f"word {number}" for number in range(count)]
    ids = [f"wordnet:{number}-n" for number in range(count)]
    links = [(ids[number], ids[number // 2]) for number in range(1, count)]
    store.replace_base(
        base(),
        [
            nodes("Label", *({"id": f"wordnet/{name}", "name": name} for name in names)),
            nodes("Synset", *({"id": each, "hyponyms": 2} for each in ids)),
            edges("SENSE", *((f"wordnet/{name}", each, {"rank": 1}) for name, each in zip(names, ids, strict=True))),
            edges("HYPERNYM", *links),
        ],
    )
    result = store.edges(ids, ["HYPERNYM"], "out")
    assert [(each, edge.other) for each in ids for edge in result[each]] == links
    assert {each for each, edge in store.labels("wordnet", names).items() if len(edge.senses) == 1} == set(names)
    assert store.nodes(ids).keys() == set(ids)
    assert sum(batch.num_rows for batch in store.stream_edges("HYPERNYM")) == count - 1


@pytest.mark.parametrize("label", ["Stem", "Label", "Synset"])
def test_streamed_nodes_equal_looked_up_nodes(store: Store, label: str) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("other"), animals("other"))
    for only in (None, "other"):
        batches = list(store.stream_nodes(label, only))
        assert all(batch.schema.equals(node_columns(label)) for batch in batches)
        rows = [row for batch in batches for row in batch.to_pylist()]
        assert len(rows) == len({row["id"] for row in rows})
        assert {row["id"]: {"label": label, **row} for row in rows} == store.nodes([row["id"] for row in rows])
        assert label == "Stem" or {row["base"] for row in rows} == ({"other"} if only else {"wordnet", "other"})
    assert list(store.stream_nodes("Hashtag")) == []
    assert label == "Stem" or sum(batch.num_rows for batch in store.stream_nodes(label, "nowhere")) == 0


@pytest.mark.slow
@pytest.mark.parametrize("type", ["FORM", "SENSE", "INFLECTION_OF", "HYPERNYM", "DERIVATION", "IN_CATEGORY"])
def test_streamed_relationships_equal_looked_up_edges(store: Store, type: str) -> None:
    store.replace_base(base(), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    for only in (None, "wiki"):
        batches = list(store.stream_edges(type, only))
        assert all(batch.schema.equals(relationship_columns(type)) for batch in batches)
        rows = [row for batch in batches for row in batch.to_pylist()]
        if only is None:
            result = store.edges([row["from"] for row in rows], [type], "out")
            assert len(rows) == sum(map(len, result.values())) > 0
            assert {(row["from"], row["to"]) for row in rows} == {(a, edge.other) for a in result for edge in result[a]}
        else:
            assert all(row["to"].startswith(("wiki:", "wiki/")) for row in rows)
            assert len(rows) == store.counts()["wiki"].get(type, 0)


def test_streamed_bases_equal_the_list_of_bases(store: Store) -> None:
    store.replace_base(base(left=1), animals())
    store.replace_base(base("wiki", "wikipedia"), wiki())
    rows = [row for batch in store.stream_nodes("Base") for row in batch.to_pylist()]
    assert sorted((Base.from_row(row) for row in rows), key=lambda each: each.id) == store.bases()
    assert {(row["state"], row["schema"]) for row in rows} == {("ready", schema_fingerprint())}


def test_properties_of_relationships_are_streamed(store: Store) -> None:
    store.replace_base(base(), animals())
    rows = [row for batch in store.stream_edges("SENSE", "wordnet") for row in batch.to_pylist()]
    keys: list[Row] = [row for row in rows if row["key"] == "dog%1"]
    assert keys == [
        {"from": "wordnet/dog", "to": "wordnet:1-n", "uses": 5, "prior": 0.625, "rank": 1, "lemma": "dog", "key": "dog%1"}
    ]
    assert sorted(row["key"] is None for row in rows) == [False, True, True, True]
    instances = {row["instance"] for batch in store.stream_edges("HYPERNYM") for row in batch.to_pylist()}
    assert instances == {True, False}


@pytest.mark.parametrize("text", ODD, ids=lambda text: repr(text[:12]))
def test_any_text_is_preserved(store: Store, text: str) -> None:
    store.replace_base(
        base(),
        [
            *words("wordnet", text),
            nodes("Synset", {"id": f"wordnet:{text}", "name": text, "gloss": text, "lemmas": [text, "", text]}),
            edges("SENSE", (f"wordnet/{text}", f"wordnet:{text}", {"rank": 1, "lemma": text})),
            edges("RELATED", (f"wordnet:{text}", f"wordnet:{text}", {"kind": text, "from_lemma": text, "to_lemma": text})),
        ],
    )
    (entry,) = store.labels("wordnet", [text]).values()
    assert entry.senses == (Sense(f"wordnet:{text}", 0, 0.0, 1, text),)
    assert store.edges([f"wordnet:{text}"], ["RELATED"], "in") == {
        f"wordnet:{text}": [Edge("RELATED", f"wordnet:{text}", None, text, text)]
    }
    (row,) = store.nodes([f"wordnet:{text}"]).values()
    assert (row["name"], row["gloss"], row["lemmas"]) == (text, text, [text, "", text])
    (streamed,) = [row for batch in store.stream_nodes("Synset") for row in batch.to_pylist()]
    assert {"label": "Synset", **streamed} == row
    stem = text.removesuffix("s")
    assert store.nodes([stem]) == {stem: {"label": "Stem", "id": stem}}


def test_long_text_is_preserved(store: Store) -> None:
    text = "a long 'gloss' \\ 😀\n" * 20_000
    store.replace_base(
        base(),
        [
            nodes("Synset", {"id": "wordnet:1", "gloss": text, "lemmas": [text, "short"]}),
            edges("RELATED", ("wordnet:1", "wordnet:1", {"kind": text, "to_lemma": text})),
        ],
    )
    row = store.nodes(["wordnet:1"])["wordnet:1"]
    assert row["gloss"] == text
    assert row["lemmas"] == [text, "short"]
    assert store.edges(["wordnet:1"], ["RELATED"], "out")["wordnet:1"] == [Edge("RELATED", "wordnet:1", None, None, text)]
    (streamed,) = [row for batch in store.stream_edges("RELATED") for row in batch.to_pylist()]
    assert streamed["kind"] == text


def test_numbers_are_preserved(store: Store) -> None:
    far = 2**62 + 1
    store.replace_base(
        base(),
        [
            nodes("Label", {"id": "wordnet/a", "name": "a", "uses": far}, {"id": "wordnet/b", "name": "b", "uses": -1}),
            nodes("Synset", {"id": "wordnet:1"}, {"id": "wordnet:2"}),
            edges(
                "SENSE",
                ("wordnet/a", "wordnet:1", {"prior": 0.1 + 0.2, "rank": 1}),
                ("wordnet/a", "wordnet:2", {"prior": 5e-324, "rank": far}),
            ),
        ],
    )
    assert {row["uses"] for row in store.nodes(["wordnet/a", "wordnet/b"]).values()} == {far, -1}
    assert [(sense.prior, sense.rank) for sense in store.labels("wordnet", ["a"])["a"].senses] == [
        (0.1 + 0.2, 1),
        (5e-324, far),
    ]


def test_every_table_of_the_schema_can_be_loaded_and_streamed(store: Store) -> None:
    batches = []
    for label, node in NODES.items():
        if label != "Base":
            key = {"Stem": "x", "Label": "wordnet/x"}.get(label, f"wordnet:{label}")
            batches.append(nodes(label, {"id": key, **({"name": "x"} if "name" in node.properties else {})}))
    ids = {batch.type: batch.rows["id"][0].as_py() for batch in batches}
    for name, relationship in RELATIONSHIPS.items():
        batches += [edges(name, (ids[start], ids[end]), ends=(start, end)) for start, end in relationship.ends]
    store.replace_base(base(), batches)
    counts = store.counts()
    assert counts[""] == {"Stem": 1}
    expected = {label: 1 for label in NODES if label not in ("Base", "Stem")}
    expected |= {name: len(relationship.ends) for name, relationship in RELATIONSHIPS.items()}
    assert counts["wordnet"] == expected
    for name, relationship in RELATIONSHIPS.items():
        rows = pa.Table.from_batches(list(store.stream_edges(name, "wordnet")), relationship_columns(name)).to_pylist()
        pairs = sorted((ids[start], ids[end]) for start, end in relationship.ends)
        assert sorted((row["from"], row["to"]) for row in rows) == pairs
        assert {value for row in rows for key, value in row.items() if key not in ("from", "to")} <= {None}


def test_a_stream_remains_readable_during_a_load(store: Store) -> None:
    store.replace_base(base(), animals())
    stream = store.stream_nodes("Synset")
    first = next(iter(stream))
    second = store.replace_base(base(), words("wordnet", "cat"))
    assert first.num_rows == 4
    assert store.revision() == second.revision
    assert sum(batch.num_rows for batch in store.stream_nodes("Synset")) == 0
