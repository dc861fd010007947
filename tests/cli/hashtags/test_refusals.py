"""Errors that ``wayword hashtags`` reports before the work begins."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ...support.command_line import is_one_line, wayword
from ...support.tweets import write_tweets

pytestmark = pytest.mark.slow  # loads or runs whole commands: too much for the inner loop

EXPERIMENT = ("-q", "hashtags", "experiment", "a.txt", "--encoder", "word2vec")


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WAYWORD_LEDGER", str(tmp_path / "runs.sqlite"))
    write_tweets(tmp_path / "a.txt", 40)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--keep", "a.txt"), "a.txt: this is a file; name a folder"),
        (("--keep", "/proc/kept"), "/proc/kept cannot be written"),
        (("--encoder", "no/such/encoder"), "there is no folder no/such/encoder"),
        (("--test", "nan"), "nan is not a number"),
        (("--within", "nan"), "nan is not a number"),
        (("--similar", "nan"), "nan is not a number"),
    ],
)
def test_invalid_options_of_an_experiment_record_no_run(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    ran = wayword(capsys, *EXPERIMENT, *options)
    assert (ran.code, message in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err
    assert wayword(capsys, "runs").out.count("reval") == 0


def test_an_experiment_does_not_overwrite_the_tweets(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").rename("gold.txt")
    held = Path("gold.txt").read_bytes()
    ran = wayword(capsys, "hashtags", "experiment", "gold.txt", "--encoder", "word2vec", "--keep", ".")
    assert (ran.code, "contains the tweets" in ran.err) == (2, True), ran.err
    assert Path("gold.txt").read_bytes() == held


def test_an_inconsistent_thesaurus_cannot_be_updated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    assert wayword(capsys, "-q", "hashtags", "train", "a.txt", "--encoder", "word2vec", "-o", "t.parquet").code == 0
    whole = pq.read_table("t.parquet")

    def changed(name: str, change: Callable[[Any], Any], type: Any) -> Any:
        rows = [None if each is None else change(each) for each in whole[name].to_pylist()]
        return whole.set_column(whole.schema.get_field_index(name), name, pa.array(rows, type))

    for table in (
        changed("vector", str, pa.string()),
        changed("vector", lambda row: [float("nan")] * len(row), pa.list_(pa.float32())),
        changed("tweets", lambda _: -1, pa.int64()),
        changed("rank", lambda rank: rank * 90, pa.int32()),
        changed("synonym", lambda name: f"{name}s", pa.string()),
        whole.drop_columns(["seen"]),
    ):
        pq.write_table(table, "t.parquet")
        ran = wayword(capsys, "hashtags", "update", "t.parquet", "a.txt", "-o", "u.parquet")
        assert (ran.code, "t.parquet is cut off or damaged" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err
    pq.write_table(changed("vector", list, pa.list_(pa.float64())), "t.parquet")  # as other tools write it
    assert wayword(capsys, "-q", "hashtags", "update", "t.parquet", "a.txt", "-o", "u.parquet").code == 0


def test_an_update_in_another_folder_can_be_updated(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other").mkdir()
    wayword(capsys, "-q", "hashtags", "train", "a.txt", "--encoder", "word2vec", "-o", "t.parquet")
    update = ("-q", "hashtags", "update")
    assert wayword(capsys, *update, "t.parquet", "a.txt", "-o", "other/u.parquet").code == 0
    assert wayword(capsys, *update, "other/u.parquet", "a.txt").code == 0
    ran = wayword(capsys, *update, "t.parquet", "a.txt", "--encoder", "word2vec")
    assert (ran.code, "name its location with --encoder" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err


def test_a_damaged_cache_is_rebuilt_and_an_unwritable_one_ignored(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("-q", "hashtags", "recommend", "The soup and the salad of our kitchen", "--tweets", "a.txt", "--similar", "-1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path("cache").absolute()))
    first = wayword(capsys, *ask).out
    for name in ("words.bin", "tweets.parquet"):
        next(Path("cache").rglob(name)).write_bytes(b"")
        assert wayword(capsys, *ask).out == first
        assert next(Path("cache").rglob(name)).stat().st_size
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert wayword(capsys, *ask).out == first


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("x.txt", "does not end with .svg, .png, .pdf"),
        (".svg", "does not end with .svg"),
        ("no/x.svg", "the folder 'no' does not exist"),
    ],
)
def test_the_output_of_a_figure_is_checked_before_tweets_are_read(
    capsys: pytest.CaptureFixture[str], output: str, message: str
) -> None:
    ran = wayword(capsys, "hashtags", "figure", "map", "not-there.txt", "--encoder", "word2vec", "-o", output)
    assert (ran.code, message in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err


def test_binary_data_is_not_read_as_tweets(capsys: pytest.CaptureFixture[str]) -> None:
    Path("noise.txt").write_bytes(random.Random(1).randbytes(50_000))
    ran = wayword(capsys, "-q", "hashtags", "train", "noise.txt", "--encoder", "word2vec", "-o", "t.parquet")
    assert (ran.code, "noise.txt is not text" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err


@pytest.mark.parametrize("run", ["", "a.txt", "9" * 5_000])
def test_figure_of_no_run_is_rejected(capsys: pytest.CaptureFixture[str], run: str) -> None:
    ran = wayword(capsys, "hashtags", "figure", "curves", run, "-o", "c.svg")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "is not the number of a run" in ran.err


def test_a_figure_without_a_curve_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text("The nurses are ill #flu\nA match of our team #goal\n", encoding="utf-8")
    assert "test tweets left out: 1 tweet without recommended hashtags\n" in wayword(capsys, *EXPERIMENT, "--similar", "1").out
    shown = wayword(capsys, "runs", "show", "1").out
    assert max(map(len, shown.splitlines())) < 1_200
    assert "3 values; --json shows them" in shown
    ran = wayword(capsys, "hashtags", "figure", "curves", "1", "-o", "c.svg")
    assert (ran.code, "run 1 has no curve" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err
    assert not Path("c.svg").exists()


def test_a_format_conflicts_with_json_and_output(capsys: pytest.CaptureFixture[str]) -> None:
    for other in (("--json",), ("-o", "x.svg")):
        ran = wayword(capsys, "hashtags", "similar", "flu", "--thesaurus", "none.csv", "--format", "latex", *other)
        assert (ran.code, "choose one of --format and" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err


def test_an_unreadable_folder_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("shut").mkdir()

    def denied(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", "shut")

    monkeypatch.setattr(os, "scandir", denied)
    ran = wayword(capsys, "-q", "hashtags", "train", "shut", "--encoder", "word2vec", "-o", "t.parquet")
    assert (ran.code, "shut cannot be read: Permission denied" in ran.err, is_one_line(ran.err)) == (2, True, True), ran.err
