"""Commands that are stopped by a signal or by a full disk at a random moment leave what was there before.

The nightly job tries hundreds of moments.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..support.small_wiki import make_store

pytestmark = pytest.mark.slow

DEFAULT = settings.default.max_examples if settings.default else 100
MOMENTS = 300 if DEFAULT >= 1_000 else 1

COMMANDS = {
    "load wordnet dict --name other": None,
    "load wikipedia testwiki.xml --workers 1 --name third": None,
    "score --base wordnet --pairs pairs.csv --workers 2 --output out.csv": "out.csv",
    "hop run --target Animal --base testwiki": None,
    "export out.json": "out.json",
    "export out --format parquet": "out",
}
"""Commands, and the file or folder that each writes besides the store and the ledger."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    shutil.move(make_store(folder), folder / "store")
    (folder / "pairs.csv").write_text("a,b\n" + "mammal,animal\npet,mammal\n" * 20_000, encoding="utf-8")
    for command in ("hop run --target Animal", "score mammal animal --base wordnet"):  # which also build projections
        assert end(ask(folder, command))[0] == 0
    return folder


def ask(folder: Path, command: str, *, largest_file: int | None = None) -> subprocess.Popen[bytes]:
    """Start a command, whose files cannot be larger than a number of bytes."""

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    places = {"WAYWORD_STORE": str(folder / "store"), "WAYWORD_LEDGER": str(folder / "runs.sqlite")}
    return subprocess.Popen(
        [sys.executable, "-m", "wayword", *command.split()],
        cwd=folder,
        env={**os.environ, **places},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
    )


def end(running: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, err = running.communicate(timeout=120)
    return running.returncode, err.decode()


def check_and_clean(folder: Path, before: set[str], output: str | None, code: int) -> None:
    """Check that the store answers, and that nothing is left except an output, which is complete."""
    assert end(ask(folder, "score mammal animal --base wordnet --json"))[0] == 0
    assert end(ask(folder, "runs --json"))[0] == 0
    left = {path.name for path in folder.iterdir()} - before
    assert left <= {output}, code
    for name in left:
        if name == "out.json":
            json.loads((folder / name).read_bytes())
        elif name == "out.csv":
            assert (folder / name).read_bytes().count(b"\n") == 40_001
        shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()


@given(
    command=st.sampled_from(sorted(COMMANDS)),
    number=st.sampled_from([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]),
    delay=st.floats(0.2, 2.5),
)
@settings(max_examples=MOMENTS, deadline=None)
def test_a_signal_at_any_moment_leaves_store_and_folder_as_they_were(
    folder: Path, command: str, number: signal.Signals, delay: float
) -> None:
    before = {path.name for path in folder.iterdir()}
    running = ask(folder, command)
    time.sleep(delay)
    running.send_signal(number)
    code, err = end(running)
    if code != -number:  # that of a signal before the command could handle it
        assert code in (0, 128 + number), err
        assert "Traceback" not in err
    check_and_clean(folder, before, COMMANDS[command], code)


@given(command=st.sampled_from(sorted(COMMANDS)), largest=st.integers(0, 22).map(lambda power: 2**power))
@settings(max_examples=MOMENTS, deadline=None)
def test_a_full_disk_at_any_write_is_an_error_and_loses_nothing(folder: Path, command: str, largest: int) -> None:
    before = {path.name for path in folder.iterdir()}
    code, err = end(ask(folder, command, largest_file=largest))
    assert code in (0, 2), err
    assert "Traceback" not in err
    check_and_clean(folder, before, COMMANDS[command], code)
