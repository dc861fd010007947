"""The store, ledger and files of ``wayword evaluate``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ...support.command_line import CommandResult, wayword

Evaluate = Callable[..., CommandResult]


@pytest.fixture
def evaluate(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Evaluate:
    """A function that runs ``wayword evaluate`` in an empty folder, with a ledger of its own and few resamples."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, resamples: int = 200) -> CommandResult:
        options = ("--resamples", str(resamples), "--ledger", "runs.sqlite")
        return wayword(capsys, "--store", store, "evaluate", *arguments, *options)

    return run


@pytest.fixture
def scores(tmp_path: Path) -> str:
    """A file with the scores of two systems for the printed questions."""
    systems = {
        "right": {"fast": [0.85, 0.0, 0.0, 0.03], "bright": [0.0, 0.8, 0.0, 0.9]},
        "silent": {"fast": [0, 0, 0, 0], "bright": [0, None, 0, 0]},
    }
    file = tmp_path / "systems.json"
    file.write_text(json.dumps({"format": "agreement-scores/1", "systems": systems}), encoding="utf-8")
    return str(file)
