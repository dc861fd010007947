"""``wayword unload``, and loads over a base of the same name."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import wayword
from wayword.core.progress import no_progress

from ..support.command_line import is_one_line
from ..support.command_line import wayword as run
from ..support.small_wiki import make_store

pytestmark = pytest.mark.slow


@pytest.fixture
def built(tmp_path: Path) -> str:
    return make_store(tmp_path)


def bases(store: str) -> dict[str, str]:
    with wayword.open(store) as graph:
        return {base.id: base.kind for base in graph.store.bases()}


def test_a_base_is_removed_with_its_projections(capsys: pytest.CaptureFixture[str], built: str) -> None:
    stored = bases(built)
    names = list(stored)
    assert set(stored.values()) == {"wordnet", "wikipedia"}
    wiki = next(name for name, kind in stored.items() if kind == "wikipedia")
    assert run(capsys, "--store", built, "score", "dog", "animal").code == 0
    assert run(capsys, "--store", built, "score", "dog", "animal", "--base", names[0], "--base", names[1]).code == 0
    assert run(capsys, "--store", built, "-q", "hop", "trail", "Dog", "--target", "Animal").code == 0
    folder = Path(built).parent
    cached = {path.name for path in folder.glob("*.projection")}
    assert len(cached) >= 3
    removed = run(capsys, "--store", built, "-q", "unload", wiki, "--yes", "--json")
    assert removed.code == 0
    assert {name: removed.json()[name] for name in ("id", "kind", "store")} == {"id": wiki, "kind": "wikipedia", "store": built}
    assert list(bases(built)) == [name for name in names if name != wiki]
    left = {path.name for path in folder.glob("*.projection")}
    assert left == {name for name in cached if wiki not in name}
    again = run(capsys, "--store", built, "unload", wiki, "--yes")
    assert again.code == 2
    assert is_one_line(again.err)
    assert "wordnet" in again.err


def test_nothing_is_removed_without_a_terminal_to_ask_on(capsys: pytest.CaptureFixture[str], built: str) -> None:
    before = bases(built)
    for name in before:
        refused = run(capsys, "--store", built, "unload", name)
        assert refused.code == 2
        assert is_one_line(refused.err)
        assert "--yes" in refused.err
    assert bases(built) == before


@pytest.mark.parametrize(("answer", "code"), [("n", 2), ("", 2), ("y", 0)])
def test_a_terminal_is_asked_first(built: str, answer: str, code: int) -> None:
    before = bases(built)
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "wayword", "--store", built, "unload", "wordnet"]
    os.write(leader, f"{answer}\n".encode())
    ran = subprocess.run(command, stdin=follower, capture_output=True, check=False, timeout=60)
    os.close(leader)
    os.close(follower)
    assert ran.returncode == code
    assert b"Remove wordnet (wordnet, from" in ran.stderr
    assert ("wordnet" in bases(built)) == (code == 2)
    assert len(bases(built)) == len(before) - (code == 0)


def test_a_base_of_another_kind_is_refused_before_the_source_is_read(capsys: pytest.CaptureFixture[str], built: str) -> None:
    before = bases(built)
    wiki = next(name for name, kind in before.items() if kind == "wikipedia")
    source = str(Path(built).with_name("missing"))
    refused = run(capsys, "--store", built, "load", "wordnet", source, "--name", wiki)
    assert refused.code == 2
    assert is_one_line(refused.err)
    assert "--name" in refused.err
    assert f"unload {wiki}" in refused.err
    assert bases(built) == before


def test_a_replacement_is_called_so(capsys: pytest.CaptureFixture[str], built: str, tmp_path: Path) -> None:
    thesaurus = tmp_path / "tags.csv"
    thesaurus.write_text("#a,#b,0.5\n")
    first = run(capsys, "--store", built, "load", "hashtags", str(thesaurus))
    second = run(capsys, "--store", built, "load", "hashtags", str(thesaurus))
    assert (first.out.split()[0], second.out.split()[0]) == ("Loaded", "Replaced")
    result = wayword.load_hashtags(thesaurus, store=built)
    third = run(capsys, "--store", built, "load", "hashtags", str(thesaurus), "--json").json()
    assert third["replaced_revision"] == result.revision
    assert wayword.unload("hashtags", store=built, progress=no_progress).revision == third["revision"]
    assert wayword.load_hashtags(thesaurus, store=built).replaced_revision is None
