"""What reaches a terminal cannot control it; files and pipes get exactly what was written."""

from __future__ import annotations

import io
import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wayword.core.standard_output import escape_controls, format_json, stdout_bytes


@given(st.text())
def test_no_control_character_remains_except_tabs_and_line_feeds(text: str) -> None:
    escaped = escape_controls(text)
    assert {character for character in escaped if unicodedata.category(character) in ("Cc", "Cs")} <= {"\t", "\n"}
    assert not any(unicodedata.bidirectional(character) in ("RLO", "LRO", "RLE", "RLI", "PDF", "FSI") for character in escaped)


@given(st.recursive(st.none() | st.booleans() | st.text(), st.lists))
def test_escaped_json_has_the_same_value(value: object) -> None:
    assert json.loads(format_json(value)) == value


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_bytes_for_a_terminal_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    stdout_bytes().write("G\u00e4nse\x9b31m,\u202e,0.5\n".encode())
    assert terminal.getvalue() == "G\u00e4nse\\u009b31m,\\u202e,0.5\n"


def test_bytes_for_a_pipe_are_written_as_they_are(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    target = stdout_bytes()
    target.write(b"\xc2\x9b,0.5\n")
    target.flush()
    assert capfdbinary.readouterr().out == b"\xc2\x9b,0.5\n"
