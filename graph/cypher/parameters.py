"""The parameters of a statement: which values may be passed, and how those are written that an engine cannot take as they are.

The embedded engine gives every value one type. So a list holds values of one kind, whichever engine is asked, and a value
that leaves a type open (an empty list, a null in a map) is written into the statement there, its other parts as parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.normalization import is_encodable
from ..errors import CypherRefused

DEEPEST = 50
_INT64 = range(-(2**63), 2**63)

Shape = Any
"""The kind of a value: a word, ``[shape of the elements]``, ``{key: shape}``, or None where nothing tells."""


def check_parameter(name: str, value: Any, depth: int = 0) -> Any:
    """The value of a parameter, lists and maps as plain ones; refused is what the engines do not both know.

    >>> check_parameter("x", (1, None, 2.5))
    [1, None, 2.5]
    >>> check_parameter("x", [1, "a"])
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: the parameter $x has a list with a number and a text; pass values of one kind in a list
    """
    plain = _plain(name, value, depth)
    infer_shape(name, plain)
    return plain


def _plain(name: str, value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        raise CypherRefused(f"the parameter ${name} nests more than {DEEPEST} deep; write it flatter")
    match value:
        case None | bool() | float():
            return value
        case int():
            if value not in _INT64:
                raise CypherRefused(f"the parameter ${name} has a number of more than 64 bits; pass it as text")
            return value
        case str():
            return _text(name, value)
        case list() | tuple():
            return [_plain(name, each, depth + 1) for each in value]
        case Mapping():
            return {_text(name, str(key)): _plain(name, each, depth + 1) for key, each in value.items()}
    raise CypherRefused(f"the parameter ${name} is a {type(value).__name__}; pass text, numbers, truth values, lists or maps")


def _text(name: str, text: str) -> str:
    if not is_encodable(text):
        raise CypherRefused(f"the parameter ${name} holds half a character (a lone surrogate); pass whole text")
    return text


def infer_shape(name: str, value: Any) -> Shape:
    """What is known of the type of a value."""
    match value:
        case None:
            return None
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            found: Shape = None
            for each in value:
                found = _joined(name, found, infer_shape(name, each))
            return [found]
    return {key: infer_shape(name, each) for key, each in value.items()}


def _joined(name: str, one: Shape, other: Shape) -> Shape:
    """The shape of two elements of a list."""
    if one is None or other is None or one == other:
        return other if one is None else one
    if isinstance(one, list) and isinstance(other, list):
        return [_joined(name, one[0], other[0])]
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            key = min(one.keys() ^ other.keys())
            raise CypherRefused(
                f"the parameter ${name} has a list of maps of which only some have {key[:40]!r}; give it to all"
            )
        return {key: _joined(name, one[key], other[key]) for key in one}
    raise CypherRefused(
        f"the parameter ${name} has a list with {_called(one)} and {_called(other)}; pass values of one kind in a list"
    )


def _called(found: Shape) -> str:
    return "a list" if isinstance(found, list) else "a map" if isinstance(found, dict) else str(found)


def has_open_type(found: Shape) -> bool:
    """Whether a shape leaves a type open.

    >>> has_open_type(infer_shape("x", [[], [1]])), has_open_type(infer_shape("x", {"a": []}))
    (False, True)
    """
    if isinstance(found, list):
        return has_open_type(found[0])
    return any(map(has_open_type, found.values())) if isinstance(found, dict) else found is None


def write_value(name: str, value: Any, taken: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """A value as Cypher, and the parameters that this Cypher names; ``taken`` are names that it may not use.

    >>> write_value("x", {"a": None, "b": "it's"}, {})
    ('{`a`: NULL, `b`: $wayword_0}', {'wayword_0': "it's"})
    """
    given: dict[str, Any] = {}
    free = (new for number in range(1 << 62) if (new := f"wayword_{number}") not in taken)

    def write(part: Any) -> str:
        if part is None:
            return "NULL"
        if not has_open_type(infer_shape(name, part)):
            new = next(free)
            given[new] = part
            return f"${new}"
        if isinstance(part, list):
            return f"[{', '.join(map(write, part))}]"
        return f"{{{', '.join(f'{_quoted(key)}: {write(each)}' for key, each in part.items())}}}"

    return write(value), given


def _quoted(key: str) -> str:
    return f"`{key.replace('`', '``')}`"
