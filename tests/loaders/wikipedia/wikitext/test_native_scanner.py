"""The scanner in C and the plain one: the same links in the same regions, on generated, real and mutated pages."""

from __future__ import annotations

import json
import re
import signal
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.loaders.wikipedia.dump import extraction
from wayword.loaders.wikipedia.dump.dump_file import Dump, read_pages
from wayword.loaders.wikipedia.dump.extraction import ReadingTask, extract_block
from wayword.loaders.wikipedia.languages import Language, find_language
from wayword.loaders.wikipedia.site import CATEGORY, FILE, make_site
from wayword.loaders.wikipedia.wikitext import native_scanner
from wayword.loaders.wikipedia.wikitext.native_scanner import NativeScanner, make_scanner, trail_characters
from wayword.loaders.wikipedia.wikitext.reference.parser import ReferenceScanner
from wayword.loaders.wikipedia.wikitext.scanner import ScannedPage, Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....support import wikitexts
from ....support.examples import EVERY, share_of_examples
from ....support.little_memory import needs_limits, run_with_little_memory
from ....support.scanners import NATIVE, comparable, read_together

pytestmark = pytest.mark.skipif(NATIVE is None, reason="needs the scanner in C")

DUMPS = [
    "schoolswiki-pages-articles-multistream.xml.bz2",
    "enwik8.gz",
    "itwiki-small-dump.xml.gz",
    "itwiki-categories.xml.gz",
    "ltgwiki-pages-articles.xml.bz2",
    "enwiktionary-test.xml.bz2",
    "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
    "aawiki-20260101-pages-meta-current.xml.bz2",
]


class Scanners:
    """Both scanners of a wiki."""

    def __init__(self, titles: Titles, language: Language) -> None:
        self.titles, self.language, self.plain = titles, language, Scanner(titles, language)
        self.native = make_scanner(titles, language)
        assert isinstance(self.native, NativeScanner)
        self.scan: Callable[..., tuple[list[object], tuple[bytes, ...]]] = self.native._scan
        self.questions = self.native._questions

    def given_up(self, texts: Sequence[str]) -> list[str]:
        """Return the pages that the scanner in C leaves to the plain one."""
        return [text for text, found in zip(texts, self.scan(texts, self.questions)[0], strict=True) if found is None]

    def check(self, texts: Sequence[str]) -> None:
        """Check that both read these pages alike."""
        for text, native, plain in zip(texts, *(read_together(each, texts) for each in (self.native, self.plain)), strict=True):
            assert comparable(native) == comparable(plain), text


def scanners_of(wiki: str) -> Scanners:
    code = wiki.removesuffix("wiki")
    return Scanners(Titles(make_site(wiki, code)), find_language(code))


@pytest.fixture(scope="module")
def english() -> Scanners:
    return scanners_of("enwiki")


@given(texts=st.lists(wikitexts.WELL_FORMED | wikitexts.BROKEN, max_size=4))
def test_both_scanners_read_generated_pages_alike(english: Scanners, texts: list[str]) -> None:
    english.check(texts)


TOKENS = [
    *["[[", "]]", "[", "]", "[[[", "]]]", "]]]]", "|", "{{", "}}", "{|", "|}", "\n", "\n\n", "\r\n", "(", ")", "（", "）"],
    *["<ref>", "</ref>", "<ref name=a/>", "<ref", "<!--", "-->", "<nowiki>", "</nowiki>", "<NOWIKI >", "</nowiki\n>"],
    *[
        "<table>",
        "</table>",
        "<table",
        "<div class=navbox>",
        '<DIV ID="x toc">',
        "<span class='rellink\n'>",
        "</div>",
        "<br />",
    ],
    *[
        "\n* ",
        "\n: ''For ",
        "\n:See also ",
        "\n''For ",
        "\n'''''For ",
        "File:a.jpg",
        "file :_b|",
        "Image:b",
        ":File:c",
        "File:.",
    ],
    *["Category:C", "dog", "É", "#x", "&#40;", "&#x028;", "&#65289;", "&lpar;", "&rpar;", "&amp;", " ", "''", "http://a.b/c)"],
    *["{{{", "}}}", "{{ }}", "{{\n a\n}}", "{{disambig}}", "{{Hat\u00a0note|", "\n----\n", "=\n", "\n= a =\n", "__NOTOC__"],
    *["__DISAMBIG__", "<pre>", "</pre>", "<gallery>", "</gallery>", "<includeonly>", "</includeonly>", "<math>", "</math>"],
    *[":", ";", "\x85", "\xa0", "\u2003", "<", ">", "/", "%3A", "]]s", "]]é", "[http://x (y] ", "[//x) ", "mailto:"],
    *["\n== See also ==", "\n== ''Notes'' ==\n", "<nowıki>", "<refſ>", "\U00011100", "\x00", "\n|}", "\n{|"],
]
MARKUP = st.lists(st.sampled_from(TOKENS), max_size=40).map("".join)


@given(texts=st.lists(MARKUP, max_size=3))
@share_of_examples(5)
def test_both_scanners_read_markup_in_any_order_alike(english: Scanners, texts: list[str]) -> None:
    english.check(texts)


@given(texts=st.lists(st.text(st.sampled_from("[]{}|<>!-/\n=':() &;#a\u00e9\x01\x02\x03_"), max_size=60), max_size=3))
def test_both_scanners_read_any_characters_alike(english: Scanners, texts: list[str]) -> None:
    english.check(texts)


@given(text=st.text(st.characters(), max_size=20))
def test_a_page_that_is_not_unicode_is_left_to_the_plain_scanner(english: Scanners, text: str) -> None:
    english.native.read_all(["[[a]]", f"{text}[[b]]\ud800", "[[c]]"])
    facts, links = english.native.read_all(["[[a]]", "b \ud800 [[d]]", "[[c]]"])
    assert [page.masked[1:] for page in facts] == ["[[a]]", "b \ud800 [[d]]", "[[c]]"]
    assert (links.page.tolist(), links.target.to_pylist()) == ([0, 1, 2], ["a", "d", "c"])


@pytest.mark.parametrize(
    "wiki",
    [
        "dewiki",
        "ruwiki",
        "cawiki",
        "trwiki",
        "jawiki",
        "iswiki",
        "cvwiki",
        "sewiki",
        "brwiki",
        "kaawiki",
        "bawiki",
        "ccpwiki",
        "arwiki",
    ],
)
def test_both_scanners_follow_the_trail_of_the_language(wiki: str) -> None:
    endings = [
        "tür",
        "'s",
        "и",
        "x1",
        " y",
        "ç",
        "の",
        "·",
        "",
        ".",
        "ABC",
        "l'l·l",
        "-eyja",
        "–",
        '"',
        ":a",
        "c'h",
        "\U00011104",
    ]
    scanners_of(wiki).check(
        [f"[[dog]]{end} (([[Datei:a.jpg|thumb|[[b]]]]{end})) [[cat|x]]{end}\n[[e|f]]{end}" for end in endings]
        + [f"{{{{a|[[b]]{end}}}}} <ref>[[c]]{end}</ref>" for end in endings]
    )


def test_a_trail_that_is_too_long_to_be_certain_is_left_to_the_plain_scanner() -> None:
    scanners = scanners_of("cawiki")
    texts = ["[[a]]" + "b" * size for size in (3, 99, 101, 199, 201, 5_000)] + ["[[a]]" + "l'l" * 300]
    scanners.check(texts)
    assert scanners.given_up(texts) == texts[4:]


@pytest.mark.parametrize(
    "pattern", ["[a-z]+", "(?:[a-z]|а|б)+", "", ":?[a-z]+", "(?:c'h|[a-z])+", r"(?:\d|x)y+", "[^\\W\\d_]+"]
)
def test_any_pattern_can_be_a_trail(english: Scanners, pattern: str) -> None:
    scanners = Scanners(english.titles, replace(english.language, trail=re.compile(pattern)))
    scanners.check([f"[[a]]{end} [[b|c]]{end}{end}" for end in ("xyz", "а", "1y", ":q", "c'h", "c'", "é_", "")])


def test_only_characters_that_belong_to_a_trail_have_their_bit() -> None:
    bits, needs_match = trail_characters(re.compile("[a-cé]+"))
    assert not needs_match
    assert [code for code in range(len(bits) * 8) if bits[code >> 3] >> (code & 7) & 1] == [*map(ord, "abcé")]


@pytest.mark.parametrize("code", ["bar", "sah", "als", "zh", "sr", "kk", "az", "he", "ka", "dv", "vec", "ml", "crh"])
def test_all_scanners_read_the_words_of_a_language_alike(code: str) -> None:
    scanners = scanners_of(f"{code}wiki")
    language, plain = scanners.language, scanners.plain
    reference = ReferenceScanner(scanners.titles, language)
    names = [name for name, number in language.namespaces.items() if number in (FILE, CATEGORY)]
    spellings = {form for name in names for form in (name, name.upper(), name.title(), name.replace(" ", "_"), f" {name} ")}
    texts = [f"[[{name}:F|thumb|A [[b]] (c [[d]])]] ([[e]]) [[{name}:F]] [[:{name}:F|f]] [[g| ]]" for name in sorted(spellings)]
    texts += [f"[[a]]\n== {name.capitalize()} ==\n* [[b]]\n== X ==\n[[c]]" for name in sorted(language.appendix)]
    scanners.check(texts)
    for text in texts:
        found, expected = plain.scan(text), reference.scan(text)
        assert [link[::2] for link in found.links] == [link[::2] for link in expected.links], text  # titles and regions
        assert found.categories == expected.categories, text


@pytest.mark.parametrize("code", ["en", "de", "ru", "ja"])
def test_both_scanners_know_the_templates_and_switches_that_mark_a_page(code: str) -> None:
    scanners = scanners_of(f"{code}wiki")
    language = scanners.language
    names = sorted(language.disambiguation | language.hidden_category)
    texts = [form for name in names for form in (f"{{{{{name}}}}}", f"{{{{ {name.upper()}_\n|a}}}} {{{{x|{{{{{name}x}}}}}}}}")]
    texts += sorted(language.disambiguation_switches | language.hidden_switches)
    scanners.check(texts)
    assert sum(any(page[:2]) for page in scanners.native.read_all(texts)[0]) > len(names)


HOSTILE: dict[str, Callable[[int], str]] = {
    "parentheses": lambda size: "(" * size + "[[a]]" + ")" * size,
    "closed parentheses": lambda size: "([[a]]" * size + ")" * size,
    "captions": lambda size: "[[File:a.jpg|" * size + "[[b]]" + "]]" * size,
    "labels": lambda size: "[[a|" * size + "]]" * size,
    "labels with blanks": lambda size: "[[a|[b " * size,
    "labels that are never closed": lambda size: "[[a|" + "b]" * size,
    "templates": lambda size: "{{a|" * size + "[[b]]" + "}}" * size,
    "unclosed templates": lambda size: "{{a|b" * size,
    "closing braces": lambda size: "{{a" + "}}" * size,
    "arguments": lambda size: "{" * size + "[[b]]" + "}" * size,
    "tables": lambda size: "{|\n" * size + "[[b]]" + "\n|}" * size,
    "tables within a line": lambda size: " {| " * size + "[[b]]" + " |}" * size,
    "tables in HTML": lambda size: "<table>" * size + "[[b]]" + "</table>" * size,
    "links": lambda size: "[[a]]" * size,
    "brackets": lambda size: "[" * size + "a" + "]" * size,
    "names of templates": lambda size: "{{a}}" * size,
    "names of templates that are not ASCII": lambda size: "".join(f"{{{{é{number}}}}}" for number in range(size)),
    "headings": lambda size: "=\n" * size + "[[a]]",
    "headings with markup": lambda size: "== ''a'' ==\n[[a]]" * size,
    "hatnotes": lambda size: "\n:a [[a]]" * size,
    "blank lines": lambda size: "([[a]]" + "\n" * size + ")" + "[[b]])" * size,
    "blanks": lambda size: "([[a]]" + "\n " + " " * size + "x)" + "[[b]])\n" * size,
    "a long label": lambda size: "[[a|" + "b" * size + "[c]]] [[d]]",
    "labels of several lines": lambda size: "([[a|b\n\nc]])" * size,
    "references": lambda size: "<ref>" * size + "[[a]]",
    "pairs of references": lambda size: "<ref>" * size + "[[a]]" + "</ref>" * size,
    "comments": lambda size: "<!-- [[a]]" * size,
    "elements": lambda size: "<nowiki>[[a]]" * size,
    "self-closing elements": lambda size: "<ref/>" * size,
    "comments in templates": lambda size: "{{a|[[b]]<!--c-->}}" * size,
    "tags": lambda size: "<b class=x" * size + "[[a]]",
    "boxes": lambda size: "<div class=toc>" * size + "[[a]]" + "</div>" * size,
    "boxes of many names": lambda size: "".join(f"<a{number} id=toc>" for number in range(size)) + "[[a]]" + "<b>" * size,
    "attributes": lambda size: "<b " + "class='" * size + ">[[a]]",
    "URLs": lambda size: "(http://a)))" * size + "[[a]]",
    "one URL": lambda size: "http:" + "//a:" * size + "[[a]]",
    "references to characters": lambda size: "&#" + "0" * size + "40;[[a]])" + "&#0" * size,
    "verbatim text": lambda size: "<nowiki>" + "&#40;（" * size + "</nowiki>[[a]]",
    "trails": lambda size: "[[a]]" + "b" * size,
}


GIVEN_UP = ("boxes", "boxes of many names")
"""The scanner in C gives up these pages if they are large, and the plain scanner needs more memory."""


@pytest.mark.parametrize("shape", HOSTILE)
def test_both_scanners_read_deeply_nested_and_unclosed_markup_alike(english: Scanners, shape: str) -> None:
    english.check([f"[[before]] {HOSTILE[shape](size)}" for size in (1, 2, 65, 70, 1_100)] + ["[[after]]"])


@pytest.mark.slow
@pytest.mark.parametrize("shape", HOSTILE)
def test_a_limit_of_open_elements_is_the_same_in_both_scanners(english: Scanners, shape: str) -> None:
    english.check([HOSTILE[shape](11_000)])


@pytest.mark.slow
@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_pages_take_linear_time(english: Scanners, shape: str) -> None:
    assert NATIVE is not None

    def seconds(text: str) -> float:
        start = time.process_time()
        english.scan([text], english.questions)
        return time.process_time() - start

    small, large = HOSTILE[shape](20_000), HOSTILE[shape](160_000)
    assert min(seconds(large) for _ in range(3)) < 20 * min(seconds(small) for _ in range(3)) + 0.02


@needs_limits
@pytest.mark.slow
def test_hostile_pages_take_linear_memory(tmp_path: Path) -> None:
    pages = [make((1 << 20) // len(make(100)) * 100) for shape, make in HOSTILE.items() if shape not in GIVEN_UP]
    (tmp_path / "pages.json").write_text(json.dumps(pages))
    imports = """
import json
from wayword.loaders.wikipedia.languages import Language, find_language
from wayword.loaders.wikipedia.site import make_site
from wayword.loaders.wikipedia.wikitext.native_scanner import make_scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles
scanner = make_scanner(Titles(make_site("enwiki")), find_language("en"))
pages = json.load(open(sys.argv[1]))
"""
    statements = "for page in pages: scanner.read_all([page])\nprint(type(scanner).__name__)"
    assert run_with_little_memory(imports, statements, tmp_path / "pages.json", megabytes=128) == "NativeScanner\n"


def texts_of(dump: Dump) -> Iterator[list[str]]:
    """Yield the texts of a dump without redirects, some megabytes at a time."""
    for block in dump.blocks():
        yield [page.text for page in read_pages(block, dump.site, Counter()) if page.redirect is None]


@pytest.mark.slow
@pytest.mark.parametrize("file", DUMPS)
def test_both_scanners_read_real_pages_alike(data: Path, file: str) -> None:
    dump = Dump(data / "wiki" / file)
    scanners = Scanners(Titles(dump.site), find_language(dump.site.language))
    pages = 0
    for texts in texts_of(dump):
        compared = texts[::EVERY]
        scanners.check(compared)
        assert scanners.given_up(compared) == []
        pages += len(compared)
    assert pages > 100 // EVERY


@cache
def some_pages(data: Path) -> tuple[str, ...]:
    """Return the pages of moderate size of a dump of each language."""
    files = (DUMPS[2], DUMPS[4], DUMPS[6])
    return tuple(
        text for file in files for text in next(texts_of(Dump(data / "wiki" / file)))[:300] if 200 < len(text) < 20_000
    )


@st.composite
def mutations(draw: st.DrawFn) -> Callable[[str], str]:
    """Draw changes of a text: parts that are left out, doubled or replaced by markup."""
    shares = draw(st.lists(st.floats(0, 1), min_size=2, max_size=12).map(sorted))
    markup = [draw(st.sampled_from(["", *TOKENS])) for _ in shares]
    kinds = [draw(st.sampled_from(["keep", "keep", "drop", "double"])) for _ in shares]

    def mutate(text: str) -> str:
        begins = [int(share * len(text)) for share in shares]
        parts = [text[: begins[0]], *(text[a:b] for a, b in zip(begins, [*begins[1:], len(text)], strict=True))]
        changed = (
            part if kind == "keep" else part[:50] if kind == "drop" else part * 2
            for part, kind in zip(parts[1:], kinds, strict=True)
        )
        return parts[0] + "".join(piece for pair in zip(markup, changed, strict=True) for piece in pair)

    return mutate


@given(mutate=mutations(), number=st.integers(0, 1 << 20))
@share_of_examples(2)
def test_both_scanners_read_mutated_pages_alike(
    english: Scanners, data: Path, mutate: Callable[[str], str], number: int
) -> None:
    pages = some_pages(data)
    english.check([mutate(pages[number % len(pages)])])


def test_batches_do_not_change_what_is_read(english: Scanners, data: Path) -> None:
    pages = some_pages(data)[:50]
    facts, links = english.native.read_all(pages)
    single = [english.native.read_all([page]) for page in pages]
    assert facts == [each[0][0] for each in single]
    assert links.page.tolist() == [number for number, each in enumerate(single) for _ in each[1].page]
    for column in ("region", "target", "label", "trail"):
        values = [value for each in single for value in getattr(each[1], column).tolist()]
        assert getattr(links, column).tolist() == values


def test_no_pages_have_no_links(english: Scanners) -> None:
    facts, links = english.native.read_all([])
    assert (facts, len(links.page), links.target.type, len(links.label)) == ([], 0, pa.string(), 0)


def test_a_scanner_serves_several_threads(english: Scanners, data: Path) -> None:
    pages = some_pages(data)[:100]
    expected = read_together(english.native, pages)
    found: list[list[ScannedPage]] = []
    threads = [threading.Thread(target=lambda: found.append(read_together(english.native, pages))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_an_error_of_a_question_reaches_the_caller(english: Scanners) -> None:
    def fail(text: str) -> int:
        raise LookupError(text)

    with pytest.raises(LookupError, match="é"):
        english.scan(["{{é}}"], (fail,) * 7)
    for answer in ("x", None, 1 << 80):
        with pytest.raises((TypeError, OverflowError)):
            english.scan(["{{é}}"], (lambda text, answer=answer: answer,) * 7)


@pytest.mark.parametrize("answer", [-(1 << 40), -1, 0, 1, 1 << 40])
def test_absurd_answers_do_no_harm(english: Scanners, answer: int) -> None:
    texts = ["{{é}} [[a]]é [[b:c|d\ne]] [[:f:g|h [[i]]]]\n== ''j'' ==\n:k [[l]]", *(make(80) for make in HOSTILE.values())]
    assert english.scan(texts, (lambda text: answer,) * 7)
    catalan = scanners_of("cawiki")
    assert catalan.scan(texts, (lambda text: answer,) * 7)


def test_wrong_arguments_are_rejected(english: Scanners) -> None:
    assert NATIVE is not None
    native = english.scan.__self__  # type: ignore[attr-defined]
    wrong: list[tuple[object, object]] = [(["a"], ()), (["a"], []), (5, (len,) * 7), ([5], (len,) * 7), ([b"a"], (len,) * 7)]
    for arguments in wrong:
        with pytest.raises((TypeError, ValueError)):
            native.scan(*arguments)
    bits, _ = trail_characters(re.compile("[a-z]+"))
    for words, trail in (({}, b""), ({"a": -1}, bits), ({1: 1}, bits), ({str(n): NATIVE.ELEMENT for n in range(40)}, bits)):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            NATIVE.Scanner(words, trail, False)
    with pytest.raises(TypeError):
        native.__init__({}, bits, False)


def test_ctrl_c_ends_a_long_batch_at_once(english: Scanners) -> None:
    texts = ["[[a]] (b) {{c}}\n" * 50_000] * 200
    threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        english.native.read_all(texts)
    assert time.monotonic() - start < 1  # far below that of the whole batch, even on a busy machine


def test_scanning_leaves_no_memory_behind(english: Scanners, data: Path) -> None:
    pages = list(some_pages(data)[:20])
    english.native.read_all(pages)
    tracemalloc.start()
    sizes = []
    for _ in range(4):
        english.native.read_all(pages)
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(sizes) < sizes[0] + 50_000


def test_both_scanners_write_the_same_rows_of_a_block(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = Dump(data / "wiki" / "ltgwiki-pages-articles.xml.bz2")
    tables = {}
    for kind in (NativeScanner, Scanner):
        folder = tmp_path / kind.__name__
        folder.mkdir()
        if kind is Scanner:
            monkeypatch.setattr(extraction, "make_scanner", Scanner)
        task = ReadingTask(kind.__name__, dump.site, find_language(dump.site.language), folder, False, 256, openings=500)
        for number, block in enumerate(dump.blocks()):
            extract_block(task, block, number)
        assert type(extraction._workers[kind.__name__]._scanner) is kind
        tables[kind] = {file.name: pq.read_table(file).to_pylist() for file in sorted(folder.glob("*.parquet"))}
    assert tables[NativeScanner] == tables[Scanner]


def test_python_reads_wikitext_where_there_is_no_c(english: Scanners, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(make_scanner(english.titles, english.language)) is NativeScanner
    monkeypatch.setattr(native_scanner, "load_native", lambda part: None)
    assert type(make_scanner(english.titles, english.language)) is Scanner
