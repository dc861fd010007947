"""The option ``--output`` of every command that draws a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.command_line import is_one_line, wayword

COMMANDS = {
    ("path", "a", "b"): ".svg, .png, .pdf, .dot, .graphml",
    ("hop", "trail", "a"): ".svg, .png, .pdf",
    ("hop", "figure", "hops", "1"): ".svg, .png, .pdf",
    ("hashtags", "similar", "a"): ".svg, .png, .pdf, .dot, .graphml",
    ("hashtags", "figure", "curves", "1"): ".svg, .png, .pdf",
}


@pytest.mark.parametrize("option", ["-o", "--output"])
@pytest.mark.parametrize(("command", "endings"), COMMANDS.items())
def test_a_file_that_cannot_be_written_is_refused_before_a_store_or_ledger_is_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...], endings: str, option: str
) -> None:
    ran = wayword(capsys, "--store", str(tmp_path / "none"), *command, option, str(tmp_path / "x.jpg"))
    assert (ran.code, is_one_line(ran.err)) == (2, True)
    assert f"does not end with {endings}; choose one of these formats" in ran.err
    ran = wayword(capsys, "--store", str(tmp_path / "none"), *command, option, str(tmp_path / "no" / "x.svg"))
    assert ran.code == 2
    assert "does not exist; create it first" in ran.err
