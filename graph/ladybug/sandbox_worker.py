"""The child process of the sandbox: it runs users' statements on one open file and can access nothing else.

The engine's read-only mode protects the graph, not the machine. So the process opens the file, makes the engine load everything
it would load lazily, and then lowers its own resource limits: no further file or socket, no write to a file, no core dump, a
bounded address space. After that, even a statement that exploits the engine can only read this file and answer.

Requests arrive on standard input and answers leave on standard output, each as its length in eight bytes and a line of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import signal
import struct
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from pathlib import Path as FilePath
from typing import Any, BinaryIO

from ...core.errors import WaywordError
from ...core.messages import first_line, truncate
from ..cypher.values import LARGEST, Node, Path, Relationship, byte_size, decode, encode, to_number
from ..errors import StoreError
from .reader import POOL, Reader, reserved_addresses

MEMORY = 1 << 30
"""Bytes of address space that a statement may use beyond those of the open file."""

_GRACE = 2.0
_LONGEST_MESSAGE = 4_000
_GRAPH = re.compile(r"\b(NODE|REL|RECURSIVE_REL)\b")
_TEMPORAL = re.compile(r"\b(DATE|TIMESTAMP|INTERVAL)")
_PATH_KEYS = {"_NODES", "_RELS"}
_WARM_UP = (
    "RETURN $list AS a, $map AS b, sum(1) AS c, date('2020-01-01') AS d, timestamp('2020-01-01 00:00:00') AS e, "
    "interval('1 day') AS f, uuid('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11') AS g, CAST(1 AS DECIMAL(5, 2)) AS h"
)

Ids = dict[tuple[int, int], str]


def _send(pipe: BinaryIO, message: Any) -> None:
    """Write one message to a pipe."""
    data = json.dumps(message).encode("ascii")
    pipe.write(struct.pack("<Q", len(data)) + data)
    pipe.flush()


def _receive(pipe: BinaryIO) -> Any:
    length = pipe.read(8)
    if len(length) < 8:
        return None
    return json.loads(pipe.read(struct.unpack("<Q", length)[0]))


def main(path: str, schema: str, verified: str) -> None:
    """Answer requests about a store until standard input ends.

    Args:
        path: The path of the store.
        schema: The fingerprint that it must have.
        verified: Empty if the store has no digest.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    _redirect_to_null(0, 1)
    try:
        reader = _open(FilePath(path), schema, verified=bool(verified))
    except WaywordError as error:
        hints = [[hint.code, dict(hint.values)] for hint in error.hints]
        _send(answers, {"error": type(error).__name__, "message": error.message, "hints": hints})
        return
    _redirect_to_null(2)  # only now, since the parent reads why a start fails
    _confine()
    gc.disable()  # answers are large trees without cycles, which each collection would traverse
    _send(answers, {"ready": reader.signature})
    with suppress(BrokenPipeError):
        while (request := _receive(requests)) is not None:
            # The signal has no handler, so it ends the process even while the engine runs, also if the parent has died.
            signal.setitimer(signal.ITIMER_REAL, request["timeout"] + _GRACE)
            _send(answers, _answer(reader, request, answers))
            signal.setitimer(signal.ITIMER_REAL, 0)


def _redirect_to_null(*descriptors: int) -> None:
    """Keep the engine's own output out of the pipes."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
    os.close(null)


def _open(path: FilePath, schema: str, *, verified: bool) -> Reader:
    """Open the file, and make the engine load its lazy parts (conversions, extensions) while it still may."""
    reader = Reader(path, POOL, schema=schema, verified=verified)
    reader.rows(_WARM_UP, {"list": ["a", "b"], "map": {"a": 1}})
    reader.rows("MATCH p = (:Stem)-[:FORM]->(:Label) RETURN p LIMIT 1")
    return reader


def _confine() -> None:
    """Drop the right to open files and sockets, to write to files, to dump core, and to grow without bound."""
    # The limit only forbids descriptors from that number on, so the free ones below it are filled first.
    highest = max(int(entry.name) for entry in FilePath("/dev/fd").iterdir())
    while (filled := os.open(os.devnull, os.O_RDONLY)) < highest:
        continue
    os.close(filled)
    resource.setrlimit(resource.RLIMIT_NOFILE, (filled, filled))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = reserved_addresses() + MEMORY
    with suppress(ValueError, OSError):  # macOS cannot limit addresses; there only the engine's page cache is bounded
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _answer(reader: Reader, request: Mapping[str, Any], answers: BinaryIO) -> dict[str, Any]:
    limit: int = request["limit"]
    reader.connection.set_query_timeout(max(1, int(request["timeout"] * 1000)))
    try:
        result: Any = reader.connection.execute(request["statement"], decode(request["parameters"]))
    except MemoryError:
        return {"error": "memory"}
    except RuntimeError as error:
        return {"error": "engine", "message": truncate(str(error), _LONGEST_MESSAGE)}
    except Exception as error:  # the engine's Python layer refuses a parameter
        return {"error": "unsupported", "message": first_line(error)}
    with result:
        return _read(reader, result, limit, answers)


def _read(reader: Reader, result: Any, limit: int, answers: BinaryIO) -> dict[str, Any]:
    """Read and convert the rows of a result, up to one beyond the limit."""
    try:
        types = result.get_column_data_types()
        if any(_TEMPORAL.search(type) for type in types):
            _send(answers, {"converting": True})
        rows: list[list[Any]] = []
        bytes_left = LARGEST
        while len(rows) <= limit and result.has_next():
            rows.append(result.get_next())
            bytes_left -= byte_size(rows[-1], bytes_left)
            if bytes_left < 0:
                return {"error": "large"}
        # A user's map could have the keys of a node, so only columns whose type contains nodes or relationships are searched.
        graphs = [_GRAPH.search(type) is not None for type in types]
        ids = _node_ids(reader, [item for row in rows for item, graph in zip(row, graphs, strict=True) if graph])
        encoded = [
            [encode(_value(item, ids) if graph else _plain(item)) for item, graph in zip(row, graphs, strict=True)]
            for row in rows[:limit]
        ]
    except MemoryError:
        return {"error": "memory"}
    except (RuntimeError, StoreError) as error:
        cause = error.__cause__ if isinstance(error, StoreError) and error.__cause__ else error
        return {"error": "engine", "message": truncate(str(cause), _LONGEST_MESSAGE)}
    except Exception as error:  # such as an interval that is longer than Python's
        return {"error": "unrepresentable", "message": first_line(error)}
    return {"columns": result.get_column_names(), "rows": encoded, "truncated": len(rows) > limit}


def _plain(value: Any) -> Any:
    """Convert a value of the engine that contains no nodes or relationships."""
    if isinstance(value, list):
        return [_plain(item) for item in value] if any(isinstance(item, list | dict | Decimal) for item in value) else value
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return to_number(value) if isinstance(value, Decimal) else value


def _value(value: Any, ids: Ids) -> Any:
    """Convert a value of the engine that may be or contain nodes, relationships and paths."""
    if isinstance(value, list):
        return [_value(item, ids) for item in value]
    if not isinstance(value, dict):
        return _plain(value)
    if value.keys() == _PATH_KEYS:
        nodes = tuple(_value(node, ids) for node in value["_NODES"])
        return Path(nodes, tuple(_value(item, ids) for item in value["_RELS"]))
    if "_SRC" in value:
        return Relationship(value["_LABEL"], ids[_key(value["_SRC"])], ids[_key(value["_DST"])], _properties(value))
    if "_LABEL" in value and "_ID" in value:
        return Node(value["id"], value["_LABEL"], _properties(value))
    return {key: _value(item, ids) for key, item in value.items()}


def _properties(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if item is not None and not name.startswith("_")}


def _key(internal: Mapping[str, int]) -> tuple[int, int]:
    return internal["table"], internal["offset"]


def _node_ids(reader: Reader, values: Any) -> Ids:
    """Return the ids of all nodes in the values; the engine gives the ends of a relationship only as internal offsets."""
    ids: Ids = {}
    ends: set[tuple[int, int]] = set()
    stack = [values]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += value
        elif isinstance(value, dict):
            if "_SRC" in value:
                ends |= {_key(value["_SRC"]), _key(value["_DST"])}
            elif "_LABEL" in value and "_ID" in value:
                ids[_key(value["_ID"])] = value["id"]
            else:
                stack += value.values()
    missing = sorted(ends - ids.keys())
    names = dict(reader.rows("CALL show_tables() RETURN id, name")) if missing else {}
    for table, keys in groupby(missing, key=itemgetter(0)):
        statement = f"UNWIND $offsets AS o MATCH (n:`{names[table]}`) WHERE offset(id(n)) = o RETURN o, n.id"
        for offset, id in reader.rows(statement, {"offsets": [offset for _, offset in keys]}):
            ids[table, offset] = id
    return ids
