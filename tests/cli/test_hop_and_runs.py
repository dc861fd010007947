"""``wayword hop run``, ``compare`` and ``figure``, and ``wayword runs``."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sqlite3
from pathlib import Path

import pytest

from wayword.evaluation.errors import EvaluationError
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.runs.recording import RunRequest

from ..support.command_line import is_one_line, process, wayword
from ..support.small_wiki import make_store

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_store(tmp_path_factory.mktemp("hop"))


@pytest.fixture
def store(built: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store, in whose folder commands run, and a ledger that does not exist yet."""
    monkeypatch.chdir(Path(built).parent)
    monkeypatch.setenv("WAYWORD_STORE", built)
    monkeypatch.setenv("WAYWORD_LEDGER", str(tmp_path / "runs.sqlite"))
    return built


HOP = ("-q", "hop", "run", "--target", "Animal")


def test_a_run_is_printed_as_text_and_as_json(capsys: pytest.CaptureFixture[str], store: str) -> None:
    ran = wayword(capsys, *HOP)
    assert ran.code == 0
    assert ran.out == (
        "4 of 5 traversals of testwiki by the first link reached Animal (80.0 %)\n\n"
        "HOP-value  2.00 hops on average, std 0.82, from 1 to 3\n"
        "endings    4 reached, 0 cycle, 1 dead end, 0 limit\n"
        "reach      4 articles, at most 3 hops away\n"
        "run        1\n"
    )
    found = wayword(capsys, *HOP, "--json").json()
    expected = {"run": 2, "strategy": "first", "target": "Animal", "starters": 5, "reached": 4, "cycle": 0, "dead_end": 1}
    expected |= {"limit": 0, "hop_value": 2.0, "std": pytest.approx(0.8165, abs=1e-4), "min": 1, "max": 3}
    assert {name: found[name] for name in expected} == expected
    assert next(iter(found)) == "run"


@pytest.mark.parametrize(
    "options",
    [
        ("--strategy", "random", "--seed", "3"),
        ("--strategy", "wordnet", "--starters", "titles.txt"),
        ("--strategy", "vectors", "--vectors", "v.npy", "--sample", "2"),
        ("--strategy", "second", "--balanced", "2", "--ratings", "ratings.txt"),
        ("--no-revisit", "--all", "--keep-parentheses", "--limit", "2", "--first-links", "3"),
    ],
)
def test_options_that_affect_the_result_are_recorded(
    capsys: pytest.CaptureFixture[str], store: str, options: tuple[str, ...]
) -> None:
    found = wayword(capsys, *HOP, "--json", *options).json()
    shown = wayword(capsys, "runs", "show", "1", "--json").json()
    assert shown["result"] == found
    assert found["parameters"] == shown["parameters"]
    recorded = shown["parameters"] | {"seed": shown["seed"]}
    names = {"--all": "starters", "--sample": "count", "--balanced": "count", "--starters": "starters"}
    given = iter([*options, "--end"])
    option = next(given)
    while option != "--end":
        value = next(given)
        if value.startswith("--"):
            assert recorded[names.get(option, option[2:].replace("-", "_"))] in (True, "all")
            option = value
        else:
            expected = "listed" if option == "--starters" else str(Path(value).resolve()) if Path(value).exists() else value
            assert str(recorded[names.get(option, option[2:].replace("-", "_"))]) == expected
            option = next(given)
    assert {base["id"] for base in shown["bases"]} == {"testwiki"} | ({"wordnet"} if "wordnet" in options else set())
    assert all(base["revision"] > 0 for base in shown["bases"])


def test_the_ledger_is_listed_shown_exported_and_repeated(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path
) -> None:
    wayword(capsys, *HOP, "--strategy", "random", "--sample", "3", "--seed", "8")
    (tmp_path / "pairs.csv").write_text("a,b\nmammal,animal\nunicorn,animal\n")
    scored = ("-q", "score", "--base", "wordnet", "--pairs", str(tmp_path / "pairs.csv"), "--threshold", "0")
    assert wayword(capsys, *scored).out.startswith("a,b,score\nmammal,animal,0.")
    listed = wayword(capsys, "runs").out.splitlines()
    assert listed[0].split() == ["run", "kind", "started", "(UTC)", "duration", "state", "task", "result"]
    assert [line.split()[:2] for line in listed[1:]] == [["2", "pairs"], ["1", "hop"]]
    assert "random → Animal, sample 3, testwiki" in listed[2]
    assert [each["run"] for each in wayword(capsys, "runs", "--json", "--kind", "hop").json()] == [1]
    shown = wayword(capsys, "runs", "show", "2").out
    assert re.search(r"^parameters\.weights\.threshold +0\.0$", shown, re.MULTILINE)
    assert re.search(r"^result\.pairs +2$", shown, re.MULTILINE)
    rows = list(csv.DictReader(io.StringIO(wayword(capsys, "runs", "export", "1").out)))
    assert list(rows[0]) == ["position", "starter", "ending", "hops", "cycle", "last", "concreteness"]
    assert len(rows) == 3
    target = tmp_path / "rows.jsonl"
    assert wayword(capsys, "runs", "export", "1", "-o", str(target), "--format", "jsonl").err == f"wrote 3 rows to {target}\n"
    assert [json.loads(line)["starter"] for line in target.read_text().splitlines()] == [row["starter"] for row in rows]
    assert wayword(capsys, "runs", "repeat", "1").out == "run 3 has the same figures as run 1\n"
    assert wayword(capsys, "runs", "repeat", "2").out == "run 4 has the same figures as run 2\n"


def test_a_run_without_rows_is_not_exported(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    pairs, target = tmp_path / "pairs.csv", tmp_path / "rows.csv"
    pairs.write_text("a,b\nmammal,animal\n")
    wayword(capsys, "-q", "score", "--base", "wordnet", "--pairs", str(pairs))
    requests = [RunRequest("hop", {"strategy": "first"}, "graph", []), RunRequest("reval", {"encoders": []}, "", [])]
    with Ledger.open() as ledger:
        for request in requests:
            with contextlib.suppress(EvaluationError), ledger.record(request):
                raise EvaluationError("the user must mend this")
    for run, words in (("1", "pairs"), ("2", "hop, failed"), ("3", "reval, failed")):
        refused = wayword(capsys, "runs", "export", run, "--output", str(target))
        assert refused.code == 2
        assert is_one_line(refused.err)
        assert words in refused.err
        assert f"runs show {run}" in refused.err
        assert not target.exists()


def test_runs_are_deleted_after_a_question(capsys: pytest.CaptureFixture[str], store: str) -> None:
    for _ in range(3):
        assert wayword(capsys, *HOP).code == 0
    refused = wayword(capsys, "runs", "delete", "1", "2")
    assert refused.code == 2
    assert is_one_line(refused.err)
    assert "--yes" in refused.err
    assert wayword(capsys, "runs", "delete", "1", "9", "--yes").code == 2
    assert [run["run"] for run in wayword(capsys, "runs", "--json").json()] == [3, 2, 1]
    assert wayword(capsys, "runs", "delete", "1", "2", "1", "--yes", "--json").json()["deleted"] == [1, 2]
    assert [run["run"] for run in wayword(capsys, "runs", "--json").json()] == [3]
    assert wayword(capsys, "runs", "delete", "3", "--yes").out.startswith("Deleted 1 run from")


@pytest.mark.parametrize("content", [b"", b"x", b"a note\n" * 100], ids=["empty", "byte", "text"])
def test_no_command_writes_to_a_file_that_is_no_ledger(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, content: bytes
) -> None:
    note = tmp_path / "note"
    note.write_bytes(content)
    for command in (["runs"], ["runs", "show", "1"], ["runs", "delete", "1", "--yes"], [*HOP]):
        refused = wayword(capsys, *command, "--ledger", str(note))
        assert refused.code == 2
        assert is_one_line(refused.err)
        assert "is not a ledger" in refused.err
    assert note.read_bytes() == content


def test_no_output_overwrites_a_ledger(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    assert wayword(capsys, *HOP).code == 0
    ledger = tmp_path / "runs.sqlite"
    content = ledger.read_bytes()
    for command in (["runs", "export", "1"], ["-q", "score", "--base", "wordnet", "--pairs", "titles.txt"]):
        refused = wayword(capsys, *command, "--output", str(ledger))
        assert refused.code == 2
        assert is_one_line(refused.err)
    assert ledger.read_bytes() == content


def test_repeating_a_run_shows_what_differs(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b\nmammal,animal\n")
    wayword(capsys, "-q", "score", "--base", "wordnet", "--pairs", str(pairs))
    pairs.write_text("a,b\nmammal,animal\nanimal,mammal\n")
    ran = wayword(capsys, "runs", "repeat", "1")
    assert ran.out.startswith("run 2 differs from run 1:\n  pairs: 1 then, 2 now\n")
    found = wayword(capsys, "runs", "repeat", "1", "--json").json()
    assert (found["same"], found["differences"]["pairs"]) == (False, [1, 2])


@pytest.mark.slow
def test_scoring_stdin_cannot_be_repeated(store: str) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "wayword", "-q", "score", "--base", "wordnet", "--pairs", "-"]
    assert subprocess.run(command, input=b"a,b\nmammal,animal\n", check=False, capture_output=True).returncode == 0
    ran = process("runs", "repeat", "1")
    assert ran.returncode == 2
    assert "came from stdin" in ran.stderr.decode()


def test_pairs_are_scored_from_the_pipe_of_a_shell(capsys: pytest.CaptureFixture[str], store: str) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as stream:
        stream.write(b"substitute,substitutee\nmammal,animal\n")
    try:
        ran = wayword(capsys, "-q", "score", "--base", "wordnet", "--pairs", f"/dev/fd/{reading}")
    finally:
        os.close(reading)
    assert (ran.code, ran.out.count("\n")) == (0, 2)


def test_runs_are_compared_in_every_format(capsys: pytest.CaptureFixture[str], store: str) -> None:
    for strategy in ("first", "second", "wordnet"):
        wayword(capsys, *HOP, "--strategy", strategy)
    text = wayword(capsys, "hop", "compare", "1", "2", "3").out
    assert text.startswith("Traversals that reached Animal\n\nSelection  Run  Reached  Reached (%)")
    assert wayword(capsys, "hop", "compare", "1", "2", "--format", "csv").out.startswith("Selection,Run,Reached,")
    assert r"\toprule" in wayword(capsys, "hop", "compare", "1", "--format", "latex").out
    found = wayword(capsys, "-q", "hop", "compare", "1", "3", "--shared-vocabulary", "--json").json()
    assert [each["run"] for each in found["runs"]] == [4, 5]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_figures_are_drawn_in_the_format_of_the_ending(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, ending: str
) -> None:
    pytest.importorskip("matplotlib")
    wayword(capsys, *HOP, "--strategy", "wordnet", "--balanced", "3", "--ratings", "ratings.txt")
    wayword(capsys, *HOP)
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for kind, runs in (("trail", ["1"]), ("concreteness", ["1"]), ("hops", ["1", "2"])):
        target = tmp_path / f"{kind}.{ending}"
        ran = wayword(capsys, "hop", "figure", kind, *runs, "--output", str(target))
        assert (ran.code, ran.err.splitlines()[-1]) == (0, f"drew {target}")
        assert target.read_bytes().startswith(begins[ending])


def test_a_trail_is_drawn(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    target = tmp_path / "trail.svg"
    ran = wayword(capsys, "hop", "trail", "Dog", "-t", "Animal", "-o", str(target))
    assert (ran.code, ran.out, ran.err.splitlines()[-1]) == (0, "", f"drew {target}")
    drawn = target.read_text(encoding="utf-8")
    for word in ("Dog", "Mammal", "Animal", "beast", "link 1 of 2", "starter", "target", "reached Animal after 2 hops"):
        assert f">{word}<" in drawn, word


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hop", "run", "--sample", "1", "--all"), "choose one of --sample and --all"),
        (
            ("hop", "run", "-t", "Animal", "--balanced", "1"),
            "need concreteness ratings of words; name a file of them with --ratings",
        ),
        (
            ("hop", "run", "--ratings", "ratings.txt"),
            "only balanced starters use ratings of words; name a number of starters with --balanced, or leave --ratings out",
        ),
        (("hop", "run", "--starters", "none.txt"), "none.txt: cannot be read"),
        (
            ("hop", "run", "-t", "Animal", "--strategy", "contextual"),
            "needs an encoder; name a folder or a model with --encoder",
        ),
        (("hop", "run", "-t", "Animal", "--strategy", "vectors"), "needs word vectors; name a file of them with --vectors"),
        (("hop", "run", "--target", "Unicorn"), "Unicorn"),
        (("hop", "run", "-t", "Animal", "--first-links", "21"), "--first-links 21"),
        (("hop", "compare", "1"), "there is no ledger"),
        (("runs",), "there is no ledger"),
        (("runs", "show", "1"), "there is no ledger"),
        (("runs", "--ledger", "oddity://x"), "oddity"),
        (("runs", "--ledger", ""), "the name is empty"),
        (("hop", "figure", "trail", "1", "2", "-o", "x.svg"), "a trail is drawn from one run"),
        (("hop", "figure", "hops", "1", "--starter", "Dog", "-o", "x.svg"), "--starter is only for the figure trail"),
        (("hop", "trail", "Dog", "-t", "Animal", "-o", "x.txt"), "x.txt does not end with .svg, .png, .pdf"),
    ],
)
def test_invalid_arguments_are_errors_of_one_line(
    capsys: pytest.CaptureFixture[str], store: str, arguments: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, "-q", *arguments)
    assert ran.code == 2
    assert is_one_line(ran.err)
    assert message in ran.err
    assert not Path("x.svg").exists()


def test_unsuitable_runs_are_errors_of_one_line(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    wayword(capsys, *HOP)
    (tmp_path / "pairs.csv").write_text("a,b\nmammal,animal\n")
    wayword(capsys, "-q", "score", "--base", "wordnet", "--pairs", str(tmp_path / "pairs.csv"))
    for arguments, message in (
        (("hop", "compare", "7"), "there is no run 7"),
        (("hop", "compare", "2"), "run 2 is of kind pairs, not a HOP experiment"),
        (("hop", "figure", "concreteness", "1", "-o", "x.svg"), "no starter of run 1 has a concreteness rating"),
        (("hop", "figure", "trail", "1", "-o", "x.svg"), "the strategy first scores no links"),
        (("hop", "figure", "hops", "1", "-o", "x.txt"), "x.txt does not end with .svg, .png, .pdf"),
    ):
        ran = wayword(capsys, "-q", *arguments)
        assert (ran.code, is_one_line(ran.err), message in ran.err) == (2, True, True), ran.err


def test_scoring_needs_no_ledger_unless_one_is_named(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pairs.csv").write_text("a,b\nmammal,animal\n")
    arguments = ["score", "--base", "wordnet", "--pairs", str(tmp_path / "pairs.csv")]
    (tmp_path / "file").write_text("x" * 2_000)
    ran = wayword(capsys, *arguments, "--ledger", str(tmp_path / "file"))
    assert (ran.code, is_one_line(ran.err)) == (2, True)
    monkeypatch.delenv("WAYWORD_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    ran = wayword(capsys, *arguments)
    assert ran.code == 0
    assert ran.out.count("\n") == 2
    assert ran.err.startswith("this run is not recorded: ")


def test_a_run_with_unknown_starters_can_be_repeated(capsys: pytest.CaptureFixture[str], store: str) -> None:
    found = wayword(capsys, *HOP, "--starters", "titles.txt", "--json").json()
    assert sum(found["left_out"].values()) == 4
    assert wayword(capsys, "-q", "runs", "repeat", "1").out == "run 2 has the same figures as run 1\n"
    assert wayword(capsys, "runs", "show", "2", "--json").json()["parameters"] == found["parameters"]


def test_the_values_of_a_profile_are_recorded(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    pairs, profile = tmp_path / "pairs.csv", tmp_path / "mine.toml"
    pairs.write_text("a,b\nmammal,animal\n")
    profile.write_text("sp_max = 0.5\n")
    command = ("-q", "score", "--base", "wordnet", "--pairs", str(pairs))
    wayword(capsys, *command, "--profile", str(profile))
    wayword(capsys, *command, "--set", "bracketed=false")
    profile.write_text("sp_max = 0.9\n")
    first, second = (wayword(capsys, "runs", "show", number, "--json").json()["parameters"] for number in "12")
    assert (first["weights"]["sp_max"], second["weights"]["bracketed"]) == (0.5, False)
    assert wayword(capsys, "runs", "repeat", "1").out == "run 3 has the same figures as run 1\n"


def test_the_repetition_is_compared_with_the_given_run(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    for name, other in (("p", "animal"), ("q", "pet")):
        (tmp_path / f"{name}.csv").write_text(f"a,b\nmammal,{other}\n")
    command = ["-q", "score", "--base", "wordnet", "--pairs"]
    wayword(capsys, *command, str(tmp_path / "p.csv"))
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:  # as if it had been interrupted
        connection.execute("INSERT INTO runs SELECT 2, kind, key, 'running', begun, NULL, seed, store, bases, parameters, "
                           "versions, NULL, NULL, NULL FROM runs WHERE id = 1")  # fmt: skip
    connection.close()
    wayword(capsys, *command, str(tmp_path / "q.csv"))
    assert wayword(capsys, "runs", "repeat", "1").out == "run 2 has the same figures as run 1\n"


def test_scores_are_written_if_the_default_ledger_fails(
    capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wayword.evaluation.errors import LedgerError
    from wayword.evaluation.runs.recording import Recording

    def fail(self: Recording, result: object) -> None:
        raise LedgerError("database is locked")

    monkeypatch.setattr(Recording, "finish", fail)
    (tmp_path / "pairs.csv").write_text("a,b\nmammal,animal\n")
    command = ["score", "--base", "wordnet", "--pairs", str(tmp_path / "pairs.csv"), "-o", str(tmp_path / "scored.csv")]
    assert wayword(capsys, "-q", *command).code == 2
    assert (tmp_path / "scored.csv").exists()
    (tmp_path / "scored.csv").unlink()
    monkeypatch.delenv("WAYWORD_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    ran = wayword(capsys, *command)
    assert (ran.code, "this run is not recorded: database is locked" in ran.err) == (0, True)
    assert (tmp_path / "scored.csv").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--vectors", "nowhere.npy"),
            "the strategy first has no option vectors; leave --vectors out, or choose one of vectors with --strategy",
        ),
        (("-s", "wordnet", "--per-word"), "the strategy wordnet has no option per-word; leave --per-word out"),
        (
            ("-s", "random", "--words", "anchor"),
            "the strategy random has no option words; leave --words out, or choose one of wordnet, vectors with",
        ),
        (("--target", "Caf\udce9"), "no article of testwiki has the title"),
    ],
)
def test_options_that_the_strategy_does_not_use_are_rejected(
    capsys: pytest.CaptureFixture[str], store: str, options: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, *HOP, *options)
    assert (ran.code, is_one_line(ran.err), message in ran.err) == (2, True, True), ran.err


def test_words_with_damaged_vectors_are_counted(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path) -> None:
    import numpy as np

    np.save(tmp_path / "v.npy", np.array([[1.0, 0.0], [np.nan, 0.1]]))
    (tmp_path / "v.vocab").write_text("animal\nmammal\n")
    found = wayword(capsys, *HOP, "-s", "vectors", "--vectors", str(tmp_path / "v.npy"), "--json").json()
    assert found["left_out"] == {"invalid_word_vector": 1}
