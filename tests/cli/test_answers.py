"""Commands that query the graph: their answers, exit codes and one-line errors."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import networkx as nx
import pytest
from click.testing import CliRunner

from wayword import __version__
from wayword.cli.main import COMMANDS, cli
from wayword.cli.signals import Terminated
from wayword.graph.errors import StoreError

from ..support.command_line import CAGES, is_one_line, process, wayword
from ..support.mini_wordnet import write_files
from ..support.wiki_dumps import dump


def test_help_lists_every_command_and_each_has_help() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.output
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
    assert "\nCommands:\n  hashtags " in ran.err
    assert ran.out == ""


def test_the_store_of_the_environment_is_not_repeated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYWORD_STORE", str(tmp_path / "none.lbug"))
    assert wayword(capsys, "score", "a", "b").err.endswith("load one with: wayword load wordnet\n")


def test_version_option_prints_the_version_of_the_package() -> None:
    ran = process("--version")
    assert ran.stdout.decode().strip() == f"wayword {__version__}"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["scor"], "'scor'"),
        (["score", "a"], "SUBSTITUTEE"),
        (["score", "a", "b", "--pairs", "x"], "not both"),
        (["score", "a", "b", "--output", "x"], "--output x is only for --pairs"),
        (["score", "--pairs", "x.csv", "--workers", "0"], "0"),
        (["score", "-q", "a", "b"], "before the command"),
        (["score", "a", "b", "--set", "der"], "--set der=0.6"),
        (["score", "a", "b", "--set", "der=much"], "der=much"),
        (["path", "a", "b", "--cypher", "--json"], "choose one"),
        (["cypher", "RETURN 1", "-p", "x"], "-p name=dog"),
        (["cypher", "RETURN 1", "--limit", "0"], "0"),
        (["senses"], "PHRASE"),
        (["score", "a", "b", "--columns", "1,2"], "--columns 1,2 is only for --pairs"),
        (["score", "a", "b", "--no-header"], "--no-header is only for --pairs"),
        (["score", "a", "b", "--skip-bad"], "--skip-bad is only for --pairs"),
        (["score", "--pairs", "x", "--explain"], "--explain is only for two phrases"),
        (["score", "--pairs", "x", "--columns", "WORD1"], "WORD1,WORD2 or 1,2"),
        (["score", "--pairs", "x", "--columns", "0,1"], "from 1"),
        (["export", "graph.csv"], "give --format csv to"),
        (["export", ""], "the name is empty"),
        (["path", "a", "b", "-o", ""], "'--output' / '-o': the name is empty"),
        (["score", "--pairs", "x.csv", "-o", ""], "'--output' / '-o': the name is empty"),
        (["score", "--pairs", ""], "'--pairs': the name is empty"),
        (["score", "-x", "toilet"], "Put arguments that begin with - after --."),
        (["--store", "", "score", "a", "b"], "--store is empty; give a path"),
        (["--store", "", "load", "wordnet"], "--store is empty; give a path"),
        (["cypher", "RETURN $x", "-p", "x=" + "[" * 100_000], "-p x=...: the value is nested too deeply"),
        (["cypher", "RETURN $x", "-p", "x=1", "-p", "x=2"], "-p x=... is given twice; give each parameter one value"),
        (["cypher", "RETURN $x", "-p", 'x={"a": 1, "a": 2}'], "the object has the key 'a' twice; remove one"),
        (["export", "graph.parquet"], "give --format parquet to"),
    ],
)
def test_a_usage_error_is_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], part: str
) -> None:
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


def test_score_json_has_stable_fields(capsys: pytest.CaptureFixture[str], store: str) -> None:
    found = wayword(capsys, "--store", store, "score", "enclose", "birdcage", "--profile", "thesis", "--json").json()
    assert set(found) >= {"substitute", "substitutee", "score", "bases", "profile", "threshold", "unknown", "matches"}
    path = found["matches"][0]["path"]
    assert [step["name"] for step in path] == ["enclose", "enclosure", "cage", "birdcage"]
    fields = "id name gloss step breadth factor score word label kind changes_pos share"
    assert set(path[0]) == set(fields.split())
    assert [step["breadth"] for step in path] == [None, None, 2, 1]
    assert path[-1]["score"] == found["score"] == pytest.approx(0.7 * (0.2 + 0.79 / 2 ** (1 / 3)) * 0.99)


def test_score_explains_formulas_with_the_parameters_of_the_answer(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ask = ("--store", store, "score", "cage", "birdcage", "--profile", "thesis")
    ran = wayword(capsys, *ask, "--explain", "--set", "sp_min=0.25")
    assert ran.code == 0
    assert "  specialisation: sp_min + (sp_max - sp_min) / breadth ^ sp_power\n" in ran.out
    assert "  specialisation to birdcage: 0.25 + (0.99 - 0.25) / " in ran.out
    assert "\n  sp_min           0.25      " in ran.out
    ran = wayword(capsys, *ask, "--set", "sp_min=0", "--set", "sp_max=0", "--json")
    (missing,) = ran.json()["missing_paths"]
    assert (missing["cause"], missing["stop"], missing["path"][1]["factor"]) == ("zero_step", 1, 0.0)
    zero = ("--set", "sp_min=0", "--set", "sp_max=0", "--explain")
    ran = wayword(capsys, *ask, *zero)
    assert "the specialisation from cage to birdcage, whose factor is set to 0." in " ".join(ran.out.split())
    assert "to birdcage: 0 + (0 - 0) / " in ran.out


def test_options_change_the_result_and_are_recorded(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ask = ("--store", store, "score", "enclose", "enclosure", "--json", "--profile", "thesis")
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
def test_an_error_the_user_can_fix_is_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], store: str, arguments: list[str], part: str
) -> None:
    ran = wayword(capsys, "--store", store, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert is_one_line(ran.err)
    assert part in ran.err


def test_a_missing_store_is_an_error_that_says_how_to_load_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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


def test_too_little_memory_for_a_library_is_not_an_internal_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from wayword.cli.commands import info

    def broken(**_: object) -> None:
        raise ImportError("duckdb.so: failed to map segment from shared object")

    monkeypatch.setattr(info.info, "callback", broken)
    ran = wayword(capsys, "info")
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert ran.err.startswith("Error: too little memory for a library (ImportError: duckdb.so: failed to map segment")


def test_an_internal_error_has_exit_code_1_and_a_traceback_if_verbose(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from wayword.cli.commands import info

    def broken(**_: object) -> None:
        raise RuntimeError("out of\ncheese")

    monkeypatch.setattr(info.info, "callback", broken)
    ran = wayword(capsys, "info")
    assert ran.code == 1
    assert ran.err == "Error: RuntimeError: out of cheese (an internal error; wayword --verbose shows where)\n"
    ran = wayword(capsys, "--verbose", "info")
    assert ran.code == 1
    assert "Traceback" in ran.err
    assert ran.err.endswith("Error: RuntimeError: out of cheese (an internal error)\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_an_interruption_has_exit_code_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    from wayword.cli.commands import info

    def interrupted(**_: object) -> None:
        raise error

    monkeypatch.setattr(info.info, "callback", interrupted)
    ran = wayword(capsys, "info")
    assert (ran.code, ran.err.strip()) == (130, "Error: interrupted")


@pytest.mark.parametrize("replacement", [RuntimeError("no library"), StoreError("no store")])
def test_an_interruption_that_a_library_replaces_by_an_error_is_still_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, replacement: Exception
) -> None:
    from wayword.cli.commands import info

    def interrupted(**_: object) -> None:
        try:
            try:
                raise Terminated(signal.SIGTERM)
            except Terminated as error:
                raise ImportError("initialization failed") from error
        except ImportError:
            raise replacement  # noqa: B904 - as the library does

    monkeypatch.setattr(info.info, "callback", interrupted)
    ran = wayword(capsys, "info")
    assert (ran.code, ran.err.strip()) == (143, "Error: ended by SIGTERM")


def test_path_draws_in_the_format_of_the_ending(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    for ending in ("svg", "dot", "graphml"):
        ran = wayword(capsys, "--store", store, "path", "enclose", "birdcage", "--output", str(tmp_path / f"path.{ending}"))
        assert (ran.code, ran.out) == (0, "")
        assert "drew" in ran.err
    assert "birdcage" in "".join(ET.parse(tmp_path / "path.svg").getroot().itertext())
    assert nx.read_graphml(tmp_path / "path.graphml").number_of_edges() == 3
    assert "digraph" in (tmp_path / "path.dot").read_text(encoding="utf-8")


def test_path_prints_the_same_text_as_score(capsys: pytest.CaptureFixture[str], store: str) -> None:
    pair = ("enclose", "birdcage")
    assert wayword(capsys, "--store", store, "path", *pair).out == wayword(capsys, "--store", store, "score", *pair).out


@pytest.mark.parametrize("derivation", ["word", "synset"])
@pytest.mark.parametrize(
    "pair", [("enclose", "birdcage"), ("birdcage", "enclosure"), ("close in", "enclose"), ("birdcage", "enclose")]
)
def test_the_cypher_statement_of_a_path_returns_its_nodes(
    capsys: pytest.CaptureFixture[str], store: str, derivation: str, pair: tuple[str, str]
) -> None:
    ask = ("--store", store, "path", *pair, "--derivation", derivation)
    ids = {step["id"] for step in wayword(capsys, *ask, "--json").json()["matches"][0]["path"]}
    statement = wayword(capsys, *ask, "--cypher").out
    answer = wayword(capsys, "--store", store, "cypher", statement, "--json").json()
    assert answer["rows"]
    assert all(identity in json.dumps(answer["rows"]) for identity in ids)


def test_senses_lists_the_meanings_of_a_phrase(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, "--store", store, "senses", "cage")
    assert ran.code == 0
    assert "an enclosure of wire" in ran.out
    found = wayword(capsys, "--store", store, "senses", "cage", "--json").json()
    assert found["aspects"][0]["targets"][0]["name"] == "cage"
    assert '"xyzzy" is not in wordnet.' in wayword(capsys, "--store", store, "senses", "xyzzy").out


@pytest.mark.parametrize("command", ["senses", "links"])
def test_a_blank_phrase_is_an_error_before_the_store_is_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    for phrase in ("", "  "):
        ran = wayword(capsys, "--store", str(tmp_path / "none"), command, phrase)
        assert ran.code == 2
        assert is_one_line(ran.err)
        assert "it is empty; give a word or a phrase" in ran.err


def test_info_counts_what_was_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "one.xml"
    place.write_text(dump({"Dog": "A [[dog]] is no [[Cat]]."}), encoding="utf-8")
    there = str(tmp_path / "graph")
    assert wayword(capsys, "--store", there, "load", "wikipedia", str(place), "--workers", "1").code == 0
    assert "  left out       1 link to a missing page\n" in wayword(capsys, "--store", there, "info").out


def test_output_fits_the_width_of_the_terminal(store: str) -> None:
    for arguments in (["score", "enclose", "birdcage"], ["senses", "enclose"], ["info"]):
        narrow = process("--store", store, *arguments, COLUMNS="60").stdout.decode().splitlines()
        wide = process("--store", store, *arguments, COLUMNS="150").stdout.decode().splitlines()
        assert all(len(line) <= 60 for line in narrow[1:] if not line.startswith("ledger of runs: "))  # a path stays whole
        assert narrow != wide
        assert any("meaning" in line for line in narrow) == (arguments[0] == "senses")


def test_cypher_prints_tables_csv_and_json(
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


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "nan", "dog"])
def test_a_parameter_that_is_no_json_is_text(capsys: pytest.CaptureFixture[str], store: str, word: str) -> None:
    ran = wayword(capsys, "--store", store, "cypher", "RETURN $x AS x", "-p", f"x={word}", "--json")
    assert ran.json()["rows"] == [[word]]


def test_the_words_of_the_engine_are_shown_on_request(capsys: pytest.CaptureFixture[str], store: str) -> None:
    plain = wayword(capsys, "--store", store, "cypher", "MATCH (n:Synsets) RETURN n")
    assert plain.code == 2
    assert is_one_line(plain.err)
    assert "there is no label Synsets; did you mean Synset?" in plain.err
    assert "Binder exception" not in plain.err
    verbose = wayword(capsys, "--verbose", "--store", store, "cypher", "MATCH (n:Synsets) RETURN n")
    assert "Binder exception: Table Synsets does not exist." in verbose.err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process can only be limited on Linux")
@pytest.mark.parametrize(
    ("limit", "problem"),
    [("-v 400000", "too little memory"), ("-v 1000000", "too little memory"), ("-n 8", "too many open files")],
)
def test_a_statement_says_which_limit_of_the_system_is_too_low(store: str, limit: str, problem: str) -> None:
    command = f'ulimit {limit}; exec "$0" -m wayword --store "$1" cypher "RETURN 1 AS x"'
    ran = subprocess.run(
        ["bash", "-c", command, sys.executable, store],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert is_one_line(ran.stderr)
    assert problem in ran.stderr


def test_info_shows_the_contents_of_the_store(capsys: pytest.CaptureFixture[str], store: str) -> None:
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


def test_a_load_prints_a_summary_and_the_next_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_files(tmp_path / "dict", CAGES)
    store = str(tmp_path / "graph.lbug")
    ran = wayword(capsys, "--store", store, "load", "wordnet", str(tmp_path / "dict"))
    assert ran.code == 0
    assert ran.out.startswith("Loaded wordnet from ")
    assert "6 synsets" in ran.out
    assert f"Next: wayword --store {store} score" in ran.err


def test_a_failed_load_leaves_the_store_unchanged(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    before = wayword(capsys, "--store", store, "info", "--json").json()
    write_files(tmp_path / "dict", CAGES)
    (tmp_path / "dict/data.noun").write_text("nonsense", encoding="utf-8")
    ran = wayword(capsys, "--store", store, "load", "wordnet", str(tmp_path / "dict"))
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert wayword(capsys, "--store", store, "info", "--json").json() == before


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["scor", "a", "b"], "score"),
        (["load", "wordnt"], "wordnet"),
        (["runs", "exprt", "1"], "export"),
        (["score", "cage", "pen", "--base", "wordnt"], "wordnet"),
    ],
)
def test_a_misspelt_name_is_answered_with_similar_names(
    store: str, capsys: pytest.CaptureFixture[str], arguments: list[str], names: str
) -> None:
    ran = wayword(capsys, "--store", store, *arguments)
    assert ran.code == 2
    assert f"did you mean {names}?" in ran.err


def test_info_shows_where_runs_are_recorded_without_the_password(
    store: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYWORD_LEDGER", "postgresql://me:secret@host/runs")
    ran = wayword(capsys, "--store", store, "info")
    assert "ledger of runs: postgresql" in ran.out
    assert "secret" not in ran.out
    monkeypatch.setenv("WAYWORD_LEDGER", "/data/runs.sqlite")
    assert wayword(capsys, "--store", store, "info", "--json").json()["ledger"] == "/data/runs.sqlite"


@pytest.mark.slow
def test_scores_and_steps_have_colours_on_a_terminal_only(store: str) -> None:
    ask = ["--store", store, "score", "enclose", "birdcage", "--profile", "thesis"]
    command = [sys.executable, "-m", "wayword", *ask]
    shown = {}
    for name, variables in {"colours": {"TERM": "xterm"}, "plain": {"TERM": "xterm", "NO_COLOR": "1"}}.items():
        leader, follower = os.openpty()
        environment = {variable: value for variable, value in os.environ.items() if variable != "NO_COLOR"}
        subprocess.run(command, stdout=follower, env={**environment, **variables, "COLUMNS": "100"}, check=True, timeout=120)
        os.close(follower)
        shown[name] = os.read(leader, 65_536).decode().replace("\r\n", "\n")
        os.close(leader)
    assert "\x1b[1m0.57\x1b[0m" in shown["colours"]
    assert "\x1b" not in shown["plain"]
    assert re.sub(r"\x1b\[\d*m", "", shown["colours"]) == shown["plain"]
    assert process(*ask, COLUMNS="100").stdout.decode() == shown["plain"]
