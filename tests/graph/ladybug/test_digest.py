"""The digest of a file shows every change: bits, zeroed pages, truncation, bytes at the end, pages that changed places."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.graph.ladybug.digest import Examination, append_digest, examine

PAGE = 4096
PAGES = 5


def examine_bytes(path: Path, content: bytes) -> Examination:
    path.write_bytes(content)
    with path.open("rb", buffering=0) as file:
        return examine(file)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a file to write."""
    return tmp_path_factory.mktemp("digest") / "file"


@pytest.fixture(scope="module")
def whole(file: Path) -> bytes:
    """The content of a file of five pages with a digest of three blocks."""
    file.write_bytes(b"".join(bytes([number]) * PAGE for number in range(1, PAGES + 1)))
    append_digest(file, 2 * PAGE)
    return file.read_bytes()


def test_a_file_is_sound_as_it_was_written(file: Path, whole: bytes) -> None:
    assert len(whole) == (PAGES + 1) * PAGE
    assert examine_bytes(file, whole) == Examination("sound", None, 3)


def test_the_digest_leaves_the_pages_of_the_engine_as_they_are_but_the_end_of_the_first(whole: bytes) -> None:
    assert whole[: PAGE - 36] == b"\x01" * (PAGE - 36)
    assert whole[PAGE : PAGES * PAGE] == b"".join(bytes([number]) * PAGE for number in range(2, PAGES + 1))


@given(st.integers(0, (PAGES + 1) * PAGE * 8 - 1))
def test_every_changed_bit_is_damage(file: Path, whole: bytes, bit: int) -> None:
    changed = bytearray(whole)
    changed[bit // 8] ^= 1 << bit % 8
    found = examine_bytes(file, bytes(changed))
    assert found.state == "damaged"
    if bit // 8 < PAGES * PAGE:
        assert found == Examination("damaged", "blocks", 3, 1)


@given(st.integers(PAGE, (PAGES + 1) * PAGE - 1))
def test_a_truncated_file_is_damaged_and_not_unverified(file: Path, whole: bytes, length: int) -> None:
    assert examine_bytes(file, whole[:length]).changed == "length"


@given(st.binary(min_size=1))
def test_bytes_after_the_end_are_damage(file: Path, whole: bytes, more: bytes) -> None:
    assert examine_bytes(file, whole + more).changed == "length"


@given(st.integers(0, PAGES - 1), st.integers(0, PAGES - 1))
def test_zeroed_pages_and_pages_that_changed_places_are_damage(file: Path, whole: bytes, one: int, other: int) -> None:
    pages = [whole[start : start + PAGE] for start in range(0, len(whole), PAGE)]
    zeroed = [*pages[:one], bytes(PAGE), *pages[one + 1 :]]
    assert examine_bytes(file, b"".join(zeroed)) == Examination("damaged", "blocks", 3, 1)
    pages[one], pages[other] = pages[other], pages[one]
    assert examine_bytes(file, b"".join(pages)).state == ("sound" if one == other else "damaged")


@pytest.mark.parametrize("content", [b"", b"LBUG", b"\x00" * PAGE, b"x" * 3 * PAGE])
def test_a_file_without_a_digest_is_unverified_and_not_damaged(file: Path, content: bytes) -> None:
    assert examine_bytes(file, content) == Examination("unverified")


def test_a_mark_of_another_file_is_no_digest(file: Path, whole: bytes) -> None:
    """The engine does not clear the first page before it writes its header there."""
    assert examine_bytes(file, b"other header" + whole[12 : 3 * PAGE]) == Examination("unverified")


def test_a_digest_of_more_than_one_page_is_read_as_it_was_written(file: Path) -> None:
    file.write_bytes(bytes(PAGE) * 1_100)
    append_digest(file, PAGE)
    assert file.stat().st_size == 1_102 * PAGE
    assert examine_bytes(file, file.read_bytes()) == Examination("sound", None, 1_100)
