"""From a dump to a store: nodes, relationships, numbers, and counts of what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from wayword import loaders
from wayword.core.left_out import WORDS
from wayword.graph.errors import LoadError
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.memory import MemoryStore
from wayword.graph.store import Store
from wayword.loaders import SourceError, SourceMissing
from wayword.loaders.wikipedia.dump.pages import UNTITLED_PAGE
from wayword.loaders.wikipedia.joins.graph_tables import LINK_BEYOND_FIRST
from wayword.loaders.wikipedia.options import Options
from wayword.loaders.wikipedia.work_folder import WorkFolderBusy, WorkFolderRefused

from ...support.wiki_dumps import dump, edges, names, nodes, page

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write_pages(folder: Path, pages: Mapping[str, str] | list[tuple[str, str]]) -> Path:
    path = folder / "dump.xml"
    path.write_text(dump(pages), encoding="utf-8")
    return path


def load_pages(folder: Path, pages: Mapping[str, str] | list[tuple[str, str]], options: Options | None = None) -> Store:
    store = MemoryStore()
    with loaders.open_wikipedia(write_pages(folder, pages), options=options, workers=1) as loader:
        ingest(store, loader)
    return store


def left_out(store: Store) -> Mapping[str, int]:
    (base,) = store.bases()
    assert base.left_out.keys() <= WORDS.keys()
    return base.left_out


def senses(store: Store, label: str) -> list[tuple[str, int, float]]:
    entry = store.labels("testwiki", [label])[label]
    return [(sense.entity.partition(":")[2], sense.uses, round(sense.prior, 6)) for sense in entry.senses]


# -- articles and redirects ---------------------------------------------------------------------------------------------------


def test_an_article_with_the_title_of_a_category_loses_only_itself(tmp_path: Path) -> None:
    pages = {"Dog": "A [[dog]]. [[Category:Dogs]] [[:Category:Dogs]]", "Category:Dogs": ""}
    strays = [page("Category:Dogs", "An [[dog|article]] that is none.", 8), page("category:_Dogs", "#REDIRECT [[Dog]]", 9)]
    path = write_pages(tmp_path, pages)
    text = path.read_text(encoding="utf-8").replace("</mediawiki>", "".join(strays).replace("<ns>14</ns>", "<ns>0</ns>"))
    path.write_text(text + "</mediawiki>", encoding="utf-8")
    with loaders.open_wikipedia(path, workers=1) as loader, EmbeddedStore(tmp_path / "graph") as store:
        ingest(store, loader)
        assert names(store, "Article") == ["Dog"]
        assert names(store, "Redirect") == []
        assert names(store, "Category") == ["Dogs"]
        assert edges(store, "CENTRAL_TO") == [("Dog", "Category:Dogs")]
        assert left_out(store)[UNTITLED_PAGE] == 2


def test_the_base_records_its_source_and_options(tmp_path: Path) -> None:
    store = load_pages(tmp_path, {"Dog": "A [[dog]]."}, Options(first_links=None, keep_hidden=True))
    (base,) = store.bases()
    assert (base.id, base.kind, base.language) == ("testwiki", "wikipedia", "en")
    assert base.source == "dump.xml"
    assert base.options == {"first_links": None, "keep_hidden": True}


def test_redirects_are_followed_to_their_end(tmp_path: Path) -> None:
    chain = {f"R{number}": f"#REDIRECT [[R{number + 1}]]" for number in range(1, 40)}
    store = load_pages(tmp_path, {**chain, "R40": "#REDIRECT [[Dog#Section]]", "Dog": "An [[R1]]."})
    assert edges(store, "REDIRECTS_TO") == sorted((f"R{number}", "Dog") for number in range(1, 41))
    assert senses(store, "r1") == [("Dog", 2, 1.0)]
    assert not {reason for reason in left_out(store) if "redirect" in reason}


def test_redirect_loops_and_dead_ends_are_counted(tmp_path: Path) -> None:
    store = load_pages(
        tmp_path,
        {
            "Self": "#REDIRECT [[Self]]",
            "A": "#REDIRECT [[B]]",
            "B": "#REDIRECT [[C]]",
            "C": "#REDIRECT [[A]]",
            "Into": "#REDIRECT [[A]]",
            "Gone": "#REDIRECT [[Nowhere]]",
            "Other": "#REDIRECT [[Wikipedia:About]]",
            "Outside": "#REDIRECT [[:de:Hund]]",
            "Later": "#REDIRECT [[Gone]]",
            "Dog": "See [[A]], [[Gone]], [[Into]] and [[Self]].",
        },
    )
    assert names(store, "Article") == ["Dog"]
    assert names(store, "Redirect") == []
    assert names(store, "Label") == ["dog"]
    assert left_out(store) == {
        "redirect_loop": 5,
        "redirect_to_no_article": 4,
        "link_to_missing_page": 4,
    }


def test_the_first_of_several_pages_with_one_title_is_used(tmp_path: Path) -> None:
    store = load_pages(
        tmp_path,
        [
            ("Dog", "First: [[Wolf]]. [[Category:Pets]]"),
            ("Wolf", "#REDIRECT [[Dog]]"),
            ("Dog", "Second: [[Cat]]. [[Category:Cats]]"),
            ("Wolf", "An article that comes too late: [[Cat]]."),
            ("Category:Pets", ""),
            ("Category:Cats", ""),
            ("Category:Pets", "[[Category:Cats]]"),
            ("Cat", "None."),
        ],
    )
    assert names(store, "Article") == ["Cat", "Dog"]
    assert edges(store, "REDIRECTS_TO") == [("Wolf", "Dog")]
    assert edges(store, "IN_CATEGORY") == [("Dog", "Category:Pets")]
    assert edges(store, "SUBCATEGORY_OF") == []
    assert left_out(store)["duplicate_title"] == 3
    assert senses(store, "cat") == [("Cat", 1, 1.0)]


def test_pages_of_other_namespaces_are_left_out(tmp_path: Path) -> None:
    store = load_pages(tmp_path, {"Dog": "", "Template:Dog": "[[Dog]]", "File:Dog.jpg": "[[Dog]]", "Wikipedia:Dog": "[[Dog]]"})
    assert names(store, "Article") == ["Dog"]
    assert senses(store, "dog") == [("Dog", 1, 1.0)]
    assert left_out(store) == {"other_namespace": 3}


# -- disambiguation -----------------------------------------------------------------------------------------------------------

JAGUARS = {
    "Jaguar": "'''Jaguar''' may be [[Jaguar (cat)|jaguar]] or [[Jaguar Cars|jaguar]]. {{disambig}} [[Category:Names]]",
    "Jaguars (disambiguation)": "[[Jaguar (cat)|jaguar]]",
    "The Jaguar": "#REDIRECT [[Jaguar]]",
    "Jaguar (cat)": "Not [[Jaguar]] nor [[The Jaguar|jaguar]]. [[Category:Names]]",
    "Jaguar Cars": "",
    "Category:Names": "",
}


def test_links_of_disambiguation_pages_count_although_the_pages_are_no_senses(tmp_path: Path) -> None:
    store = load_pages(tmp_path, JAGUARS)
    assert senses(store, "jaguar") == [("Jaguar (cat)", 2, 0.666667), ("Jaguar Cars", 1, 0.333333)]
    assert {row["name"]: (row["disambiguation"], row["stem"]) for row in nodes(store, "Article")} == {
        "Jaguar": (True, None),
        "Jaguar (cat)": (False, "jaguar"),
        "Jaguar Cars": (False, None),
        "Jaguars (disambiguation)": (True, None),
    }
    assert names(store, "Redirect") == []
    assert edges(store, "IN_CATEGORY") == [("Jaguar (cat)", "Category:Names")]
    assert [row["members"] for row in nodes(store, "Category")] == [1]
    assert left_out(store) == {
        "redirect_to_disambiguation": 1,
        "category_link_of_disambiguation": 1,
        "link_to_disambiguation": 2,
    }
    assert edges(store, "LINKS_TO")[0] == ("Jaguar", "Jaguar (cat)", 1, 1, "jaguar")
    assert {edge[1] for edge in edges(store, "LINKS_TO")} == {"Jaguar (cat)", "Jaguar Cars"}  # nothing leads to a list of names


def test_disambiguation_pages_can_be_kept(tmp_path: Path) -> None:
    store = load_pages(tmp_path, JAGUARS, Options(keep_disambiguation=True))
    assert senses(store, "jaguar") == [("Jaguar", 3, 0.5), ("Jaguar (cat)", 2, 0.333333), ("Jaguar Cars", 1, 0.166667)]
    assert names(store, "Redirect") == ["The Jaguar"]
    assert edges(store, "IN_CATEGORY") == [("Jaguar", "Category:Names"), ("Jaguar (cat)", "Category:Names")]
    assert left_out(store) == {}


# -- categories ---------------------------------------------------------------------------------------------------------------


def test_disambiguation_templates_can_be_added(tmp_path: Path) -> None:
    pages = {"Seal": "{{Which_one}} A [[Seal (stamp)|seal]].", "Seal (stamp)": "It [[seal]]s."}
    assert {sense[0] for sense in senses(load_pages(tmp_path, pages), "seal")} == {"Seal (stamp)", "Seal"}
    store = load_pages(tmp_path, pages, Options(disambiguation_templates=("which one",)))
    assert [sense[0] for sense in senses(store, "seal")] == ["Seal (stamp)"]
    (base,) = store.bases()
    assert base.options == {"first_links": 20, "disambiguation_templates": ["which one"]}


def test_breadth_counts_each_stored_child_once(tmp_path: Path) -> None:
    store = load_pages(
        tmp_path,
        {
            "Category:Animals": "[[Category:Animals]] [[Category:Life]]",
            "Category:Life": "[[Category:Animals]] [[Category:No page]]",
            "Category:Pets": "[[Category:Animals]] [[Category:Animals| ]] [[:Category:Life]]",
            "Category:Moved": "#REDIRECT [[Category:Animals]]",
            "Category:Hidden": "__HIDDENCAT__ [[Category:Animals]]",
            "Category:CS1 dogs": "[[Category:Animals]]",
            "Dog": "[[Category:Pets]] [[category: pets|dog]] [[Category:Hidden]] [[Category:Moved]] [[Category:CS1 dogs]]",
            "Cat": "[[Category:Pets]] [[Category:Animals]]",
            "Hound": "#REDIRECT [[Dog]] [[Category:Pets]]",
        },
    )
    assert [(row["name"], row["members"], row["subcategories"]) for row in nodes(store, "Category")] == [
        ("Animals", 1, 2),
        ("Life", 0, 1),
        ("Pets", 2, 0),
    ]
    assert edges(store, "SUBCATEGORY_OF") == [
        ("Category:Animals", "Category:Life"),
        ("Category:Life", "Category:Animals"),
        ("Category:Pets", "Category:Animals"),
    ]
    assert left_out(store) == {
        "hidden_category": 2,
        "redirecting_category": 1,
        "category_link_of_hidden": 2,
        "category_link_to_hidden": 2,
        "category_link_to_redirect": 1,
        "category_link_to_missing": 1,
        "duplicate_category_link": 2,
        "category_link_to_self": 1,
    }


def test_hidden_categories_can_be_kept_and_others_hidden(tmp_path: Path) -> None:
    pages = {
        "Category:Stubs": "",
        "Category:Dog stubs": "",
        "Category:Secret": "__HIDDENCAT__",
        "Category:To do": "",
        "Dog": "",
    }
    assert names(load_pages(tmp_path, pages), "Category") == ["To do"]
    assert names(load_pages(tmp_path, pages, Options(keep_hidden=True)), "Category") == [
        "Dog stubs",
        "Secret",
        "Stubs",
        "To do",
    ]
    assert names(load_pages(tmp_path, pages, Options(hidden_patterns=("^To ",))), "Category") == ["Dog stubs", "Stubs"]


def test_the_central_article_does_not_count_as_a_member(tmp_path: Path) -> None:
    store = load_pages(
        tmp_path,
        {
            "Category:Oranges": "",
            "Category:Felines (cats)": "",
            "Category:Dogs": "",
            "Orange (fruit)": "[[Category:Oranges]]",
            "Blood orange": "[[Category:Oranges]]",
            "Cat": "[[Category:Felines (cats)]]",
            "Feline": "#REDIRECT [[Cat]]",
            "Dog": "Is in no category.",
            "Wolf": "[[Category:Dogs]]",
        },
    )
    assert edges(store, "CENTRAL_TO") == [("Cat", "Category:Felines (cats)"), ("Orange (fruit)", "Category:Oranges")]
    assert edges(store, "IN_CATEGORY") == [("Blood orange", "Category:Oranges"), ("Wolf", "Category:Dogs")]
    assert [(row["name"], row["members"]) for row in nodes(store, "Category")] == [
        ("Dogs", 1),
        ("Felines (cats)", 0),
        ("Oranges", 1),
    ]


# -- labels and senses --------------------------------------------------------------------------------------------------------


def test_ties_are_broken_by_the_title_in_code_point_order(tmp_path: Path) -> None:
    titles = ["Zebra", "apple", "Äpfel", "Éclair", "Ångström", "A", "\U0001f600", "\uff21", "B"]
    raised = [title[0].upper() + title[1:] for title in titles]
    pages = dict.fromkeys(titles, "") | {"Other": " ".join(f"[[{title}|it]]" for title in titles)}
    store = load_pages(tmp_path, pages)
    assert [title for title, _, _ in senses(store, "it")] == sorted(raised)
    assert [sense.rank for sense in store.labels("testwiki", ["it"])["it"].senses] == list(range(1, len(titles) + 1))


def test_uses_of_labels_are_counted_by_article(tmp_path: Path) -> None:
    store = load_pages(
        tmp_path,
        {
            "Dog": "[[Wolf|The Wild_Dog]], [[wolf]]s, [[Dog]], [[Café|  the wild   dog]], [[Missing|the wild dog]]",
            "Wolf": "{{box|[[Dog|the wild dog]]}} <ref>[[Dog|the wild dog]]</ref>",
            "Café": "",
            "Cafe": "#REDIRECT [[Café]]",
        },
    )
    assert senses(store, "the wild dog") == [("Café", 1, 0.5), ("Wolf", 1, 0.5)]
    assert senses(store, "cafe") == senses(store, "café") == [("Café", 1, 1.0)]
    assert senses(store, "dog") == [("Dog", 2, 1.0)]
    assert senses(store, "wolfs") == [("Wolf", 1, 1.0)]
    assert {row["name"]: row["uses"] for row in nodes(store, "Label")} == {
        "the wild dog": 2, "cafe": 1, "café": 1, "dog": 2, "wolf": 1, "wolfs": 1,
    }  # fmt: skip
    assert edges(store, "FORM") == [
        ("cafe", "cafe"),
        ("café", "café"),
        ("dog", "dog"),
        ("the wild dog", "the wild dog"),
        ("wolf", "wolf"),
        ("wolf", "wolfs"),
    ]
    assert edges(store, "FOLDS") == [("cafe", "café")]
    assert left_out(store) == {"link_to_missing_page": 1, "link_outside_text": 2}


def test_links_outside_the_text_can_be_counted(tmp_path: Path) -> None:
    pages = {"Dog": "", "Wolf": "{{box|[[Dog|hound]]}} <ref>[[Dog|hound]]</ref> [[Dog|hound]]"}
    assert senses(load_pages(tmp_path, pages), "hound") == [("Dog", 1, 1.0)]
    store = load_pages(tmp_path, pages, Options(count_all_links=True))
    assert senses(store, "hound") == [("Dog", 3, 1.0)]
    assert edges(store, "LINKS_TO") == [("Wolf", "Dog", 1, 1, "hound")]


def test_links_without_a_usable_label_are_still_body_links(tmp_path: Path) -> None:
    long = "d" * 257
    pages = {"Dog": "", "Wolf": f"[[Dog|{long}]] [[Dog|{long[1:]}]] [[Dog|\u200b]]"}
    store = load_pages(tmp_path, pages)
    assert names(store, "Label") == [long[1:], "dog", "wolf"]
    assert left_out(store) == {"link_with_long_text": 1, "link_without_text": 1}
    assert [edge[:4] for edge in edges(store, "LINKS_TO")] == [("Wolf", "Dog", place, place) for place in (1, 2, 3)]


# -- body links ---------------------------------------------------------------------------------------------------------------

BODY = {
    "Self": "([[B]]) [[A]] [[Self]] [[Me]] [[Missing]] ([[A]]) [[B|bees]] {{x|[[C]]}} [[A]] [[Old C]]\n== See also ==\n[[D]]",
    "Me": "#REDIRECT [[Self]]",
    "Old C": "#REDIRECT [[C]]",
    **dict.fromkeys("ABCD", ""),
}


def links_of_self(store: Store, type: str) -> list[tuple[Any, ...]]:
    return sorted((edge[1:] for edge in edges(store, type) if edge[0] == "Self"), key=lambda edge: edge[-2])


def test_a_prefix_of_another_wiki_is_part_of_the_title_of_a_page_that_begins_so(tmp_path: Path) -> None:
    pages = {
        "Self": "[[de:Hund]] [[Ru:Dogs]] [[:zh:Dogs|the dogs]] [[wikt:dog|word]] [[Ru:Dogs|]] [[Missing]] ([[C:A]])",
        "Ru:Dogs": "", "Zh:Dogs": "", "C:A": "", "Moved": "#REDIRECT [[Ru:Dogs]]",
    }  # fmt: skip
    store = load_pages(tmp_path, pages)
    assert links_of_self(store, "LINKS_TO") == [("Ru:Dogs", 1, 1, "Ru:Dogs"), ("Zh:Dogs", 2, 2, "the dogs")]
    assert links_of_self(store, "LINKS_IN_PARENTHESES") == [("C:A", 3, "C:A")]
    assert edges(store, "REDIRECTS_TO") == [("Moved", "Ru:Dogs")]
    assert senses(store, "the dogs") == [("Zh:Dogs", 1, 1.0)]
    assert left_out(store) == {"link_to_missing_page": 1}


def test_links_with_a_blank_label_are_no_links(tmp_path: Path) -> None:
    store = load_pages(tmp_path, {"Self": "[[Dog| ]] [[Cat]] [[Category:Dogs| ]]", "Dog": "", "Cat": "", "Category:Dogs": ""})
    assert links_of_self(store, "LINKS_TO") == [("Cat", 1, 1, "Cat")]
    assert edges(store, "IN_CATEGORY") == [("Self", "Category:Dogs")]
    assert left_out(store) == {}


def test_body_links_have_ranks_and_positions(tmp_path: Path) -> None:
    store = load_pages(tmp_path, BODY)
    assert links_of_self(store, "LINKS_TO") == [("A", 1, 2, "A"), ("B", 2, 4, "bees"), ("A", 3, 5, "A"), ("C", 4, 6, "Old C")]
    assert links_of_self(store, "LINKS_IN_PARENTHESES") == [("B", 1, "B"), ("A", 3, "A")]
    assert LINK_BEYOND_FIRST not in left_out(store)


@pytest.mark.parametrize(
    ("first", "ranks", "places"), [(0, [], []), (1, [1], [1]), (3, [1, 2, 3], [1, 3]), (None, [1, 2, 3, 4], [1, 3])]
)
def test_first_links_limits_the_body_links(tmp_path: Path, first: int | None, ranks: list[int], places: list[int]) -> None:
    store = load_pages(tmp_path, BODY, Options(first_links=first))
    assert [edge[1] for edge in links_of_self(store, "LINKS_TO")] == ranks
    assert [edge[1] for edge in links_of_self(store, "LINKS_IN_PARENTHESES")] == places
    assert left_out(store).get(LINK_BEYOND_FIRST, 0) == 4 - len(ranks)


# -- SQL dumps ----------------------------------------------------------------------------------------------------------------

MADE_BY_TEMPLATES = {
    "Dog": "{{pet}} [[Category:Animals]]",
    "Cat": "{{pet}}",
    "Hound": "#REDIRECT [[Dog]]",
    "Category:Pets": "{{animals}}",
    "Category:Animals": "",
    "Category:To do": "{{hidden}}",
    "Names": "{{names}} [[Cat]]",
}
IDS = {title: number for number, title in enumerate(MADE_BY_TEMPLATES, start=1)}


def table(name: str, columns: str, rows: list[tuple[object, ...]]) -> str:
    values = ",".join("(" + ",".join(f"'{each}'" if isinstance(each, str) else str(each) for each in row) + ")" for row in rows)
    declarations = ",\n".join(f"  `{column}` varbinary(255) NOT NULL" for column in columns.split())
    return f"CREATE TABLE `{name}` (\n{declarations}\n) ENGINE=InnoDB;\nINSERT INTO `{name}` VALUES {values};\n"


def sql_folder(folder: Path, *, old: bool) -> Path:
    links = [("Dog", "Pets"), ("Dog", "Animals"), ("Cat", "Pets"), ("Cat", "To_do"), ("Hound", "Pets"), ("Names", "Pets")]
    links += [("Category:Pets", "Animals"), ("Cat", "No_page")]
    targets = {name: number for number, name in enumerate(dict.fromkeys(name for _, name in links), start=70)}
    place = folder / ("old" if old else "new")
    place.mkdir()

    def write(name: str, columns: str, rows: list[tuple[object, ...]]) -> None:
        (place / f"testwiki-20250101-{name}.sql").write_text(table(name, columns, rows))

    if old:
        write("categorylinks", "cl_from cl_to cl_type", [(IDS[page], name, "page") for page, name in links])
    else:
        write("categorylinks", "cl_from cl_type cl_target_id", [(IDS[page], "page", targets[name]) for page, name in links])
        rows: list[tuple[object, ...]] = [(number, 14, name) for name, number in targets.items()]
        write("linktarget", "lt_id lt_namespace lt_title", [*rows, (99, 0, "Dog")])
    marks: list[tuple[object, ...]] = [(IDS["Category:To do"], "hiddencat", ""), (IDS["Names"], "disambiguation", "")]
    write("page_props", "pp_page pp_propname pp_value", [*marks, (IDS["Dog"], "wikibase_item", "Q144")])
    return place


@pytest.mark.parametrize("old", [True, False])
def test_sql_dumps_add_categories_made_by_templates(tmp_path: Path, old: bool) -> None:
    store = MemoryStore()
    path = write_pages(tmp_path, MADE_BY_TEMPLATES)
    with loaders.open_wikipedia(path, sql=sql_folder(tmp_path, old=old), workers=1) as loader:
        ingest(store, loader)
    assert edges(store, "IN_CATEGORY") == [
        ("Cat", "Category:Pets"),
        ("Dog", "Category:Animals"),
        ("Dog", "Category:Pets"),
    ]
    assert edges(store, "SUBCATEGORY_OF") == [("Category:Pets", "Category:Animals")]
    assert names(store, "Category") == ["Animals", "Pets"]
    assert {row["name"] for row in nodes(store, "Article") if row["disambiguation"]} == {"Names"}
    (base,) = store.bases()
    assert base.options == {"first_links": 20, "sql": "old" if old else "new"}
    assert base.left_out == {
        "hidden_category": 1,
        "category_link_to_hidden": 1,
        "category_link_to_missing": 1,
        "category_link_of_disambiguation": 1,
    }


def test_missing_sql_dumps_are_an_error_before_the_dump_is_read(tmp_path: Path) -> None:
    path = write_pages(tmp_path, {"Dog": ""})
    with pytest.raises(SourceMissing, match="there is no folder"):
        loaders.open_wikipedia(path, sql=tmp_path / "nowhere")
    folder = sql_folder(tmp_path, old=False)
    (folder / "testwiki-20250101-linktarget.sql").unlink()
    with pytest.raises(SourceMissing, match=r"has no testwiki-20250101-linktarget\.sql"):
        loaders.open_wikipedia(path, sql=folder)


# -- loading ------------------------------------------------------------------------------------------------------------------


def test_two_wikis_share_a_store(tmp_path: Path) -> None:
    store = MemoryStore()
    path = write_pages(tmp_path, JAGUARS)
    for name in ("one", "two", "one"):
        with loaders.open_wikipedia(path, name, workers=1) as loader:
            ingest(store, loader)
    assert [base.id for base in store.bases()] == ["one", "two"]
    assert names(store, "Article", "one") == names(store, "Article", "two")


def test_an_invalid_name_is_rejected_before_the_dump_is_read(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="'My Wiki' cannot name a base"):
        loaders.open_wikipedia(write_pages(tmp_path, {"Dog": ""}), "My Wiki")


def test_an_invalid_pattern_is_rejected_before_the_dump_is_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"'\(' is not a regular expression"):
        loaders.open_wikipedia(write_pages(tmp_path, {"Dog": ""}), options=Options(hidden_patterns=("(",)))


def test_only_a_named_work_folder_remains_after_the_load(tmp_path: Path) -> None:
    path, store = write_pages(tmp_path, {"Dog": ""}), MemoryStore()
    for folder in (None, tmp_path / "bundle"):
        with loaders.open_wikipedia(path, bundle=folder, workers=1) as loader:
            ingest(store, loader)
            assert loader.share() == 1.0
    assert not list((tmp_path / "cache" / "wayword" / "wikipedia").iterdir())
    assert {each.name for each in tmp_path.iterdir()} == {"bundle", "cache", "dump.xml"}
    assert (tmp_path / "bundle" / "graph" / "Article.parquet").is_file()


def test_two_loads_share_a_work_folder_neither_by_default_nor_if_both_name_it(tmp_path: Path) -> None:
    path, bundle = write_pages(tmp_path, {"Dog": ""}), tmp_path / "bundle"
    with loaders.open_wikipedia(path, "one"), loaders.open_wikipedia(path, "two"):
        assert len([each for each in (tmp_path / "cache" / "wayword" / "wikipedia").iterdir() if each.is_dir()]) == 2
    with (
        loaders.open_wikipedia(path, "one", bundle=bundle),
        pytest.raises(WorkFolderBusy, match="another load uses"),
        loaders.open_wikipedia(path, "two", bundle=bundle),
    ):
        pass


def test_a_dump_is_read_with_the_executor_of_the_caller(tmp_path: Path) -> None:
    store = MemoryStore()
    with ThreadPoolExecutor(1) as executor, loaders.open_wikipedia(write_pages(tmp_path, JAGUARS), executor=executor) as loader:
        ingest(store, loader)
    assert names(store, "Article") == names(load_pages(tmp_path, JAGUARS), "Article")


def test_progress_reports_every_stage(tmp_path: Path) -> None:
    reports: list[tuple[str, int, float | None]] = []
    with loaders.open_wikipedia(write_pages(tmp_path, JAGUARS), workers=1) as loader:
        loader.prepare(lambda *each: reports.append(each))
    assert [doing for doing, _, _ in reports] == [
        "reading the dump (MB)", "sorting pages", "resolving links", "counting labels", "writing tables",
    ]  # fmt: skip
    assert reports[0][2] == 1.0


def test_examples_of_what_was_left_out_are_stored(tmp_path: Path) -> None:
    pages = {"Loop": "#REDIRECT [[Loop]]", "Category:Stubs": "", "Dog": "[[Nowhere]] [[Somewhere]] [[Nowhere]]"}
    with loaders.open_wikipedia(write_pages(tmp_path, pages), workers=1) as loader:
        loader.prepare()
    assert loader.examples == {
        "redirect_loop": ["Loop"],
        "hidden_category": ["Stubs"],
        "link_to_missing_page": ["Nowhere", "Somewhere"],
    }


@pytest.mark.parametrize("stage", ["read", "graph"])
def test_damaged_files_of_a_work_folder_are_an_error(tmp_path: Path, stage: str) -> None:
    dump_file, folder = write_pages(tmp_path, {"Dog": "A [[cat]].", "Cat": ""}), tmp_path / "bundle"
    with loaders.open_wikipedia(dump_file, bundle=folder, workers=1) as loader:
        loader.prepare()
    for place in (folder / stage).glob("*.parquet"):
        place.write_bytes(b"\0" * place.stat().st_size)
    other = Options(keep_hidden=stage == "read")  # so that the stage after this one runs again
    with (
        pytest.raises(WorkFolderRefused, match=r"the files in .*bundle are damaged \(.*\); remove that folder and load again"),
        loaders.open_wikipedia(dump_file, options=other, bundle=folder, workers=1) as loader,
    ):
        ingest(MemoryStore(), loader)


def test_a_dump_that_changes_while_it_is_read_is_rejected(tmp_path: Path) -> None:
    place = write_pages(tmp_path, {"Dog": "A [[cat]].", "Cat": ""})

    def grow(doing: str, _done: int, _share: float | None) -> None:
        if doing.startswith("reading"):
            with place.open("a") as file:
                file.write("more")

    with (
        pytest.raises(SourceError, match="changed while it was read; load it again when it is complete"),
        loaders.open_wikipedia(place, workers=1) as loader,
    ):
        loader.prepare(grow)
