"""The command line as a person and as a script meet it: answers, exit codes, one-line errors, closed pipes, progress."""

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import networkx as nx
import pytest
from click.testing import CliRunner

from wayword.commandline import cli, run
from wayword.commands import COMMANDS
from wayword.progress import watched

from .mini_wordnet import Mini, write_files

CAGES = [
    Mini("v", ["enclose", "close_in"], "surround completely", [("+", 1, 1, 1)], 35),
    Mini("n", ["enclosure"], "a structure that has been enclosed", [("+", 0, 1, 1), ("~", 2, 0, 0), ("~", 4, 0, 0)], 6),
    Mini("n", ["cage", "coop"], 'an enclosure of wire; "the parrot\'s cage"', [("@", 1, 0, 0), ("~", 3, 0, 0)], 6, {"cage": 2}),
    Mini("n", ["birdcage"], "a cage for a bird", [("@", 2, 0, 0)], 6),
    Mini("n", ["pen"], "an enclosure for livestock", [("@", 1, 0, 0)], 6),
    Mini("n", ["thing"], "something else", [], 3),
]


@dataclass
class Ran:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a small WordNet, loaded by the command."""
    folder = tmp_path_factory.mktemp("store")
    write_files(folder / "dict", CAGES)
    store = str(folder / "graph.lbug")
    ran = subprocess.run(
        [sys.executable, "-m", "wayword", "--store", store, "load", "wordnet", str(folder / "dict")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Loaded wordnet from ")
    assert "6 synsets" in ran.stdout
    assert f"Next: wayword --store {store} score" in ran.stderr
    return store


def wayword(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """Run a command in this process."""
    capsys.readouterr()
    code = run(list(arguments))
    said = capsys.readouterr()
    return Ran(code, said.out, said.err)


def process(*arguments: str | bytes, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    command: list[str | bytes] = [sys.executable, "-m", "wayword", *arguments]
    return subprocess.run(command, capture_output=True, check=False, cwd=cwd, env={**os.environ, **environment}, timeout=120)


def is_one_line(err: str) -> bool:
    return err.startswith("Error: ") and err.count("\n") == 1


def test_help_names_every_command_and_each_explains_itself() -> None:
    said = CliRunner().invoke(cli, ["--help"])
    assert said.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in said.output
        own = CliRunner().invoke(cli, [name, "--help"])
        assert own.exit_code == 0
        assert "Usage:" in own.output


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(capsys)
    assert (ran.code, ran.err) == (0, "")
    assert "wayword load wordnet" in ran.out


def test_a_group_without_a_command_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    ran = wayword(capsys, "load")
    assert ran.code == 2
    assert ran.err.startswith("Usage: wayword load [OPTIONS] COMMAND [ARGS]...\n")
    assert "\nCommands:\n  wordnet " in ran.err
    assert ran.out == ""


def test_the_store_of_the_environment_is_not_repeated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYWORD_STORE", str(tmp_path / "none.lbug"))
    assert wayword(capsys, "score", "a", "b").err.endswith("make one with: wayword load wordnet\n")


def test_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    ran = process("--version")
    assert ran.stdout.decode().strip() == f"wayword {version('wayword')}"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["scor"], "'scor'"),
        (["score", "a"], "SUBSTITUTEE"),
        (["score", "a", "b", "--pairs", "x"], "not both"),
        (["score", "a", "b", "--output", "x"], "--pairs only"),
        (["score", "--pairs", "x.csv", "--workers", "0"], "0"),
        (["score", "-q", "a", "b"], "before the command"),
        (["score", "a", "b", "--set", "der"], "--set der=0.6"),
        (["score", "a", "b", "--set", "der=much"], "der=much"),
        (["path", "a", "b", "--cypher", "--json"], "choose one"),
        (["cypher", "RETURN 1", "-p", "x"], "-p name=dog"),
        (["cypher", "RETURN 1", "--limit", "0"], "0"),
        (["senses"], "PHRASE"),
        (["score", "a", "b", "--columns", "1,2"], "--columns 1,2 goes with --pairs only"),
        (["score", "a", "b", "--no-header"], "--no-header goes with --pairs only"),
        (["score", "a", "b", "--skip-bad"], "--skip-bad goes with --pairs only"),
        (["score", "--pairs", "x", "--columns", "WORD1"], "WORD1,WORD2 or 1,2"),
        (["score", "--pairs", "x", "--columns", "0,1"], "from 1"),
        (["export", "graph.csv"], "give --format csv if"),
        (["export", ""], "the name is empty"),
        (["path", "a", "b", "-o", ""], "'--output' / '-o': the name is empty"),
        (["score", "--pairs", "x.csv", "-o", ""], "'--output' / '-o': the name is empty"),
        (["score", "--pairs", ""], "'--pairs': the name is empty"),
        (["score", "-x", "toilet"], "What begins with - and is no option goes after --."),
        (["--store", "", "score", "a", "b"], "--store is empty; give a path"),
        (["--store", "", "load", "wordnet"], "--store is empty; give a path"),
        (["cypher", "RETURN $x", "-p", "x=" + "[" * 100_000], "-p x=...: the value is nested too deeply"),
        (["export", "graph.parquet"], "give --format parquet if"),
    ],
)
def test_a_usage_error_is_one_line_and_2(capsys: pytest.CaptureFixture[str], arguments: list[str], part: str) -> None:
    ran = wayword(capsys, *arguments)
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert part in ran.err
    assert ran.out == ""


def test_score_shows_the_path_and_its_figures(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, "--store", store, "score", "enclose", "birdcage")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("enclose → birdcage  0.")
    assert [line.split()[1] for line in lines[4:]] == ["derivation", "specialisation", "specialisation"]


def test_score_json_has_the_fields_that_scripts_know(capsys: pytest.CaptureFixture[str], store: str) -> None:
    found = wayword(capsys, "--store", store, "score", "enclose", "birdcage", "--json").json()
    assert set(found) >= {"substitute", "substitutee", "score", "bases", "profile", "threshold", "unknown", "matches"}
    path = found["matches"][0]["path"]
    assert [step["name"] for step in path] == ["enclose", "enclosure", "cage", "birdcage"]
    assert set(path[0]) == {"id", "name", "gloss", "step", "breadth", "factor", "score", "word"}
    assert [step["breadth"] for step in path] == [None, None, 2, 1]
    assert path[-1]["score"] == found["score"] == pytest.approx(0.7 * (0.2 + 0.79 / 2 ** (1 / 3)) * 0.99)


def test_options_change_the_result_and_are_recorded(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ask = ("--store", store, "score", "enclose", "enclosure", "--json")
    found = wayword(
        capsys, *ask, "--set", "der=0.6", "--threshold", "0.2", "--derivation", "synset", "--base", "wordnet"
    ).json()
    assert found["score"] == pytest.approx(0.6)
    assert (found["threshold"], found["derivation"], found["bases"]) == (0.2, "synset", ["wordnet"])
    assert found["parameters"]["der"] == 0.6
    tuned = wayword(capsys, *ask, "--profile", "tuned").json()
    assert tuned["profile"] == "tuned"
    assert tuned["score"] != wayword(capsys, *ask).json()["score"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["score", "", "cage"], ""),
        (["score", "x" * 300, "cage"], "256"),
        (["score", "a\0b", "cage"], ""),
        (["score", "cage", "pen", "--base", "nobase"], "nobase"),
        (["score", "cage", "pen", "--base", "wordnet", "--base", "other"], ""),
        (["score", "cage", "pen", "--profile", "no-such-file.toml"], "no-such-file.toml"),
        (["score", "cage", "pen", "--threshold", "2"], "2"),
        (["score", "cage", "pen", "--set", "nothing=1"], "nothing"),
        (["path", "cage", "pen", "--output", "path.jpg"], ".svg"),
        (["path", "thing", "pen", "--cypher"], "'thing'"),
        (["cypher", "CREATE (:Synset)"], "CREATE"),
        (["cypher", "MATCH (n"], ""),
        (["export", "out"], "--format"),
        (["load", "wordnet", "no-such-folder"], "no-such-folder"),
    ],
)
def test_what_the_user_can_mend_is_one_line_and_2(
    capsys: pytest.CaptureFixture[str], store: str, arguments: list[str], part: str
) -> None:
    ran = wayword(capsys, "--store", store, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert part in ran.err


def test_a_store_that_is_not_there_says_how_to_make_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments in (
        ["score", "a", "b"],
        ["info"],
        ["senses", "a"],
        ["cypher", "RETURN 1"],
        ["export", str(tmp_path / "x.json")],
    ):
        ran = wayword(capsys, "--store", str(tmp_path / "none.lbug"), *arguments)
        assert ran.code == 2
        assert is_one_line(ran.err)
        assert f"wayword --store {tmp_path / 'none.lbug'} load wordnet" in ran.err
    assert not list(tmp_path.iterdir())


def test_a_fault_of_ours_is_one_line_and_1_and_verbose_shows_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from wayword.commands import info

    def broken(**_: object) -> None:
        raise RuntimeError("out of\ncheese")

    monkeypatch.setattr(info.info, "callback", broken)
    ran = wayword(capsys, "info")
    assert ran.code == 1
    assert ran.err == "Error: RuntimeError: out of cheese (a fault of ours; wayword --verbose shows where)\n"
    ran = wayword(capsys, "--verbose", "info")
    assert ran.code == 1
    assert "Traceback" in ran.err
    assert ran.err.endswith("Error: RuntimeError: out of cheese (a fault of ours)\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_an_interruption_is_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    from wayword.commands import info

    def interrupted(**_: object) -> None:
        raise error

    monkeypatch.setattr(info.info, "callback", interrupted)
    ran = wayword(capsys, "info")
    assert (ran.code, ran.err.strip()) == (130, "Error: interrupted")


def test_path_draws_what_its_ending_says(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    for ending in ("svg", "dot", "graphml"):
        ran = wayword(capsys, "--store", store, "path", "enclose", "birdcage", "--output", str(tmp_path / f"path.{ending}"))
        assert (ran.code, ran.out) == (0, "")
        assert "drew" in ran.err
    assert "birdcage" in "".join(ET.parse(tmp_path / "path.svg").getroot().itertext())
    assert nx.read_graphml(tmp_path / "path.graphml").number_of_edges() == 3
    assert "digraph" in (tmp_path / "path.dot").read_text(encoding="utf-8")


def test_path_in_words_is_that_of_score(capsys: pytest.CaptureFixture[str], store: str) -> None:
    pair = ("enclose", "birdcage")
    assert wayword(capsys, "--store", store, "path", *pair).out == wayword(capsys, "--store", store, "score", *pair).out


@pytest.mark.parametrize("derivation", ["word", "synset"])
@pytest.mark.parametrize(
    "pair", [("enclose", "birdcage"), ("birdcage", "enclosure"), ("close in", "enclose"), ("birdcage", "enclose")]
)
def test_the_statement_of_a_path_returns_it(
    capsys: pytest.CaptureFixture[str], store: str, derivation: str, pair: tuple[str, str]
) -> None:
    ask = ("--store", store, "path", *pair, "--derivation", derivation)
    ids = {step["id"] for step in wayword(capsys, *ask, "--json").json()["matches"][0]["path"]}
    statement = wayword(capsys, *ask, "--cypher").out
    answer = wayword(capsys, "--store", store, "cypher", statement, "--json").json()
    assert answer["rows"]
    assert all(identity in json.dumps(answer["rows"]) for identity in ids)


def test_senses_tells_what_a_phrase_can_mean(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, "--store", store, "senses", "cage")
    assert ran.code == 0
    assert "an enclosure of wire" in ran.out
    found = wayword(capsys, "--store", store, "senses", "cage", "--json").json()
    assert found["aspects"][0]["targets"][0]["name"] == "cage"
    assert "Nothing is known" in wayword(capsys, "--store", store, "senses", "xyzzy").out


def test_score_senses_and_info_keep_to_the_columns_there_are(store: str) -> None:
    for arguments in (["score", "enclose", "birdcage"], ["senses", "enclose"], ["info"]):
        narrow = process("--store", store, *arguments, COLUMNS="60").stdout.decode().splitlines()
        wide = process("--store", store, *arguments, COLUMNS="150").stdout.decode().splitlines()
        assert max(map(len, narrow[1:])) <= 60 or arguments == ["info"]
        assert narrow != wide
        assert not any("meaning" in line for line in narrow)


def test_cypher_speaks_table_csv_and_json(
    capsys: pytest.CaptureFixture[str], store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = "MATCH (s:Synset) WHERE s.pos = $pos RETURN s.name AS name, s.hyponyms AS n ORDER BY name"
    ask = ("--store", store, "cypher", statement, "-p", "pos=n")
    table = wayword(capsys, *ask)
    assert table.out.splitlines()[:2] == ["name       n", "birdcage   0"]
    assert table.err == "5 rows\n"
    rows = list(csv.reader(io.StringIO(wayword(capsys, *ask, "--format", "csv").out)))
    assert rows[:2] == [["name", "n"], ["birdcage", "0"]]
    answer = wayword(capsys, *ask, "--format", "json", "--limit", "2")
    assert answer.json() == {"columns": ["name", "n"], "rows": [["birdcage", 0], ["cage", 1]], "truncated": True}
    assert "--limit" in answer.err
    monkeypatch.setattr(sys, "stdin", io.StringIO("RETURN $n + 1 AS n"))
    assert wayword(capsys, "--store", store, "cypher", "-", "-p", "n=41", "--json").json()["rows"] == [[42]]


def test_info_tells_what_there_is(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, "--store", store, "info")
    assert ran.code == 0
    for part in (store, "LadybugDB", "wordnet", "Synset 6", "HYPERNYM 3", "Stem 15"):
        assert part in ran.out
    found = wayword(capsys, "--store", store, "info", "--json").json()
    assert found["bases"][0]["nodes"]["Synset"] == 6
    assert found["revision"] == found["bases"][0]["revision"]


def test_export_writes_the_graph(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    ran = wayword(capsys, "--store", store, "export", str(tmp_path / "graph.graphml"), "--base", "wordnet")
    assert ran.code == 0
    graph = nx.read_graphml(tmp_path / "graph.graphml")
    assert f"{graph.number_of_nodes() + graph.number_of_edges()} nodes and relationships" in ran.err
    assert wayword(capsys, "--store", store, "--quiet", "export", str(tmp_path / "out"), "--format", "csv").err == ""
    assert (tmp_path / "out/nodes/Synset.csv").exists()
    assert wayword(capsys, "--store", store, "export", str(tmp_path / "g.csv"), "--format", "csv").code == 0
    assert (tmp_path / "g.csv/nodes/Synset.csv").exists()


def test_a_load_that_fails_leaves_the_store(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    before = wayword(capsys, "--store", store, "info", "--json").json()
    write_files(tmp_path / "dict", CAGES)
    (tmp_path / "dict/data.noun").write_text("nonsense", encoding="utf-8")
    ran = wayword(capsys, "--store", store, "load", "wordnet", str(tmp_path / "dict"))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert wayword(capsys, "--store", store, "info", "--json").json() == before


def test_undecodable_arguments_and_narrow_encodings_are_no_crash(store: str) -> None:
    ran = process("--store", store, "score", b"\xff\xfe", "cage")
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    ran = process("--store", store, "score", "鳥籠", "cage", PYTHONIOENCODING="latin-1")
    assert ran.returncode == 0
    assert b"\\u9ce5" in ran.stdout
    ran = process("--store", store, "score", "👍", "cage", "--json", PYTHONIOENCODING="latin-1")
    assert json.loads(ran.stdout)["substitute"] == "👍"


def test_what_cannot_be_seen_in_a_phrase_is_written_out(capsys: pytest.CaptureFixture[str], store: str) -> None:
    said = wayword(capsys, "--store", store, "senses", "dog\u200bhouse").out
    assert said == 'Nothing is known of "dog\\u200bhouse" in wordnet.\n'
    assert r'"dog\u200bhouse"' in wayword(capsys, "--store", store, "score", "dog\u200bhouse", "cage").out


def shell(command: str, cwd: Path, store: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in which ``wayword`` asks the store; stdin is a file without an end."""
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


@pytest.mark.parametrize(
    "command", ["score cage pen", "score --pairs pairs.csv", "info", "cypher 'RETURN 1'", "--help", "score --help", "--version"]
)
def test_an_answer_that_cannot_be_written_is_said_so(store: str, tmp_path: Path, command: str) -> None:
    (tmp_path / "pairs.csv").write_text("cage,pen\n", encoding="utf-8")
    ran = shell(f"wayword {command} > /dev/full", tmp_path, store)
    assert (ran.returncode, ran.stderr) == (2, b"Error: cannot write the answer: No space left on device\n")


def test_an_exit_code_tells_where_nothing_can_be_said(store: str, tmp_path: Path) -> None:
    assert shell("wayword score '' pen 2> /dev/full", tmp_path, store).returncode == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_no_fault(store: str, tmp_path: Path, closed: str) -> None:
    ran = shell(f"wayword score cage cage --json {closed}", tmp_path, store)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (b'"score": 1.0' in ran.stdout) == (not closed.startswith(">"))


@pytest.mark.parametrize("command", ["score --pairs -", "cypher -"])
@pytest.mark.parametrize(("given", "part"), [("<&-", "stdin: is closed; pipe"), ("< /dev/zero", "is longer than ")])
def test_stdin_that_is_closed_or_has_no_end_is_said_so(store: str, tmp_path: Path, command: str, given: str, part: str) -> None:
    ran = shell(f"ulimit -v 2000000; wayword {command} {given}", tmp_path, store)
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    assert part in ran.stderr.decode()


@pytest.mark.parametrize(("imported", "code"), [("click", 130), ("wayword.commands.info", 130), ("wayword.commands.info", 143)])
def test_an_early_end_is_one_line(imported: str, code: int) -> None:
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


def test_a_signal_is_heard_once_and_not_at_all_under_nohup() -> None:
    program = """
import signal
from wayword.interruption import Ended, hear

signal.signal(signal.SIGHUP, signal.SIG_IGN)
hear()
signal.raise_signal(signal.SIGHUP)
try:
    signal.raise_signal(signal.SIGTERM)
except Ended as error:
    signal.raise_signal(signal.SIGTERM)
    print(error, error.exit_code)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "ended by SIGTERM 143\n", "")


def test_names_cannot_steer_the_terminal(store: str) -> None:
    ran = process("--store", store, "score", "\x1b[31mred", "--", "-\x1b[2J")
    assert b"\x1b" not in ran.stdout + ran.stderr


def many(path: Path, rows: int) -> list[tuple[str, str]]:
    words = ["enclose", "enclosure", "cage", "birdcage", "pen", "xyzzy"]
    pairs = [(words[number % 6], words[number // 6 % 6]) for number in range(rows)]
    path.write_text("".join(f"{one},{other}\n" for one, other in pairs), encoding="utf-8")
    return pairs


@pytest.mark.slow
def test_pairs_scored_by_many_processes_are_those_scored_by_one(store: str, tmp_path: Path) -> None:
    pairs = many(tmp_path / "pairs.csv", 13_000)
    for workers in ("1", "3"):
        ask = ("--store", store, "score", "--pairs", "pairs.csv", "--output", f"{workers}.csv", "--workers", workers)
        ran = process(*ask, cwd=tmp_path)
        assert (ran.returncode, ran.stdout) == (0, b"")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "3.csv").read_bytes()
    rows = list(csv.reader((tmp_path / "3.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row[0], row[1]) for row in rows] == pairs
    alone = process("--store", store, "score", "enclose", "birdcage", "--json")
    assert {float(row[2]) for row in rows if row[:2] == ["enclose", "birdcage"]} == {json.loads(alone.stdout)["score"]}


def test_a_bad_row_far_down_is_named_and_leaves_nothing(store: str, tmp_path: Path) -> None:
    many(tmp_path / "pairs.csv", 9_000)
    with (tmp_path / "pairs.csv").open("a", encoding="utf-8") as lines:
        lines.write("cage,\n" + "pen,cage\n" * 10)
    ran = process("--store", store, "score", "--pairs", "pairs.csv", "--output", "out.csv", "--workers", "2", cwd=tmp_path)
    assert ran.returncode == 2
    assert is_one_line(ran.stderr.decode())
    assert b"pairs.csv, line 9001:" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


def test_a_closed_pipe_is_no_error(store: str, tmp_path: Path) -> None:
    many(tmp_path / "pairs.csv", 40_000)
    for workers in ("1", "2"):
        command = [sys.executable, "-m", "wayword", "--store", store, "score", "--pairs", "pairs.csv", "--workers", workers]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            assert running.stdout.readline() == b"enclose,enclose,1.0\n"
            running.stdout.close()
            assert running.stderr.read() == b""
            assert running.wait(timeout=60) == 0


def test_rows_before_a_bad_one_come_out(store: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("word1,word2\ncage,cage\npen,pen\ncage,\npen,cage\n", encoding="utf-8")
    ran = process("--store", store, "score", "--pairs", "pairs.csv", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, b"word1,word2,score\ncage,cage,1.0\npen,pen,1.0\n")
    assert is_one_line(ran.stderr.decode())
    assert b"pairs.csv, line 4: '' is an empty phrase" in ran.stderr
    ran = process("--store", store, "score", "--pairs", "pairs.csv", "--skip-bad", cwd=tmp_path)
    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines()[3] == "cage,,"
    assert "1 of 4 rows hold no pair of phrases and have no score; the first is line 4\n" in ran.stderr.decode()


def test_a_file_of_pairs_ends_with_what_there_is_to_know(store: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("cage,xyzzy\npen,pen\n", encoding="utf-8")
    ask = ("--store", store, "score", "--pairs", "pairs.csv")
    ran = process(*ask, "-o", "out.csv", cwd=tmp_path)
    assert ran.stderr.decode().splitlines() == [
        'pairs.csv: 1 of 2 pairs hold a phrase that nothing is known of ("xyzzy"); there, 0 says nothing about meaning',
        "wrote 2 rows to out.csv",
    ]
    assert process("-q", *ask, "-o", "out.csv", cwd=tmp_path).stderr == b""
    rows = [json.loads(line) for line in process(*ask, "--format", "jsonl", cwd=tmp_path).stdout.splitlines()]
    assert [row["unknown"] for row in rows] == [["xyzzy"], []]


@pytest.mark.parametrize("to_terminal", [True, False])
def test_the_bar_keeps_out_of_the_way_of_rows(store: str, tmp_path: Path, to_terminal: bool) -> None:
    many(tmp_path / "pairs.csv", 300)
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "wayword", "--store", store, "score", "--pairs", "pairs.csv"]
    ran = subprocess.run(
        command, stdout=child if to_terminal else subprocess.DEVNULL, stderr=child, cwd=tmp_path, check=False, timeout=60
    )
    os.close(child)
    said = b""
    while chunk := _read(parent):
        said += chunk
    os.close(parent)
    assert ran.returncode == 0
    assert (b"scoring pairs" in said) == (not to_terminal)
    assert (b"enclose,enclose,1.0\r\n" in said) == to_terminal


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # nobody has the other end open
        return b""


def still_there(group: int) -> None:
    """Wait for every process of a group to be gone, which is told by an error."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        os.killpg(group, 0)
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "said", "code"),
    [
        (signal.SIGINT, "interrupted", 130),
        (signal.SIGTERM, "ended by SIGTERM", 143),
        (signal.SIGHUP, "ended by SIGHUP", 129),
    ],
)
def test_a_signal_ends_all_processes_and_leaves_no_output(
    store: str, tmp_path: Path, sent: signal.Signals, said: str, code: int
) -> None:
    many(tmp_path / "pairs.csv", 70_000)
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
        # A terminal tells the whole group of Ctrl-C and of its end, and "kill" the one process.
        (os.kill if sent == signal.SIGTERM else os.killpg)(running.pid, sent)
        assert running.stderr.read().decode().strip() == f"Error: {said}"
        assert running.wait(timeout=60) == code
        with pytest.raises(ProcessLookupError):
            still_there(running.pid)
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.csv"]


class Clock:
    """A clock that goes one step each time it is looked at."""

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
    with watched(quiet=quiet, stream=stream, clock=Clock(step)) as progress:
        for number, share in enumerate(shares):
            progress("reading", number * 1000, share)
    return stream.getvalue()


def test_progress_is_a_bar_on_a_terminal_and_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = report(Terminal(), 1.0, [0.0, 0.25, 0.5, 1.0])
    assert "\n" not in shown
    frames = shown.split("\r\x1b[2K")
    assert frames[3] == "████████████░░░░░░░░░░░░  reading  50%  2,000 rows  1,000/s  2 s left"
    assert frames[-1] == ""
    monkeypatch.setenv("COLUMNS", "30")
    assert all(len(frame) < 30 for frame in report(Terminal(), 1.0, [0.0, 0.25, 0.5, 1.0]).split("\r\x1b[2K"))


def test_progress_is_a_line_now_and_then_elsewhere_and_nothing_when_quiet() -> None:
    shown = report(io.StringIO(), 1.0, [None] * 13)
    assert shown.splitlines() == ["reading  4,000 rows  1,000/s", "reading  9,000 rows  1,000/s"]
    assert report(io.StringIO(), 0.01, [0.5] * 13) == ""
    assert report(Terminal(), 1.0, [0.5] * 13, quiet=True) == ""


@pytest.mark.parametrize("no_color", ["", "1"])
def test_colour_is_for_terminals_that_want_it(store: str, no_color: str) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "wayword", "--store", store, "score", "", "cage"]
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    ran = subprocess.run(command, stderr=child, env=environment, check=False, timeout=60)
    os.close(child)
    said = os.read(parent, 4096).decode()
    os.close(parent)
    assert ran.returncode == 2
    assert ("\x1b[31m" in said) == (not no_color)
    assert "Error:" in said
