"""Dumps that are damaged, truncated, hostile or something else: losses are counted, or the error is one line."""

from __future__ import annotations

import bz2
import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wayword.loaders import SourceDamaged, SourceError, SourceInvalid, SourceMissing, SourceRefused
from wayword.loaders.wikipedia.dump import dump_file as dumps
from wayword.loaders.wikipedia.dump import pages as page_reader
from wayword.loaders.wikipedia.dump import streams
from wayword.loaders.wikipedia.dump.dump_file import Dump

from ....support.wiki_files import FOOT, HEAD, element, elements, join_dump, multistream, read, split_streams, titles

A, B = element("A", "a"), element("B", "b")


@given(cut=st.integers(len(HEAD) + 8, len(join_dump([A, B, A]))))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_complete_pages_of_a_truncated_dump_are_read(cut: int, tmp_path: Path) -> None:
    content = join_dump([A, B, A])[:cut]
    found, left_out = read(tmp_path / "dump", content)
    ends = content.count(b"</page>")
    assert titles(found) == ["A", "B", "A"][:ends]
    assert left_out[streams.TRUNCATION] == (streams.DUMP_END not in content and streams.PAGE_START.search(content) is not None)
    assert read(tmp_path / "dump", gzip.compress(content))[1] == read(tmp_path / "dump", bz2.compress(content))[1] == left_out


@pytest.mark.parametrize(
    "pack", [multistream, lambda pages: split_streams(join_dump(pages), 600)], ids=["multistream", "split streams"]
)
def test_complete_pages_of_a_truncated_multistream_dump_are_read(
    pack: Callable[[list[bytes]], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dumps, "GROUP", 600)
    content = pack(elements(30))
    for cut in range(600, len(content), 131):
        found, left_out = read(tmp_path / "dump", content[:cut])
        assert titles(found) == [f"Page {number}" for number in range(len(found))]
        assert left_out[streams.DAMAGED_STREAM] <= 1
    assert len(found) > 20


def test_a_dump_that_ends_after_a_page_is_truncated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [element(f"Page {number}", f"{number} " * 200, number) for number in range(30)]
    content = HEAD + b"".join(pages)
    packed = [
        b"".join(map(bz2.compress, [HEAD, *pages])),
        split_streams(content, 1000),
        bz2.compress(content),
        gzip.compress(content),
    ]
    for piece, group, largest in ((8 << 20, 2 << 20, 4 << 20), (900, 300, 4 << 20), (900, 300, 10)):
        monkeypatch.setattr(dumps, "PIECE", piece)
        monkeypatch.setattr(dumps, "GROUP", group)
        monkeypatch.setattr(dumps, "LARGEST_STREAM", largest)
        for each in (content, content + b"\n  ", content + b" <pag", *packed):
            found, left_out = read(tmp_path / "dump", each)
            assert titles(found) == [f"Page {number}" for number in range(30)]
            assert left_out == {streams.TRUNCATION: 1}
        for each in (content + FOOT, content + FOOT.strip(), packed[0] + bz2.compress(FOOT), packed[3] + gzip.compress(FOOT)):
            assert not read(tmp_path / "dump", each)[1]
        for cut in range(1, len(FOOT)):
            assert not read(tmp_path / "dump", bz2.compress(content + FOOT[:cut]) + bz2.compress(FOOT[cut:]))[1]


def test_a_dump_with_data_after_its_end_is_complete(tmp_path: Path) -> None:
    assert not read(tmp_path / "dump", join_dump([A]) + b"<!-- made by hand -->\n" + b"\n" * 100)[1]
    assert read(tmp_path / "dump", join_dump([A]) + HEAD + B)[1] == {streams.TRUNCATION: 1}


def test_streams_after_a_damaged_one_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumps, "GROUP", 300)
    pages = [element(f"Page {number}", f"{number} " * 200, number) for number in range(30)]
    good = [bz2.compress(b"".join(part)) for part in ([HEAD], pages[:10], pages[10:20], pages[20:], [FOOT])]
    bad = bytearray(good[2])
    bad[40:60] = b"damaged" * 3
    for streams_ in (
        [*good[:2], bytes(bad), *good[3:]],
        [*good[:2], b"BZh91AY&SY no stream at all", *good[3:]],
        [*good[:2], b"junk", *good[3:]],
    ):
        found, left_out = read(tmp_path / "dump", b"".join(streams_))
        assert titles(found) == [f"Page {number}" for number in [*range(10), *range(20, 30)]]
        assert left_out == {streams.DAMAGED_STREAM: 1}


def test_a_page_with_missing_bytes_is_left_out(tmp_path: Path) -> None:
    first, second = element("A", "a" * 500), element("B", "b" * 500)
    content = [bz2.compress(each) for each in (HEAD + first[:300], b"lost", second[300:] + element("C", "c") + FOOT)]
    found, left_out = read(tmp_path / "dump", content[0] + content[1][:-6] + content[2])
    assert titles(found) == ["C"]
    assert left_out[streams.DAMAGED_STREAM] == 1
    assert left_out[page_reader.MALFORMED_PAGE] == 1


def test_pages_before_the_damage_in_a_gzip_file_are_read(tmp_path: Path) -> None:
    pages = [element(f"Page {number}", f"{number} " * 200, number) for number in range(30)]
    content = gzip.compress(join_dump(pages))
    found, left_out = read(tmp_path / "dump", content[: len(content) - 12])
    assert titles(found)[:10] == [f"Page {number}" for number in range(10)]
    assert left_out[streams.DAMAGED_STREAM] == 1
    assert read(tmp_path / "dump", content + b"\0" * 100_000) == read(tmp_path / "dump", content)


@pytest.mark.parametrize("pages", [[A, B], elements(3000)], ids=["few", "many"])
def test_a_wrong_checksum_loses_no_page(tmp_path: Path, pages: list[bytes]) -> None:
    packed = gzip.compress(join_dump(pages))
    for content, code in (
        (packed[:-8] + bytes(8), streams.DAMAGED_STREAM),
        (packed[:-4] + bytes(4), streams.DAMAGED_STREAM),
        (packed[:-1], streams.DAMAGE_AFTER_END),
        (packed[:-6], streams.DAMAGE_AFTER_END),
        (packed + b"rubbish" * 9, streams.DAMAGE_AFTER_END),
        (bz2.compress(join_dump(pages)) + b"rubbish" * 9, streams.DAMAGE_AFTER_END),
        (multistream(pages) + b"rubbish" * 9, streams.DAMAGE_AFTER_END),
    ):
        found, left_out = read(tmp_path / "dump", content)
        assert len(found) == len(pages)
        assert left_out == {code: 1}


@pytest.mark.parametrize(
    ("text", "mended"),
    [(b"a\0b", "ab"), (b"a\xffb", "a\ufffdb"), (b"a\x01b", "ab"), (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd")],
)
def test_forbidden_characters_are_removed_from_a_page(tmp_path: Path, text: bytes, mended: str) -> None:
    odd = element("O", "@").replace(b"@", text)
    found, left_out = read(tmp_path / "dump", join_dump([A, odd, B]))
    assert [page.text for page in found] == ["a", mended, "b"]
    assert left_out == {page_reader.REPAIRED_PAGE: 1}


def test_blanks_after_a_redirect_word_take_linear_time(tmp_path: Path) -> None:
    blanks = " " * 2_000_000
    found, left_out = read(
        tmp_path / "dump", join_dump([element("A", f"#REDIRECT{blanks}x"), element("B", f"#REDIRECT{blanks}[[A]]")])
    )
    assert [page.redirect for page in found] == [None, "A"]
    assert not left_out


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "text",
    ["<b>", "a < b", "&unknown;", "&#0;", "&", "<a>" * 100_000, "</text></text>", "&lol" * 9, "<x y='" + "z" * 99 + "'>"],
)
def test_a_malformed_page_loses_only_itself(tmp_path: Path, text: str) -> None:
    found, left_out = read(tmp_path / "dump", join_dump([A, element("O", text), B]))
    assert titles(found) == ["A", "B"]
    assert left_out == {page_reader.MALFORMED_PAGE: 1}


def test_a_page_without_an_end_loses_only_itself(tmp_path: Path) -> None:
    found, left_out = read(tmp_path / "dump", join_dump([A, A.replace(b"</page>", b""), B, FOOT + HEAD, A, b"</page>", B]))
    assert titles(found) == ["A", "B", "A", "B"]
    assert left_out == {page_reader.MALFORMED_PAGE: 1}


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="has a document type"):
        read(tmp_path / "dump", BOMB + join_dump([element("A", "&b;")]))
    found, left_out = read(tmp_path / "dump", join_dump([A, BOMB, element("O", "&b;"), B]))
    assert titles(found) == ["A", "B"]
    assert left_out == {page_reader.MALFORMED_PAGE: 1}
    secret = tmp_path / "secret"
    secret.write_text("secret")
    outside = f'<!DOCTYPE x [<!ENTITY a SYSTEM "{secret.as_uri()}">]>'.encode()
    assert "secret" not in repr(read(tmp_path / "dump", join_dump([A, outside, element("O", "&a;")])))


def test_long_titles_and_texts_are_skipped(tmp_path: Path) -> None:
    pages = [A, element("t" * 10_000_001, "x"), element("t" * 300, "x"), element("L", "l" * 10_000_001), B]
    found, left_out = read(tmp_path / "dump", join_dump(pages))
    assert titles(found) == ["A", "B"]
    assert left_out == {page_reader.MALFORMED_PAGE: 2, page_reader.UNTITLED_PAGE: 1}


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lambda content: split_streams(content, 5000)],
    ids=["plain", "gzip", "bzip2", "split streams"],
)
def test_an_oversized_page_is_skipped_and_never_in_memory(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        (streams, "LARGEST_PAGE", 20_000),
        (streams, "STEP", 1000),
        (dumps, "PIECE", 5000),
        (dumps, "READ_PIECE", 2000),
        (dumps, "GROUP", 100),
    ):
        monkeypatch.setattr(module, name, value)
    long = element("L", "l" * 100_000)
    found, left_out = read(tmp_path / "dump", pack(join_dump([A, long, B, element("M", "m" * 15_000), long, long, A])))
    assert titles(found) == ["A", "B", "M", "A"]
    assert left_out == {streams.OVERSIZED_PAGE: 3}


def test_the_rest_of_an_oversized_block_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumps, "LARGEST_BLOCK", 1 << 20)
    many = b"".join(element("A", "a" * 200, number) for number in range(10_000))
    found, left_out = read(tmp_path / "dump", bz2.compress(HEAD) + bz2.compress(many) + bz2.compress(B + FOOT))
    assert 2000 < len(found) < 9000
    assert left_out[dumps.OVERSIZED_BLOCK] == 1


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", SourceInvalid, "is empty"),
        (b" \n ", SourceInvalid, "is empty"),
        (b"<!DOCTYPE html>\n<html><body>404</body></html>", SourceInvalid, "web page"),
        (b"\n<HTML><body>404</body></html>", SourceInvalid, "web page"),
        (HEAD + FOOT, SourceInvalid, "without pages"),
        (HEAD, SourceDamaged, "truncated or damaged before its first page"),
        (HEAD[:100], SourceDamaged, "truncated or damaged before its first page"),
        (b"<?xml version='1.0'?>\n" + HEAD[:100], SourceDamaged, "truncated or damaged before its first page"),
        (HEAD + b" " * (5 << 20) + A, SourceRefused, "no page in its first 4 MB"),
        (b'<?xml version="1.0"?><feed><pages/></feed>', SourceInvalid, "XML without pages"),
        (b"-- MySQL dump 10.13\n--\n", SourceInvalid, "SQL dump.*; name the folder of SQL dumps as sql="),
        (b"600:10:Anarchism\n600:12:Autism\n", SourceInvalid, "index of a multistream dump"),
        (b"7z\xbc\xaf\x27\x1c", SourceInvalid, "7z"),
        (b"PK\x03\x04", SourceInvalid, "zip"),
        (b"\xfd7zXZ\x00", SourceInvalid, "xz"),
        (b"\x28\xb5\x2f\xfd", SourceInvalid, "zstd"),
        (b"just a text", SourceInvalid, "not a dump of a wiki"),
        (b"x" * (5 << 20), SourceInvalid, "not a dump of a wiki"),
        (bz2.compress(b"<mediawiki>")[:-8], SourceDamaged, "before its first page"),
        (b"BZh9 rubbish", SourceDamaged, "before its first page"),
        (gzip.compress(HEAD)[:-9], SourceDamaged, "before its first page"),
    ],
)
def test_files_that_are_not_dumps_are_one_line_errors(
    tmp_path: Path, content: bytes, error: type[SourceError], words: str
) -> None:
    place = tmp_path / "dump.xml"
    for packed in [content] if error is SourceDamaged or content[:2] in (b"7z", b"PK") else [content, bz2.compress(content)]:
        place.write_bytes(packed)
        with pytest.raises(error, match=words) as raised:
            Dump(place)
        assert str(place) in str(raised.value)
        assert "\n" not in str(raised.value)


def test_paths_that_are_not_files_are_one_line_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing, match="there is no file"):
        Dump(tmp_path / "none.xml")
    with pytest.raises(SourceInvalid, match="is a folder"):
        Dump(tmp_path)
    with pytest.raises(SourceInvalid, match="not a regular file"):
        Dump("/dev/null")
    with pytest.raises(SourceMissing):
        Dump("a\0b")


def test_a_removed_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(join_dump([A]))
    dump = Dump(tmp_path / "dump")
    blocks = list(dump.blocks())
    (tmp_path / "dump").unlink()
    with pytest.raises(SourceMissing):
        list(dumps.read_pages(blocks[0], dump.site, Counter()))
