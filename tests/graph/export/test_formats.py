"""Exports contain the stored graph in every format, and replace files atomically."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow.parquet as pq
import pytest

from wayword.core.atomic_files import FileError, atomic_folder, atomic_write
from wayword.graph.errors import StoreMissing
from wayword.graph.export import ExportError, export
from wayword.graph.export.tables import node_header, relationship_header
from wayword.graph.ladybug.store import EmbeddedStore
from wayword.graph.schema import NODES, RELATIONSHIPS

from ...support.graphs import animals, base, edges, nodes, words

pytestmark = pytest.mark.slow

AWKWARD = "a \"quoted\" <gloss> & more; 'so'\nnext line, \\ 鳥籠 👍"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path_factory.mktemp("store") / "graph.lbug") as store:
        store.replace_base(base("wordnet"), animals("wordnet"))
        other = {
            "id": "other:1-n",
            "base": "other",
            "name": "鳥籠",
            "pos": "n",
            "lemmas": ["a;b", 'c"d'],
            "gloss": AWKWARD,
            "hyponyms": 1,
        }
        top = {"id": "other:2-n", "base": "other", "name": "top", "pos": "n", "lemmas": [], "gloss": "", "hyponyms": 1}
        store.replace_base(
            base("other"),
            [
                *words("other", "dogs", "bird"),
                nodes("Synset", other, top),
                edges("SENSE", ("other/bird", "other:1-n", {"uses": 2, "prior": 0.1, "rank": 1}), ends=("Label", "Synset")),
                edges("HYPERNYM", ("other:1-n", "other:2-n", {"instance": True})),
                edges(
                    "SIMILAR", ("other:1-n", "other:2-n", {"from_lemma": "a"}), ("other:1-n", "other:2-n", {"from_lemma": "b"})
                ),
            ],
        )
        yield store


def count_stored(store: EmbeddedStore, base: str | None) -> tuple[Counter[str], Counter[str]]:
    """The number of nodes of each label and relationships of each type in a store, including the stems of the base."""
    bases = [each.id for each in store.bases() if base in (None, each.id)]
    counts = store.counts()
    total = Counter({"Base": len(bases)})
    for name in bases:
        total.update(counts[name])
    total["Stem"] = len({row["from"] for batch in store.stream_edges("FORM", base) for row in batch.to_pylist()})
    return (+Counter({name: total[name] for name in NODES}), +Counter({name: total[name] for name in RELATIONSHIPS}))


def count_exported(graph: nx.Graph) -> tuple[Counter[str], Counter[str]]:
    return Counter(kind for _, kind in graph.nodes(data="type")), Counter(kind for *_, kind in graph.edges(data="type"))


@pytest.mark.parametrize("base", [None, "other", "wordnet"])
@pytest.mark.parametrize("name", ["graph.graphml", "graph.json"])
def test_networkx_reads_the_whole_graph(store: EmbeddedStore, tmp_path: Path, name: str, base: str | None) -> None:
    written = export(store, tmp_path / name, base)
    graph = read(tmp_path / name)
    assert count_exported(graph) == count_stored(store, base)
    assert written == graph.number_of_nodes() + graph.number_of_edges()
    assert graph.is_directed()
    assert graph.is_multigraph()


def read(file: Path) -> nx.MultiDiGraph:
    if file.suffix == ".graphml":
        return nx.read_graphml(file, force_multigraph=True)
    return nx.node_link_graph(json.loads(file.read_text(encoding="utf-8")), edges="edges")


def test_graphml_preserves_texts_and_types(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "graph.graphml", "other")
    graph = read(tmp_path / "graph.graphml")
    bird = graph.nodes["other:1-n"]
    assert bird["gloss"] == AWKWARD
    assert bird["hyponyms"] == 1
    assert json.loads(bird["lemmas"]) == ["a;b", 'c"d']
    assert [data["instance"] for *_, data in graph.edges("other:1-n", data=True) if data["type"] == "HYPERNYM"] == [True]
    assert graph.edges["other/bird", "other:1-n", 0]["prior"] == 0.1
    assert graph.nodes["stem dog"] == {"type": "Stem"}


def test_json_preserves_texts_and_types(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "graph.json")
    graph = read(tmp_path / "graph.json")
    assert graph.nodes["other:1-n"]["gloss"] == AWKWARD
    assert graph.nodes["other:1-n"]["lemmas"] == ["a;b", 'c"d']
    assert graph.has_edge("stem dog", "wordnet/dog")
    assert graph.has_edge("stem dog", "other/dogs")


def test_parquet_has_the_columns_of_the_schema(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "out", format="parquet")
    labels, types = count_stored(store, None)
    tables = {str(file.relative_to(tmp_path / "out")): pq.read_table(file) for file in (tmp_path / "out").rglob("*.parquet")}
    assert {name: table.num_rows for name, table in tables.items()} == {
        **{f"nodes/{label}.parquet": count for label, count in labels.items()},
        **{f"relationships/{name}.parquet": count for name, count in types.items()},
    }
    synsets = tables["nodes/Synset.parquet"]
    assert synsets.column_names == list(NODES["Synset"].properties)
    assert AWKWARD in synsets["gloss"].to_pylist()


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_csv_has_the_headers_of_the_neo4j_importer(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "out", "other", "csv")
    bird = next(row for row in rows_of(tmp_path / "out/nodes/Synset.csv") if row["name:string"] == "鳥籠")
    assert bird["id:ID(Entity)"] == "other:1-n"
    assert bird["gloss:string"] == AWKWARD
    assert bird["lemmas:string[]"].split("\x1f") == ["a;b", 'c"d']
    assert bird["hyponyms:long"] == "1"
    assert bird[":LABEL"].split("\x1f") == ["Synset", "Wayword"]
    form = rows_of(tmp_path / "out/relationships/FORM.csv")
    assert {":START_ID(Stem)": "dog", ":END_ID(Entity)": "other/dogs", ":TYPE": "FORM"} in form
    assert rows_of(tmp_path / "out/relationships/HYPERNYM.csv")[0]["instance:boolean"] == "true"
    arguments = (tmp_path / "out/import.args").read_text(encoding="utf-8").splitlines()
    named = {line.partition("=")[2] for line in arguments if line.startswith(("--nodes", "--relationships"))}
    assert named == {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.csv")}


def test_every_end_of_a_relationship_is_a_node_of_its_id_space(store: EmbeddedStore, tmp_path: Path) -> None:
    export(store, tmp_path / "out", format="csv")
    ids: dict[str, set[str]] = {}
    for file in (tmp_path / "out/nodes").iterdir():
        rows = rows_of(file)
        column = next(iter(rows[0]))
        space = ids.setdefault(column[column.index("(") :], set())
        assert not space & {row[column] for row in rows}
        space |= {row[column] for row in rows}
    for file in (tmp_path / "out/relationships").iterdir():
        for row in rows_of(file):
            for column in list(row)[:2]:
                assert row[column] in ids[column[column.index("(") :]]


def test_headers_cover_every_table_of_the_schema() -> None:
    for label, node in NODES.items():
        assert len(node_header(label)) == len(node.properties) + 1
    for name, relationship in RELATIONSHIPS.items():
        header = relationship_header(name)
        assert len(header) == len(relationship.properties) + 3
        assert {relationship_header(name)[0] for _ in relationship.ends} == {header[0]}


def test_progress_of_an_export_grows_to_one(store: EmbeddedStore, tmp_path: Path) -> None:
    calls: list[tuple[str, int, float | None]] = []
    export(store, tmp_path / "graph.json", progress=lambda *call: calls.append(call))
    shares = [share for *_, share in calls if share is not None]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0, abs=0.1)


def test_invalid_exports_are_refused(store: EmbeddedStore, tmp_path: Path) -> None:
    unclear = r"does not end with \.graphml or \.json; choose one of graphml, json, parquet, csv as format="
    with pytest.raises(ExportError, match=unclear):
        export(store, tmp_path / "out")
    with pytest.raises(ExportError, match=r"no base 'nobody' in .*; choose one of other, wordnet as base="):
        export(store, tmp_path / "graph.json", "nobody")
    no_base = r"load one with wayword\.load_wordnet\(\)"
    with EmbeddedStore(tmp_path / "empty.lbug") as empty, pytest.raises(StoreMissing, match=no_base):
        export(empty, tmp_path / "graph.json")
    with pytest.raises(FileError, match="cannot be written"):
        export(store, tmp_path / "no/such/folder/graph.json")
    assert not list(tmp_path.glob("graph*"))


def test_a_folder_is_replaced_only_if_it_is_an_earlier_export(store: EmbeddedStore, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(FileError, match="contains other files"):
        export(store, theirs, format="csv")
    assert [file.name for file in theirs.iterdir()] == ["letter.txt"]
    (tmp_path / "empty").mkdir()
    for form, other in (("csv", "parquet"), ("parquet", "csv")):
        export(store, tmp_path / "empty", format=form)
        assert list((tmp_path / "empty").rglob(f"*.{form}"))
        assert not list((tmp_path / "empty").rglob(f"*.{other}"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "theirs"]


@pytest.mark.parametrize("added", ["mine.txt", "nodes/mine.csv", "relationships/mine/", "nodes/FORM.csv"])
def test_a_folder_with_a_users_file_is_never_replaced(store: EmbeddedStore, tmp_path: Path, added: str) -> None:
    out = tmp_path / "out"
    export(store, out, format="csv")
    mine = out / added
    if added.endswith("/"):
        mine.mkdir()
    else:
        mine.write_text("dear", encoding="utf-8")
    before = sorted(out.rglob("*"))
    with pytest.raises(FileError, match=f"'{added.rstrip('/')}'.*move them away"):
        export(store, out, format="parquet")
    assert sorted(out.rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_file_added_during_the_export_is_not_deleted(store: EmbeddedStore, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(store, out, format="csv")

    def add_file(*_: Any) -> None:
        (out / "mine.txt").write_text("dear", encoding="utf-8")

    with pytest.raises(FileError, match=r"'mine.txt'"):
        export(store, out, format="csv", progress=add_file)
    assert (out / "mine.txt").read_text(encoding="utf-8") == "dear"


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"files": 7}', "\xff", "[" * 100_000])
def test_a_folder_with_an_invalid_manifest_is_not_replaced(store: EmbeddedStore, tmp_path: Path, manifest: str) -> None:
    out = tmp_path / "out"
    export(store, out, format="csv")
    (out / "wayword-export.json").write_text(manifest, encoding="latin-1")
    with pytest.raises(FileError, match="contains other files"):
        export(store, out, format="csv")


@pytest.mark.parametrize("through", ["itself", "link"])
def test_a_store_is_never_overwritten(store: EmbeddedStore, tmp_path: Path, through: str) -> None:
    path = tmp_path / "graph.json"
    with EmbeddedStore(path) as own:
        own.replace_base(base(), animals())
        content = path.read_bytes()
        (tmp_path / "link").symlink_to(path)
        target = path if through == "itself" else tmp_path / "link"
        for other in (own, store):
            with pytest.raises(FileError, match=r"is a store.*name another file"):
                export(other, target, format="json")
        with pytest.raises(FileError, match="is a store"), atomic_write(target):
            raise AssertionError
        assert path.read_bytes() == content
        assert sorted(each.name for each in tmp_path.iterdir()) == ["graph.json", "link"]


class SimulatedFailure(Exception):
    """An error in the middle of an export."""


def fail(*_: Any) -> None:
    raise SimulatedFailure


def test_a_failed_export_leaves_existing_files_unchanged(store: EmbeddedStore, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text("old", encoding="utf-8")
    export(store, tmp_path / "out", format="csv")
    before = sorted(path.name for path in (tmp_path / "out").rglob("*"))
    for target, form in ((file, "json"), (tmp_path / "out", "parquet"), (tmp_path / "new", "csv")):
        with pytest.raises(SimulatedFailure):
            export(store, target, format=form, progress=fail)
    assert file.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in (tmp_path / "out").rglob("*")) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.json", "out"]


def test_an_atomic_write_preserves_permissions_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    with atomic_write(link) as target:
        target.write(b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_file_cannot_replace_a_folder_nor_a_folder_a_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="folder"), atomic_write(tmp_path):
        raise AssertionError
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file"), atomic_folder(tmp_path / "file", "mark"):
        raise AssertionError
