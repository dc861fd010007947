"""The parameters of a statement: validation, and conversion to Cypher literals.

The embedded engine needs a type for every parameter, so the values of a list must be of one kind, on both engines. If the type
of a value is partly unknown (an empty list, a null in a map), the value is written into the statement on the embedded engine,
and its parts of known type are passed as parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.normalisation import is_encodable
from ..errors import CypherRefused

MAX_DEPTH = 50
"""Deepest nesting of statements and parameters."""

_INT64 = range(-(2**63), 2**63)

Shape = Any
"""The kind of a value: a description, ``[shape of the elements]``, ``{key: shape}``, or None if unknown."""


def check_parameter(name: str, value: Any, depth: int = 0) -> Any:
    """Return a parameter's value with plain lists and maps; raise ``CypherRefused`` if one of the engines does not support it.

    >>> check_parameter("x", (1, None, 2.5))
    [1, None, 2.5]
    >>> check_parameter("x", [1, "a"])
    Traceback (most recent call last):
    ...
    wayword.graph.errors.CypherRefused: the parameter $x has a list with a number and a text; pass values of one kind in a list
    """
    plain = _to_plain(name, value, depth)
    infer_shape(name, plain)
    return plain


def _to_plain(name: str, value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise CypherRefused(f"the parameter ${name} nests deeper than {MAX_DEPTH} levels; simplify it")
    match value:
        case None | bool() | float():
            return value
        case int():
            if value not in _INT64:
                raise CypherRefused(f"the parameter ${name} has a number of more than 64 bits; pass it as text")
            return value
        case str():
            return _check_text(name, value)
        case list() | tuple():
            return [_to_plain(name, item, depth + 1) for item in value]
        case Mapping():
            return {_check_text(name, str(key)): _to_plain(name, item, depth + 1) for key, item in value.items()}
    raise CypherRefused(f"the parameter ${name} is a {type(value).__name__}; pass text, numbers, booleans, lists or maps")


def _check_text(name: str, text: str) -> str:
    if not is_encodable(text):
        raise CypherRefused(f"the parameter ${name} contains a lone surrogate (half a character); pass valid text")
    return text


def infer_shape(name: str, value: Any) -> Shape:
    """Return the shape of a value, with None for unknown types."""
    match value:
        case None:
            return None
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            shape: Shape = None
            for item in value:
                shape = _join(name, shape, infer_shape(name, item))
            return [shape]
    return {key: infer_shape(name, item) for key, item in value.items()}


def _join(name: str, one: Shape, other: Shape) -> Shape:
    """Combine the shapes of two elements of a list."""
    if one is None or other is None or one == other:
        return other if one is None else one
    if isinstance(one, list) and isinstance(other, list):
        return [_join(name, one[0], other[0])]
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            key = min(one.keys() ^ other.keys())
            raise CypherRefused(f"the parameter ${name} has a list of maps of which only some have {key[:40]!r}; add it to all")
        return {key: _join(name, one[key], other[key]) for key in one}
    raise CypherRefused(
        f"the parameter ${name} has a list with {_describe(one)} and {_describe(other)}; pass values of one kind in a list"
    )


def _describe(shape: Shape) -> str:
    return "a list" if isinstance(shape, list) else "a map" if isinstance(shape, dict) else str(shape)


def has_open_type(shape: Shape) -> bool:
    """Whether a part of a shape is unknown.

    >>> has_open_type(infer_shape("x", [[], [1]])), has_open_type(infer_shape("x", {"a": []}))
    (False, True)
    """
    if isinstance(shape, list):
        return has_open_type(shape[0])
    return any(map(has_open_type, shape.values())) if isinstance(shape, dict) else shape is None


def write_value(name: str, value: Any, reserved: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Write a value as Cypher.

    Args:
        name: The name of the parameter, for messages.
        value: A value that ``check_parameter`` returned.
        reserved: Names that new parameters must not have.

    Returns:
        The Cypher, and the new parameters that it uses for the parts of known type.

    >>> write_value("x", {"a": None, "b": "it's"}, {})
    ('{`a`: NULL, `b`: $wayword_0}', {'wayword_0': "it's"})
    """
    parameters: dict[str, Any] = {}
    free_names = (free for number in range(1 << 62) if (free := f"wayword_{number}") not in reserved)

    def write(part: Any) -> str:
        if part is None:
            return "NULL"
        if not has_open_type(infer_shape(name, part)):
            free = next(free_names)
            parameters[free] = part
            return f"${free}"
        if isinstance(part, list):
            return f"[{', '.join(map(write, part))}]"
        return f"{{{', '.join(f'{_quote(key)}: {write(value)}' for key, value in part.items())}}}"

    return write(value), parameters


def _quote(key: str) -> str:
    return f"`{key.replace('`', '``')}`"
