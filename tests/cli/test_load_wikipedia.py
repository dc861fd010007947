"""``wayword load wikipedia``: its output, what it stores, and its errors."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ..support.command_line import CAGES, is_one_line, wayword
from ..support.mini_wordnet import write_files
from ..support.wiki_dumps import dump

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop

PAGES = {
    "Dog": "The '''dog''' is a [[mammal]], not a [[cat]] ([[Felidae]]). [[Category:Dogs]]",
    "Mammal": "{{box|[[Dog]]}} [[Nowhere]] [[Category:Dogs]]",
    "Hound": "#REDIRECT [[Dog]]",
    "Loop": "#REDIRECT [[Loop]]",
    "Cat": "A [[dog]] it is not. [[Dog]]!",
    "Felidae": "",
    "Category:Dogs": "",
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("WAYWORD_STORE", str(tmp_path / "graph"))


@pytest.fixture
def path(tmp_path: Path) -> str:
    place = tmp_path / "testwiki.xml"
    place.write_text(dump(PAGES), encoding="utf-8")
    return str(place)


def test_a_load_prints_a_summary_and_a_next_step(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path) -> None:
    ran = wayword(capsys, "load", "wikipedia", path, "--workers", "1")
    assert ran.code == 0
    assert ran.out.startswith("Loaded testwiki from testwiki.xml in ")
    assert ran.out.splitlines()[1] == "  4 articles · 1 redirect · 1 category · 5 labels · 3 left out (see wayword info)"
    next_step = ran.err.splitlines()[-1]  # progress comes before it on a slow machine
    assert next_step == "Next: wayword senses --base testwiki dog"
    answer = wayword(capsys, *next_step.split()[2:])
    assert answer.code == 0
    assert "The dog is a mammal" in answer.out
    info = wayword(capsys, "info", "--json").json()
    assert [base["id"] for base in info["bases"]] == ["testwiki"]
    assert not list((tmp_path / "cache" / "wayword" / "wikipedia").iterdir())


def test_options_reach_the_loader(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path) -> None:
    given = ["--name", "mine", "--first-links", "1", "--count-all-links", "--keep-disambiguation", "--keep-hidden"]
    folder = str(tmp_path / "bundle")
    ran = wayword(
        capsys,
        "load",
        "wikipedia",
        path,
        *given,
        "--hide",
        "^Old",
        "--disambiguation",
        "Which",
        "--workers",
        "1",
        "--bundle",
        folder,
        "--json",
    )
    summary = ran.json()
    assert summary["id"] == "mine"
    assert summary["source"] == "testwiki.xml"
    assert summary["options"] == {
        "first_links": 1,
        "count_all_links": True,
        "keep_disambiguation": True,
        "disambiguation_templates": ["Which"],
        "keep_hidden": True,
        "hidden_patterns": ["^Old"],
    }
    assert summary["counts"]["LINKS_TO"] == 2
    assert summary["left_out"]["link_beyond_first"] == 2
    assert (tmp_path / "bundle" / "graph").is_dir()
    every = wayword(capsys, "load", "wikipedia", path, "--all-links", "--workers", "1", "--json").json()
    assert every["counts"]["LINKS_TO"] == 4
    assert every["options"] == {"first_links": None}


def test_verbose_lists_examples_of_what_is_left_out(capsys: pytest.CaptureFixture[str], path: str) -> None:
    ran = wayword(capsys, "--verbose", "load", "wikipedia", path, "--workers", "1")
    assert "left out: 1 redirect that leads in a circle, such as Loop\n" in ran.err
    assert "left out: 1 link to a missing page, such as Nowhere\n" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.xml"], "there is no file"),
        ([""], "the name is empty"),
        (["--bundle", "", "DUMP"], "the name is empty"),
        (["--sql", "no-such-folder", "DUMP"], "there is no folder 'no-such-folder' of SQL dumps"),
        (["--sql", "DUMP", "DUMP"], "testwiki.xml is a file; give the folder that contains it"),
        (["--first-links", "9" * 30, "DUMP"], "is not in the range"),
        (["--name", "My Wiki", "DUMP"], "'My Wiki' cannot name a base"),
        (["--name", "a" * 101, "DUMP"], "use at most 100"),
        (["--hide", "(", "DUMP"], "'(' is not a regular expression"),
        (["--first-links", "-1", "DUMP"], "-1 is not in the range"),
        (["--first-links", "20", "--all-links", "DUMP"], "contradict each other"),
        (["--workers", "0", "DUMP"], "0 is not in the range"),
        (["--workers", "1000", "DUMP"], "1000 is not in the range"),
        (["--hide", "", "DUMP"], "it is empty; give a text"),
    ],
)
def test_invalid_arguments_are_errors_of_one_line(
    capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path, arguments: list[str], message: str
) -> None:
    ran = wayword(capsys, "load", "wikipedia", *(path if each == "DUMP" else each for each in arguments))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert message in ran.err
    assert not (tmp_path / "graph").exists()


def test_a_folder_with_other_files_is_not_a_work_folder(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path) -> None:
    ran = wayword(capsys, "load", "wikipedia", path, "--bundle", str(tmp_path))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert "holds other files" in ran.err
    assert [each.name for each in tmp_path.iterdir()] == ["testwiki.xml"]


def test_a_truncated_dump_is_loaded_with_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "cut.xml"
    place.write_text(dump(PAGES)[:-200], encoding="utf-8")
    ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1")
    assert ran.code == 0
    assert f"Warning: {place} is truncated or damaged, so pages may be missing; " in ran.err
    place.write_text(dump(PAGES).replace("A [[dog]] it is not.", "<b>"), encoding="utf-8")
    ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1")
    assert ran.code == 0
    assert f"{place} is truncated or damaged, so pages may be missing; " in ran.err


def test_data_after_the_end_of_a_dump_is_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "more.xml.gz"
    place.write_bytes(gzip.compress(dump(PAGES).encode()) + b"rubbish")
    ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1")
    assert ran.code == 0
    assert ran.err.startswith(f"{place} is damaged, or has other data, after the end of the wiki; the wiki is complete\n")


def test_a_work_folder_is_for_one_dump(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    assert wayword(capsys, "load", "wikipedia", path, "--workers", "1", "--bundle", str(folder)).code == 0
    before = (folder / "graph" / "Article.parquet").read_bytes()
    other = tmp_path / "other.xml"
    other.write_text(dump({"Tree": "A [[tree]]."}, name="otherwiki"), encoding="utf-8")
    ran = wayword(capsys, "load", "wikipedia", str(other), "--workers", "1", "--bundle", str(folder))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert "holds the work on another dump, testwiki.xml of testwiki; name another folder" in ran.err
    assert (folder / "graph" / "Article.parquet").read_bytes() == before
    Path(path).write_text(dump({"Tree": "A [[tree]]."}), encoding="utf-8")
    assert wayword(capsys, "load", "wikipedia", path, "--workers", "1", "--bundle", str(folder)).code == 0
    assert (folder / "graph" / "Article.parquet").read_bytes() != before


BROKEN: Mapping[str, Callable[[str], str]] = {
    "7 pages that are not well-formed XML": lambda text: text.replace("</text>", "</text></text>"),
    "7 pages without text": lambda text: re.sub("<text.*?</text>", '<text bytes="9" />', text),
    "7 pages without a valid title": lambda text: re.sub("<title>.*?</title>", "<title>[</title>", text),
    "6 pages that are not well-formed XML": lambda text: text.replace("<ns>0</ns>", "<ns>0"),
}


@pytest.mark.slow
@pytest.mark.parametrize("reason", BROKEN)
def test_a_dump_without_a_readable_article_leaves_the_base_unchanged(
    capsys: pytest.CaptureFixture[str], path: str, reason: str
) -> None:
    assert wayword(capsys, "load", "wikipedia", path, "--workers", "1").code == 0
    before = wayword(capsys, "info", "--json").out
    place = Path(path)
    place.write_text(BROKEN[reason](place.read_text(encoding="utf-8")), encoding="utf-8")
    ran = wayword(capsys, "load", "wikipedia", path, "--workers", "1")
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert ran.err == f"Error: {path} has no readable article ({reason}); download the wiki's pages-articles again\n"
    assert wayword(capsys, "info", "--json").out == before


def test_info_is_suggested_after_loading_a_wiki_without_labels(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "categories.xml"
    place.write_text(dump({"Category:Dogs": "[[Category:Animals]]", "Category:Animals": ""}), encoding="utf-8")
    ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1")
    assert ran.code == 0
    assert ran.err == "Next: wayword info\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"[1]*?.xml", b"a\nb.xml", b"caf\xe9.xml", b"it's.xml", b"a\\b.xml"])
def test_a_dump_may_have_any_file_name(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path, name: bytes) -> None:
    place = Path(path).rename(tmp_path / os.fsdecode(name))
    ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1")
    assert ran.code == 0
    assert ran.out.count("\n") == 3
    assert "4 articles" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["[1]*?", "**", "it's", "a\\b", "{a,b}"])
def test_a_work_folder_may_have_any_name(capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path, name: str) -> None:
    ran = wayword(capsys, "load", "wikipedia", path, "--workers", "1", "--bundle", str(tmp_path / name))
    assert ran.code == 0
    assert "4 articles" in ran.out


def test_a_work_folder_with_a_name_outside_utf_8_is_an_error(
    capsys: pytest.CaptureFixture[str], path: str, tmp_path: Path
) -> None:
    ran = wayword(capsys, "load", "wikipedia", path, "--bundle", str(tmp_path / os.fsdecode(b"caf\xe9")))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert "is not valid UTF-8" in ran.err


def test_a_wiki_never_replaces_a_wordnet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_files(tmp_path / "dict", CAGES)
    assert wayword(capsys, "load", "wordnet", str(tmp_path / "dict")).code == 0
    place = tmp_path / "dump.xml"
    place.write_text(dump(PAGES, name="wordnet"), encoding="utf-8")
    for name in ([], ["--name", "wordnet"]):
        ran = wayword(capsys, "load", "wikipedia", str(place), "--workers", "1", *name)
        assert ran.code == 2
        assert is_one_line(ran.err)
        assert "name another base with --name, or remove it with: wayword unload wordnet" in ran.err
    assert [base["kind"] for base in wayword(capsys, "info", "--json").json()["bases"]] == ["wordnet"]
    assert wayword(capsys, "unload", "wordnet", "--yes").code == 0
    assert wayword(capsys, "load", "wikipedia", str(place), "--workers", "1").code == 0
