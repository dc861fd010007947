"""Dumps of every format give the same pages, once each and in order, whatever their compression and their blocks."""

from __future__ import annotations

import bz2
import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders.errors import SourceInvalid
from wayword.loaders.wikipedia.dump import dump_file as dumps
from wayword.loaders.wikipedia.dump import pages as page_reader
from wayword.loaders.wikipedia.dump import streams
from wayword.loaders.wikipedia.dump.dump_file import Block, Dump, Page, read_pages
from wayword.loaders.wikipedia.site import Site
from wayword.loaders.wikipedia.wikitext.titles import Title

from ....support.wiki_files import FOOT, HEAD, element, elements, join_dump, members, multistream, read, split_streams, titles

PAGES = elements(40)
WHOLE = join_dump(PAGES)
FORMS: dict[str, Callable[[], bytes]] = {
    "plain": lambda: WHOLE,
    "gzip": lambda: gzip.compress(WHOLE),
    "members of gzip": lambda: members(WHOLE, 777),
    "bzip2": lambda: bz2.compress(WHOLE),
    "multistream": lambda: multistream(PAGES),
    "streams that end anywhere": lambda: split_streams(WHOLE, 777),
    "streams of a few bytes": lambda: split_streams(WHOLE, 5),
    "with a byte order mark": lambda: b"\xef\xbb\xbf" + WHOLE,
    "UTF-16 with a byte order mark": lambda: WHOLE.decode().encode("utf-16"),
    "UTF-16, big-endian": lambda: WHOLE.decode().encode("utf-16-be"),
    "bzip2 streams of UTF-16": lambda: split_streams(b"\xff\xfe" + WHOLE.decode().encode("utf-16-le"), 777),
    "gzip of UTF-32": lambda: gzip.compress(WHOLE.decode().encode("utf-32")),
    "Latin-1": lambda: b'<?xml version="1.0" encoding="ISO-8859-1"?>' + WHOLE.decode().encode("latin-1"),
    "declared as UTF-16 although it is UTF-8": lambda: b'<?xml version="1.0" encoding="utf-16"?>' + WHOLE,
    "an empty stream before and between": lambda: (
        bz2.compress(b"") + split_streams(WHOLE[:999], 99) + bz2.compress(b"") + bz2.compress(WHOLE[999:])
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("small", [False, True], ids=["usual pieces", "small pieces"])
def test_any_compression_gives_the_same_pages(form: str, small: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if small:
        for module, name, value in (
            (dumps, "PIECE", 100),
            (dumps, "READ_PIECE", 50),
            (dumps, "GROUP", 150),
            (streams, "READ", 64),
            (streams, "STEP", 32),
            (streams, "WINDOW", 16),
            (page_reader, "RUN", 500),
        ):
            monkeypatch.setattr(module, name, value)
    found, left_out = read(tmp_path / "dump", FORMS[form]())
    assert titles(found) == [f"Page {number}" for number in range(40)]
    assert [page.text for page in found] == [f"text {number} é&<{'x' * (number * 37 % 300)}" for number in range(40)]
    assert [(page.id, page.revision) for page in found] == [(number, number + 1000) for number in range(40)]
    assert not left_out


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-8"])
def test_the_head_is_read_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    text = WHOLE.decode().replace("testwiki", "bgwiki").replace("Category", "Категория")
    (tmp_path / "dump.xml").write_bytes(("\ufeff" + text).encode(encoding))
    site = Dump(tmp_path / "dump.xml").site
    assert (site.name, site.namespaces["категория"]) == ("bgwiki", 14)


def test_truncated_utf_16_is_counted(tmp_path: Path) -> None:
    found, left_out = read(tmp_path / "dump", WHOLE.decode().encode("utf-16")[:-501])
    assert titles(found) == [f"Page {number}" for number in range(len(found))]
    assert 30 < len(found) < 40
    assert left_out == {streams.TRUNCATION: 1}


def test_an_unknown_encoding_is_an_error_with_advice(tmp_path: Path) -> None:
    (tmp_path / "dump.xml").write_bytes(b'<?xml version="1.0" encoding="x-mine"?>' + WHOLE)
    with pytest.raises(SourceInvalid, match="encoding 'x-mine', which is unknown; convert it to UTF-8"):
        Dump(tmp_path / "dump.xml")


def test_page_positions_do_not_depend_on_the_compression_of_a_single_stream(tmp_path: Path) -> None:
    expected = [WHOLE.index(page) + 1 for page in PAGES]
    for form in ("plain", "gzip", "members of gzip", "bzip2"):
        assert [page.place for page in read(tmp_path / "dump", FORMS[form]())[0]] == expected


def test_a_long_stream_is_decompressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, _ = read(
        tmp_path / "dump", bz2.compress(WHOLE) + bz2.compress(HEAD + PAGES[0]) + bz2.compress(b"".join(PAGES[1:]) + FOOT)
    )
    monkeypatch.setattr(dumps, "LARGEST_STREAM", 400)
    monkeypatch.setattr(dumps, "GROUP", 100)
    blocks = list(Dump(tmp_path / "dump").blocks())
    assert {bool(block.data) for block in blocks} == {True, False}
    found, left_out = read(tmp_path / "dump")
    assert [page[1:] for page in found] == [page[1:] for page in usual]
    assert not left_out


def test_a_wrong_index_file_is_ignored(tmp_path: Path) -> None:
    place = tmp_path / "testwiki-pages-articles-multistream.xml.bz2"
    expected = read(place, multistream(PAGES))
    index = b"".join(b"%d:%d:Page %d\n" % (number * 10 % 70, number, number) for number in range(100))
    (tmp_path / "testwiki-pages-articles-multistream-index.txt.bz2").write_bytes(bz2.compress(index))
    assert read(place) == expected


@given(st.data())
def test_each_page_is_in_exactly_one_piece(data: st.DataObject) -> None:
    bits = [
        b"<page>a</page>",
        b"<page>\n" + b"b" * 30 + b"</page>",
        b"<page",
        b"<pages>",
        b"</page>",
        b" ",
        b"<page>",
        b"c" * 9,
        b"<",
        b"<pa",
    ]
    content = b"".join(data.draw(st.lists(st.sampled_from(bits), max_size=12)))
    borders = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=4)))
    step = data.draw(st.integers(1, 20))

    def steps(part: bytes) -> Iterator[bytes]:
        yield from (part[at : at + step] for at in range(0, len(part), step))

    def spans(pieces: Iterator[tuple[int, bytes]], start: int) -> Iterator[tuple[int, bytes]]:
        for place, piece in pieces:
            assert content[start + place :].startswith(piece)
            begins = [*(found.start() for found in streams.PAGE_START.finditer(piece)), len(piece)]
            for begin, following in pairwise(begins):
                end = piece.find(streams.PAGE_END, begin, following)
                if end >= 0:
                    yield start + place + begin, piece[begin:end]

    found: list[tuple[int, bytes]] = []
    lost = Counter[str]()
    for start, stop in zip([0, *borders], [*borders, len(content)], strict=True):
        pieces = streams.split_at_pages(steps(content[start:stop]), steps(content[stop:]), lost, data.draw(st.integers(1, 40)))
        found += spans(pieces, start)
    assert found == list(spans(iter([(0, content)]), 0))
    assert lost[streams.TRUNCATION] <= 1


def _titles(block: Block, site: Site) -> list[Title]:
    return [page.title for page in read_pages(block, site, Counter())]


def test_workers_read_blocks_independently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumps, "GROUP", 300)
    (tmp_path / "dump").write_bytes(multistream(PAGES))
    dump = Dump(tmp_path / "dump")
    with ProcessPoolExecutor(2) as executor:
        found = [title.name for each in executor.map(_titles, dump.blocks(), [dump.site] * 40) for title in each]
    assert found == [f"Page {number}" for number in range(40)]


def read_only_page(tmp_path: Path, page: bytes, head: bytes = HEAD) -> Page:
    """Return the only page of a dump."""
    (found,), left_out = read(tmp_path / "dump", head + page + FOOT)
    assert not left_out
    return found


GERMAN = HEAD.replace(b'"en"', b'"de"').replace(b"Category", b"Kategorie")
JAPANESE = HEAD.replace(b'"en"', b'"ja"')
BARE = b'<mediawiki version="0.3" xml:lang="it"><siteinfo><base>http://it.wikipedia.org/wiki/X</base></siteinfo>'


@pytest.mark.parametrize(
    ("head", "more", "text", "aim"),
    [
        (HEAD, '<redirect title="Dog &amp; cat" />', "#REDIRECT [[Other]]", "Dog & cat"),
        (HEAD, "<redirect />", "#REDIRECT [[Dog]]", "Dog"),
        (HEAD, "", "#redirect:[[dog#size|a dog]] {{R}}", "dog#size"),
        (HEAD, "", "\n #REDIRECT\n[[:Category:Dogs]]", ":Category:Dogs"),
        (HEAD, "", "#WEITERLEITUNG [[Hund]]", None),
        (GERMAN, "", "#Weiterleitung [[Hund]]", "Hund"),
        (GERMAN, "", "#REDIRECT [[Hund]]", "Hund"),
        (BARE, "", "#RINVIA [[Cane]]", "Cane"),
        (JAPANESE, "", "#転送 [[犬]]", "犬"),
        (JAPANESE, "", "＃転送 [[犬]]", "犬"),
        (JAPANESE, "", "＃リダイレクト[[犬]]", "犬"),
        (JAPANESE, "", "＃REDIRECT [[犬]]", None),
        (HEAD, "", "＃転送 [[犬]]", None),
        (HEAD, "", "text #REDIRECT [[Dog]]", None),
        (HEAD, "", "#REDIRECT to [[Dog]]", None),
        (HEAD, "", "#REDIRECT [[Dog", None),
    ],
)
def test_redirects_come_from_the_dump_or_from_the_text(
    tmp_path: Path, head: bytes, more: str, text: str, aim: str | None
) -> None:
    assert read_only_page(tmp_path, element("A", text, more=more), head).redirect == aim


@pytest.mark.parametrize(
    ("head", "title", "more", "known"),
    [
        (HEAD, "Category:Dogs", "<ns>14</ns>", Title(14, "Dogs")),
        (HEAD, "Category:Dogs", "", Title(14, "Dogs")),
        (GERMAN, "Kategorie:Hunde", "", Title(14, "Hunde")),
        (BARE, "Categoria:Cani", "", Title(14, "Cani")),
        (BARE, "Immagine:Cane.jpg", "", Title(6, "Cane.jpg")),
        (HEAD, "2001: A Space Odyssey", "", Title(0, "2001: A Space Odyssey")),
        (HEAD, "Tom &amp; Jerry", "<ns>0</ns>", Title(0, "Tom & Jerry")),
        (b"", "Category:Dogs", "", Title(14, "Dogs")),
    ],
)
def test_namespaces_come_from_the_dump_or_from_the_title(
    tmp_path: Path, head: bytes, title: str, more: str, known: Title
) -> None:
    assert read_only_page(tmp_path, element(title, "x", more=more), head).title == known


def test_the_last_revision_is_read(tmp_path: Path) -> None:
    page = element("A", "old").replace(b"</revision>", b"</revision><revision><id>7</id><text>new</text></revision>")
    assert (read_only_page(tmp_path, page).text, read_only_page(tmp_path, page).revision) == ("new", 7)


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("&lt;b&gt; &quot;a&quot; &amp;amp;", '<b> "a" &amp;'),
        ("&#65;&#x42;&apos;", "AB'"),
        ("<![CDATA[a < b]]>", "a < b"),
        ("a<!-- b -->c", "ac"),
        ("a\r\nb", "a\nb"),
        ("", ""),
    ],
)
def test_xml_escapes_are_decoded(tmp_path: Path, text: str, decoded: str) -> None:
    page = element("A", text).replace(b' bytes="9"', b"") + element("B", "b")
    assert [page.text for page in read(tmp_path / "dump", join_dump([page]))[0]] == [decoded, "b"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"wikitext", b"javascript", page_reader.OTHER_CONTENT_MODEL),
        (b'<text bytes="9">x</text>', b'<text bytes="9" />', page_reader.EMPTY_PAGE),
        (b'<text bytes="9">x</text>', b'<text deleted="deleted" />', page_reader.EMPTY_PAGE),
        (b'<text bytes="9">x</text>', b"", page_reader.EMPTY_PAGE),
        (b"<title>A</title>", b"", page_reader.UNTITLED_PAGE),
        (b"<title>A</title>", b"<title>A|B</title>", page_reader.UNTITLED_PAGE),
        (b"<title>A</title>", b"<title> </title>", page_reader.UNTITLED_PAGE),
        (b"<ns>0</ns>", b"<ns>99999999999</ns>", page_reader.UNTITLED_PAGE),
    ],
)
def test_unusable_pages_are_counted(tmp_path: Path, old: bytes, new: bytes, reason: str) -> None:
    odd = element("A", "x").replace(old, new)
    assert odd != element("A", "x")
    found, left_out = read(tmp_path / "dump", join_dump([odd, element("B", "b")]))
    assert titles(found) == ["B"]
    assert left_out == {reason: 1}


COUNTS = {
    "schoolswiki-pages-articles-multistream.xml.bz2": ("schoolswiki", "en", {0: 4653, 14: 142}, {0: 1774}, 0),
    "ltgwiki-pages-articles.xml.bz2": ("ltgwiki", "ltg", {0: 903, 14: 539}, {0: 147, 4: 4, 10: 44}, 0),
    "enwik8.gz": ("enwiki", "en", {0: 8589, 4: 93}, {0: 3649, 4: 15}, 1),
    "itwiki-categories.xml.gz": ("itwiki", "it", {0: 0, 14: 34738}, {}, 0),
    "itwiki-small-dump.xml.gz": ("itwiki", "it", {0: 608, 1: 33, 2: 20, 3: 14}, {0: 64, 12: 1}, 0),
    "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2": ("enwiki", "en", {0: 106}, {0: 99, 4: 1}, 0),
    "aawiki-20260101-pages-meta-current.xml.bz2": ("aawiki", "aa", {14: 29}, {0: 1, 2: 9, 3: 9}, 0),
    "enwiktionary-test.xml.bz2": ("enwiktionary", "en", {0: 1332}, {0: 6, 4: 9}, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("file", COUNTS)
def test_all_pages_of_real_dumps_are_read(data: Path, file: str) -> None:
    name, code, pages, redirects, cut_off = COUNTS[file]
    found, left_out = read(data / "wiki" / file)
    assert (Dump(data / "wiki" / file).site.name, Dump(data / "wiki" / file).site.language) == (name, code)
    counted = Counter(page.title.namespace for page in found if page.redirect is None)
    assert {number: counted[number] for number in pages} == pages
    assert Counter(page.title.namespace for page in found if page.redirect is not None) == redirects
    assert left_out[streams.TRUNCATION] == cut_off
    assert not left_out[page_reader.MALFORMED_PAGE]
