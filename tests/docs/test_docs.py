"""README and docs are true: commands print the output shown, snippets run, and links and names lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tools import refresh_docs

import wayword

from ..support import ROOT
from ..support.mini_wordnet import MiniSynset, write_files

PAGES: list[Path] = refresh_docs.PAGES
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
REAL = os.environ.get("WAYWORD_TEST_DATA")
WORDNET = "wordnet/wordnet31_nltk_dict.tar.gz"
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


# With this small WordNet every command of the pages has an answer, even without the real data.
SMALL = [
    MiniSynset("n", ["entity"]),
    MiniSynset("n", ["enclosure"], points=[("@", 0, 0, 0), ("+", 8, 1, 1)]),
    MiniSynset("n", ["cage", "coop"], points=[("@", 1, 0, 0)]),
    MiniSynset("n", ["birdcage"], points=[("@", 2, 0, 0)]),
    MiniSynset("n", ["room"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["toilet", "powder_room"], points=[("@", 4, 0, 0)]),
    MiniSynset("n", ["public_toilet"], points=[("@", 5, 0, 0)]),
    MiniSynset("n", ["goose"], points=[("@", 0, 0, 0)]),
    MiniSynset("v", ["enclose"], points=[("+", 1, 1, 1)]),
    MiniSynset("v", ["admire"], points=[("+", 10, 1, 1)]),
    MiniSynset("n", ["admiration", "appreciation"], points=[("@", 0, 0, 0), ("+", 9, 1, 1)]),
    MiniSynset("n", ["bedroom"], points=[("@", 4, 0, 0)]),
    MiniSynset("a", ["smelly"]),
    MiniSynset("n", ["citrus"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["orange"], points=[("@", 13, 0, 0)]),
    MiniSynset("n", ["preserves"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["marmalade"], points=[("@", 15, 0, 0)]),
    # Enclosures and cages are as broad as in WordNet 3.1, so that scores in docstrings are the real ones.
    *(MiniSynset("n", [f"enclosure_{number}"], points=[("@", 1, 0, 0)]) for number in range(16)),
    *(MiniSynset("n", [f"cage_{number}"], points=[("@", 2, 0, 0)]) for number in range(2)),
]


class LoadedWordNet(NamedTuple):
    """A store with a WordNet, the environment of commands in its folder, and what loading printed."""

    store: Path
    environment: dict[str, str]
    printed: str


@pytest.fixture(scope="module")
def wordnet_environment(tmp_path_factory: pytest.TempPathFactory) -> LoadedWordNet:
    """An environment with a loaded store, in which `wayword load wordnet` finds a WordNet in NLTK's data.

    With real data this is WordNet 3.1, where the figures on the pages come from.
    """
    folder = tmp_path_factory.mktemp("docs")
    corpora = folder / "nltk_data/corpora"
    if REAL:
        with tarfile.open(Path(REAL) / WORDNET) as archive:
            archive.extractall(corpora, filter="data")
    else:
        write_files(corpora / "wordnet31", SMALL)
    environment = {
        "NLTK_DATA": str(folder / "nltk_data"),
        "WAYWORD_STORE": "graph",
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    run = refresh_docs.shell_runner(folder, environment)
    printed = run(refresh_docs.LOAD_WORDNET)
    run("wayword score cage room")  # builds the projection
    return LoadedWordNet(folder / "graph", environment, printed)


@pytest.fixture(scope="module")
def wordnet_and_wiki_environment(
    wordnet_environment: LoadedWordNet, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The same environment with the small wiki loaded too."""
    folder = tmp_path_factory.mktemp("both")
    environment = wordnet_environment.environment | refresh_docs.populate_folder(wordnet_environment.store, folder)
    refresh_docs.shell_runner(folder, environment)(f"wayword load wikipedia {refresh_docs.WIKI.relative_to(ROOT)}")
    return {**environment, "WAYWORD_STORE": str(folder / environment["WAYWORD_STORE"])}


def test_command_reference_matches_the_help_texts() -> None:
    from wayword.cli.main import cli

    assert refresh_docs.REFERENCE.read_text(encoding="utf-8") == refresh_docs.render_reference(cli), "run `make docs`"


@pytest.mark.slow
@pytest.mark.xdist_group("docs")
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands_print_the_output_shown(page: Path, wordnet_environment: LoadedWordNet, tmp_path: Path) -> None:
    store, environment, printed = wordnet_environment
    run = refresh_docs.shell_runner(tmp_path, environment | refresh_docs.populate_folder(store, tmp_path))
    for block in refresh_docs.BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, shown in refresh_docs.parse_commands(block):
            if command == refresh_docs.LOAD_WORDNET:  # once for all pages
                refresh_docs.copy_store(store, tmp_path / "graph")
                output = printed
            else:
                output = run(command)
            matches = refresh_docs.matches_output(shown, output) if REAL else bool(output) == bool(shown)
            assert matches, f"$ {command}\n{output}"


@pytest.mark.slow
@pytest.mark.xdist_group("docs")
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_python_snippets_run(
    page: Path, wordnet_and_wiki_environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in wordnet_and_wiki_environment.items():
        monkeypatch.setenv(name, value)
    namespace: dict[str, Any] = {}
    for snippet in PYTHON.findall(page.read_text(encoding="utf-8")):
        exec(compile(snippet, str(page), "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_make_targets_and_links_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in set(re.findall(r"^make ([a-z]+)\b|`make ([a-z]+)", text, re.MULTILINE)):
        name = "".join(target)
        dry_run = subprocess.run(["make", "-n", "-C", ROOT, name], capture_output=True, text=True, check=False)
        assert dry_run.returncode == 0, dry_run.stderr
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / link).exists(), link


def test_python_reference_lists_every_public_name() -> None:
    page = (refresh_docs.DOCS / "reference/wayword.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^        - (\w+)$", page, re.MULTILINE)) == sorted(wayword.__all__)


def test_tests_named_on_pages_exist() -> None:
    named = {name for page in PAGES for name in re.findall(r"`(test_\w+)`", page.read_text(encoding="utf-8"))}
    existing = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named
    assert not named - existing


def test_decisions_give_a_reason_for_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    ]
    required = {re.split(r"[\[<>=,]", requirement)[0] for group in groups for requirement in group}
    decisions = (refresh_docs.DOCS / "decisions.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9, -]+) \|(?: `\w+` \|)? (?!---)\S", decisions, re.MULTILINE)
    explained = {name for row in rows for name in row.split(", ")}
    assert required
    assert not required - explained


def test_changed_output_is_refreshed() -> None:
    page = "```console\n$ wayword one\n1\n$ wayword two\nbefore ... after\n```\n"
    assert refresh_docs.refresh_page(page, {"wayword one": "1\n", "wayword two": "before it later\n"}.__getitem__) != page
    assert refresh_docs.refresh_page(page, {"wayword one": "1\n", "wayword two": "before it after\n"}.__getitem__) == page
    changed = refresh_docs.refresh_page(page, {"wayword one": "2\n", "wayword two": "before it after\n"}.__getitem__)
    assert changed == page.replace("\n1\n", "\n2\n")


def test_refreshed_output_hides_what_differs_between_runs() -> None:
    page = "```console\n$ wayword load wordnet\nLoaded it in ... s\n```\n"
    outputs = {"wayword load wordnet": "Loaded wordnet from database files, x in /tmp/y: 3 synsets, in 1.5 s\n"}
    refreshed = refresh_docs.refresh_page(page, outputs.__getitem__)
    assert "\nLoaded wordnet from database files, ...: 3 synsets, in ... s\n" in refreshed
    assert refresh_docs.refresh_page(refreshed, outputs.__getitem__) == refreshed


OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
# Examples in these modules use a loaded graph: `store` is its address, `graph` the open graph.
ON_A_STORE = ["wayword", "wayword.api", "wayword.checking", "wayword.evaluation.matchers.substitutability"]
ALEMBIC_SCRIPT = "wayword.evaluation.runs.migrations.env"
"""Run by Alembic; it cannot be imported."""

MODULES = sorted({found.name for found in pkgutil.walk_packages(wayword.__path__, "wayword.")} - {*ON_A_STORE, ALEMBIC_SCRIPT})


@pytest.fixture(scope="module")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_files(folder / "dict", SMALL)
    refresh_docs.shell_runner(folder, {"WAYWORD_STORE": "graph"})("wayword load wordnet dict")
    return folder / "graph"


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


@pytest.mark.xdist_group("docstrings")
@pytest.mark.parametrize("name", ON_A_STORE)
def test_docstring_examples_on_a_store_run(name: str, small_store: Path) -> None:
    with wayword.open(small_store) as graph:
        failed, tried = doctest.testmod(
            importlib.import_module(name), optionflags=OPTIONS, extraglobs={"store": small_store, "graph": graph}
        )
    assert failed == 0
    assert tried > 0
