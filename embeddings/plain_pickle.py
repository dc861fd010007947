"""Read a pickle as plain data: nothing that it names is imported, called or built.

``pickle.load`` trusts its input even with a restricted ``find_class``: numpy follows pointers from a damaged array, and a few
bytes reserve gigabytes. Here ``pickletools`` splits the file into opcodes, and a small stack machine builds strings, numbers,
lists, dictionaries and tuples. Objects and calls become ``PickledObject``, for the caller to interpret. Memory is
proportional to the size of the file.
"""

from __future__ import annotations

import os
import pickletools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

ALWAYS_ALLOWED, BYTES_PER_CONTAINER = 1 << 20, 4
"""The number of lists, dictionaries, tuples, objects and marks that every file may have, and the bytes that others take.

Each may be a single byte in a file that is made to fill the memory; where gensim has an object for each word, it is seven.
"""

_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_VALUES = frozenset(
    {
        *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT"),
        *("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BINSTRING", "SHORT_BINSTRING"),
        *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
    }
)
_TUPLE_SIZES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class PickleInvalid(Exception):
    """A file is not a pickle, is damaged, or uses opcodes that data does not need."""


@dataclass(slots=True)
class PickledObject:
    """A name (``arguments`` is None), or a call of a name; ``state`` is what the object would be restored from."""

    name: str
    arguments: tuple[Any, ...] | None = None
    state: Any = None

    def attribute(self, name: str) -> Any:
        """Return an attribute of the object, None if it has none of this name."""
        return self.state.get(name) if isinstance(self.state, dict) else None


def read_pickle(file: Path) -> Any:
    """Read the first value of a pickle of protocol 2 or later.

    Raises:
        PickleInvalid: It is damaged, or needs opcodes that are not for data.
        OSError: The file cannot be read.
    """
    try:
        machine = _Machine(max(ALWAYS_ALLOWED, file.stat().st_size // BYTES_PER_CONTAINER))
        with file.open("rb") as stream:
            for opcode, argument, _ in pickletools.genops(_BoundedFile(stream)):  # type: ignore[arg-type] # it needs no more
                machine.run(opcode.name, argument)
        return machine.stack.pop()
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise PickleInvalid(str(error) or type(error).__name__) from None


class _BoundedFile:
    """A file whose ``read`` never reserves more memory than the file has bytes left."""

    def __init__(self, stream: BinaryIO) -> None:
        self._left = os.fstat(stream.fileno()).st_size
        self._stream = stream
        self.tell = stream.tell

    def read(self, size: int) -> bytes:
        if size > self._left:
            raise PickleInvalid("it is cut off")
        self._left -= size
        return self._stream.read(size)

    def readline(self) -> bytes:
        line = self._stream.readline(self._left)
        self._left -= len(line)
        if b"\\" in line:  # ``pickletools`` would warn of escapes, which no name of a class has
            raise PickleInvalid("it has a name with a backslash")
        return line


class _Machine:
    """The stack of values, the stacks below the marks, and the memo."""

    def __init__(self, most_containers: int) -> None:
        self.stack: list[Any] = []
        self._marked: list[list[Any]] = []
        self._memo: dict[int, Any] = {}
        self._containers_left = most_containers

    def run(self, name: str, argument: Any) -> None:
        """Execute an opcode."""
        if name in _VALUES:
            self.stack.append(argument)
        elif name in ("BINGET", "LONG_BINGET"):
            self.stack.append(self._memo[argument])
        elif name == "MEMOIZE":
            self._memo[len(self._memo)] = self.stack[-1]
        elif name in ("BINPUT", "LONG_BINPUT"):
            self._memo[argument] = self.stack[-1]
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name not in ("PROTO", "FRAME", "STOP"):
            self._containers_left -= 1
            if self._containers_left < 0:
                raise PickleInvalid("it has too many objects for its size")
            self._build(name, argument)

    def _build(self, name: str, argument: Any) -> None:
        stack = self.stack
        match name:
            case "MARK":
                self._marked.append(stack)
                self.stack = []
            case "EMPTY_LIST" | "EMPTY_SET":
                stack.append([])
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_TUPLE" | "TUPLE1" | "TUPLE2" | "TUPLE3":
                size = _TUPLE_SIZES[name]
                values = tuple(self._pop() for _ in range(size))[::-1]
                stack.append(values)
            case "TUPLE" | "FROZENSET":
                items = self._pop_mark()
                self.stack.append(tuple(items))
            case "APPEND" | "APPENDS" | "ADDITEMS":
                items = [self._pop()] if name == "APPEND" else self._pop_mark()
                if isinstance(self.stack[-1], list):
                    self.stack[-1].extend(items)
            case "SETITEM" | "SETITEMS":
                items = [self._pop(), self._pop()][::-1] if name == "SETITEM" else self._pop_mark()
                self._set_items(self.stack[-1], items)
            case "GLOBAL":
                stack.append(PickledObject(argument.replace(" ", ".")))
            case "STACK_GLOBAL":
                last, module = self._pop(), self._pop()
                stack.append(PickledObject(f"{module}.{last}"))
            case "REDUCE" | "NEWOBJ" | "NEWOBJ_EX":
                if name == "NEWOBJ_EX":
                    self._pop()  # keyword arguments, which no array and no vectors have
                arguments, function = self._pop(), self._pop()
                if not isinstance(function, PickledObject) or not isinstance(arguments, tuple):
                    raise PickleInvalid("it calls something that is not a function")
                stack.append(PickledObject(function.name, arguments))
            case "BUILD":
                state = self._pop()
                if isinstance(stack[-1], PickledObject):
                    stack[-1].state = state
            case "POP":
                self._pop()
            case "POP_MARK":
                self._pop_mark()
            case _:
                raise PickleInvalid(f"it has the opcode {name}")

    def _pop(self) -> Any:
        return self.stack.pop()

    def _pop_mark(self) -> list[Any]:
        items, self.stack = self.stack, self._marked.pop()
        return items

    @staticmethod
    def _set_items(target: Any, items: list[Any]) -> None:
        """Set the items with names; hashing other keys, such as nested tuples, may take exponential time."""
        if isinstance(target, dict):
            for key, value in zip(items[::2], items[1::2], strict=True):
                if isinstance(key, str):
                    target[key] = value
