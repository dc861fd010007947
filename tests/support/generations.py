"""Loads for tests that kill them. Each row of a generation has its number, so that a mixture of two is noticed."""

from __future__ import annotations

import os

from wayword.graph.records import Batch
from wayword.graph.store import Store

from .graphs import ANIMALS, edges, nodes

VARIABLE = "WAYWORD_TEST_KILLS"
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def kills(default: int) -> int:
    """The number of loads to kill: that of the environment, or the default."""
    return int(os.environ.get(VARIABLE, default))


def _count(number: int) -> int:
    """A different number of rows each time."""
    return 2_500 + number % 7


def generation(number: int) -> list[Batch]:
    """The rows of one generation."""
    count = _count(number)
    ids = [f"wordnet:{number}-{each}" for each in range(count)]
    names = [f"word {each}" for each in range(count)]
    return [
        nodes("Stem", *({"id": name} for name in names)),
        nodes("Label", *({"id": f"wordnet/{name}", "name": name, "uses": number} for name in names)),
        nodes("Synset", *({"id": each, "gloss": str(number)} for each in ids)),
        edges("FORM", *((name, f"wordnet/{name}") for name in names)),
        edges("SENSE", *((f"wordnet/{name}", each, {"rank": number}) for name, each in zip(names, ids, strict=True))),
        edges("HYPERNYM", *((ids[each], ids[each // 2]) for each in range(1, count))),
    ]


def generation_of(store: Store) -> int:
    """Return the generation in a store that also has the animals of ``other``; it must be complete."""
    other, current = sorted(store.bases(), key=lambda base: base.id)
    assert other.id == "other"
    number = current.left_out["generation"]
    count = _count(number)
    assert store.counts() == {
        "other": ANIMALS,
        "wordnet": {"Label": count, "Synset": count, "FORM": count, "SENSE": count, "HYPERNYM": count - 1},
        "": {"Stem": count + 5},
    }
    entry = store.labels("wordnet", [f"word {count - 1}"])[f"word {count - 1}"]
    assert [(sense.entity, sense.rank) for sense in entry.senses] == [(f"wordnet:{number}-{count - 1}", number)]
    glosses = {gloss for batch in store.stream_nodes("Synset", "wordnet") for gloss in batch["gloss"].to_pylist()}
    assert glosses == {str(number)}
    return number
