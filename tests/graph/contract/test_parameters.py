"""Parameters of statements: every store converts or refuses them alike, and an engine returns what it was passed."""

from __future__ import annotations

import datetime
import enum
from collections import OrderedDict, UserDict, deque
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given

from wayword.graph.cypher.parameters import ENGINE_NAMES, MAX_PARAMETER_BYTES
from wayword.graph.errors import CypherRefused
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.memory import MemoryStore
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.store import Store

from ...support.cypher_values import PARAMETERS
from ...support.examples import share_of_examples
from ...support.graphs import animals, base
from ...support.stores import STORES

pytestmark = pytest.mark.slow

_SERVER = (pytest.mark.server, pytest.mark.xdist_group("neo4j"))


class Colour(enum.IntEnum):
    RED = 3


class Word(enum.StrEnum):
    DOG = "dog"


class Plain(enum.Enum):
    DOG = "dog"


class Pair(NamedTuple):
    first: int
    second: int


class Text(str):
    """A text that shows itself as another."""

    def __str__(self) -> str:
        return "another"


@pytest.fixture(scope="module", params=["embedded", pytest.param("neo4j", marks=_SERVER)])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of each kind that has Cypher, which the tests only read."""
    with STORES[request.param](tmp_path_factory.mktemp("parameters")) as store:
        store.replace_base(base(), animals())
        yield store


@pytest.fixture(params=[MemoryStore, lambda: EmbeddedStore("no such file"), lambda: ServerStore("bolt://localhost:1")])
def nowhere(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store of each kind without an engine: what is refused there has been refused before an engine could see it."""
    with request.param() as store:
        yield store


def ask(store: Store, value: Any) -> Any:
    ((found,),) = store.cypher("RETURN $x AS x", {"x": value}).rows
    return found


def exact(value: Any) -> Any:
    """Return a value with its types, so that 1, 1.0 and True differ."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return type(value), value


@share_of_examples(0.5)
@given(value=PARAMETERS)
def test_a_parameter_is_returned_as_it_was_passed(filled: Store, value: Any) -> None:
    assert exact(ask(filled, value)) == exact(value)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (HTTPStatus.OK, 200),
        (Colour.RED, 3),
        ([Colour.RED, 4], [3, 4]),
        (Word.DOG, "dog"),
        (Text("dog"), "dog"),
        ({Text("dog"): 1}, {"dog": 1}),
        (np.int64(7), 7),
        (np.uint8(7), 7),
        (np.float32(0.5), 0.5),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("dog"), "dog"),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array(["a", "b"]), ["a", "b"]),
        (np.array(5), 5),
        (np.array([1, None], dtype=object), [1, None]),
        ([np.int8(1), 2], [1, 2]),
        ((1, (2, 3))[1], [2, 3]),
        (Pair(1, 2), [1, 2]),
        (OrderedDict(a=1), {"a": 1}),
        (UserDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ([1, 2.5], [1.0, 2.5]),
        ([{"a": 1}, {"a": 2.5}], [{"a": 1.0}, {"a": 2.5}]),
        ([{"a": 1, "b": 2}, {"b": 3, "a": 4}], [{"a": 1, "b": 2}, {"a": 4, "b": 3}]),
        ({"key": [1], "value": ["a"]}, {"key": [1], "value": ["a"]}),
        ([{"key": [1], "value": ["a"]}], [{"key": [1], "value": ["a"]}]),
        ({"a": 1, "A": 2}, {"a": 1, "A": 2}),
        ("a\0b", "a\0b"),
        (-(2**63), -(2**63)),
        (5e-324, 5e-324),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_value_is_converted_to_a_plain_one(filled: Store, value: Any, plain: Any) -> None:
    assert exact(ask(filled, value)) == exact(plain)


CYCLE: list[Any] = []
CYCLE.append(CYCLE)

REFUSED = [
    (2**63, "more than 64 bits"),
    ([1, -(2**63) - 1], "more than 64 bits"),
    (10**5000, "more than 64 bits"),
    (float("nan"), "not a number"),
    ([1.0, float("-inf")], "not a number"),
    (np.array([1.0, np.nan]), "not a number"),
    (np.longdouble(1), "array of"),
    (np.datetime64("2020-01-01"), "array of datetime64"),
    (np.array([1j]), "array of complex"),
    (b"dog", "type bytes; decode"),
    (bytearray(b"dog"), "decode"),
    (datetime.date(2020, 1, 1), "type date; pass it as text"),
    (datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(seconds=1))), "isoformat"),
    (datetime.timedelta(1), "number of seconds"),
    (Decimal(1), "type Decimal"),
    (Fraction(1, 2), "type Fraction"),
    (1j, "type complex"),
    (Plain.DOG, "type Plain"),
    ({1, 2}, "pass a list"),
    (range(3), "pass a list"),
    (deque([1]), "type deque"),
    (object(), "type object"),
    (len, "type builtin_function_or_method"),
    ("\ud800", "half a character"),
    (["a", "\udfff"], "half a character"),
    ({"\ud800": 1}, "half a character"),
    ({None: 1}, "key None"),
    ({1: 1}, "key 1"),
    ({"": 1}, "key ''"),
    ({"a\0": 1}, "without NUL"),
    (CYCLE, "nests deeper"),
    ([{}], "an empty map in a list"),
    ({"a": [[{"b": {}}]]}, "an empty map in a list"),
    ([1, "a"], "a number and a text"),
    ([True, 1], "a boolean and a number"),
    ([2**53 + 1, 0.5], "no decimal can represent"),
    ("x" * (MAX_PARAMETER_BYTES + 1), "larger than 16 MB"),
    (["é" * (MAX_PARAMETER_BYTES // 4)] * 3, "larger than 16 MB"),
    ([0] * (MAX_PARAMETER_BYTES // 8 + 1), "larger than 16 MB"),
    (np.zeros(MAX_PARAMETER_BYTES), "larger than 16 MB"),
    *(({name: 1}, f"key {name}") for name in sorted(ENGINE_NAMES)),
    ([{"a": {"_NODES": []}}], "_NODES"),
]


@pytest.mark.parametrize(
    ("value", "problem"), REFUSED, ids=[f"{number} {problem}" for number, (_, problem) in enumerate(REFUSED)]
)
def test_a_value_that_an_engine_cannot_represent_is_refused_by_every_store(nowhere: Store, value: Any, problem: str) -> None:
    with pytest.raises(CypherRefused) as caught:
        nowhere.cypher("RETURN $x AS x", {"x": value})
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_all_parameters_together_may_not_be_too_large(nowhere: Store) -> None:
    half = "x" * (MAX_PARAMETER_BYTES // 2)
    with pytest.raises(CypherRefused, match="larger than 16 MB; pass fewer values"):
        nowhere.cypher("RETURN $x AS x, $y AS y, $z AS z", {"x": half, "y": half, "z": 1})


@pytest.mark.parametrize("statement", [None, 1, b"RETURN 1", ["RETURN 1"]])
def test_a_statement_that_is_no_text_is_refused(nowhere: Store, statement: Any) -> None:
    with pytest.raises(CypherRefused, match=f"of the type {type(statement).__name__}; write Cypher as text"):
        nowhere.cypher(statement)


@pytest.mark.parametrize("parameters", [[("x", 1)], "x", 1])
def test_parameters_that_are_no_map_are_refused(nowhere: Store, parameters: Any) -> None:
    with pytest.raises(CypherRefused, match="pass a map of names and values"):
        nowhere.cypher("RETURN 1 AS x", parameters)


@pytest.mark.parametrize("limit", [0, pytest.param(10**5000, id="huge"), HTTPStatus.OK, 1.0])
def test_a_row_limit_must_be_a_plain_number(nowhere: Store, limit: Any) -> None:
    with pytest.raises(CypherRefused, match="the row limit is"):
        nowhere.cypher("RETURN 1 AS x", limit=limit)


@pytest.mark.parametrize("name", sorted(ENGINE_NAMES))
@pytest.mark.parametrize("statement", ["RETURN {{{}: 1}} AS x", "RETURN {{`{}`: [1]}} AS x", "WITH 1 AS {} RETURN 1 AS x"])
def test_a_statement_cannot_use_the_names_that_mark_nodes(nowhere: Store, statement: str, name: str) -> None:
    with pytest.raises(CypherRefused, match=f"the name {name} is not allowed"):
        nowhere.cypher(statement.format(name))


@pytest.mark.parametrize("value", [2_000_000_000, 100, -128])
def test_whole_numbers_of_parameters_have_64_bits(filled: Store, value: int) -> None:
    rows = filled.cypher(
        "UNWIND $rows AS r RETURN $x * $x AS a, r.n * r.n AS b, $m.n * $m.n AS c",
        {"x": value, "rows": [{"n": value}], "m": {"n": value}},
    ).rows
    assert rows == ((value**2,) * 3,)


def test_a_number_can_limit_the_rows(filled: Store) -> None:
    assert filled.cypher("UNWIND [1, 2, 3] AS x RETURN x ORDER BY x SKIP $s LIMIT $n", {"s": 1, "n": 1}).rows == ((2,),)
