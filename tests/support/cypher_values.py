"""Values of parameters of Cypher statements, as hypothesis strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from wayword.graph.cypher.parameters import ENGINE_NAMES

INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS = st.one_of(
    st.sampled_from(["a", "A", "b c", "key", "value", "end", "it's", "a`b", "_id", "é", ")", "$x"]),
    TEXTS.filter(lambda text: text != "" and "\0" not in text and text not in ENGINE_NAMES),
)
LEAVES = (INTEGERS, FLOATS, TEXTS, st.booleans())


def _values_of(shape: Any, in_list: bool = False) -> st.SearchStrategy[Any]:
    if isinstance(shape, list):
        return st.lists(_values_of(shape[0], in_list=True) | st.none(), max_size=4)
    if isinstance(shape, dict):
        if in_list and not shape:
            return st.none()
        return st.fixed_dictionaries({key: _values_of(inner, in_list) | st.none() for key, inner in shape.items()})
    strategy: st.SearchStrategy[Any] = LEAVES[shape]
    return strategy


_extend: Callable[[st.SearchStrategy[Any]], st.SearchStrategy[Any]] = lambda inner: st.one_of(  # noqa: E731
    st.tuples(inner).map(list), st.dictionaries(KEYS, inner, max_size=3)
)
PARAMETERS: st.SearchStrategy[Any] = st.recursive(st.integers(0, len(LEAVES) - 1), _extend, max_leaves=5).flatmap(_values_of)
"""Values that every engine must return as they were passed: values of lists are of one kind."""
