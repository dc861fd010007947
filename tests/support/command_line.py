"""Run commands in tests, and the small WordNet that they query."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wayword.cli.main import run

from .mini_wordnet import MiniSynset

CAGES = [
    MiniSynset("v", ["enclose", "close_in"], "surround completely", [("+", 1, 1, 1)], 35),
    MiniSynset("n", ["enclosure"], "a structure that has been enclosed", [("+", 0, 1, 1), ("~", 2, 0, 0), ("~", 4, 0, 0)], 6),
    MiniSynset(
        "n", ["cage", "coop"], 'an enclosure of wire; "the parrot\'s cage"', [("@", 1, 0, 0), ("~", 3, 0, 0)], 6, {"cage": 2}
    ),
    MiniSynset("n", ["birdcage"], "a cage for a bird", [("@", 2, 0, 0)], 6),
    MiniSynset("n", ["pen"], "an enclosure for livestock", [("@", 1, 0, 0)], 6),
    MiniSynset("n", ["thing"], "something else", [], 3),
]


@dataclass
class CommandResult:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def wayword(capsys: pytest.CaptureFixture[str], *arguments: str) -> CommandResult:
    """Run a command in this process."""
    capsys.readouterr()
    code = run(list(arguments))
    output = capsys.readouterr()
    return CommandResult(code, output.out, output.err)


def process(*arguments: str | bytes, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    command: list[str | bytes] = [sys.executable, "-m", "wayword", *arguments]
    return subprocess.run(command, capture_output=True, check=False, cwd=cwd, env={**os.environ, **environment}, timeout=120)


def is_one_line(err: str) -> bool:
    return err.startswith("Error: ") and err.count("\n") == 1
