"""Write small WordNets as database files with correct byte offsets, and collect the rows of their loader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wayword.graph.validation import conform
from wayword.loaders import SourceError, WordNetLoader, open_wordnet

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
LICENCE = "  1 WordNet 9.9 Copyright 2024 by nobody.  \n  2   \n"
EXCEPTIONS = {"n": ["geese goose", "axes axe axis"], "v": ["flew fly"], "a": [], "r": []}


@dataclass
class MiniSynset:
    """A synset. ``points``: symbol, number of the target synset, source and target word (from 1; 0 for the whole synset)."""

    pos: str
    words: list[str]
    gloss: str = "a thing"
    points: list[tuple[str, int, int, int]] = field(default_factory=list)
    lexfile: int = 3
    uses: dict[str, int] = field(default_factory=dict)
    frames: int = 0


def offsets(synsets: Sequence[MiniSynset]) -> list[int]:
    """The offset of each synset in its data file."""
    result = [0] * len(synsets)
    for part in PARTS:
        position = len(LICENCE.encode())
        for number in _of(synsets, part):
            result[number] = position
            position += len(data_line(synsets, number, result).encode())
    return result


def data_line(synsets: Sequence[MiniSynset], number: int, positions: Sequence[int]) -> str:
    """The line of a synset in data.*."""
    each = synsets[number]
    words = " ".join(f"{word} {number % 16:x}" for word in each.words)
    points = "".join(
        f" {symbol} {positions[target]:08d} {synsets[target].pos} {source:02x}{end:02x}"
        for symbol, target, source, end in each.points
    )
    frames = f" {each.frames:02d}" + " + 08 00" * each.frames if each.pos == "v" else ""
    return (
        f"{positions[number]:08d} {each.lexfile:02d} {each.pos} {len(each.words):02x} {words} "
        f"{len(each.points):03d}{points}{frames} | {each.gloss}  \n"
    )


def plain(word: str) -> str:
    """The lemma of a word in the index."""
    for marker in ("(a)", "(p)", "(ip)"):
        word = word.removesuffix(marker)
    return word.lower()


def write_files(
    folder: Path, synsets: Sequence[MiniSynset], exceptions: Mapping[str, Sequence[str]] | None = EXCEPTIONS
) -> Path:
    """Write the database files into a folder, without lists of irregular forms if ``exceptions`` is None."""
    folder.mkdir(parents=True, exist_ok=True)
    positions, senses = offsets(synsets), []
    for part, name in PARTS.items():
        mine = _of(synsets, part)
        lines = [data_line(synsets, number, positions) for number in mine]
        _write(folder / f"data.{name}", LICENCE + "".join(lines))
        index = []
        for lemma, numbers in sorted(_rank_senses(synsets, mine).items()):
            result = " ".join(f"{positions[number]:08d}" for number in numbers)
            index.append(f"{lemma} {part} {len(numbers)} 1 @ {len(numbers)} 0 {result}  \n")
            for rank, number in enumerate(numbers, 1):
                each = synsets[number]
                key = f"{lemma}%{TYPES[each.pos]}:{each.lexfile:02d}:{number % 16:02d}:{_head(synsets, each)}"
                senses.append(f"{key} {positions[number]:08d} {rank} {each.uses.get(lemma, 0)}\n")
        _write(folder / f"index.{name}", LICENCE + "".join(index))
        if exceptions is not None:
            _write(folder / f"{name}.exc", "".join(f"{line}\n" for line in exceptions[part]) or "zzz zzz\n")
    _write(folder / "index.sense", "".join(sorted(senses)))
    return folder


def _head(synsets: Sequence[MiniSynset], synset: MiniSynset) -> str:
    """The end of the sense keys of a synset: the first word of the synset that it is a satellite of."""
    heads = [target for symbol, target, _, _ in synset.points if symbol == "&" and synset.pos == "s"]
    return f"{plain(synsets[heads[0]].words[0])}:{heads[0] % 16:02d}" if heads else ":"


def rows(loader: WordNetLoader) -> dict[str, list[dict[str, Any]]]:
    """All rows of a loader by type, as a store would accept them."""
    result: dict[str, list[dict[str, Any]]] = defaultdict(list)
    nodes = True
    for batch in loader.batches():
        assert nodes or batch.ends is not None, "a node after a relationship"
        nodes = batch.ends is None
        assert 0 < batch.rows.num_rows <= 10_000
        result[batch.type] += conform(batch, loader.base.id).to_pylist()
    return result


def load_rows(source: Path) -> tuple[dict[str, list[dict[str, Any]]], str]:
    """The rows of a source, and the message of its error if there is one."""
    try:
        return rows(open_wordnet(source)), ""
    except SourceError as error:
        return {}, str(error)


def triples(result: Mapping[str, list[dict[str, Any]]], type: str) -> list[tuple[Any, ...]]:
    """The relationships of a type as tuples, ids without their base."""
    return [
        (each["from"].split(":")[-1], each["to"].split(":")[-1], *(each[key] for key in each if key not in ("from", "to")))
        for each in result[type]
    ]


def _of(synsets: Sequence[MiniSynset], part: str) -> list[int]:
    return [number for number, each in enumerate(synsets) if each.pos.replace("s", "a") == part]


def _rank_senses(synsets: Sequence[MiniSynset], numbers: Sequence[int]) -> dict[str, list[int]]:
    """For each lemma its synsets, the most used first."""
    result: dict[str, list[int]] = defaultdict(list)
    for number in numbers:
        for lemma in dict.fromkeys(map(plain, synsets[number].words)):
            result[lemma].append(number)
    for lemma, mine in result.items():
        mine.sort(key=lambda number, lemma=lemma: -synsets[number].uses.get(lemma, 0))  # type: ignore[misc]
    return result


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def files(folder: Path) -> Iterator[Path]:
    """The files of a written WordNet, in a fixed order."""
    yield from sorted(folder.iterdir())
