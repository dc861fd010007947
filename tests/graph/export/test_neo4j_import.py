"""A store that is exported and imported with Neo4j's importer stays equal."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import wayword
from wayword import loaders
from wayword.graph.export import export
from wayword.graph.ingestion import ingest
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.neo4j.store import ServerStore
from wayword.graph.schema import NODES, RELATIONSHIPS
from wayword.graph.store import Store

from ...support import ROOT
from ...support.graphs import base, edges, nodes, words
from ...support.neo4j.keeper import OPENED, await_answer, free_port, start_jars
from ...support.neo4j_servers import importer_jars

WIKI = ROOT / "examples" / "orchardwiki.xml"
AWKWARD = "a \"quoted\" <gloss>; 'so'\nnext line, \\ 鳥籠 👍"

pytestmark = [pytest.mark.slow, pytest.mark.server, pytest.mark.xdist_group("neo4j")]


def fill(store: Store, folder: Path) -> None:
    """Load a wiki, and words with texts that are awkward in CSV."""
    with loaders.open_wikipedia(WIKI, bundle=folder, workers=1) as loader:
        ingest(store, loader)
    bird = {"id": "other:1-n", "base": "other", "name": "鳥籠", "pos": "n", "lemmas": ["a;b", 'c"d'], "gloss": AWKWARD}
    top = {"id": "other:2-n", "base": "other", "name": "top", "pos": "n", "lemmas": ["top"], "gloss": "", "hyponyms": 1}
    store.replace_base(
        base("other"),
        [
            *words("other", "dogs", "orange"),
            nodes("Synset", bird, top),
            edges("SENSE", ("other/dogs", "other:1-n", {"uses": 2, "prior": 0.1, "rank": 1}), ends=("Label", "Synset")),
            edges("HYPERNYM", ("other:1-n", "other:2-n", {"instance": True})),
        ],
    )


@contextmanager
def import_graph(exported: Path, folder: Path) -> Iterator[str]:
    """Import an exported graph, and run a server on the database."""
    jars = importer_jars()
    home = folder / "home"
    (home / "conf").mkdir(parents=True)
    environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    admin = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", *OPENED, "org.neo4j.server.startup.Neo4jAdminCommand"]
    command = [*admin, "database", "import", "full", "neo4j", "@import.args"]
    done = subprocess.run(command, cwd=exported, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    port, password = free_port(), secrets.token_hex(12)
    address = f"bolt://127.0.0.1:{port}"
    server = start_jars(folder, jars, port, password)
    try:
        await_answer(address, password, server)
        os.environ.update(NEO4J_USERNAME="neo4j", NEO4J_PASSWORD=password)
        yield address
    finally:
        server.kill()
        server.wait()


def everything(store: Store) -> dict[str, Any]:
    """All rows of a store."""
    content: dict[str, Any] = {"bases": store.bases(), "counts": store.counts()}
    for names, stream in ((NODES, store.stream_nodes), (RELATIONSHIPS, store.stream_edges)):
        for name in names:
            content[name] = sorted(str(row) for batch in stream(name) for row in batch.to_pylist())
    return content


def test_an_imported_export_is_an_equal_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.setenv(name, "")
    monkeypatch.delenv("NEO4J_DATABASE")
    path = tmp_path / "graph.wayword"
    with EmbeddedStore(path) as store:
        fill(store, tmp_path / "bundle")
        export(store, tmp_path / "out", format="csv")
        stored = everything(store)
        entities = store.labels_by_stem("orchardwiki", ["orang"])
    assert len(stored["LINKS_TO"]) > 20
    with import_graph(tmp_path / "out", tmp_path) as address, ServerStore(address) as store:
        import neo4j

        with neo4j.GraphDatabase.driver(address, auth=("neo4j", os.environ["NEO4J_PASSWORD"])) as driver:
            for statement in (tmp_path / "out" / "indexes.cypher").read_text(encoding="utf-8").split(";\n")[:-1]:
                driver.execute_query(statement)
        assert everything(store) == stored
        assert store.labels_by_stem("orchardwiki", ["orang"]) == entities
        for first, second in (("orange", "apple"), ("apple", "fruit")):
            with wayword.open(str(path), base="orchardwiki") as embedded, wayword.open(address, base="orchardwiki") as server:
                assert server.score(first, second) == embedded.score(first, second)
        fill(store, tmp_path / "bundle")  # replaces what was imported
        assert {kind: len(rows) for kind, rows in everything(store).items()} == {
            kind: len(rows) for kind, rows in stored.items()
        }
