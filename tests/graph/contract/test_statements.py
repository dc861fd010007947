"""Cypher statements on every store that has Cypher: answers, limits and refusals."""

from __future__ import annotations

import time
from typing import Any

import pytest

from wayword.graph.cypher.values import Node, Path, Relationship
from wayword.graph.errors import CypherError, CypherFailed, CypherRefused, CypherSyntax, CypherTimeout
from wayword.graph.store import Store

from ...support.graphs import animals, base, edges, nodes

pytestmark = pytest.mark.slow

DOG = Node(
    "wordnet:1-n",
    "Synset",
    {
        "id": "wordnet:1-n",
        "base": "wordnet",
        "name": "dog",
        "pos": "n",
        "lemmas": ["dog", "hound"],
        "hyponyms": 0,
        "descendants": 0,
    },
)


def test_an_answer_has_rows_and_columns(engine: Store) -> None:
    engine.replace_base(base(), animals())
    answer = engine.cypher("MATCH (s:Synset) RETURN s.id AS id, s.hyponyms ORDER BY id;")
    assert answer.columns == ("id", "s.hyponyms")
    assert answer.rows == (("wordnet:1-n", 0), ("wordnet:2-n", 1), ("wordnet:3-n", 2), ("wordnet:4-a", None))
    assert not answer.truncated
    assert engine.cypher("MATCH (s:Synset) WHERE s.pos = 'v' RETURN s").rows == ()


@pytest.mark.parametrize(
    "returned",
    [
        ["count(s)"],
        ["COUNT( DISTINCT s )", "count(*)", "Count(s.name)"],
        ["toUpper(s.name)", "1+2", "s.name  +  'a, b'", "-1", "$x"],
        ["[s.id, s.name]", "s.name IS NOT NULL AND\n NOT s.pos = ')'", "$`x`", "s.`name`"],
        ["CASE WHEN s.hyponyms > 0 THEN 'a' ELSE 'b' END", "size([1, 2])", "'RETURN 1, 2'"],
        ["EXISTS { MATCH (s)-[:HYPERNYM]->(t:Synset) WHERE t.name = 'x' }", "collect(s.name)[0..1]"],
    ],
)
@pytest.mark.parametrize("form", ["{} LIMIT 1", "DISTINCT {} ORDER BY 1 SKIP 0;", "{} UNION ALL MATCH (s:Synset) RETURN {}"])
def test_a_column_without_an_alias_is_named_as_it_is_written(engine: Store, returned: list[str], form: str) -> None:
    engine.replace_base(base(), animals())
    statement = "MATCH (s:Synset) RETURN " + form.replace("{}", " , ".join(returned))
    assert engine.cypher(statement, {"x": 1}).columns == tuple(returned)


def test_a_variable_and_an_alias_name_their_columns(engine: Store) -> None:
    engine.replace_base(base(), animals())
    for returned, names in {
        "s, 1 AS one, count(*) AS `order by`": ("s", "one", "order by"),
        "`a, b`, s.name as limit": ("a, b", "limit"),
    }.items():
        assert engine.cypher(f"MATCH (s:Synset) WITH s, s.id AS `a, b` return {returned}").columns == names


def test_nodes_relationships_and_paths_are_records(engine: Store) -> None:
    engine.replace_base(base(), animals())
    up = Relationship("HYPERNYM", "wordnet:1-n", "wordnet:2-n", {"instance": False})
    statement = (
        "MATCH p = (a:Synset {id: $id})-[r:HYPERNYM]->(b:Synset {id: 'wordnet:2-n'}) RETURN a, r, p, collect(a) AS found"
    )
    ((node, relationship, path, collected),) = engine.cypher(statement, {"id": "wordnet:1-n"}).rows
    assert node == DOG
    assert relationship == up
    assert isinstance(path, Path)
    assert path.nodes[0] == DOG
    assert path.nodes[1].id == "wordnet:2-n"
    assert path.relationships == (up,)
    assert collected == [DOG]


def test_a_relationship_has_the_ids_of_its_ends(engine: Store) -> None:
    engine.replace_base(base(), animals())
    rows = engine.cypher("MATCH (:Synset)<-[r:HYPERNYM]-(:Synset) RETURN r").rows
    found = sorted((each.start, each.end, each.properties["instance"]) for (each,) in rows)
    assert found == [
        ("wordnet:1-n", "wordnet:2-n", False),
        ("wordnet:1-n", "wordnet:3-n", True),
        ("wordnet:2-n", "wordnet:3-n", False),
    ]


def test_sums_are_numbers(engine: Store) -> None:
    engine.replace_base(base(), animals())
    ((whole, part, number, none),) = engine.cypher(
        "MATCH (:Label)-[s:SENSE]->(:Synset) RETURN sum(s.uses), sum(s.prior), count(*), min(s.key)"
    ).rows
    assert (whole, part, number, none) == (10, 2.0, 4, "dog%1")
    assert type(whole) is int
    assert type(part) is float


@pytest.mark.parametrize("value", ["it's \"\\ `x`\n", "😀 שלום", 2**62, -1, 0.1, True, None, ["a", "b"], [1, 2]])
def test_parameters_are_passed_unchanged(engine: Store, value: Any) -> None:
    engine.replace_base(base(), animals())
    ((found,),) = engine.cypher("MATCH (:Stem {id: 'dog'}) RETURN $value", {"value": value, "unused": 1}).rows
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        [],
        [None],
        [None, 1],
        [[]],
        [[], [1]],
        {},
        {"a": None},
        {"a": []},
        {"a": {"b": None, "c": "it's"}},
        {"a b`": [], "$node": ["x"]},
        [{"a": 1, "b": None}, {"a": 2, "b": None}],
        [{"a": 1}, {"a": None}],
        {"a": {"b": [1]}},
        [1, 2.5],
        {"a": None, "b": {}},
    ],
    ids=repr,
)
def test_parameters_of_partly_unknown_type_are_passed_unchanged(engine: Store, value: Any) -> None:
    engine.replace_base(base(), animals())
    answer = engine.cypher("MATCH (:Stem {id: 'dog'}) RETURN $x AS a, [$x] AS b // $x", {"x": value})
    assert answer.rows == ((value, [value]),)


def test_an_empty_list_can_be_used_like_any_list(engine: Store) -> None:
    engine.replace_base(base(), animals())
    assert engine.cypher("MATCH (s:Synset) WHERE s.id IN $ids RETURN s", {"ids": []}).rows == ()
    assert engine.cypher("UNWIND $ids AS x RETURN x", {"ids": []}).rows == ()
    assert engine.cypher("RETURN size($ids) AS n", {"ids": []}).rows == ((0,),)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1, "a"], "a number and a text"),
        ([True, 1], "a boolean and a number"),
        ([[1], ["a"]], "a number and a text"),
        ({"a": [1, {"b": None}]}, "a number and a map"),
        ([{"a": 1}, {"b": 2}], "only some have 'a'"),
        ([{"a": 1}, {"a": "x"}], "a number and a text"),
        ([[], "a"], "a list and a text"),
        ({"\ud800": 1}, "half a character"),
        (10**5000, "64 bits"),
    ],
    ids=lambda value: repr(value)[:40] if not isinstance(value, int) else "huge",
)
def test_a_list_must_contain_values_of_one_kind(engine: Store, value: Any, message: str) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherRefused, match=message) as caught:
        engine.cypher("RETURN $x", {"x": value})
    assert "\n" not in str(caught.value)


_DEEP: Any = []
for _ in range(100_000):
    _DEEP = [_DEEP]


def test_too_deeply_nested_parameters_are_refused(engine: Store) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherRefused, match="nests deeper than"):
        engine.cypher("RETURN $x", {"x": _DEEP})


@pytest.mark.parametrize("limit", [0, -1, True, None, 1.0, "3", 2**63])
def test_an_invalid_row_limit_is_refused(engine: Store, limit: Any) -> None:
    with pytest.raises(CypherRefused, match="row limit") as caught:
        engine.cypher("RETURN 1 AS one", limit=limit)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), 1e300, 0, -1.0, None, True, "3", 86_401])
def test_an_invalid_time_limit_is_refused(engine: Store, timeout: Any) -> None:
    with pytest.raises(CypherRefused, match="time limit"):
        engine.cypher("RETURN 1 AS one", timeout=timeout)


def test_a_missing_parameter_is_named(engine: Store) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherRefused, match=r"\$id"):
        engine.cypher("MATCH (s:Stem {id: $id}) RETURN s")


def test_an_answer_cut_off_by_the_row_limit_is_marked_as_truncated(engine: Store) -> None:
    engine.replace_base(base(), animals())
    statement = "MATCH (s:Synset) RETURN s.id ORDER BY s.id"
    assert engine.cypher(statement, limit=4).truncated is False
    cut = engine.cypher(statement, limit=3)
    assert cut.truncated is True
    assert len(cut.rows) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UNWIND range(1, 10000000) AS x RETURN collect(x)",
        "UNWIND range(1, 20) AS x RETURN x, range(1, 500000) AS list",
    ],
)
def test_a_too_large_answer_is_refused(engine: Store, statement: str) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherFailed, match="larger than 64 MB; return fewer") as caught:
        engine.cypher(statement, limit=10_000_000, timeout=120)
    assert "\n" not in str(caught.value)
    assert engine.cypher("RETURN 1 AS one").rows == ((1,),)


def test_an_answer_of_many_megabytes_is_complete(engine: Store) -> None:
    engine.replace_base(base(), animals())
    ((found,),) = engine.cypher("UNWIND range(1, 1000000) AS x RETURN collect(x)", timeout=120).rows
    assert found == list(range(1, 1_000_001))


def test_the_time_limit_holds(engine: Store) -> None:
    count = 400
    links = [(f"wordnet:{a}", f"wordnet:{b}") for a in range(count) for b in range(a + 1, min(a + 8, count))]
    synsets = nodes("Synset", *({"id": f"wordnet:{number}"} for number in range(count)))
    engine.replace_base(base(), [synsets, edges("HYPERNYM", *links)])
    start = time.monotonic()
    with pytest.raises(CypherTimeout, match=r"longer than 1 s .*; raise timeout"):
        engine.cypher("MATCH p = (:Synset)-[:HYPERNYM*1..25]->(:Synset) RETURN count(*)", timeout=1.0)
    assert time.monotonic() - start < 30
    assert engine.cypher("MATCH (s:Synset) RETURN count(*)").rows == ((count,),)


def test_statements_see_a_new_load_at_once(engine: Store) -> None:
    engine.replace_base(base(), animals())
    assert engine.cypher("MATCH (s:Synset) RETURN count(*)").rows == ((4,),)
    engine.replace_base(base(), [nodes("Synset", {"id": "wordnet:9-n"})])
    assert engine.cypher("MATCH (s:Synset) RETURN s.id").rows == (("wordnet:9-n",),)


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (n RETURN n",
        "RETURN",
        "MATCH (n:Synset) RETURN m",
        "RETURN no_such_function(1)",
        "MATCH (s:Synset) WHERE RETURN s",
    ],
)
def test_an_invalid_statement_is_a_syntax_error(engine: Store, statement: str) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherSyntax) as caught:
        engine.cypher(statement)
    assert "\n" not in str(caught.value)


def test_a_runtime_error_is_a_failure(engine: Store) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherFailed, match=r"(?i)divi.*zero|/ by zero"):
        engine.cypher("UNWIND [1, 0] AS x RETURN 1 / x")


def test_the_store_remains_usable_after_an_error(engine: Store) -> None:
    engine.replace_base(base(), animals())
    for statement in ("MATCH (n", "MATCH (n) DELETE n", "RETURN 1 / 0", "RETURN no_such_function(1)"):
        with pytest.raises(CypherError):
            engine.cypher(statement)
        assert engine.cypher("MATCH (s:Synset {id: 'wordnet:1-n'}) RETURN s.name").rows == (("dog",),)


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (s:Synset) SET s.name = 'x' RETURN s",
        "MATCH (s:Synset) DETACH DELETE s",
        "CREATE (:Stem {id: 'x'})",
        "MATCH (s:Synset) MERGE (t:Stem {id: 'x'}) RETURN t",
        "MATCH (s:Synset) REMOVE s.name RETURN s",
        "MATCH (s:Synset) FOREACH (x IN [1] | SET s.name = 'y')",
        "DROP TABLE Stem",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "LOAD FROM '/etc/passwd' RETURN *",
        "COPY (MATCH (s:Synset) RETURN s.id) TO '/tmp/wayword-attack.csv'",
        "CALL db.labels()",
        "MATCH (s:Synset) CALL { WITH s SET s.name = 'x' } RETURN s",
        "MATCH (s:Synset) RETURN s; MATCH (s:Synset) SET s.name = 'x'",
        "SHOW SETTINGS",
        "TERMINATE TRANSACTIONS 'x'",
        r"MATCH (s:Synset) \u0053ET s.name = 'x' RETURN s",
    ],
)
def test_statements_cannot_change_the_graph(engine: Store, statement: str) -> None:
    engine.replace_base(base(), animals())
    with pytest.raises(CypherRefused):
        engine.cypher(statement)
    assert engine.nodes(["wordnet:1-n"])["wordnet:1-n"]["name"] == "dog"
    assert engine.counts()[""] == {"Stem": 5}
