"""The stored graph as a folder of tables: Parquet, or CSV with the headers that ``neo4j-admin database import full`` takes.

What the importer makes of the CSV is a store: nodes carry the marks by which a store on a server knows its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.atomic_files import list_files
from ..neo4j.markers import marker_label, wanted_indexes
from ..schema import NODES, RELATIONSHIPS, PropertyType

if TYPE_CHECKING:
    import pyarrow as pa

    from . import ExportSource

MARK = "wayword-export.json"
"""The file that lists what is ours in a folder, which may be replaced, and so tells what is not."""

ARGUMENTS, INDEXES = "import.args", "indexes.cypher"
_DELIMITER = "\x1f"
_NEO4J_TYPES: dict[PropertyType, str] = {
    "int": "long",
    "float": "double",
    "bool": "boolean",
    "string": "string",
    "strings": "string[]",
}


def write(source: ExportSource, folder: Path, form: str) -> None:
    """Write a table for each label and each relationship type that has rows."""
    tables = {}
    arguments = [f"--array-delimiter=U+{ord(_DELIMITER):04X}", "--multiline-fields=true"]
    for option, names, batches in (("nodes", NODES, source.nodes), ("relationships", RELATIONSHIPS, source.relationships)):
        (folder / option).mkdir()
        for name in names:
            file = folder / option / f"{name}.{form}"
            header = node_header(name) if option == "nodes" else relationship_header(name)
            last = _DELIMITER.join((name, marker_label(name))) if option == "nodes" else name
            rows = _write_parquet(batches(name), file) if form == "parquet" else _write_csv(batches(name), file, last, header)
            if rows:
                tables[f"{option}/{name}"] = rows
                arguments.append(f"--{option}={option}/{name}.{form}")
    if form == "csv":
        (folder / ARGUMENTS).write_text("\n".join(arguments) + "\n", encoding="utf-8")
        statements = (f"{index.statement};\n" for index in wanted_indexes())
        (folder / INDEXES).write_text("".join(statements), encoding="utf-8")
    bases = [{"id": each.id, "source": each.source, "revision": each.revision} for each in source.store.bases()]
    held = {
        "format": form,
        "bases": [each for each in bases if source.base in (None, each["id"])],
        "rows": tables,
        "files": list_files(folder),
    }
    (folder / MARK).write_text(json.dumps(held, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_parquet(batches: Iterator[pa.RecordBatch], file: Path) -> int:
    import pyarrow.parquet as pq

    first = next(batches, None)
    if first is None:
        return 0
    rows: int = first.num_rows
    with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
        writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def node_header(label: str) -> list[str]:
    """The columns of a label's CSV table. Stems have ids of their own space, for any text can be a stem.

    >>> node_header("Label")
    ['id:ID(Entity)', 'base:string', 'name:string', 'uses:long', ':LABEL']
    """
    first, *rest = NODES[label].properties.items()
    return [f"{first[0]}:ID({_space(label)})", *(f"{name}:{_NEO4J_TYPES[kind]}" for name, kind in rest), ":LABEL"]


def relationship_header(type: str) -> list[str]:
    """The columns of a relationship type's CSV table.

    >>> relationship_header("FORM")
    [':START_ID(Stem)', ':END_ID(Entity)', ':TYPE']
    """
    start, end = RELATIONSHIPS[type].ends[0]
    properties = (f"{name}:{_NEO4J_TYPES[kind]}" for name, kind in RELATIONSHIPS[type].properties.items())
    return [f":START_ID({_space(start)})", f":END_ID({_space(end)})", *properties, ":TYPE"]


def _space(label: str) -> str:
    return label if label in ("Stem", "Base") else "Entity"


def _write_csv(batches: Iterator[pa.RecordBatch], file: Path, last: str, header: list[str]) -> int:
    import pyarrow.csv as pc

    first = next(batches, None)
    if first is None:
        return 0
    rows: int = first.num_rows
    with file.open("wb") as target:
        target.write((",".join(header) + "\n").encode())
        first = _flat(first, last)
        options = pc.WriteOptions(include_header=False, quoting_style="needed")
        with pc.CSVWriter(target, first.schema, write_options=options) as writer:
            writer.write_batch(first)
            for batch in batches:
                writer.write_batch(_flat(batch, last))
                rows += batch.num_rows
    return rows


def _flat(batch: pa.RecordBatch, last: str) -> pa.RecordBatch:
    """The batch with its lists as texts, and a last column that says the labels or the type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns: list[Any] = [
        pc.binary_join(column, _DELIMITER) if pa.types.is_list(column.type) else column for column in batch.columns
    ]
    names = [*batch.schema.names, "type"]
    return pa.RecordBatch.from_arrays([*columns, pa.array([last] * batch.num_rows, pa.string())], names=names)
