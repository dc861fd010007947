"""Titles in MediaWiki's normal form, the data of languages, and the head of a dump."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from tools import language_words

from wayword.graph.schema import BASE_NAME
from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.site import OTHER_WIKI, Site, make_site, read_site
from wayword.loaders.wikipedia.wikitext.titles import MAX_LENGTH, Title, Titles, decode_title, interwiki_prefixes

ENGLISH = Titles(make_site("enwiki"))
GERMAN = Titles(make_site("dewiki", "de"))
LATGALIAN = Titles(make_site("ltgwiki", "ltg"))
SIMPLE = Titles(make_site("simplewiki"))
WIKTIONARY = Titles(make_site("enwiktionary", first_letter=False))


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("dog", "Dog"),
        ("Dog breed", "Dog breed"),
        ("_dog__breed_", "Dog breed"),
        (" dog\u00a0\u2003breed ", "Dog breed"),
        ("dog#Size", "Dog"),
        ("dog_#Size", "Dog"),
        (":dog", "Dog"),
        (": dog", "Dog"),
        ("\u200edog\u200f", "Dog"),
        ("cafe\u0301", "Café"),
        ("caf%C3%A9", "Café"),
        ("caf&eacute;", "Café"),
        ("&#65;&#x42;", "AB"),
        ("AT&T", "AT&T"),
        ("R&amp;D", "R&D"),
        ("a&nbsp;b", "A b"),
        ("%23x", None),
        ("100% cotton", "100% cotton"),
        ("élan", "Élan"),
        ("ßtraße", "ßtraße"),
        ("ʼn", "ʼn"),
        ("ǆ", "Ǆ"),
        ("ᾳ", "ᾼ"),
        ("ა", "ა"),
        ("Star Trek: Voyager", "Star Trek: Voyager"),
        ("star Trek:voyager", "Star Trek:voyager"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("...", "..."),
        ("AC/DC", "AC/DC"),
        (":", None),
        ("", None),
        ("#Size", None),
        ("::dog", None),
        (".", None),
        ("..", None),
        ("a/./b", None),
        ("./a", None),
        ("a/..", None),
        ("a~~~b", None),
        ("a<b", None),
        ("a|b", None),
        ("a[b", None),
        ("a{b", None),
        ("a\tb", None),
        ("a\ufffdb", None),
        ("&#0;x", None),
        ("&#xD800;", None),
        ("%FF", None),
        ("&unknown;", None),
        ("%2541", None),
        ("x" * 255, "X" + "x" * 254),
        ("x" * 256, None),
        ("é" * 127, "É" + "é" * 126),
        ("é" * 128, None),
    ],
)
def test_targets_are_normalised(raw: str, name: str | None) -> None:
    assert ENGLISH.parse(raw) == (None if name is None else Title(0, name))


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("Category:mammals", Title(14, "Mammals")),
        ("CATEGORY : mammals", Title(14, "Mammals")),
        (":category:_mammals", Title(14, "Mammals")),
        ("Image:dog.jpg", Title(6, "Dog.jpg")),
        ("file:dog.jpg", Title(6, "Dog.jpg")),
        ("User talk:x", Title(3, "X")),
        ("user_talk:x", Title(3, "X")),
        ("Special:Search", Title(-1, "Search")),
        ("Category:", None),
        ("Category:#x", None),
        ("Category::x", None),
        ("Category:Category:x", Title(14, "Category:x")),
    ],
)
def test_a_prefix_sets_the_namespace(raw: str, title: Title | None) -> None:
    assert ENGLISH.parse(raw) == title


@pytest.mark.parametrize(
    "raw", ["de:Hund", "DE: Hund", "wikt:dog", ":de:Hund", "zh-min-nan:Káu", "wikipedia:x:y", "simple:Dog"]
)
def test_an_interwiki_prefix_leads_to_another_wiki(raw: str) -> None:
    page = ENGLISH.parse_page(raw.removeprefix(":"), 0)
    assert page is not None
    assert ENGLISH.parse(raw) == page._replace(namespace=OTHER_WIKI)


def test_the_prefix_of_the_wiki_itself_is_ignored() -> None:
    assert ENGLISH.parse("en:dog") == ENGLISH.parse("en: :dog") == Title(0, "Dog")
    assert ENGLISH.parse("en:Category:dogs") == Title(14, "Dogs")
    assert SIMPLE.parse("en:dog") == Title(OTHER_WIKI, "En:dog")  # the same language, but another wiki
    assert SIMPLE.parse("simple:dog") == Title(0, "Dog")


def test_namespaces_have_local_and_english_names() -> None:
    assert GERMAN.parse("kategorie:Tiere") == GERMAN.parse("Category:Tiere") == Title(14, "Tiere")
    assert GERMAN.parse("Bild:x.jpg") == GERMAN.parse("Datei:x.jpg") == Title(6, "X.jpg")
    assert LATGALIAN.parse("Kategoreja:Upis") == Title(14, "Upis")
    assert LATGALIAN.parse("Kategorija:Upis") == Title(0, "Kategorija:Upis")  # a Latvian name: only a fallback of Latgalian
    assert ENGLISH.parse("Kategorie:Tiere") == Title(0, "Kategorie:Tiere")


def test_a_case_sensitive_wiki_keeps_the_first_letter() -> None:
    assert WIKTIONARY.parse("dog") == Title(0, "dog")
    assert WIKTIONARY.parse("user:dog") == Title(2, "Dog")
    assert Titles(replace(make_site("x"), other_case=frozenset({14}))).parse("category:dog") == Title(14, "dog")


def test_turkish_capitalises_its_dotted_i() -> None:
    assert Titles(make_site("trwiki", "tr")).parse("istanbul") == Title(0, "İstanbul")


def test_the_dump_sets_the_namespace_of_a_page() -> None:
    assert LATGALIAN.parse_page("Kategoreja:Upis", 14) == Title(14, "Upis")
    assert LATGALIAN.parse_page("De: x", 0) == Title(0, "De: x")  # a page of this wiki, in spite of its interwiki prefix
    assert LATGALIAN.parse_page("Kategoreja:Upis") == Title(14, "Upis")
    assert LATGALIAN.parse_page("Unknown: Upis", 14) == Title(14, "Upis")
    assert ENGLISH.parse_page("Unknown: Upis", 0) == Title(0, "Unknown: Upis")
    assert ENGLISH.parse_page("x" * 256, 0) is None
    assert ENGLISH.parse_page("x" * 10_000_000) is None


@pytest.mark.parametrize(
    ("raw", "namespace"),
    [
        ("Category:Food", 0),
        ("category:Food", 0),
        ("_CATEGORY__:_Food", 0),
        ("\u200eCategory\u00a0: Food", 0),
        ("Kategorie:Tiere", 0),
        ("Image:Dog.jpg", 0),
        ("Diskussion:Tiere", 14),
        ("Category:Food", 10),
    ],
)
def test_a_page_with_the_prefix_of_another_namespace_is_rejected(raw: str, namespace: int) -> None:
    assert GERMAN.parse_page(raw, namespace) is None


def test_articles_never_have_a_prefix() -> None:
    odd = Titles(make_site("oddwiki", namespaces=[("Category", 0), ("Sorts", 14)]))
    assert odd.parse_page("Category:Food", 0) is None
    assert odd.parse_page("Sorts:Food", 14) == odd.parse_page("Category:Food", 14) == Title(14, "Food")


@given(
    st.sampled_from([0, 14, None]),
    st.text(alphabet=" _:\u00a0\u200e") | st.just(""),
    st.text(alphabet="CcaAtegoryſ:_ \u0130x", max_size=20),
)
def test_no_article_id_can_equal_a_category_id(space: int | None, odd: str, rest: str) -> None:
    for raw in (f"{odd}Category{odd}:{rest}", f"category:{rest}", rest):
        for titles in (ENGLISH, GERMAN, WIKTIONARY):
            title = titles.parse_page(raw, space)
            assert title is None or title.namespace == 14 or not title.name.startswith("Category:")


@given(st.text(max_size=60) | st.text(alphabet="aA:#_ %&;./~1é\u200e", max_size=20))
def test_normalising_a_title_twice_changes_nothing(raw: str) -> None:
    title = ENGLISH.parse(raw)
    if title is not None:
        assert title.name
        assert len(title.name.encode()) <= (512 if title.namespace == -1 else MAX_LENGTH)
        if title.namespace == 0:
            assert ENGLISH.parse_page(title.name, 0) == title


@given(st.text(alphabet="abcAÉé .,'()", min_size=1, max_size=30))
def test_blanks_sections_and_underscores_do_not_matter(raw: str) -> None:
    assert ENGLISH.parse(raw) == ENGLISH.parse(f" _{raw.replace(' ', '_')}_ #{raw}")


def test_titles_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(GERMAN)).parse("kategorie:x") == Title(14, "X")
    assert pickle.loads(pickle.dumps(GERMAN.site)) == GERMAN.site
    assert pickle.loads(pickle.dumps(find_language("de"))) == find_language("de")


def test_targets_are_parsed_in_linear_time() -> None:
    assert ENGLISH.parse("en:" * 1_000_000 + "x") is None
    assert ENGLISH.parse("&amp;" * 1_000_000) is None
    assert ENGLISH.parse("#" * 1_000_000) is None


def test_character_references_are_decoded_once() -> None:
    assert decode_title("&amp;amp;") == "&amp;"
    assert decode_title("%2541") == "%41"
    assert decode_title("&copy without end") == "&copy without end"


def test_interwiki_prefixes_are_stored_case_folded() -> None:
    assert all(prefix == prefix.casefold() and ":" not in prefix for prefix in interwiki_prefixes())
    assert {"de", "ltg", "simple", "zh-min-nan", "wikt", "commons", "w"} <= interwiki_prefixes()


def test_a_language_has_its_own_data() -> None:
    german, french = find_language("de"), find_language("fr")
    assert german.trail.match("ß und")
    assert french.trail.match("été")
    assert find_language("zh").trail.match("狗") is not None
    assert find_language("zh").trail.match("狗")[0] == ""  # type: ignore[index]
    assert "#WEITERLEITUNG" in german.redirects
    assert "__VERSTECKTE_KATEGORIE__" in german.hidden_switches
    assert "einzelnachweise" in german.appendix
    assert "see also" in german.appendix
    assert french.hatnote_starts.match("Article détaillé : x")
    assert french.hatnote_italic_words.search("x (homonymie)")


@pytest.mark.parametrize(
    ("code", "word", "number"),
    [
        ("bar", "bild", 6),  # an alias of German
        ("sah", "изображение", 6),  # an alias of Russian
        ("map-bms", "gambar", 6),  # an alias of Indonesian, the second fallback
        ("jv-x-bms", "gambar", 6),  # the same language as dumps name it
        ("als", "bild", 6),  # a code that MediaWiki replaces by gsw
        ("kk", "sanat", 14),  # another script
        ("sr", "категорија", 14),
        ("sr", "kategorija", 14),
        ("sh", "kategorija", 14),
    ],
)
def test_aliases_and_variants_are_inherited_as_in_mediawiki(code: str, word: str, number: int) -> None:
    assert find_language(code).namespaces[word] == number


def test_the_data_of_every_language_are_valid() -> None:
    codes = json.loads(language_words.OUTPUT.read_text(encoding="utf-8"))["languages"]
    assert len(codes) > 400
    for code in codes:  # each compiles its patterns
        assert {"category": 14, "file": 6, "image": 6}.items() <= find_language(code).namespaces.items()


def test_names_are_inherited_only_where_a_language_has_none() -> None:
    assert "kategorija" not in find_language("ltg").namespaces  # Latvian's name; Latgalian has its own
    assert find_language("gsw").namespaces["vorlage"] == 10  # German's name; Swiss German has none


def test_the_aliases_that_wikimedia_configured_belong_to_one_wiki() -> None:
    assert make_site("eswiki", "es").namespaces["cat"] == 14
    assert "cat" not in make_site("eswikinews", "es").namespaces
    assert "cat" not in make_site("enwiki").namespaces


@pytest.mark.parametrize(
    ("code", "heading"),
    [
        ("af", "sien ook"),
        ("sw", "viungo vya nje"),
        ("uz", "manbalar"),
        ("ta", "மேற்கோள்கள்"),
        ("als", "weblink"),
        ("ku", "çavkanî"),
    ],
)
def test_the_headings_of_smaller_wikipedias_are_known(code: str, heading: str) -> None:
    assert heading in find_language(code).appendix


@pytest.mark.parametrize(
    ("code", "template"),
    [
        ("ast", "dixebra"),
        ("lmo", "desambiguassiù"),
        ("als", "begriffsklärig"),
        ("be-x-old", "неадназначнасьць"),
        ("jv", "disambig"),
    ],
)
def test_the_disambiguation_templates_of_smaller_wikipedias_are_known(code: str, template: str) -> None:
    assert template in find_language(code).disambiguation


@pytest.mark.parametrize(
    ("code", "word"), [("simple", "category"), ("de-at", "kategorie"), ("no", "kategori"), ("zh_min_nan", "category")]
)
def test_codes_of_hosts_and_variants_are_recognised(code: str, word: str) -> None:
    assert find_language(code).namespaces[word] == 14


def test_variants_of_a_language_share_their_words() -> None:
    chinese = find_language("zh").namespaces
    assert chinese["分类"] == chinese["分類"] == chinese["category"] == 14
    assert find_language("no").namespaces["kategori"] == find_language("nb").namespaces["kategori"] == 14


def test_an_unknown_language_has_the_english_conventions() -> None:
    unknown, english = find_language("qqx"), find_language("en")
    assert replace(unknown, code="en") == english


@pytest.mark.parametrize(
    "line",
    [
        "See also: x",
        "Main articles: x",
        "see: x",
        "Related article x",
        "For other uses, see x",
        "Alternative meanings: x",
        "Full article: x",
    ],
)
def test_english_hatnotes_are_recognised(line: str) -> None:
    assert find_language("en").hatnote_starts.match(line)


@pytest.mark.parametrize("line", ["Seen also", "Mainland", "Forever", "Detailsx"])
def test_a_hatnote_begins_with_a_whole_word(line: str) -> None:
    assert not find_language("en").hatnote_starts.match(line)
    assert not find_language("en").hatnote_italic_starts.match(line)


HEAD = (
    """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="{code}"><siteinfo>{info}</siteinfo></mediawiki>"""
)


def site_of(info: str, code: str = "it", file: str = "dump.xml") -> Site:
    return read_site(etree.fromstring(HEAD.format(code=code, info=info)), file)


def test_the_name_of_a_site_is_its_database() -> None:
    assert site_of("<dbname>itwiki</dbname>").name == "itwiki"
    assert site_of("<dbname>../It Wiki</dbname>").name == "it_wiki"
    assert site_of("<base>http://it.wikipedia.org/wiki/X</base>").name == "itwiki"
    assert site_of("<base>https://zh-min-nan.wiktionary.org/wiki/X</base>").name == "zh_min_nanwiktionary"
    assert site_of("<base>https://wiki.example.com/X</base><sitename>My Wiki</sitename>").name == "my_wiki"
    assert site_of("", file="simplewiki-20260101-pages-articles.xml.bz2").name == "simplewiki"
    assert site_of("", file="Grüße.xml").name == "gr_e"
    assert site_of("<base>http://[wiki</base>", file="dump.xml").name == "dump"
    assert site_of(f"<dbname>{'x' * 5000}</dbname>").name == "x" * 100
    assert read_site(None, "ltgwiki-latest.xml").language == "ltg"


def test_wikis_without_usable_names_get_distinct_names() -> None:
    names = ["ウィキ", "百科", "百科 2", "Википедия", "...ウ"]
    found = {site_of(f"<dbname>{name}</dbname>").name for name in names}
    assert len(found) == len(names)
    assert all(BASE_NAME.fullmatch(name) and name.startswith("wiki-") for name in found)
    assert site_of("<dbname>ウィキ</dbname>").name == site_of("<sitename>ウィキ</sitename>").name
    assert site_of("<dbname>2007</dbname>").name == "2007"


def test_a_site_has_its_own_prefix_and_case_rule() -> None:
    assert site_of("<dbname>itwiki</dbname><case>first-letter</case>").prefix == "it"
    wiktionary = site_of("<dbname>itwiktionary</dbname><case>case-sensitive</case>")
    assert not wiktionary.first_letter
    assert 2 in wiktionary.other_case
    spaces = '<namespace key="0" case="case-sensitive" /><namespace key="2302" case="first-letter">G</namespace>'
    spaces = f"<namespaces>{spaces}</namespaces>"
    assert site_of(spaces).other_case >= {2302}
    assert not site_of(spaces).first_letter


def test_names_of_namespaces_come_from_the_dump_and_its_language() -> None:
    spaces = '<namespace key="14">Cosa_Nuova</namespace><namespace key="x">Y</namespace>'
    found = site_of(f"<sitename>Vichi</sitename><namespaces>{spaces}</namespaces>").namespaces
    assert (found["cosa nuova"], found["categoria"], found["category"], found["vichi"]) == (14, 14, 14, 4)
    assert "y" not in found
