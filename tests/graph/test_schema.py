"""The schema's fingerprint, by which stores refuse bases of another schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from wayword.graph import schema
from wayword.graph.schema import NODES, RELATIONSHIPS, NodeType, RelationshipType, register_types, schema_fingerprint


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compute the fingerprint anew in each test, and forget types that it registers."""
    for name in ("NODES", "RELATIONSHIPS"):
        monkeypatch.setattr(schema, name, dict(getattr(schema, name)))
    schema_fingerprint.cache_clear()
    yield
    schema_fingerprint.cache_clear()


def _with_relationship(old: str, new: RelationshipType) -> tuple[dict[str, NodeType], dict[str, RelationshipType]]:
    return dict(NODES), {each.name: each for each in (new if name == old else known for name, known in RELATIONSHIPS.items())}


_LINKS = RELATIONSHIPS["LINKS_IN_PARENTHESES"]


@pytest.mark.parametrize(
    "tables",
    [
        _with_relationship(_LINKS.name, replace(_LINKS, name="LINKS_ASIDE")),
        _with_relationship(_LINKS.name, replace(_LINKS, properties={**_LINKS.properties, "rank": "int"})),
        _with_relationship(_LINKS.name, replace(_LINKS, properties={**_LINKS.properties, "place": "string"})),
        _with_relationship(_LINKS.name, replace(_LINKS, ends=(("Article", "Redirect"),))),
        ({**NODES, "Language": NodeType("Language", {"id": "string"})}, dict(RELATIONSHIPS)),
    ],
    ids=["name of a type", "properties", "type of a property", "ends", "labels"],
)
def test_any_change_of_the_schema_changes_the_fingerprint(
    monkeypatch: pytest.MonkeyPatch, tables: tuple[dict[str, NodeType], dict[str, RelationshipType]]
) -> None:
    before = schema_fingerprint()
    schema_fingerprint.cache_clear()
    monkeypatch.setattr(schema, "_BUILT_IN", tables)
    assert schema_fingerprint() != before


def test_registered_types_do_not_change_the_fingerprint() -> None:
    before = schema_fingerprint()
    schema_fingerprint.cache_clear()
    register_types(
        [NodeType("Melody", {"id": "string", "base": "string"})],
        [RelationshipType("SENSE", (("Label", "Melody"),), RELATIONSHIPS["SENSE"].properties)],
    )
    assert "Melody" in schema.NODES
    assert schema_fingerprint() == before
