"""What is wrong with a statement is said in the same words on both engines, with the place and similar names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wayword.graph.errors import CypherError, CypherFailed, CypherSyntax
from wayword.graph.store import Store

from ...support.graphs import animals, base
from ...support.stores import STORES

pytestmark = pytest.mark.slow

_SERVER = (pytest.mark.server, pytest.mark.xdist_group("neo4j"))


@pytest.fixture(scope="module", params=["embedded", pytest.param("neo4j", marks=_SERVER)])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of each kind that has Cypher, which the tests only read."""
    with STORES[request.param](tmp_path_factory.mktemp("problems")) as store:
        store.replace_base(base(), animals())
        yield store


SYNTAX = {
    "MATCH (n RETURN n": "not valid Cypher at line 1, column 10: MATCH (n >>RETURN<< n",
    "MATCH (n:Synset)\nRETURN n.id,,\n n.name": "line 2, column 13: RETURN n.id,>>,<<",
    "MATCH (n:Synset) WHERE n.id = '😀é' RETURN n.id x": "line 1, column 48: ",
    "MATCH (n:Synset) WERE n.id = 'x' RETURN n": ">>WERE<< n.id = 'x' RETURN n; did you mean WHERE?",
    "MATCH (n:Synset) RETURN n.name ODER BY n.name": ">>ODER<< BY n.name; did you mean ORDER?",
    "RETURN": "ends too early, at line 1, column 7: RETURN>><<",
    "RETURN 2 ^ 2 ^": "ends too early, at line 1, column 15",
    "MATCH (n:Synset) RETURN m": "m is not defined at line 1, column 25: MATCH (n:Synset) RETURN >>m<<; the statement def",
    "MATCH (n:Synset) RETURN $list AS x, m": "column 37: ",
    "RETURN coalesc(null, 1)": "no function coalesc at line 1, column 8: RETURN >>coalesc<<(null, 1); did you mean coalesce",
    "MATCH (n:Synsets) RETURN n": "there is no label Synsets; did you mean Synset? wayword's labels are Article, Base,",
    "MATCH (n:HYPERNYM) RETURN n": "HYPERNYM is a relationship type, not a label",
    "MATCH (n:Synset)-[:HYPERNIM]->(m) RETURN m": "there is no relationship type HYPERNIM; did you mean HYPERNYM? ",
    "MATCH ()-[r:Synset]->() RETURN r": "Synset is a label, not a relationship type",
    "MATCH (n:Synset) RETURN n.nam": "there is no property nam; did you mean name? the properties of a Synset are base,",
    "MATCH (n:Hashtag {nam: 'x'}) RETURN n": "did you mean name? the properties of a Hashtag are base, id, name, tweets",
    "MATCH ()-[r:HYPERNYM]->() RETURN r.foo": "there is no property foo; the properties of a HYPERNYM are instance",
    "MATCH (n:Synset) RETURN n.name AS word ORDER BY wrod": ">>wrod<<; did you mean word?",
    "WITH 1 AS a, 2 AS a RETURN a": "two columns have the same name; give one another name with AS",
    "RETURN NOT 1": "a whole number is where a boolean is needed",
    "UNWIND [1] AS n RETURN sqrt('a')": "a text",
}  # fmt: skip
FAILED = {
    "UNWIND [1, 0] AS x RETURN 1 / x": "the statement divides by zero",
    "RETURN date('x')": "the text 'x' is not a date",
    "UNWIND [9223372036854775807] AS x RETURN x + 1": "too large for a whole number",
}


@pytest.mark.parametrize("statement", SYNTAX)
def test_what_is_wrong_is_said_in_our_words(filled: Store, statement: str) -> None:
    with pytest.raises(CypherSyntax) as caught:
        filled.cypher(statement, {"list": [[], [1], None]})
    assert SYNTAX[statement] in str(caught.value)
    _expect_our_words(caught.value)


@pytest.mark.parametrize("statement", FAILED)
def test_a_failure_is_said_in_our_words(filled: Store, statement: str) -> None:
    with pytest.raises(CypherFailed) as caught:
        filled.cypher(statement)
    assert FAILED[statement] in str(caught.value)
    _expect_our_words(caught.value)


def _expect_our_words(error: CypherError) -> None:
    text = str(error)
    assert "\n" not in text
    for words in ("exception", "oC_", "expected rule", "INT64", "STRING", "offset", "Neo."):
        assert words not in text


def test_the_words_of_the_engine_are_the_cause(filled: Store) -> None:
    with pytest.raises(CypherSyntax) as caught:
        filled.cypher("MATCH (n RETURN n")
    assert "Invalid input" in str(caught.value.__cause__)


def test_names_of_the_schema_that_no_base_uses_are_known(filled: Store) -> None:
    assert filled.cypher("MATCH (c:Category)-[:SUBCATEGORY_OF]->(d) RETURN c.subcategories, d.members").rows == ()


def test_keys_of_maps_are_not_taken_for_properties(filled: Store) -> None:
    statement = "UNWIND $rows AS row WITH row, {q: 1} AS m RETURN row.anything AS a, m.q AS b"
    assert filled.cypher(statement, {"rows": [{"anything": 1}]}).rows == ((1, 1),)
