"""``wayword load wordnet``: lexicons of any language, and relations from another base."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..loaders.wordnet.test_expansion import DANISH, ENGLISH
from ..loaders.wordnet.test_lmf import document, write_lmf
from ..support.command_line import is_one_line, wayword

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop


def test_lexicon_without_relations_is_pointed_out_and_can_be_expanded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYWORD_STORE", str(tmp_path / "graph"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    english = str(write_lmf(tmp_path, document(ENGLISH), "en.xml"))
    danish = str(
        write_lmf(
            tmp_path, document(DANISH.replace('relType="hypernym" target="da-2"', 'relType="hypernym" target="x"')), "da.xml"
        )
    )
    ran = wayword(capsys, "load", "wordnet", english, "--name", "en")
    assert (ran.code, "--expand" in ran.err, "Next: wayword score enclose birdcage" in ran.err) == (0, False, True)
    ran = wayword(capsys, "load", "wordnet", danish, "--name", "da")
    assert "da has no relations between synsets; --expand BASE adds those of another WordNet" in ran.err
    assert "Next: wayword senses --base da dyr" in ran.err
    ran = wayword(capsys, "load", "wordnet", danish, "--name", "da", "--expand", "en", "--json")
    summary = ran.json()
    assert (ran.code, summary["language"], summary["options"]) == (0, "da", {"expand": "en"})
    assert summary["counts"]["HYPERNYM"] == 6
    ran = wayword(capsys, "load", "wordnet", danish, "--name", "en", "--expand", "en")
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert "cannot be expanded by itself, since the load replaces it; name another base with --name" in ran.err
