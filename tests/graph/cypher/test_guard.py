"""What the guard of Cypher statements accepts and refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.cypher.guard import FORBIDDEN, MAX_BYTES, check_statement
from wayword.graph.cypher.parameters import MAX_DEPTH
from wayword.graph.errors import CypherRefused

READING = [
    "MATCH (n) RETURN n",
    "  match (n)\n\treturn n ;  ",
    "OPTIONAL MATCH (n) RETURN n",
    "UNWIND [1, 2] AS x RETURN x",
    "WITH 1 AS x RETURN x",
    "RETURN 'SET', \"a CREATE b; LOAD\", `DELETE` AS x",
    "RETURN 1 // CREATE (n); 'open",
    "RETURN 1 /* DELETE\n n; ' \" ` */ AS x",
    "MATCH (n:Set)-[:USE|`LOAD`]->(m) RETURN n.set, m.`create`, n.load",
    "MATCH p = (:Synset {id: 'a'})-[:HYPERNYM*1..20]->(b) RETURN p",
    "RETURN 'it\\'s; SET' AS x, \"\\\\\" AS y",
    "RETURN 'two\nlines; DROP' AS x",
    "MATCH (n) RETURN n.offset, n.settled, reset, created",
    "MATCH (n) WHERE n.uses > 1.5e3 AND n.x < .5 RETURN 0x1F, 1..2",
    "RETURN 'émoji 👩‍👩‍👧 \u202e' AS x",
    "MATCH (n) WHERE EXISTS { MATCH (n)-->() } RETURN count { MATCH (n)--() }",
    "RETURN " + "[" * MAX_DEPTH + "]" * MAX_DEPTH,
    "RETURN " + "[1], " * 500 + "1",
]

REFUSED = {
    "CREATE (n)": "CREATE",
    "MATCH (n) set n.x = 1": "SET",
    "MATCH (n) SeT n.x = 1": "SET",
    "MATCH (n)SET n.x = 1": "SET",
    "MATCH (n) RETURN n;MATCH (n) RETURN n": "one statement",
    "MATCH (n) RETURN n;;": "one statement",
    "RETURN 1 AS x // comment\nDELETE x": "DELETE",
    "RETURN 1 /* comment */DELETE x": "DELETE",
    "RETURN '/*' DELETE x //*/": "DELETE",
    "RETURN '//' DELETE x": "DELETE",
    "RETURN '\\\\' DELETE x //'": "DELETE",
    "RETURN `a``b` DELETE x": "DELETE",
    "RETURN {set: 1}": "SET",
    "RETURN [1..SET]": "SET",
    "RETURN 1. SET": "SET",
    "RETURN 1.SET": "no space",
    "RETURN 1SET": "no space",
    "RETURN 1e5SET": "no space",
    "RETURN 0xABSET": "no space",
    "RETURN $1SET": "SET",
    "RETURN $ SET": "SET",
    "RETURN n. SET": "SET",
    "MATCH (n: SET) RETURN n": "SET",
    "MATCH ()-[:USE|LOAD]->() RETURN 1": "LOAD",
    "RETURN \u017fet x": "SET",
    "MATCH (n) S\u200dET n.x = 1": "U\\+200D",
    "MATCH (n)\x1bRETURN n": "U\\+001B",
    "RETURN 'open": "a string starts at character 8",
    'RETURN "open': "a string",
    "RETURN 'open\\'": "a string",
    "RETURN `open": "back-quoted",
    "RETURN 1 /* open": "comment",
    "RETURN 1 /* a /* b */": "comment inside",
    "RETURN 1 // a\rDELETE x": "line end",
    "RETURN 1 // a\u2028DELETE x": "line end",
    "MATCH (n) \\u0053ET n.x = 1": "not allowed in a statement",
    "RETURN '\\u0027 SET n.x = 1 //'": "not allowed in a statement",
    "RETURN '\\U00000027'": "not allowed in a statement",
    "EXPLAIN MATCH (n) RETURN n": "must begin with",
    "PROFILE MATCH (n) RETURN n": "must begin with",
    "FROM x RETURN 1": "must begin with",
    "(MATCH (n) RETURN n)": "must begin with",
    "'MATCH' RETURN n": "must begin with",
    "RETURN " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1): "deep",
    "RETURN " + "(" * 5_000 + "1" + ")" * 5_000: "deep",
    "RETURN " + "NOT " * 51 + "true": "deep",
    "RETURN " + "- " * 51 + "1": "deep",
    "RETURN " + "CASE WHEN true THEN " * 51 + "1" + " END" * 51: "deep",
    "RETURN '" + "x" * MAX_BYTES + "'": "bytes",
    "": "empty",
    " \n ": "empty",
    "// nothing": "empty",
    ";": "must begin with",
    "RETURN '\ud800'": "surrogate",
    "RETURN '\0'": "NUL",
}


@pytest.mark.parametrize("statement", READING, ids=lambda text: text[:30])
def test_reading_statements_are_accepted(statement: str) -> None:
    assert check_statement(statement) == {}


@pytest.mark.parametrize("statement", REFUSED, ids=lambda text: ascii(text)[:30])
def test_other_statements_are_refused_with_a_reason(statement: str) -> None:
    with pytest.raises(CypherRefused, match=REFUSED[statement]) as caught:
        check_statement(statement)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("word", sorted(FORBIDDEN))
def test_each_forbidden_word_is_refused_unless_quoted(word: str) -> None:
    for written in (word, word.lower(), word.capitalize()):
        with pytest.raises(CypherRefused):
            check_statement(f"MATCH (n) {written} (n) RETURN n")
        assert check_statement(
            f"MATCH (n:{written}) WHERE n.{written} = '{written}' RETURN `{written}`, ${written}", {written: 1}
        )


_PIECES = st.sampled_from(["'", '"', "`", "\\", "\n", "/*", "*/", "//", " ", "a", ";", "1", ".", ":", "$", "RETURN", "SET x"])


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_no_quoting_hides_a_forbidden_word(text: str) -> None:
    """An accepted statement, read character by character, has no forbidden word outside strings, comments and names."""
    statement = f"RETURN {text}"
    try:
        check_statement(statement, {"a": 1, "RETURN": 1, "SET": 1, "1": 1, "a1": 1})
    except CypherRefused:
        return
    plain = _strip_quoted(statement)
    index = plain.find("SET")
    while index >= 0:
        is_part_of_word = plain[index + 3 : index + 4].isalnum() or plain[index - 1].isalnum()
        assert is_part_of_word or plain[index - 1] in ".:$", statement
        index = plain.find("SET", index + 3)


def _strip_quoted(statement: str) -> str:
    """Remove quoted text and comments with a simple state machine."""
    out, state, index = [], "", 0
    while index < len(statement):
        each, two = statement[index], statement[index : index + 2]
        step = 1
        if state == "":
            if two in ("//", "/*"):
                state, step = two, 2
            elif each in "'\"`":
                state = each
                out.append("_")
            else:
                out.append(each)
        elif state in "'\"" and each == "\\":
            step = 2
        elif (state == "/*" and two == "*/") or (state == "//" and each == "\n") or state == each:
            step = 2 if state == "/*" else 1
            state = ""
            out.append(" ")
        index += step
    return "".join(out)


def test_used_parameters_are_returned() -> None:
    parameters = {"id": "x", "a b": 1, "unused": object(), "1": None}
    assert check_statement("MATCH (n {id: $id}) RETURN $`a b`, $1, '$not', n.x // $nor", parameters) == {
        "id": "x",
        "a b": 1,
        "1": None,
    }


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(CypherRefused, match=r"\$id; pass it as an argument"):
        check_statement("MATCH (n {id: $id}) RETURN n", {"ID": 1})


@pytest.mark.parametrize("value", [None, True, -(2**63), 2**63 - 1, 0.5, "", "é😀", [], [[1], [None]], {"a": {"b": [1]}}])
def test_values_that_both_engines_support_are_accepted(value: object) -> None:
    assert check_statement("RETURN $x", {"x": value}) == {"x": value}


def test_a_tuple_becomes_a_list() -> None:
    assert check_statement("RETURN $x", {"x": ((1,), (2,))}) == {"x": [[1], [2]]}


_NESTED: list[object] = []
for _ in range(60):
    _NESTED = [_NESTED]


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, object(), b"bytes", {1, 2}, "\ud800", ["\udfff"], _NESTED])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(CypherRefused, match=r"\$x"):
        check_statement("RETURN $x", {"x": value})
