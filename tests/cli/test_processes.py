"""The command line as a process: closed pipes, full disks, signals, terminals, progress."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from wayword.cli import progress_bar
from wayword.cli.main import cli
from wayword.cli.output import print_note
from wayword.cli.progress_bar import show_progress
from wayword.cli.settings import Settings

from ..support.command_line import is_one_line, process, wayword


@pytest.mark.slow
def test_undecodable_arguments_and_narrow_encodings_are_handled(store: str) -> None:
    ran = process("--store", store, "score", b"\xff\xfe", "cage")
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    ran = process("--store", store, "score", "鳥籠", "cage", PYTHONIOENCODING="latin-1")
    assert ran.returncode == 0
    assert b"\\u9ce5" in ran.stdout
    ran = process("--store", store, "score", "👍", "cage", "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(ran.stdout)["substitute"] == "👍"


def test_invisible_characters_of_a_phrase_are_escaped(capsys: pytest.CaptureFixture[str], store: str) -> None:
    output = wayword(capsys, "--store", store, "senses", "dog\u200bhouse").out
    assert output == '"dog\\u200bhouse" is not in wordnet.\n'
    assert r'"dog\u200bhouse"' in wayword(capsys, "--store", store, "score", "dog\u200bhouse", "cage").out


def shell(command: str, cwd: Path, store: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command with ``wayword`` on the store and an endless stdin."""
    line = command.replace("wayword", f"{sys.executable} -m wayword")
    with Path("/dev/zero").open("rb") as endless:
        return subprocess.run(
            line,
            shell=True,
            stdin=endless,
            capture_output=True,
            check=False,
            cwd=cwd,
            env={**os.environ, "WAYWORD_STORE": store},
            timeout=60,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["score cage pen", "-q score --pairs pairs.csv", "info", "cypher 'RETURN 1'", "--help", "score --help", "--version"],
)
def test_an_answer_that_cannot_be_written_is_an_error(store: str, tmp_path: Path, command: str) -> None:
    (tmp_path / "pairs.csv").write_text("cage,pen\n", encoding="utf-8")
    ran = shell(f"wayword {command} > /dev/full", tmp_path, store)
    assert (ran.returncode, ran.stderr) == (2, b"Error: cannot write the answer: No space left on device\n")


def test_the_exit_code_is_right_if_stderr_is_full(store: str, tmp_path: Path) -> None:
    assert shell("wayword score '' pen 2> /dev/full", tmp_path, store).returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_not_an_error(store: str, tmp_path: Path, closed: str) -> None:
    ran = shell(f"wayword score cage cage --json {closed}", tmp_path, store)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (b'"score": 1.0' in ran.stdout) == (not closed.startswith(">"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["-q score --pairs -", "cypher -"])
@pytest.mark.parametrize(("given", "part"), [("<&-", "stdin: is closed; pipe"), ("< /dev/zero", "is longer than ")])
def test_a_closed_or_endless_stdin_is_an_error(store: str, tmp_path: Path, command: str, given: str, part: str) -> None:
    ran = shell(f"ulimit -v 2000000; wayword {command} {given}", tmp_path, store)
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    assert part in ran.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("imported", "code"), [("click", 130), ("wayword.cli.commands.info", 130), ("wayword.cli.commands.info", 143)]
)
def test_a_signal_during_imports_is_one_line(imported: str, code: int) -> None:
    program = f"""
import signal, sys

class Sending:
    def __set_name__(self, *_):
        signal.raise_signal({code - 128})

class Late:
    @staticmethod
    def find_spec(name, *_):
        if name == {imported!r}:
            class Made:
                sending = Sending()

sys.meta_path.insert(0, Late)
from wayword.__main__ import main
main(["info"])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (code, f"Error: {'interrupted' if code == 130 else 'ended by SIGTERM'}\n")


def test_a_signal_is_handled_once_and_ignored_under_nohup() -> None:
    program = """
import signal
from wayword.cli.signals import Terminated, handle_signals

signal.signal(signal.SIGHUP, signal.SIG_IGN)
handle_signals()
signal.raise_signal(signal.SIGHUP)
try:
    signal.raise_signal(signal.SIGTERM)
except Terminated as error:
    signal.raise_signal(signal.SIGTERM)
    print(error, error.exit_code)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "ended by SIGTERM 143\n", "")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_that_a_finalizer_swallows_is_sent_again(name: str) -> None:
    program = f"""
import signal, time
from wayword.cli.signals import Terminated, handle_signals

class Swallowing:
    def __del__(self):
        signal.raise_signal(signal.{name})

handle_signals()
try:
    Swallowing()
    time.sleep(30)
except (KeyboardInterrupt, Terminated) as error:
    print(type(error).__name__)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    expected = "KeyboardInterrupt\n" if name == "SIGINT" else "Terminated\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, expected, "")


def test_a_signal_that_comes_again_too_soon_is_sent_once_more() -> None:
    program = """
import signal, threading, time
from wayword.cli import signals

class Early(threading.Timer):
    first = True
    def start(self):
        super().start()
        if Early.first:
            Early.first = False
            time.sleep(1)  # as if the machine were busy

threading.Timer = Early

class Swallowing:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

signals.handle_signals()
try:
    Swallowing()
    time.sleep(30)
except KeyboardInterrupt:
    print("heard")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "heard\n", "")


def test_control_characters_are_escaped(store: str) -> None:
    ran = process("--store", store, "score", "\x1b[31mred", "--", "-\x1b[2J")
    assert b"\x1b" not in ran.stdout + ran.stderr


def write_pairs(path: Path, rows: int) -> list[tuple[str, str]]:
    words = ["enclose", "enclosure", "cage", "birdcage", "pen", "xyzzy"]
    pairs = [(words[number % 6], words[number // 6 % 6]) for number in range(rows)]
    path.write_text("".join(f"{one},{other}\n" for one, other in pairs), encoding="utf-8")
    return pairs


@pytest.mark.slow
def test_many_processes_write_the_same_scores_as_one(store: str, tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.csv", 13_000)
    for workers in ("1", "3"):
        ask = ("--store", store, "score", "--pairs", "pairs.csv", "--output", f"{workers}.csv", "--workers", workers)
        ran = process(*ask, cwd=tmp_path)
        assert (ran.returncode, ran.stdout) == (0, b"")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "3.csv").read_bytes()
    rows = list(csv.reader((tmp_path / "3.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row[0], row[1]) for row in rows] == pairs
    alone = process("--store", store, "score", "enclose", "birdcage", "--json")
    assert {float(row[2]) for row in rows if row[:2] == ["enclose", "birdcage"]} == {json.loads(alone.stdout)["score"]}


@pytest.mark.slow
def test_an_invalid_row_far_down_leaves_no_output(store: str, tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.csv", 9_000)
    with (tmp_path / "pairs.csv").open("a", encoding="utf-8") as lines:
        lines.write("cage,\n" + "pen,cage\n" * 10)
    command = ("--store", store, "-q", "score", "--pairs", "pairs.csv", "--output", "out.csv", "--workers", "2")
    ran = process(*command, cwd=tmp_path)
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    assert b"pairs.csv, line 9001:" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


@pytest.mark.slow
def test_a_closed_pipe_is_not_an_error(store: str, tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.csv", 40_000)
    for workers in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "wayword",
            "--store",
            store,
            "-q",
            "score",
            "--pairs",
            "pairs.csv",
            "--workers",
            workers,
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            assert running.stdout.readline() == b"enclose,enclose,1.0\n"
            running.stdout.close()
            assert running.stderr.read() == b""
            assert running.wait(timeout=60) == 0


def test_a_help_text_that_nobody_reads_is_not_an_error() -> None:
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    command = [sys.executable, "-m", "wayword", "--help"]
    ran = subprocess.run(command, stdout=writing_end, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(writing_end)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.slow
def test_rows_before_an_invalid_one_are_written(store: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("word1,word2\ncage,cage\npen,pen\ncage,\npen,cage\n", encoding="utf-8")
    ran = process("--store", store, "-q", "score", "--pairs", "pairs.csv", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, b"word1,word2,score\ncage,cage,1.0\npen,pen,1.0\n")
    assert is_one_line(ran.stderr.decode())
    assert b"pairs.csv, line 4: '' is an empty phrase" in ran.stderr
    ran = process("--store", store, "score", "--pairs", "pairs.csv", "--skip-bad", cwd=tmp_path)
    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines()[3] == "cage,,"
    assert "1 of 4 rows has no pair of phrases and no score, first in line 4\n" in ran.stderr.decode()


@pytest.mark.slow
def test_a_file_without_pairs_is_noted(store: str, tmp_path: Path) -> None:
    for content in ("", "word1,word2\n"):
        (tmp_path / "pairs.csv").write_text(content, encoding="utf-8")
        ran = process("--store", store, "score", "--pairs", "pairs.csv", cwd=tmp_path)
        assert (ran.returncode, ran.stderr) == (0, b"pairs.csv: there are no pairs\n")


def test_the_end_of_a_file_is_not_an_interruption(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Click takes an EOFError, wherever it is raised, for Ctrl-D in a prompt."""

    def end(*_: object) -> None:
        raise EOFError("unexpected end of data")

    monkeypatch.setattr("wayword.cli.main.native_parts", end)
    ran = wayword(capsys, "--verbose", "info")
    assert ran.code == 1
    assert "Error: EOFError: unexpected end of data (an internal error)" in ran.err


@pytest.mark.slow
def test_unknown_phrases_are_noted_after_scoring_a_file(store: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("cage,xyzzy\npen,pen\n", encoding="utf-8")
    ask = ("--store", store, "score", "--pairs", "pairs.csv")
    ran = process(*ask, "-o", "out.csv", cwd=tmp_path)
    assert ran.stderr.decode().splitlines() == [
        "pairs.csv: scoring the columns 1 and 2, without a header",
        'pairs.csv: 1 of 2 pairs has an unknown phrase ("xyzzy"); 0 there means unknown, not unrelated',
        "wrote 2 rows to out.csv",
    ]
    assert process("-q", *ask, "-o", "out.csv", cwd=tmp_path).stderr == b""
    rows = [json.loads(line) for line in process(*ask, "--format", "jsonl", cwd=tmp_path).stdout.splitlines()]
    assert [row["unknown"] for row in rows] == [["xyzzy"], []]


@pytest.mark.slow
@pytest.mark.parametrize("to_terminal", [True, False])
def test_the_progress_bar_does_not_mix_with_rows(store: str, tmp_path: Path, to_terminal: bool) -> None:
    write_pairs(tmp_path / "pairs.csv", 300)
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "wayword", "--store", store, "score", "--pairs", "pairs.csv"]
    ran = subprocess.run(
        command, stdout=child if to_terminal else subprocess.DEVNULL, stderr=child, cwd=tmp_path, check=False, timeout=60
    )
    os.close(child)
    output = b""
    while chunk := _read(parent):
        output += chunk
    os.close(parent)
    assert ran.returncode == 0
    assert (b"scoring pairs" in output) == (not to_terminal)
    assert (b"enclose,enclose,1.0\r\n" in output) == to_terminal


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        return b""


def wait_for_end(group: int) -> None:
    """Wait for every process of a group to end, which raises an error."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        os.killpg(group, 0)
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "output", "code"),
    [
        (signal.SIGINT, "interrupted", 130),
        (signal.SIGTERM, "ended by SIGTERM", 143),
        (signal.SIGHUP, "ended by SIGHUP", 129),
    ],
)
def test_a_signal_ends_all_processes_and_leaves_no_output(
    store: str, tmp_path: Path, sent: signal.Signals, output: str, code: int
) -> None:
    write_pairs(tmp_path / "pairs.csv", 70_000)
    command = [
        sys.executable,
        "-m",
        "wayword",
        "-q",
        "--store",
        store,
        "score",
        "--pairs",
        "-",
        "--output",
        "out.csv",
        "--workers",
        "2",
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, start_new_session=True
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write((tmp_path / "pairs.csv").read_bytes() * 2)
        running.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".out.csv.*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        # A terminal sends Ctrl-C and its hangup to the whole group, "kill" sends to one process.
        (os.kill if sent == signal.SIGTERM else os.killpg)(running.pid, sent)
        assert running.stderr.read().decode().strip() == f"Error: {output}"
        assert running.wait(timeout=60) == code
        with pytest.raises(ProcessLookupError):
            wait_for_end(running.pid)
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


class Clock:
    """A clock that advances by a step with each call."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def report(stream: io.StringIO, step: float, shares: Sequence[float | None], *, quiet: bool = False) -> str:
    with show_progress(quiet=quiet, stream=stream, clock=Clock(step)) as progress:
        for number, share in enumerate(shares):
            progress("reading", number * 1000, share)
    return stream.getvalue()


def test_progress_is_a_bar_on_a_terminal_and_cleared_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = report(Terminal(), 1.0, [0.0, 0.25, 0.5, 1.0])
    assert "\n" not in shown
    frames = shown.split("\r\x1b[2K")
    assert frames[3] == "████████████░░░░░░░░░░░░  reading  50%  2,000 rows  1,000/s  2 s left"
    assert frames[-1] == ""
    monkeypatch.setenv("COLUMNS", "30")
    assert all(len(frame) < 30 for frame in report(Terminal(), 1.0, [0.0, 0.25, 0.5, 1.0]).split("\r\x1b[2K"))


def test_progress_outside_a_terminal_is_an_occasional_line_unless_quiet() -> None:
    shown = report(io.StringIO(), 1.0, [None] * 13)
    assert shown.splitlines() == ["reading  4,000 rows  1,000/s", "reading  9,000 rows  1,000/s"]
    assert report(io.StringIO(), 0.01, [0.5] * 13) == ""
    assert report(Terminal(), 1.0, [0.5] * 13, quiet=True) == ""


@pytest.mark.slow
@pytest.mark.parametrize("no_color", ["", "1"])
def test_errors_are_coloured_only_on_terminals_without_no_color(store: str, no_color: str) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "wayword", "--store", store, "score", "", "cage"]
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    ran = subprocess.run(command, stderr=child, env=environment, check=False, timeout=60)
    os.close(child)
    output = os.read(parent, 4096).decode()
    os.close(parent)
    assert ran.returncode == 2
    assert ("\x1b[31m" in output) == (not no_color)
    assert "Error:" in output


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()], ids=["terminal", "file"])
def test_a_step_that_counts_nothing_shows_its_time(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> None:
    monkeypatch.setattr(progress_bar, "_REFRESH_INTERVAL", 0.001)
    with show_progress(quiet=False, stream=stream, clock=Clock(1.0)) as progress:
        progress("sorting pages", 0, None)
        deadline = time.monotonic() + 10
        while "sorting pages  9 s" not in stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
        progress.clear()
        cleared = stream.getvalue()
        time.sleep(0.05)
        assert stream.getvalue() == cleared
    assert "sorting pages  9 s" in cleared


def test_a_note_is_not_printed_behind_the_bar(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    with show_progress(quiet=False, stream=terminal, clock=Clock(1.0)) as progress:
        progress("reading", 1, None)
        assert not terminal.getvalue().endswith("\r\x1b[2K")
        print_note(Settings(), "a note")
        assert terminal.getvalue().endswith("\r\x1b[2K")
    assert capsys.readouterr().err == "a note\n"


def test_each_evaluation_is_printed_after_the_bar_is_cleared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("recommended", "gold"):
        (tmp_path / name).write_text("#flu\n", encoding="utf-8")
    (tmp_path / "synonyms.csv").write_text("flu,fever,0.1\n", encoding="utf-8")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    files = ("--recommended", str(tmp_path / "recommended"), "--gold", str(tmp_path / "gold"))
    command = ["hashtags", "evaluate", *files, "--thesaurus", str(tmp_path / "synonyms.csv"), "--each"]
    cli.main(command, standalone_mode=False)
    assert "\r\x1b[2K     pair  hit ratio" in terminal.getvalue()
