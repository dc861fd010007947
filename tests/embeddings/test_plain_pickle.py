"""Pickles are read as data: nothing is executed, and memory is bounded by the size of the file."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.embeddings.plain_pickle import PickledObject, read_pickle

from ..support.little_memory import needs_limits, run_with_little_memory

Value = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 2000), 1 << 2000) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(Value, st.integers(3, 5))  # protocol 2 has no bytes
def test_plain_values_are_those_of_pickle(tmp_path_factory: pytest.TempPathFactory, value: object, protocol: int) -> None:
    file = tmp_path_factory.getbasetemp() / "any.pickle"
    file.write_bytes(pickle.dumps(value, protocol))
    assert read_pickle(file) == value


def test_objects_are_described_and_not_built(tmp_path: Path) -> None:
    file = tmp_path / "any.pickle"
    file.write_bytes(b"\x80\x02cposix\nsystem\nU\x04true\x85R}U\x01aK\x01sb.")
    assert read_pickle(file) == PickledObject("posix.system", ("true",), {"a": 1})


HOSTILE = [
    b"\x80\x02]r\xff\xff\xff\x7f.",  # a memo of 4 GB for ``pickle.load``
    b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",  # more bytes than there are addresses
    b"\x80\x04\x8d\x00\x00\x00\x00\x01\x00\x00\x00.",
    b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f.",
    b"\x80\x02" + b"(" * 100_000 + b"t" * 100_000 + b".",  # nested more deeply than Python recurses
    b"\x80\x02" + b"]" * 10_000_000 + b".",
    b"\x80\x02}" + b"K\x01" + b"q\x00h\x00h\x00\x86q\x00" * 60 + b"K\x01s.",  # a key whose hash takes 2 ** 60 steps
    b"\x80\x02.",
    b"\x80\x02h\x05.",
    b"\x80\x02tt.",
    b"\x80\x02K\x01K\x02R.",
    b"\x80\x02cnumpy\n\\x41\n.",
    b"\x80\x02I99999\n.",
    b"\x80\x05\x97.",
]


@pytest.mark.slow
@needs_limits
def test_hostile_pickles_are_refused_in_little_memory(tmp_path: Path) -> None:
    for number, content in enumerate(HOSTILE):
        (tmp_path / str(number)).write_bytes(content)
    found = run_with_little_memory(
        "from pathlib import Path\nfrom wayword.embeddings.plain_pickle import PickleInvalid, read_pickle",
        "for file in sorted(Path(argument).iterdir()):\n"
        "    try: read_pickle(file)\n"
        "    except PickleInvalid: pass\n"
        "print('done')",
        tmp_path,
    )
    assert found == "done\n"
