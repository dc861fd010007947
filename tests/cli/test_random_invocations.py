"""Random invocations of every command, from click's own tree, end in an answer or in one line about what to mend.

Values are drawn by the names of parameters, so that most invocations do work. The nightly job runs 3,000 of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wayword.cli.main import cli, run

from ..support.small_wiki import make_store
from ..support.tweets import write_tweets
from ..support.wiki_dumps import dump

pytestmark = pytest.mark.slow

DEFAULT = settings.default.max_examples if settings.default else 100
INVOCATIONS = 3 * DEFAULT if DEFAULT >= 1_000 else 15
SECONDS = 60

ODD = ["", " ", "\x00", "\u202e", "\udcff", "-", "--", "'", '"; DROP', "x" * 300, "ß", "鳥", "%s", "{0}"]
PHRASES = ["animal", "dog", "Mammal", "science", "the dog", "dog-animal", "", "xyzzy", "x " * 200]
TITLES = ["Dog", "Animal", "Mammal", "dog", "Nowhere", "Fish"]
FILES = {
    "dump": ["wiki.xml", "wiki.xml.gz", "pairs.csv", "nowhere.xml", "."],
    "source": ["dict", "nowhere", "pairs.csv", "wiki.xml"],
    "pairs": ["pairs.csv", "pairs.jsonl", "-", "nowhere.csv", "v.npy", "."],
    "recommended": ["tags.txt", "nowhere.txt", "pairs.csv"],
    "gold": ["tags.txt", "pairs.jsonl"],
    "thesaurus": ["thesaurus.csv", "pairs.csv", "nowhere.parquet"],
    "files": ["thesaurus.csv", "pairs.csv"],
    "tweets": ["tweets.txt", "nowhere.jsonl", "pairs.csv", "."],
    "starters_file": ["titles.txt", "nowhere.txt"],
    "starters": ["titles.txt", "nowhere.txt"],
    "vectors": ["v.npy", "nowhere.txt", "pairs.csv"],
    "vocabulary": ["v.npy", "pairs.csv"],
    "ratings": ["ratings.txt", "pairs.csv"],
    "stop_words": ["titles.txt", "nowhere.txt"],
    "sql": [".", "nowhere"],
}
ENDINGS = ("svg", "png", "pdf", "dot", "graphml", "csv", "jsonl", "parquet", "xyz")
OUTPUTS = [*(f"out.{ending}" for ending in ENDINGS), "nowhere/x.csv"]
TEXTS = {
    "name": ["testwiki", "wordnet", "other", "hashtags"],
    "base": ["testwiki", "wordnet", "wordnt"],
    "lexicon": ["wordnet", "testwiki"],
    "profile": ["thesis", "tuned", "pairs.csv", "nothing"],
    "parameters": ["threshold=0.1", "sim=0.5", "x=1", "threshold=nan", "="],
    "columns": ["1,2", "a,b", "b,a", "1,1", "9,8"],
    "delimiter": [",", ";", "tab", "ab"],
    "encoding": ["utf-8", "latin-1", "utf-16", "base64"],
    "statement": ["RETURN 1", "MATCH (n) RETURN n LIMIT 3", "MATCH (n) DETACH DELETE n", "RETURN $x", "RETRUN 1", "-"],
    "given": ["x=1", "x=[1", "=", "x=a=b"],
    "encoder": ["word2vec", "nowhere"],
    "article": TITLES, "target": TITLES, "starter": TITLES, "hashtag": ["#flu", "flu"], "tags": ["#flu", "flu", "none"],
}  # fmt: skip
KEPT_OUT = {"ledger", "help", "keep", "bundle", "workers"}
"""Parameters that are not drawn: the ledger is that of the folder, and processes would be started by the hundred."""


def commands(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(group, click.Group) or group.invoke_without_command:
        yield path, group
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from commands(command, (*path, name))


COMMANDS = sorted(commands(cli), key=lambda each: each[0])


@st.composite
def values(draw: st.DrawFn, parameter: click.Parameter) -> str:
    name, kind = parameter.name or "", parameter.type
    if draw(st.integers(0, 19)) == 0:
        return draw(st.sampled_from(ODD))
    if isinstance(kind, click.Choice):
        return str(draw(st.sampled_from(list(kind.choices))))
    if isinstance(kind, click.types.IntParamType):
        return str(draw(st.integers(-1, 12)))
    if isinstance(kind, click.types.FloatParamType):
        return str(draw(st.sampled_from([0.0, 0.08, 0.5, 1.0, 2, -1, "nan", "inf"])))
    if name == "output" or (name == "file" and parameter.metavar is None):
        return draw(st.sampled_from(OUTPUTS))
    return draw(st.sampled_from(FILES.get(name) or TEXTS.get(name) or PHRASES))


@st.composite
def invocations(draw: st.DrawFn) -> list[str]:
    path, command = draw(st.sampled_from(COMMANDS))
    arguments = [*path]
    for parameter in command.params:
        if parameter.name in KEPT_OUT:
            continue
        if isinstance(parameter, click.Argument):
            count = draw(st.integers(1, 3)) if parameter.nargs == -1 else 1
            if parameter.required or parameter.nargs == -1 or parameter.name == "source" or draw(st.booleans()):
                arguments += [draw(values(parameter)) for _ in range(count)]
        elif parameter.required or draw(st.integers(0, 4)) == 0:
            option = draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))
            arguments += [option] if getattr(parameter, "is_flag", False) else [option, draw(values(parameter))]
    return [*draw(st.sampled_from([[], ["-q"], ["--verbose"]])), *arguments] if draw(st.integers(0, 9)) else arguments


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, a ledger with runs, and a file of every kind that commands read."""
    folder = tmp_path_factory.mktemp("random")
    shutil.move(make_store(folder), folder / "store")
    (folder / "wiki.xml").write_text(dump({"Dog": "A [[mammal]].", "Mammal": "An [[Animal]]."}), encoding="utf-8")
    (folder / "pairs.csv").write_text("a,b\nmammal,animal\nunicorn,animal\n", encoding="utf-8")
    (folder / "pairs.jsonl").write_text('{"a": "mammal", "b": "animal"}\n["x", "y"]\n', encoding="utf-8")
    (folder / "tags.txt").write_text("#flu #cold\n#flu\n", encoding="utf-8")
    (folder / "thesaurus.csv").write_text(
        "hashtag,synonym,rank,distance\n#flu,#grippe,1,0.1\n#grippe,#flu,1,0.1\n", encoding="utf-8"
    )
    write_tweets(folder / "tweets.txt", 40)
    with environment(folder):
        assert run(["-q", "hop", "run", "--target", "Animal"]) == 0
        assert run(["-q", "score", "--base", "wordnet", "--pairs", "pairs.csv", "--output", "scored.csv"]) == 0
        (folder / "scored.csv").unlink()
    return folder


@contextlib.contextmanager
def environment(folder: Path) -> Iterator[None]:
    here = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"STORE": "store", "LEDGER": "runs.sqlite"}.items():
            patch.setenv(f"WAYWORD_{name}", str(folder / value))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"mammal,animal\n")))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def contents(folder: Path) -> dict[str, str]:
    """Return a digest of every file, without those that commands may change: the store and the ledger."""
    return {
        str(file.relative_to(folder)): hashlib.blake2b(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and not file.relative_to(folder).parts[0].startswith(("store", "runs.sqlite", ".store"))
    }


def time_out(_number: int, _frame: FrameType | None) -> None:
    raise AssertionError(f"no end after {SECONDS} s")


@given(arguments=invocations())
@settings(max_examples=INVOCATIONS, deadline=None)
def test_a_random_invocation_answers_or_says_what_to_mend(folder: Path, arguments: list[str]) -> None:
    before = contents(folder)
    saved = {name: (folder / name).read_bytes() for name in ("store", "runs.sqlite")}
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")  # as the interpreter opens stderr
    previous = signal.signal(signal.SIGALRM, time_out)
    signal.alarm(SECONDS)
    try:
        with environment(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code: Any = run(arguments)
            except SystemExit as error:
                code = error.code
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    err.flush()
    said = err.buffer.getvalue().decode()
    assert code in (0, 2), (arguments, said)
    assert "internal error" not in said
    assert "Traceback" not in said or "--verbose" in arguments
    after = contents(folder)
    named = {arguments[at + 1] for at, argument in enumerate(arguments[:-1]) if argument in ("-o", "--output", "export")}
    # As the help says, the model of word2vec or fasttext is saved beside a thesaurus.
    thesauri = [name for name in named if name.endswith(".parquet")]
    named |= {str(Path(name).with_suffix(f".{kind}.bin")) for name in thesauri for kind in ("word2vec", "fasttext")}
    changed = {file for file in before.keys() | after.keys() if before.get(file) != after.get(file)}
    assert {
        file for file in changed if Path(file).parts[0] not in {Path(name).parts[0] if name else "" for name in named}
    } == set()
    for file in changed & after.keys() - before.keys():
        (folder / file).unlink()
    for name, content in saved.items():
        if (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)
