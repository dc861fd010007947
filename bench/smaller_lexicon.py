"""Write a smaller WN-LMF file: a share of the synsets of another file, with everything about them and between them.

Synsets are selected by a hash of their id, so that all parts of the lexicon shrink equally.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from lxml import etree

SHARES = 4


def is_selected(synset: str, quarters: int) -> bool:
    """Return whether a synset belongs to the given quarters of the lexicon.

    >>> [is_selected("oewn-02086723-n", quarters) for quarters in (0, 4)]
    [False, True]
    """
    return crc32(synset.encode()) % SHARES < quarters


def write_smaller(source: Path, target: Path, quarters: int) -> int:
    """Write a file with these quarters of the synsets, and return their number.

    Words without a sense are removed, as are relations to anything that was removed.
    """
    with _open_file(source) as file:
        tree = etree.parse(file, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    root = tree.getroot()
    synsets = {each.get("id") for each in root.iter("Synset") if is_selected(each.get("id"), quarters)}
    remaining = synsets | {each.get("id") for each in root.iter("Sense") if each.get("synset") in synsets}
    for sense in [each for each in root.iter("Sense") if each.get("synset") not in synsets]:
        sense.getparent().remove(sense)
    senseless = [each for each in root.iter("LexicalEntry") if each.find("Sense") is None]
    relations = [each for each in root.iter("SenseRelation", "SynsetRelation") if each.get("target") not in remaining]
    for each in (*senseless, *relations, *(each for each in root.iter("Synset") if each.get("id") not in synsets)):
        each.getparent().remove(each)
    tree.write(str(target), encoding="utf-8", xml_declaration=True)
    return len(synsets)


def _open_file(source: Path) -> BinaryIO:
    if source.suffix == ".gz":
        return gzip.open(source)  # type: ignore[return-value]
    return source.open("rb")
