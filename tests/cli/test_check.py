"""``wayword check``: it reports damage, says what to do, and exits with 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import wayword as library

from ..support.command_line import is_one_line, wayword

pytestmark = pytest.mark.slow


@pytest.fixture
def copy(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a projection."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = Path(shutil.copy(store, tmp_path / "graph"))
    assert wayword(capsys, "--store", str(path), "score", "enclose", "birdcage").code == 0
    return path


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_sound_store_exits_with_0(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(capsys, "--store", str(copy), "check")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"sound      store      {copy}", f"sound      projection {copy}.wordnet.projection"]


def test_damage_exits_with_2_and_says_what_to_do(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    projection = copy.with_name("graph.wordnet.projection")
    flip(copy)
    flip(projection)
    ran = wayword(capsys, "--store", str(copy), "check")
    assert (ran.code, ran.err) == (2, "")
    assert ran.out.splitlines() == [
        f"damaged    store      {copy}: 1 block changed since it was written; restore a copy of it, or delete it and load its"
        " bases again",
        f"damaged    projection {projection}: 1 file changed since it was written; delete it; the next query builds it again",
    ]
    ran = wayword(capsys, "--store", str(copy), "check", "--json")
    assert ran.code == 2
    assert (
        ran.json()
        == library.check(copy).to_dict()
        == {
            "damaged": True,
            "parts": [
                {"part": "store", "name": str(copy), "state": "damaged", "problems": {"changed_blocks": 1}},
                {"part": "projection", "name": str(projection), "state": "damaged", "problems": {"changed_file": 1}},
            ],
        }
    )


def test_a_projection_of_another_version_is_no_damage(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy.with_name("graph.wordnet.projection").write_bytes(b"wayword arrays 2\nmore")
    assert wayword(capsys, "--store", str(copy), "check").out == f"sound      store      {copy}\n"
    copy.with_name("graph.wordnet.projection").write_bytes(b"something else")
    assert wayword(capsys, "--store", str(copy), "check").code == 2


def test_a_missing_store_is_an_error_of_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(capsys, "--store", str(tmp_path / "none"), "check")
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert "there is no store" in ran.err


def test_a_damaged_ledger_is_found(
    copy: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "runs.sqlite"
    monkeypatch.setenv("WAYWORD_LEDGER", str(ledger))
    (tmp_path / "pairs.csv").write_text("enclose,birdcage\n", encoding="utf-8")
    assert wayword(capsys, "--store", str(copy), "score", "--pairs", str(tmp_path / "pairs.csv")).code == 0
    ran = wayword(capsys, "--store", str(copy), "check")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"sound      ledger     {ledger}")
    content = bytearray(ledger.read_bytes())
    content[4096:8192] = bytes(4096)
    ledger.write_bytes(content)
    ran = wayword(capsys, "--store", str(copy), "check")
    assert (ran.code, ran.out.splitlines()[-1]) == (
        2,
        f"damaged    ledger     {ledger}: 1 part of the ledger that cannot be read; restore a copy of it",
    )
