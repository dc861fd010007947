"""Files of arrays: every change is found, in large files when the changed block is first read."""

from __future__ import annotations

from io import BytesIO
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.search.bases.array_file import BLOCK, Arrays, write_arrays
from wayword.search.errors import ArraysDamaged

LENGTH = 5 * BLOCK // 4
NUMBERS = np.arange(LENGTH, dtype=np.int32)
OFFSETS = np.arange(7, dtype=np.int64)
LETTERS = np.frombuffer(bytes(range(256)) * 300, np.uint8)


def write() -> bytes:
    content = BytesIO()
    arrays: dict[str, np.ndarray] = {"numbers": NUMBERS, "none": np.zeros(0, np.int64), "offsets": OFFSETS, "letters": LETTERS}
    write_arrays(content, {"about": "this"}, arrays)
    return content.getvalue()


WHOLE = write()


def open_lazily(content: bytes, calls: list[str] | None = None) -> Arrays:
    found = [] if calls is None else calls
    return Arrays(memoryview(content), "arrays", lambda: found.append("damage"), max_checked=0)


@given(st.integers(-LENGTH, LENGTH - 1), st.integers(-LENGTH - 9, LENGTH + 9), st.integers(-LENGTH - 9, LENGTH + 9))
def test_an_array_that_is_verified_as_it_is_read_is_the_same_array(index: int, first: int, last: int) -> None:
    plain, lazy = Arrays(memoryview(WHOLE)), open_lazily(WHOLE)
    assert lazy.about == plain.about == {"about": "this"}
    numbers = lazy["numbers"]
    assert len(numbers) == LENGTH
    assert numbers[index] == NUMBERS[index]
    assert numbers[first:last].tolist() == plain["numbers"][first:last].tolist() == NUMBERS[first:last].tolist()
    assert bytes(lazy["letters"][3:9]) == LETTERS[3:9].tobytes()
    assert lazy["none"][:].tolist() == []
    assert lazy.whole("offsets").tolist() == OFFSETS.tolist()
    with pytest.raises(IndexError):
        numbers[LENGTH]


@given(st.data())
def test_a_changed_bit_is_found_when_its_block_is_read_and_not_before(data: st.DataObject) -> None:
    start = WHOLE.index(NUMBERS.tobytes())
    changed = data.draw(st.integers(0, LENGTH - 1))
    content = bytearray(WHOLE)
    content[start + 4 * changed] ^= 1 << data.draw(st.integers(0, 7))
    calls: list[str] = []
    numbers = open_lazily(bytes(content), calls)["numbers"]
    read = data.draw(st.integers(0, LENGTH - 1))
    if 4 * read // BLOCK != 4 * changed // BLOCK:
        assert numbers[read] == NUMBERS[read]
        assert calls == []
    with pytest.raises(ArraysDamaged, match="arrays is damaged, so it was deleted: try again"):
        numbers[changed]
    assert calls == ["damage"]
    with pytest.raises(ArraysDamaged):
        numbers[max(0, changed - 1) : changed + 1]
    with pytest.raises(ArraysDamaged):
        open_lazily(bytes(content)).whole("numbers")
    with pytest.raises(ArraysDamaged):
        open_lazily(bytes(content)).verify()


@given(st.integers(0, 8 * len(WHOLE) - 1), st.sampled_from([0, 1 << 26]))
def test_every_changed_bit_of_a_file_is_found(bit: int, max_checked: int) -> None:
    content = bytearray(WHOLE)
    content[bit // 8] ^= 1 << bit % 8
    header_end = WHOLE.index(NUMBERS.tobytes())
    padding = WHOLE[:header_end].rindex(b"\n") + 1  # nothing reads the zeros behind the header
    if padding <= bit // 8 < header_end:
        return
    with pytest.raises(ValueError, match=r"damaged|not a file|truncated"):
        Arrays(memoryview(bytes(content)), max_checked=max_checked).verify()


@given(st.integers(0, len(WHOLE) - 1))
def test_a_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r"truncated|not a file|damaged"):
        open_lazily(WHOLE[:length])


def test_a_block_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = open_lazily(WHOLE)
    checked: list[int] = []

    def note(content: memoryview) -> int:
        checked.append(len(content))
        return crc32(content)

    monkeypatch.setattr("wayword.search.bases.array_file.crc32", note)
    for _ in range(3):
        assert arrays["numbers"][5] == 5
        assert arrays["numbers"][:9].tolist() == list(range(9))
    assert checked == [BLOCK]
    arrays.verify()
    assert sum(checked) == -(-(NUMBERS.nbytes + OFFSETS.nbytes + LETTERS.nbytes) // 16) * 16
