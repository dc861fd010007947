"""Keeps the docs true: writes into them what commands, statements and notebooks give.

These are cli.md, which is the commands' --help; the output under each command of a ```console block; the table under a
```cypher block; and the outputs of the notebooks in examples/. Needs a store with WordNet 3.1, named by WAYWORD_STORE; what
else a page asks, it loads itself. The tests call the functions of this module, and fail where a page says something else.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import click

DOCS = Path(__file__).parent
PAGES = [DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
NOTEBOOKS = sorted((DOCS.parent / "examples").glob("*.ipynb"))
WIKI = DOCS.parent / "examples" / "orchardwiki.xml"
THESAURUS, TWEETS = WIKI.with_name("healthtags.csv"), WIKI.with_name("tweets.txt")
REFERENCE = DOCS / "cli.md"
PICTURE = DOCS / "enclose-birdcage.svg"
COLUMNS = 100
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)

STATEMENT = re.compile(
    r"^```cypher ?(?P<engine>.*)\n(?P<text>(?:(?!```).*\n)*)```\n(?:\n```text\n(?P<table>(?:(?!```).*\n)*)```\n)?", re.MULTILINE
)

Runner = Callable[[str], str]


class Statement(NamedTuple):
    """A ```cypher block: the one engine it is for, if not for both, its -p options, and the table that is written under it."""

    line: int
    engine: str
    text: str
    options: list[str]
    table: str | None


def reference(group: click.Group) -> str:
    """The page of all commands, as their --help has it."""
    parts = ["# Commands\n\nWritten by `make docs` from `--help`; a test compares the two.\n"]
    top = click.Context(group, info_name="wayword", terminal_width=COLUMNS, **group.context_settings)
    for context in (top, *below(top)):
        path = context.command_path
        parts.append(f"{'#' * (len(path.split()) + 1)} {path}\n\n```text\n{context.command.get_help(context).strip()}\n```\n")
    return "\n".join(parts)


def below(context: click.Context) -> Iterator[click.Context]:
    """The commands of a group and those below them, each ready to be asked for its help."""
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None and not command.hidden:
                inner = click.Context(command, info_name=name, parent=context)
                yield inner
                yield from below(inner)


def refreshed(page: str, run: Runner) -> str:
    """The page with what each of its commands prints now; an output written with ``...`` stays where it still fits.

    Commands come before statements, so that a page can load what its statements are about.
    """
    page = BLOCK.sub(lambda block: f"```console\n{_answered(block.group(1), run)}```", page)
    for each in statements(page):
        if each.table is not None:
            output = run(shlex.join(["wayword", "cypher", each.text, *each.options]))
            if not fits(each.table, output):
                page = page.replace(f"{each.text}```\n\n```text\n{each.table}", f"{each.text}```\n\n```text\n{output}")
    return page


def statements(page: str) -> list[Statement]:
    """The ```cypher blocks of a page. A first line such as ``// -p word=dog`` gives the options of the command."""
    found = []
    for block in STATEMENT.finditer(page):
        first = re.match(r"// (.*)", block["text"])
        options = shlex.split(first[1]) if first else []
        line = page.count("\n", 0, block.start()) + 1
        found.append(Statement(line, block["engine"], block["text"], options, block["table"]))
    return found


def said(block: str) -> list[tuple[str, str]]:
    """The commands of a ```console block, each with the output that is written under it."""
    pieces = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


def _answered(block: str, run: Runner) -> str:
    parts = []
    for command, written in said(block):
        output = run(command)
        parts.append(f"$ {command}\n{written if fits(written, output) else output}")
    return "".join(parts)


def fits(written: str, output: str) -> bool:
    """Whether an output is as written, with ``...`` standing for anything."""
    pattern = ".*?".join(re.escape(part) for part in written.split("..."))
    return re.fullmatch(pattern, output, re.DOTALL) is not None


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with what its cells give now, as Jupyter saves it; they use the store that WAYWORD_STORE names."""
    space: dict[str, Any] = {}
    cells, count = [], 0
    with patch.dict(os.environ, COLUMNS="100"):  # as wide wherever it runs
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = {**cell, "execution_count": count, "outputs": _outputs("".join(cell["source"]), space, count)}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, space: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """What a cell prints, and the value of the expression that it ends with."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return outputs


def shell(folder: Path, environment: dict[str, str]) -> Runner:
    """Runs a command line in a folder; gives what it answers, and what it says on stderr if it fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    surroundings = {**os.environ, **environment, "PATH": path, "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}

    def run(command: str) -> str:
        ran = subprocess.run(["bash", "-c", command], cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
        if ran.returncode not in (0, 2):
            raise RuntimeError(f"{command} ended with {ran.returncode}: {ran.stderr}")
        output = ran.stdout if ran.returncode == 0 else ran.stdout + ran.stderr
        return output if not output or output.endswith("\n") else output + "\n"

    return run


def lent(store: Path, folder: Path) -> dict[str, str]:
    """An environment in which the commands use a copy of a store, so that a page may load into it, and find the examples."""
    shutil.copy(store, folder / "graph")
    (folder / WIKI.parent.name).mkdir()
    for example in (WIKI, THESAURUS, TWEETS):
        shutil.copy(example, folder / example.parent.name)
    return {"WAYWORD_STORE": "graph", "WAYWORD_LEDGER": "runs.sqlite"}


def main() -> None:
    """Write every page that says something else than the commands do."""
    store = os.environ.get("WAYWORD_STORE")
    if not store or not Path(store).is_file():
        sys.exit("docs: set WAYWORD_STORE to a store with WordNet 3.1 (`make demo` makes one: demo/store)")
    from wayword.commandline import cli

    REFERENCE.write_text(reference(cli), encoding="utf-8")
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            after = refreshed(before, shell(Path(folder), lent(Path(store), Path(folder))))
        if after != before:
            page.write_text(after, encoding="utf-8")
            sys.stderr.write(f"wrote {page.relative_to(DOCS.parent)}\n")
    for path in NOTEBOOKS:
        after = json.dumps(executed(json.loads(path.read_text(encoding="utf-8"))), indent=1, ensure_ascii=False) + "\n"
        if after != path.read_text(encoding="utf-8"):
            path.write_text(after, encoding="utf-8")
            sys.stderr.write(f"wrote {path.relative_to(DOCS.parent)}\n")
    shell(DOCS, {"WAYWORD_STORE": str(Path(store).resolve())})(f"wayword path enclose birdcage --output {PICTURE.name}")


if __name__ == "__main__":
    main()
