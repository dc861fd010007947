"""The parameters of a statement: validation, conversion to plain Python values, and to Cypher literals.

The rules are the same for every store, so that a statement means the same on all of them, and no engine sees a value that it
cannot represent. A value is null, a boolean, a whole number of 64 bits, a finite number, a text, a list or a map. Subclasses of
these types, and numpy's scalars and arrays, are converted to exactly these types; everything else is refused.

The embedded engine needs a type for every parameter, so the values of a list must be of one kind. If the type of a value is
partly unknown (an empty list, a null in a map), the value is written into the statement on the embedded engine, and its parts
of known type are passed as parameters. The same is done where the engine would choose another type than the one that a value
has: it makes a small whole number an INT8, which overflows at 127 + 1, and takes ``{"key": [...], "value": [...]}`` for a map
of another kind.
"""

from __future__ import annotations

import datetime
import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.messages import truncate
from ..errors import CypherRefused
from .deadline import Deadline

MAX_DEPTH = 50
"""Deepest nesting of statements and parameters."""

MAX_PARAMETER_BYTES = 16 << 20
"""Largest size of the parameters of a statement: eight bytes a value, and the bytes of texts."""

ENGINE_NAMES = frozenset({"_ID", "_LABEL", "_SRC", "_DST", "_NODES", "_RELS"})
"""Keys with which the embedded engine marks nodes, relationships and paths in an answer; users' maps may not have them."""

Shape = Any
"""The kind of a value: a name of a kind, ``[shape of the elements]``, ``{key: shape}``, or None if unknown."""

_KINDS: dict[type, str] = {bool: "a boolean", int: "a number", float: "a decimal", str: "a text"}
_ENGINE_TYPES = {"a boolean": "BOOL", "a number": "INT64", "a decimal": "DOUBLE", "a text": "STRING"}
_PAIR_KEYS = {"key", "value"}
_CASTABLE_KEY = re.compile(r"\w+", re.ASCII)
_VALUE_BYTES = 8
_LARGEST, _SMALLEST = 2**63 - 1, -(2**63)


class ParameterReader:
    """Converts the parameters of one statement; together they must not be too large."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._bytes_left = MAX_PARAMETER_BYTES

    def read(self, name: str, value: Any) -> Any:
        """Return a parameter's value as plain Python data; raise ``CypherRefused`` if it breaks a rule.

        >>> ParameterReader(Deadline(1)).read("x", (1, None, 2.5))
        [1.0, None, 2.5]
        >>> ParameterReader(Deadline(1)).read("x", 2**63)
        Traceback (most recent call last):
        ...
        wayword.graph.errors.CypherRefused: the parameter $x has a number of more than 64 bits; pass it as text
        """
        plain = self._to_plain(name, value, 0)
        shape = infer_shape(name, plain, self._deadline)
        if _has_empty_map(shape, in_list=False):
            raise CypherRefused(f"the parameter ${name} has an empty map in a list; leave it out, or give it keys")
        return self._fit(name, plain, shape)

    def _spend(self, name: str, size: int) -> None:
        self._deadline.check()
        self._bytes_left -= size
        if self._bytes_left < 0:
            limit = MAX_PARAMETER_BYTES >> 20
            raise CypherRefused(
                f"the parameter ${name} makes the parameters larger than {limit} MB; pass fewer values at a time"
            )

    def _to_plain(self, name: str, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise CypherRefused(f"the parameter ${name} nests deeper than {MAX_DEPTH} levels; simplify it")
        kind = type(value)
        if kind is list or kind is tuple:
            return self._list(name, value, depth)
        if kind is dict:
            self._spend(name, _VALUE_BYTES)
            return self._map(name, value, depth)
        if value is not None and kind not in _KINDS:
            return self._to_plain(name, _to_builtin(name, value, self._bytes_left), depth)
        self._check_flat(name, kind, (value,))
        return value

    def _list(self, name: str, values: Sequence[Any], depth: int) -> list[Any]:
        kinds = set(map(type, values))
        if len(kinds) == 1 and (kind := kinds.pop()) in _KINDS and depth < MAX_DEPTH:
            self._check_flat(name, kind, values)
            return list(values)
        self._spend(name, _VALUE_BYTES)
        return [self._to_plain(name, item, depth + 1) for item in values]

    def _check_flat(self, name: str, kind: type, values: Sequence[Any]) -> None:
        """Check values of one kind at once, because a list can have millions of them."""
        self._spend(name, _VALUE_BYTES * len(values))
        if kind is int and (max(values) > _LARGEST or min(values) < _SMALLEST):
            raise CypherRefused(f"the parameter ${name} has a number of more than 64 bits; pass it as text")
        if kind is float and not all(map(math.isfinite, values)):
            odd = next(value for value in values if not math.isfinite(value))
            raise CypherRefused(f"the parameter ${name} has the value {odd}, which is not a number; leave it out or pass null")
        if kind is str:
            for text in values:
                self._text(name, text)

    def _text(self, name: str, text: str) -> None:
        if len(text) > self._bytes_left:
            self._spend(name, len(text))
        try:
            self._spend(name, len(text.encode()))
        except UnicodeEncodeError:
            raise CypherRefused(
                f"the parameter ${name} contains a lone surrogate (half a character); pass valid text"
            ) from None

    def _map(self, name: str, items: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, value in items.items():
            if not isinstance(key, str):
                raise CypherRefused(
                    f"the parameter ${name} has a map with the key {_show(key)}; the keys of a map must be texts"
                )
            text = str.__str__(key)
            self._text(name, text)
            if not text or "\0" in text:
                raise CypherRefused(f"the parameter ${name} has a map with the key {_show(text)}; choose a name without NUL")
            if text in ENGINE_NAMES:
                raise CypherRefused(f"the parameter ${name} has a map with the key {text}, which an engine reserves; rename it")
            if text in plain:
                raise CypherRefused(f"the parameter ${name} has a map with two keys {_show(text)}; remove one")
            plain[text] = self._to_plain(name, value, depth + 1)
        return plain

    def _fit(self, name: str, value: Any, shape: Shape) -> Any:
        """Give all values of a list the same type, and all maps of a list the same order of keys, as the engines need."""
        if isinstance(value, list) and isinstance(shape, list):
            (element,) = shape
            if element == _KINDS[float]:
                return [item if item is None else _to_float(name, item) for item in value]
            if not isinstance(element, list | dict):
                return value
            self._deadline.check()
            return [self._fit(name, item, element) for item in value]
        if isinstance(value, dict) and isinstance(shape, dict):
            return {key: self._fit(name, value[key], inner) for key, inner in shape.items()}
        return _to_float(name, value) if shape == _KINDS[float] and value is not None else value


def _to_float(name: str, number: float) -> float:
    if int(number) == number and int(float(number)) != number:
        raise CypherRefused(
            f"the parameter ${name} has a list with decimals and {number}, which no decimal can represent; pass texts"
        )
    return float(number)


def _to_builtin(name: str, value: Any, bytes_left: int) -> Any:
    """Convert a value of another type to the built-in type that it extends."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic | numpy.ndarray):
        return _from_numpy(name, value, bytes_left)
    match value:
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case str():
            return str.__str__(value)
        case list():
            return list(list.__iter__(value))
        case tuple():
            return list(tuple.__iter__(value))
        case dict():
            return dict(dict.items(value))
        case Mapping():
            return dict(value.items())
    raise CypherRefused(f"the parameter ${name} is {_describe_type(value)}; {_advice(value)}")


def _from_numpy(name: str, value: Any, bytes_left: int) -> Any:
    """Convert a scalar or an array of numpy; ``tolist`` makes Python's own numbers and texts of these kinds."""
    kind, is_wide = value.dtype.kind, value.dtype.kind == "f" and value.dtype.itemsize > 8
    if kind not in "biufUO" or is_wide or (kind == "O" and not value.shape):
        raise CypherRefused(f"the parameter ${name} is an array of {value.dtype}; convert it to numbers or texts")
    if value.size * _VALUE_BYTES > bytes_left:
        limit = MAX_PARAMETER_BYTES >> 20
        raise CypherRefused(f"the parameter ${name} makes the parameters larger than {limit} MB; pass fewer values at a time")
    return value.tolist()


def _describe_type(value: Any) -> str:
    return f"of the type {truncate(type(value).__name__)}"


def _advice(value: Any) -> str:
    match value:
        case bytes() | bytearray() | memoryview():
            return "decode it, and pass text"
        case datetime.date() | datetime.time():
            return "pass it as text, such as value.isoformat()"
        case datetime.timedelta():
            return "pass its number of seconds"
        case set() | frozenset() | range():
            return "pass a list"
    return "pass text, numbers, booleans, lists or maps"


def _show(key: Any) -> str:
    return truncate(repr(key)) if type(key) in (str, int, float, bool, type(None)) else f"of the type {type(key).__name__}"


def infer_shape(name: str, value: Any, deadline: Deadline | None = None) -> Shape:
    """Return the shape of a value that has been converted; raise ``CypherRefused`` if a list has values of several kinds."""
    if value is None:
        return None
    if isinstance(value, list):
        if deadline is not None:
            deadline.check()
        kinds = dict.fromkeys(map(type, value))
        flat = not kinds.keys() & {list, dict}
        joined: Shape = None
        for shape in map(_KINDS.get, kinds) if flat else (infer_shape(name, item, deadline) for item in value):
            joined = _join(name, joined, shape)
        return [joined]
    if isinstance(value, dict):
        return {key: infer_shape(name, item, deadline) for key, item in value.items()}
    return _KINDS[type(value)]


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
    if {_name(one), _name(other)} == {_KINDS[int], _KINDS[float]}:
        return _KINDS[float]
    raise CypherRefused(
        f"the parameter ${name} has a list with {_describe(one)} and {_describe(other)}; pass values of one kind in a list"
    )


def _name(shape: Shape) -> str:
    return shape if isinstance(shape, str) else ""


def _describe(shape: Shape) -> str:
    kind = "a list" if isinstance(shape, list) else "a map" if isinstance(shape, dict) else str(shape)
    return "a number" if kind == _KINDS[float] else kind


def _has_empty_map(shape: Shape, *, in_list: bool) -> bool:
    if isinstance(shape, list):
        return _has_empty_map(shape[0], in_list=True)
    if isinstance(shape, dict):
        return (in_list and not shape) or any(_has_empty_map(inner, in_list=in_list) for inner in shape.values())
    return False


def has_open_type(shape: Shape) -> bool:
    """Whether a part of a shape is unknown.

    >>> has_open_type(infer_shape("x", [[], [1]])), has_open_type(infer_shape("x", {"a": []}))
    (False, True)
    """
    if isinstance(shape, list):
        return has_open_type(shape[0])
    return any(map(has_open_type, shape.values())) if isinstance(shape, dict) else shape is None


def _is_mistyped(shape: Shape) -> bool:
    """Whether the embedded engine would give a value of this shape another type: small numbers, and pairs of lists."""
    if isinstance(shape, list):
        return isinstance(shape[0], list | dict) and _is_mistyped(shape[0])
    if isinstance(shape, dict):
        return _is_pair(shape) or any(map(_is_mistyped, shape.values()))
    return bool(shape == _KINDS[int])


def _is_pair(shape: Mapping[str, Shape]) -> bool:
    return shape.keys() == _PAIR_KEYS and all(isinstance(inner, list) for inner in shape.values())


def _mixes_nulls(value: Any) -> bool:
    """Whether a list has nulls between lists or maps, which the embedded engine takes for JSON and returns as text."""
    if isinstance(value, dict):
        return any(map(_mixes_nulls, value.values()))
    if not isinstance(value, list) or not any(isinstance(item, list | dict) for item in value):
        return False
    return any(item is None or _mixes_nulls(item) for item in value)


def must_be_written(value: Any, shape: Shape) -> bool:
    """Whether a parameter's value of this shape is written into the statement for the embedded engine.

    >>> [must_be_written(value, infer_shape("x", value)) for value in (1, [1], None, [[1], None])]
    [True, False, False, True]
    """
    return value is not None and (has_open_type(shape) or _is_mistyped(shape) or _mixes_nulls(value))


def write_value(name: str, value: Any, reserved: Mapping[str, Any], deadline: Deadline) -> tuple[str, dict[str, Any]]:
    """Write a value as Cypher.

    Args:
        name: The name of the parameter, for messages.
        value: A value that ``ParameterReader`` returned.
        reserved: Names that new parameters must not have.
        deadline: The time limit of the statement.

    Returns:
        The Cypher, and the new parameters that it uses for the parts of known type.

    >>> write_value("x", {"a": None, "b": "it's", "c": 1}, {}, Deadline(1))
    ('{`a`: NULL, `b`: $wayword_0, `c`: 1}', {'wayword_0': "it's"})
    """
    parameters: dict[str, Any] = {}
    free_names = (free for number in range(1 << 62) if (free := f"wayword_{number}") not in reserved)

    def write(part: Any, expected: Shape) -> str:
        deadline.check()
        cast = None if has_open_type(expected) else _cast_type(expected)
        if part is None:
            return _typed_null(expected)
        if type(part) is int:
            return str(part) if part >= 0 else f"({part})"
        shape = infer_shape(name, part, deadline)
        if not must_be_written(part, shape):
            return pass_on(part)
        if isinstance(part, list):
            if part and cast and not has_open_type(shape) and not _mixes_nulls(part):
                return f"CAST({pass_on(part)} AS {cast})"
            inner = _close(expected[0]) if isinstance(expected, list) and isinstance(expected[0], list | dict) else None
            written = f"[{', '.join(write(item, inner) for item in part)}]"
            return written if part else _typed_empty_list(expected)
        fields = expected if isinstance(expected, dict) else {}
        return f"{{{', '.join(f'{_quote(key)}: {write(value, fields.get(key))}' for key, value in part.items())}}}"

    def pass_on(part: Any) -> str:
        free = next(free_names)
        parameters[free] = part
        return f"${free}"

    return write(value, infer_shape(name, value, deadline)), parameters


def _close(shape: Shape) -> Shape:
    """Take unknown types for texts, because the maps or lists of a list must all have the same type."""
    if isinstance(shape, list):
        return [_close(shape[0])]
    if isinstance(shape, dict):
        return {key: _close(inner) for key, inner in shape.items()}
    return shape or _KINDS[str]


def _typed_null(shape: Shape) -> str:
    if has_open_type(shape):
        return "NULL"
    cast = _cast_type(shape)
    return f"CAST(NULL AS {cast})" if cast else f"CASE WHEN false THEN {_sample(shape)} END"


def _typed_empty_list(shape: Shape) -> str:
    if not isinstance(shape, list) or has_open_type(shape):
        return "[]"
    cast = _cast_type(shape)
    return f"CAST([] AS {cast})" if cast else f"list_slice({_sample(shape)}, 1, 0)"


def _sample(shape: Shape) -> str:
    """Write some value of a shape, for types that cannot be written in a CAST."""
    if isinstance(shape, list):
        return f"[{_sample(shape[0])}]"
    if isinstance(shape, dict):
        return f"{{{', '.join(f'{_quote(key)}: {_sample(inner)}' for key, inner in shape.items())}}}"
    return _typed_null(shape)


def _cast_type(shape: Shape) -> str | None:
    """Return the embedded engine's name of a type; None if it cannot be written in a CAST, or the engine misreads the value."""
    if isinstance(shape, list):
        element = _cast_type(shape[0])
        return element and f"{element}[]"
    if isinstance(shape, dict):
        fields = {key: _cast_type(inner) for key, inner in shape.items()}
        if not fields or _is_pair(shape) or not all(_CASTABLE_KEY.fullmatch(key) and field for key, field in fields.items()):
            return None
        return f"STRUCT({', '.join(f'{_quote(key)} {field}' for key, field in fields.items())})"
    return _ENGINE_TYPES[shape]


def _quote(key: str) -> str:
    return f"`{key.replace('`', '``')}`"
