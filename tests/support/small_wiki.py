"""A small wiki and a small WordNet in one store, with files of vectors, ratings and titles next to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wayword.cli.main import run

from .mini_wordnet import MiniSynset, write_files
from .wiki_dumps import dump

PAGES = {
    "Dog": "The '''dog''' is a [[tame]] ([[cat]]) [[mammal]] and a [[pet]].",
    "Mammal": "A mammal is an [[animal|beast]] like the [[dog]].",
    "Pet": "A pet is a [[dog]], or else it is a [[cat]].",
    "Cat": "A cat is a [[mammal]] of its own.",
    "Animal": "An '''animal''' is a living thing, which is all that is said of it.",
    "Loner": "",
    "Hound": "#REDIRECT [[Dog]]",
    "Names": "[[Dog]] [[Cat]] {{disambig}}",
}
WORDS = [
    MiniSynset("n", ["thing"]),
    MiniSynset("n", ["animal"], points=[("@", 0, 0, 0)]),
    MiniSynset("n", ["mammal"], points=[("@", 1, 0, 0)]),
    MiniSynset("n", ["pet"], points=[("@", 0, 0, 0)]),
]


def make_store(folder: Path) -> str:
    """Make the store and return its address; v.npy with v.vocab, ratings.txt and titles.txt are next to it."""
    (folder / "testwiki.xml").write_text(dump(PAGES), encoding="utf-8")
    write_files(folder / "dict", WORDS)
    graph = str(folder / "graph")
    load = ["-q", "--store", graph, "load"]
    assert run([*load, "wikipedia", str(folder / "testwiki.xml"), "--workers", "1", "--openings", "400"]) == 0
    assert run([*load, "wordnet", str(folder / "dict")]) == 0
    np.save(folder / "v.npy", np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [1.0, 0.2]]))
    (folder / "v.vocab").write_text("animal\nmammal\npet\ndog\n")
    rated = {"dog": 4.85, "cat": 4.86, "mammal": 4.5, "pet": 4.4, "living": 2.6, "thing": 3.2, "said": 2.4}
    (folder / "ratings.txt").write_text(
        "Word\tBigram\tConc.M\n" + "".join(f"{word}\t0\t{each}\n" for word, each in rated.items())
    )
    (folder / "titles.txt").write_text("Dog\nHound\n\nPet\nAnimal\nUnicorn\nNames\n")
    return graph
