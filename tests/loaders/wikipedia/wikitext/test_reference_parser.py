"""The reference parser: pages it leaves to the fast one, and loads with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mwparserfromhell.parser import ParserError

from wayword.graph.errors import LoadError
from wayword.graph.ingestion import ingest
from wayword.graph.memory import MemoryStore
from wayword.loaders import open_wikipedia
from wayword.loaders.wikipedia.dump.extraction import READ_BY_FAST_PARSER
from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.options import Options, Parser
from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext.reference import parser as reference_parser
from wayword.loaders.wikipedia.wikitext.reference.parser import ReferenceScanner
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....support.small_wiki import PAGES
from ....support.wiki_dumps import dump, edges, nodes

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop

MARKS = [
    *["[[", "]]", "[", "]", "|", "{{", "}}", "{{{", "}}}", "{|", "|}", "\n", "(", ")", "<ref>", "</ref>", "<!--", "-->", "="],
    *["<nowiki>", "</nowiki>", "<table>", "</table>", "<div class=navbox>", "</div>", "<br />", "\n* ", "\n: ''For ", '<b a="'],
    *[
        "File:a.jpg",
        "Category:C",
        "dog",
        "É",
        "#x",
        "&#40;",
        "''",
        "http://a.b/c",
        "[http://x y] ",
        "\n== See also ==\n",
        "<",
        ">",
    ],
    *[
        "<gallery>",
        "</gallery>",
        "__NOTOC__",
        ":",
        ";",
        "\x00",
        "\x02",
        "\x04",
        "\ue000",
        "\n----\n",
        "-{",
        "}-",
        "<pre>",
        "&",
        "%5B",
    ],
]


def make_scanner(name: str = "enwiki", code: str = "en") -> ReferenceScanner:
    return ReferenceScanner(Titles(make_site(name, code)), find_language(code))


def load(dump_file: Path, folder: Path, parser: Parser, count_all_links: bool = False) -> MemoryStore:
    store = MemoryStore()
    options = Options(parser=parser, count_all_links=count_all_links)
    with open_wikipedia(dump_file, options=options, bundle=folder, workers=1) as loader:
        ingest(store, loader)
    return store


@pytest.mark.parametrize("count_all_links", [False, True])
def test_both_parsers_store_the_same_small_wiki(tmp_path: Path, count_all_links: bool) -> None:
    pages = {**PAGES, "Box": "{{Box|[[Dog|boxed]]}} [[Dog]] ([[cat]])\n{|\n| [[pet]]\n|}\n[[Category:C]]", "Category:C": ""}
    file = tmp_path / "testwiki.xml"
    file.write_text(dump(pages), encoding="utf-8")
    fast, reference = (load(file, tmp_path / parser, parser, count_all_links) for parser in ("fast", "reference"))
    for label in ("Article", "Redirect", "Category", "Label"):
        assert nodes(fast, label) == nodes(reference, label)
    for kind in ("SENSE", "REDIRECTS_TO", "IN_CATEGORY", "LINKS_TO", "LINKS_IN_PARENTHESES"):
        assert edges(fast, kind) == edges(reference, kind)
    (of_fast,), (of_reference,) = fast.bases(), reference.bases()
    assert dict(of_reference.options) == {**of_fast.options, "parser": "reference"}
    assert of_fast.left_out == of_reference.left_out


@pytest.mark.slow
def test_both_parsers_store_the_same_body_links_and_senses_of_a_real_wiki(data: Path, tmp_path: Path) -> None:
    file = data / "wiki" / "ltgwiki-pages-articles.xml.bz2"
    fast, reference = (load(file, tmp_path / parser, parser) for parser in ("fast", "reference"))
    for kind in ("SENSE", "LINKS_TO", "LINKS_IN_PARENTHESES", "IN_CATEGORY"):
        assert edges(fast, kind) == edges(reference, kind)
    assert len(edges(fast, "LINKS_TO")) > 1_000


def test_an_unknown_parser_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "testwiki.xml"
    file.write_text(dump(PAGES), encoding="utf-8")
    with pytest.raises(LoadError, match="'slow' is not a parser; choose one of fast, reference as parser="):
        open_wikipedia(file, options=Options(parser="slow"))  # type: ignore[arg-type]


def test_another_parser_reads_the_dump_again_in_the_same_work_folder(tmp_path: Path) -> None:
    file = tmp_path / "testwiki.xml"
    file.write_text(dump({"A": "<!-- [[B]] <b> [[C]]", "B": "", "C": ""}), encoding="utf-8")
    found = [edges(load(file, tmp_path / "work", parser), "LINKS_TO") for parser in ("fast", "reference", "fast")]
    assert [len(links) for links in found] == [2, 0, 2]  # a comment that is never closed reaches to the end of the page


@given(st.lists(st.sampled_from(MARKS), max_size=60).map("".join))
def test_markup_in_any_order_is_parsed_without_errors(text: str) -> None:
    scanner = make_scanner()
    page = scanner.read(text)
    assert len(page.links) == len(page.regions)
    scanner.scan(text)


@pytest.mark.parametrize(
    "piece",
    [
        "[[",
        "[[a|",
        "{{a|",
        "{{{a|",
        "<b>",
        "<ref>",
        "<div ",
        '<a b="',
        "[[a|{{b|]] }}",
        "]]",
        "[http://a ",
        "[[a|<b {{c|",
        "{|\n",
    ],
)
def test_a_page_of_unclosed_markup_is_left_to_the_fast_parser(piece: str) -> None:
    scanner, text = make_scanner(), "[[Dog]] " + piece * 20_000
    begun = time.monotonic()
    page = scanner.read(text)
    assert time.monotonic() - begun < 20
    assert page.links[:1] == [("Dog", None, "")]
    assert scanner.fallback_count == (piece != "]]")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("<b>", "</b>"), ("{{a|", "}}"), ("[[File:a|", "]]"), ("{|\n", "\n|}"), ("(", ")"), ("<div>", "</div>")],
)
@pytest.mark.parametrize("depth", [50, 10_000])
def test_deep_nesting_takes_bounded_time(opening: str, closing: str, depth: int) -> None:
    scanner = make_scanner()
    begun = time.monotonic()
    page = scanner.read(f"[[Dog]] {opening * depth}[[Cat]]{closing * depth} [[Pet]]")
    assert time.monotonic() - begun < 20
    assert {"Dog", "Pet"} <= {target for target, _, _ in page.links}


@pytest.mark.parametrize("error", [ParserError, RecursionError])
def test_a_page_that_the_parser_cannot_read_is_read_by_the_fast_parser(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(text: str) -> None:
        raise error("")

    monkeypatch.setattr(reference_parser, "parse", fail)
    file = tmp_path / "testwiki.xml"
    file.write_text(dump(PAGES), encoding="utf-8")
    fast, reference = (load(file, tmp_path / parser, parser) for parser in ("fast", "reference"))
    assert edges(reference, "LINKS_TO") == edges(fast, "LINKS_TO")
    (base,) = reference.bases()
    assert base.left_out[READ_BY_FAST_PARSER] == len(PAGES) - 1  # the redirect has no links to read


def test_rules_of_other_languages_hold_in_the_reference_parser() -> None:
    text = "''Dieser Artikel behandelt [[A]].''\n[[Hund]]erassen [[Datei:x.jpg|[[B]]]]\n== Siehe auch ==\n[[C]] [[Kategorie:D]]"
    scanner = make_scanner("dewiki", "de")
    scan, fast = scanner.scan(text), Scanner(Titles(make_site("dewiki", "de")), find_language("de")).scan(text)
    assert scan == fast
    regions = {link.title.name: Region(link.region) for link in scan.links}
    assert regions == {"A": Region.HATNOTE, "Hund": Region(0), "B": Region.CAPTION, "C": Region.APPENDIX}
