"""Write into the docs what commands, Cypher statements and notebook cells print.

Covers docs/cli.md (from ``--help``), the output under each command of a ```console block, the table under a ```cypher block,
and the outputs of the notebooks in examples/. Run as ``make docs`` with WAYWORD_STORE naming a store that holds WordNet 3.1;
pages load whatever else they need. The tests call these functions and fail where a page differs from the output.
"""

from __future__ import annotations

import ast
import contextlib
import glob
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

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
WIKI = ROOT / "examples" / "orchardwiki.xml"
THESAURUS, TWEETS = WIKI.with_name("healthtags.csv"), WIKI.with_name("tweets.txt")
REFERENCE = DOCS / "cli.md"
PICTURE = DOCS / "enclose-birdcage.svg"
COLUMNS = 100
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)

STATEMENT = re.compile(
    r"^```cypher ?(?P<engine>.*)\n(?P<text>(?:(?!```).*\n)*)```\n(?:\n```text\n(?P<table>(?:(?!```).*\n)*)```\n)?", re.MULTILINE
)

VOLATILE = (
    (re.compile(r"\bin [\d.]+ s\b"), "in ... s"),
    (re.compile(r"\brevision \d{6,}"), "revision ..."),
    (re.compile(r"LadybugDB [\d.]+ · [\d.]+ MB"), "LadybugDB ... MB"),
    (re.compile(r"(?<=database files, )[^:)\n]+(?=[:)])"), "..."),
)
"""What differs between runs and machines, and how pages show it: times, revisions, sizes, paths."""

LOAD_WORDNET = "wayword load wordnet"

Runner = Callable[[str], str]


class Statement(NamedTuple):
    """A ```cypher block; ``engine`` is empty if it runs on both, ``table`` is None if no output follows it."""

    line: int
    engine: str
    text: str
    options: list[str]
    table: str | None


def render_reference(group: click.Group) -> str:
    """Return the page of all commands from their ``--help``."""
    parts = ["# Commands\n\nWritten by `make docs` from `--help`; a test compares the two.\n"]
    top = click.Context(group, info_name="wayword", terminal_width=COLUMNS, **group.context_settings)
    for context in (top, *walk_commands(top)):
        path = context.command_path
        parts.append(f"{'#' * (len(path.split()) + 1)} {path}\n\n```text\n{context.command.get_help(context).strip()}\n```\n")
    return "\n".join(parts)


def walk_commands(context: click.Context) -> Iterator[click.Context]:
    """Yield a context for each visible command below a group, depth first."""
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None and not command.hidden:
                inner = click.Context(command, info_name=name, parent=context)
                yield inner
                yield from walk_commands(inner)


def refresh_page(page: str, run: Runner) -> str:
    """Return the page with current outputs; an output written with ``...`` stays if it still matches.

    Commands run before statements, so that a page can load what its statements query.
    """
    page = BLOCK.sub(lambda block: f"```console\n{_refresh_block(block.group(1), run)}```", page)
    for each in parse_statements(page):
        if each.table is not None:
            output = run(shlex.join(["wayword", "cypher", each.text, *each.options]))
            if not matches_output(each.table, output):
                page = page.replace(f"{each.text}```\n\n```text\n{each.table}", f"{each.text}```\n\n```text\n{output}")
    return page


def parse_statements(page: str) -> list[Statement]:
    """Return the ```cypher blocks of a page. A first line such as ``// -p word=dog`` gives command options."""
    found = []
    for block in STATEMENT.finditer(page):
        first = re.match(r"// (.*)", block["text"])
        options = shlex.split(first[1]) if first else []
        line = page.count("\n", 0, block.start()) + 1
        found.append(Statement(line, block["engine"], block["text"], options, block["table"]))
    return found


def parse_commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of a ```console block, each with the output written under it."""
    pieces = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


def _refresh_block(block: str, run: Runner) -> str:
    parts = []
    for command, written in parse_commands(block):
        output = run(command)
        parts.append(f"$ {command}\n{written if matches_output(written, output) else mask_volatile(output)}")
    return "".join(parts)


def mask_volatile(output: str) -> str:
    """Replace everything in an output that changes with every run by ``...``.

    >>> mask_volatile("Loaded wiki in 3.2 s, revision 1795123301619766")
    'Loaded wiki in ... s, revision ...'
    """
    for pattern, replacement in VOLATILE:
        output = pattern.sub(replacement, output)
    return output


def matches_output(written: str, output: str) -> bool:
    """Whether an output is as written, where ``...`` matches anything."""
    pattern = ".*?".join(re.escape(part) for part in written.split("..."))
    return re.fullmatch(pattern, output, re.DOTALL) is not None


def execute_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with fresh outputs, in Jupyter's format; its cells open the store that WAYWORD_STORE names."""
    namespace: dict[str, Any] = {}
    cells, count = [], 0
    with patch.dict(os.environ, COLUMNS="100"):  # the same width everywhere
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = {**cell, "execution_count": count, "outputs": _execute_cell("".join(cell["source"]), namespace, count)}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _execute_cell(source: str, namespace: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return what a cell prints and the value of its final expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return outputs


def shell_runner(folder: Path, environment: dict[str, str]) -> Runner:
    """Return a function that runs a command line in a folder; its result includes stderr if the command exits with 2."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    full = {**os.environ, **environment, "PATH": path, "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}

    def run(command: str) -> str:
        if command == LOAD_WORDNET:  # shown as on a new machine
            (folder / "graph").unlink(missing_ok=True)
        ran = subprocess.run(["bash", "-c", command], cwd=folder, env=full, capture_output=True, text=True, check=False)
        if ran.returncode not in (0, 2):
            raise RuntimeError(f"{command} exited with {ran.returncode}: {ran.stderr}")
        output = ran.stdout if ran.returncode == 0 else ran.stdout + ran.stderr
        return output if not output or output.endswith("\n") else output + "\n"

    return run


def populate_folder(store: Path, folder: Path) -> dict[str, str]:
    """Copy a store with its projections and the examples into a folder; return the environment in which commands use them."""
    copy_store(store, folder / "graph")
    (folder / WIKI.parent.name).mkdir()
    for example in (WIKI, THESAURUS, TWEETS):
        shutil.copy(example, folder / example.parent.name)
    return {"WAYWORD_STORE": "graph", "WAYWORD_LEDGER": "runs.sqlite"}


def copy_store(store: Path, target: Path) -> None:
    """Copy a store with its projections, so that the first command need not build them again."""
    for path in (store, *store.parent.glob(f"{glob.escape(store.name)}.*.projection")):
        shutil.copy(path, target.with_name(target.name + path.name.removeprefix(store.name)))


def main() -> None:
    """Rewrite every page and notebook whose output has changed."""
    store = os.environ.get("WAYWORD_STORE")
    if not store or not Path(store).is_file():
        sys.exit("docs: set WAYWORD_STORE to a store with WordNet 3.1 (`make demo` creates one: demo/store)")
    from wayword.cli.main import cli

    REFERENCE.write_text(render_reference(cli), encoding="utf-8")
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            after = refresh_page(before, shell_runner(Path(folder), populate_folder(Path(store), Path(folder))))
        if after != before:
            page.write_text(after, encoding="utf-8")
            sys.stderr.write(f"wrote {page.relative_to(ROOT)}\n")
    for path in NOTEBOOKS:
        after = json.dumps(execute_notebook(json.loads(path.read_text(encoding="utf-8"))), indent=1, ensure_ascii=False) + "\n"
        if after != path.read_text(encoding="utf-8"):
            path.write_text(after, encoding="utf-8")
            sys.stderr.write(f"wrote {path.relative_to(ROOT)}\n")
    draw = f"wayword path enclose birdcage --output {PICTURE.name}"
    shell_runner(DOCS, {"WAYWORD_STORE": str(Path(store).resolve())})(draw)


if __name__ == "__main__":
    main()
