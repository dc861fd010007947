"""The compiled scanner and the plain one: the same links in the same regions, on generated and on real pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba", reason="needs wayword[fast]")

from wayword.loaders.wikipedia.dump import extraction
from wayword.loaders.wikipedia.dump.dump_file import Dump, read_pages
from wayword.loaders.wikipedia.dump.extraction import ReadingTask, extract_block
from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import CATEGORY, FILE, make_site
from wayword.loaders.wikipedia.wikitext.compiled import compile_cache
from wayword.loaders.wikipedia.wikitext.compiled.scanner import CompiledScanner
from wayword.loaders.wikipedia.wikitext.reference.parser import ReferenceScanner
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from ....support import wikitexts
from ....support.examples import share_of_examples

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("compiled")]

HIDDEN = int(Region.HIDDEN)
FILLERS, BREAKS = re.compile("[\x01-\x03]+"), re.compile("\n+")

Scanners = tuple[CompiledScanner, Scanner]


def make_scanners(name: str = "enwiki", code: str = "en") -> Scanners:
    titles = Titles(make_site(name, code))
    return CompiledScanner(titles, find_language(code)), Scanner(titles, find_language(code))


@pytest.fixture(scope="module", autouse=True)
def _compile_once() -> None:
    """Compile once; the cache serves later runs until the sources change."""
    compile_cache.compile_scanner()


@pytest.fixture(scope="module")
def english() -> Scanners:
    return make_scanners()


def facts_of(scanner: Scanner, texts: Sequence[str]) -> list[object]:
    """Return the facts of each page. Runs of fillers are shortened, because their lengths are in bytes or in characters; of
    hidden links only HIDDEN is compared."""
    pages, links = scanner.read_all(texts)
    rows = defaultdict(list)
    columns = (links.target.to_pylist(), links.label.to_pylist(), links.trail.to_pylist())
    for page, region, *strings in zip(links.page.tolist(), links.region.tolist(), *columns, strict=True):
        shortened = [None if text is None else FILLERS.sub("\x02", text) for text in strings]
        rows[page].append((HIDDEN if region & HIDDEN else region, *shortened))
    masked = [BREAKS.sub("\n", FILLERS.sub("\x02", page.masked)) for page in pages]
    return [(rows[number], page[:2], text) for number, (page, text) in enumerate(zip(pages, masked, strict=True))]


def check(scanners: Scanners, texts: Sequence[str]) -> None:
    for text, compiled, plain in zip(texts, *(facts_of(each, texts) for each in scanners), strict=True):
        assert compiled == plain, text


@given(texts=st.lists(wikitexts.WELL_FORMED | wikitexts.BROKEN, max_size=4))
def test_both_scanners_read_generated_pages_alike(english: Scanners, texts: list[str]) -> None:
    check(english, texts)


TOKENS = [
    *["[[", "]]", "[", "]", "|", "{{", "}}", "{|", "|}", "\n", "\n\n", "(", ")", "（", "）", "<ref>", "</ref>", "<!--", "-->"],
    *["<nowiki>", "</nowiki>", "<table>", "</table>", "<div class=navbox>", "</div>", "<br />", "\n* ", "\n: ''For "],
    *["File:a.jpg", "Image:b", "Category:C", "dog", "É", "#x", "&#40;", "&lpar;", "&rpar;", " ", "''", "http://a.b/c)"],
    *[
        "{{{",
        "}}}",
        "\n----\n",
        "=\n",
        "__NOTOC__",
        "<pre>",
        "</pre>",
        "<gallery>",
        "</gallery>",
        ":",
        ";",
        "\x85",
        "\xa0",
        "<",
    ],
    *[">", "/", "]]s", "]]é", "[http://x (y] ", "\n== See also =="],
]


@given(texts=st.lists(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join), max_size=3))
@share_of_examples(2)
def test_both_scanners_read_markup_in_any_order_alike(english: Scanners, texts: list[str]) -> None:
    check(english, texts)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("dewiki", "de"),
        ("ruwiki", "ru"),
        ("cawiki", "ca"),
        ("trwiki", "tr"),
        ("jawiki", "ja"),
        ("iswiki", "is"),
        ("cvwiki", "cv"),
    ],
)
def test_both_scanners_follow_the_trail_of_the_language(name: str, code: str) -> None:
    endings = ["tür", "'s", "и", "x1", " y", "ç", "の", "·", "", ".", "ABC", "l'l·l", "-eyja", "–", '"']
    check(
        make_scanners(name, code),
        [f"[[dog]]{end} (([[Datei:a.jpg|thumb|[[b]]]]{end})) [[cat|x]]{end}\n[[e|f]]{end}" for end in endings],
    )


@pytest.mark.parametrize("code", ["bar", "sah", "als", "zh", "sr", "kk", "az", "he", "ka", "dv", "vec", "ml", "crh"])
def test_all_scanners_read_the_words_of_a_language_alike(code: str) -> None:
    compiled, plain = make_scanners(f"{code.replace('-', '_')}wiki", code)
    reference, language = ReferenceScanner(Titles(make_site(f"{code}wiki", code)), find_language(code)), find_language(code)
    names = [name for name, number in language.namespaces.items() if number in (FILE, CATEGORY)]
    spellings = {form for name in names for form in (name, name.upper(), name.title(), name.replace(" ", "_"), f" {name} ")}
    texts = [f"[[{name}:F|thumb|A [[b]] (c [[d]])]] ([[e]]) [[{name}:F]] [[:{name}:F|f]] [[g| ]]" for name in sorted(spellings)]
    texts += [f"[[a]]\n== {name.capitalize()} ==\n* [[b]]\n== X ==\n[[c]]" for name in sorted(language.appendix)]
    check((compiled, plain), texts)
    for text in texts:
        found, expected = plain.scan(text), reference.scan(text)
        assert [link[::2] for link in found.links] == [link[::2] for link in expected.links], text  # titles and regions
        assert found.categories == expected.categories, text


@pytest.mark.parametrize(
    "text",
    [
        "(" * 2_000 + "[[a]]" + ")" * 2_000,
        "[[File:a.jpg|" * 600 + "[[b]]" + "]]" * 600,
        "{{a|" * 5_000 + "[[b]]" + "}}" * 5_000,
        "{|\n" * 600 + "[[b]]" + "\n|}" * 600,
        "[[a]]" * 5_000,
        "{{a}}" * 5_000,
        "=\n" * 5_000,
        "[[a|" + "b" * 30_000 + "[c]]] [[d]]",
        "<ref>" * 2_000 + "[[a]]",
        "<!-- [[a]]",
        "",
    ],
)
def test_pages_beyond_a_limit_are_left_to_the_plain_scanner(english: Scanners, text: str) -> None:
    check(english, ["[[before]]", text, "[[after]]"])


def texts_of(dump: Dump) -> Iterator[list[str]]:
    """Yield the texts of a dump without redirects, some megabytes at a time."""
    for block in dump.blocks():
        yield [page.text for page in read_pages(block, dump.site, Counter()) if page.redirect is None]


@pytest.mark.parametrize(
    "file", ["schoolswiki-pages-articles-multistream.xml.bz2", "itwiki-small-dump.xml.gz", "ltgwiki-pages-articles.xml.bz2"]
)
def test_both_scanners_read_real_pages_alike(data: Path, file: str) -> None:
    dump = Dump(data / "wiki" / file)
    titles, language = Titles(dump.site), find_language(dump.site.language)
    compiled, plain = CompiledScanner(titles, language), Scanner(titles, language)
    pages = 0
    for texts in texts_of(dump):
        check((compiled, plain), texts)
        pages += len(texts)
    assert pages > 500


def test_few_real_pages_exceed_a_limit_of_the_compiled_scanner(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = Dump(data / "wiki" / "enwik8.gz")
    compiled = CompiledScanner(Titles(dump.site), find_language(dump.site.language))
    texts = next(texts_of(dump))
    given_up: list[str] = []
    read = compiled.read

    def record(text: str) -> object:
        given_up.append(text)
        return read(text)

    monkeypatch.setattr(compiled, "read", record)
    compiled.read_all(texts)
    assert 0 < len(given_up) < len(texts) / 20


def test_both_scanners_write_the_same_rows_of_a_block(data: Path, tmp_path: Path) -> None:
    dump = Dump(data / "wiki" / "ltgwiki-pages-articles.xml.bz2")
    tables = {}
    for compiled in (False, True):
        folder = tmp_path / str(compiled)
        folder.mkdir()
        task = ReadingTask(str(compiled), dump.site, find_language(dump.site.language), folder, False, 256, compiled=compiled)
        for number, block in enumerate(dump.blocks()):
            extract_block(task, block, number)
        worker = extraction._workers[str(compiled)]
        assert isinstance(worker._scanner, CompiledScanner) == compiled
        tables[compiled] = {file.name: pq.read_table(file).to_pylist() for file in sorted(folder.glob("*.parquet"))}
    assert tables[True] == tables[False]
