"""Checksums of blocks depend on the content alone, and each shows changes of its block."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wayword.core.checksums import block_checksums, read_checksums


@given(st.lists(st.binary(max_size=40)), st.integers(1, 16))
def test_checksums_do_not_depend_on_how_the_content_is_cut_into_pieces(pieces: list[bytes], block: int) -> None:
    whole = b"".join(pieces)
    checksums = block_checksums(pieces, block)
    assert checksums == block_checksums([whole], block)
    assert len(read_checksums(checksums)) == -(-len(whole) // block)


@given(st.binary(min_size=1, max_size=80), st.integers(1, 16), st.data())
def test_a_changed_bit_changes_the_checksum_of_its_block_alone(content: bytes, block: int, data: st.DataObject) -> None:
    position, bit = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(0, 7))
    changed = bytearray(content)
    changed[position] ^= 1 << bit
    before, after = (read_checksums(block_checksums([each], block)) for each in (content, changed))
    assert [number for number, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] == [position // block]
