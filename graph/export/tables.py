"""Export to a folder of tables: Parquet, or CSV with the headers of ``neo4j-admin database import full``.

A database imported from the CSV files is a store: its nodes have the markers by which ``graph.neo4j`` recognises them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.atomic_files import list_files
from ..neo4j.markers import marker_label, required_indexes
from ..schema import NODES, RELATIONSHIPS, PropertyType

if TYPE_CHECKING:
    import pyarrow as pa

    from . import ExportSource

MANIFEST = "wayword-export.json"
"""The file that lists all exported files; a folder with any other file is not replaced."""

ARGUMENTS, INDEXES = "import.args", "indexes.cypher"
_DELIMITER = "\x1f"
_NEO4J_TYPES: dict[PropertyType, str] = {
    "int": "long",
    "float": "double",
    "bool": "boolean",
    "string": "string",
    "strings": "string[]",
}


def write(source: ExportSource, folder: Path, format: str) -> None:
    """Write a table for each label and each relationship type that has rows."""
    tables = {}
    arguments = [f"--array-delimiter=U+{ord(_DELIMITER):04X}", "--multiline-fields=true"]
    for option, names, batches in (("nodes", NODES, source.nodes), ("relationships", RELATIONSHIPS, source.relationships)):
        (folder / option).mkdir()
        for name in names:
            file = folder / option / f"{name}.{format}"
            header = node_header(name) if option == "nodes" else relationship_header(name)
            type = _DELIMITER.join((name, marker_label(name))) if option == "nodes" else name
            rows = _write_parquet(batches(name), file) if format == "parquet" else _write_csv(batches(name), file, type, header)
            if rows:
                tables[f"{option}/{name}"] = rows
                arguments.append(f"--{option}={option}/{name}.{format}")
    if format == "csv":
        (folder / ARGUMENTS).write_text("\n".join(arguments) + "\n", encoding="utf-8")
        statements = (f"{index.statement};\n" for index in required_indexes())
        (folder / INDEXES).write_text("".join(statements), encoding="utf-8")
    bases = [{"id": base.id, "source": base.source, "revision": base.revision} for base in source.store.bases()]
    manifest = {
        "format": format,
        "bases": [base for base in bases if source.base in (None, base["id"])],
        "rows": tables,
        "files": list_files(folder),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


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
    """Return the header of a label's CSV file. Stems have an id space of their own, because a stem can be any text.

    >>> node_header("Label")
    ['id:ID(Entity)', 'base:string', 'name:string', 'uses:long', ':LABEL']
    """
    first, *rest = NODES[label].properties.items()
    return [f"{first[0]}:ID({_id_space(label)})", *(f"{name}:{_NEO4J_TYPES[kind]}" for name, kind in rest), ":LABEL"]


def relationship_header(type: str) -> list[str]:
    """Return the header of a relationship type's CSV file.

    >>> relationship_header("FORM")
    [':START_ID(Stem)', ':END_ID(Entity)', ':TYPE']
    """
    start, end = RELATIONSHIPS[type].ends[0]
    properties = (f"{name}:{_NEO4J_TYPES[kind]}" for name, kind in RELATIONSHIPS[type].properties.items())
    return [f":START_ID({_id_space(start)})", f":END_ID({_id_space(end)})", *properties, ":TYPE"]


def _id_space(label: str) -> str:
    return label if label in ("Stem", "Base") else "Entity"


def _write_csv(batches: Iterator[pa.RecordBatch], file: Path, type: str, header: list[str]) -> int:
    import pyarrow.csv as pc

    first = next(batches, None)
    if first is None:
        return 0
    rows: int = first.num_rows
    with file.open("wb") as target:
        target.write((",".join(header) + "\n").encode())
        first = _flatten(first, type)
        options = pc.WriteOptions(include_header=False, quoting_style="needed")
        with pc.CSVWriter(target, first.schema, write_options=options) as writer:
            writer.write_batch(first)
            for batch in batches:
                writer.write_batch(_flatten(batch, type))
                rows += batch.num_rows
    return rows


def _flatten(batch: pa.RecordBatch, type: str) -> pa.RecordBatch:
    """Join lists to texts, and append a column with the labels or the type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns: list[Any] = [
        pc.binary_join(column, _DELIMITER) if pa.types.is_list(column.type) else column for column in batch.columns
    ]
    names = [*batch.schema.names, "type"]
    return pa.RecordBatch.from_arrays([*columns, pa.array([type] * batch.num_rows, pa.string())], names=names)
