"""The process in which users' statements run on the embedded engine: it can read one open file and nothing else.

The engine's read-only mode protects the graph, not the machine. So the file is opened first, and then the system is told that
this process may open no other file, nor a socket, and may not grow beyond a bound. Requests come on the standard input and
answers go to the standard output, each as its length and a line of JSON.
"""

from __future__ import annotations

import gc
import json
import os
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
from ...core.messages import first_line
from ..cypher.values import LARGEST, Node, Path, Relationship, byte_size, decode, encode, to_number
from ..errors import StoreError
from .reader import Reader, reserved_addresses

MEMORY = 1 << 30
"""Bytes of addresses that a statement may take beyond those of the open file."""

_POOL = 256 << 20
_GRACE = 2.0
_WARM = (
    "RETURN $list AS a, $map AS b, sum(1) AS c, date('2020-01-01') AS d, timestamp('2020-01-01 00:00:00') AS e, "
    "interval('1 day') AS f, uuid('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11') AS g, CAST(1 AS DECIMAL(5, 2)) AS h"
)

Ids = dict[tuple[int, int], str]


def send_message(pipe: BinaryIO, message: Any) -> None:
    """Write one message."""
    data = json.dumps(message).encode("ascii")
    pipe.write(struct.pack("<Q", len(data)) + data)
    pipe.flush()


def _receive(pipe: BinaryIO) -> Any:
    head = pipe.read(8)
    if len(head) < 8:
        return None
    return json.loads(pipe.read(struct.unpack("<Q", head)[0]))


def main(path: str, schema: str) -> None:
    """Answer requests on the store at this path, whose schema has this fingerprint, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    _silence()
    try:
        reader = _open(FilePath(path), schema)
    except WaywordError as error:
        send_message(answers, {"error": type(error).__name__, "message": str(error)})
        return
    _confine()
    gc.disable()  # an answer is a tree: the collector would only walk it again and again
    send_message(answers, {"ready": reader.signature})
    with suppress(BrokenPipeError):
        while (request := _receive(requests)) is not None:
            # No handler, so the system ends us even if the engine never comes back: nobody may be left to do it.
            signal.setitimer(signal.ITIMER_REAL, request["timeout"] + _GRACE)
            send_message(answers, _answer(reader, request))
            signal.setitimer(signal.ITIMER_REAL, 0)


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _open(path: FilePath, schema: str) -> Reader:
    """Open the file, and let the engine load all that it loads late while it still can."""
    reader = Reader(path, _POOL, schema=schema)
    reader.rows(_WARM, {"list": ["a", "b"], "map": {"a": 1}})
    reader.rows("MATCH p = (:Stem)-[:FORM]->(:Label) RETURN p LIMIT 1")
    return reader


def _confine() -> None:
    """Give up the right to open anything, and to grow without bound."""
    highest = max(int(each.name) for each in FilePath("/dev/fd").iterdir())
    while (filled := os.open(os.devnull, os.O_RDONLY)) < highest:
        continue
    os.close(filled)
    resource.setrlimit(resource.RLIMIT_NOFILE, (filled, filled))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bound = reserved_addresses() + MEMORY
    with suppress(ValueError, OSError):  # not every system bounds addresses; there the engine's own pool has to do
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _answer(reader: Reader, request: Mapping[str, Any]) -> dict[str, Any]:
    milliseconds = max(1, int(request["timeout"] * 1000))
    limit: int = request["limit"]
    reader.connection.set_query_timeout(milliseconds)
    try:
        result: Any = reader.connection.execute(request["statement"], decode(request["parameters"]))
        with result:
            rows: list[list[Any]] = []
            left = LARGEST
            while len(rows) <= limit and result.has_next():
                rows.append(result.get_next())
                left -= byte_size(rows[-1], left)
                if left < 0:
                    return {"error": "large"}
            columns = result.get_column_names()
        ids = _ids(reader, rows)
        told = [[encode(_value(each, ids)) for each in row] for row in rows[:limit]]
    except MemoryError:
        return {"error": "memory"}
    except StoreError as error:
        return {"error": "engine", "message": first_line(error.__cause__ or error)}
    except (RuntimeError, ValueError, TypeError) as error:  # the last two from values that it cannot take as parameters
        return {"error": "engine", "message": first_line(error)}
    return {"columns": columns, "rows": told, "truncated": len(rows) > limit}


def _value(value: Any, ids: Ids) -> Any:
    """A value of the engine in our words."""
    if isinstance(value, Decimal):
        return to_number(value)
    if isinstance(value, list):
        return [_value(each, ids) for each in value]
    if not isinstance(value, dict):
        return value
    if "_NODES" in value:
        nodes = tuple(_value(node, ids) for node in value["_NODES"])
        return Path(nodes, tuple(_value(each, ids) for each in value["_RELS"]))
    if "_SRC" in value:
        return Relationship(value["_LABEL"], ids[_key(value["_SRC"])], ids[_key(value["_DST"])], _properties(value))
    if "_LABEL" in value and "_ID" in value:
        return Node(value["id"], value["_LABEL"], _properties(value))
    return {key: _value(each, ids) for key, each in value.items()}


def _properties(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in value.items() if each is not None and not name.startswith("_")}


def _key(internal: Mapping[str, int]) -> tuple[int, int]:
    return internal["table"], internal["offset"]


def _ids(reader: Reader, values: Any) -> Ids:
    """The ids of all nodes that the values speak of; a relationship knows its ends only by their places in the file."""
    known: Ids = {}
    wanted: set[tuple[int, int]] = set()
    todo = [values]
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            todo += value
        elif isinstance(value, dict):
            if "_SRC" in value:
                wanted |= {_key(value["_SRC"]), _key(value["_DST"])}
            elif "_LABEL" in value and "_ID" in value:
                known[_key(value["_ID"])] = value["id"]
            else:
                todo += value.values()
    missing = sorted(wanted - known.keys())
    names = dict(reader.rows("CALL show_tables() RETURN id, name")) if missing else {}
    for table, places in groupby(missing, key=itemgetter(0)):
        statement = f"UNWIND $places AS place MATCH (n:`{names[table]}`) WHERE offset(id(n)) = place RETURN place, n.id"
        for place, key in reader.rows(statement, {"places": [place for _, place in places]}):
            known[table, place] = key
    return known
