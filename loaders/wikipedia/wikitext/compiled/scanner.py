"""Scans many pages at a time in machine code, and by ``Scanner`` what that gives up; comes with ``wayword[fast]``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...languages import TRAIL, fold_name
from ...site import FILE
from ..headings import is_hatnote
from ..masking import VERBATIM
from ..raw_links import RawLinks, join_links, link_columns
from ..regions import Region
from ..scanner import PageFacts, Scanner, classify_page, restore_verbatim
from .buffers import (
    ASK_TRAIL,
    END,
    GIVEN_UP,
    HEADS,
    LABEL,
    LABEL_END,
    LINKS,
    MARKS,
    MEND,
    NAMES,
    NOTE,
    NOTES,
    PAGE,
    REGION,
    SWITCHES,
    TARGET,
    TARGET_END,
    Tape,
    Words,
    make_room,
    make_tape,
)
from .pages import scan_pages
from .string_slices import slices
from .utf8 import packed

if TYPE_CHECKING:
    from ...languages import Language
    from ..titles import Titles

_APPENDIX, _HATNOTE, _HIDDEN = int(Region.APPENDIX), int(Region.HATNOTE), int(Region.HIDDEN)

_HEADING = r"\A(?P<before>={1,6})[ ]*(?P<words>[A-Za-z0-9]+(?: [A-Za-z0-9,.()-]+)*)[ ]*(?P<after>={1,6})[ ]*\z"
"""A heading without markup."""

LONGEST_TRAIL = 200
"""Bytes behind a link in which its trail is looked for."""


class CompiledScanner(Scanner):
    """A ``Scanner`` that reads many pages at once faster, and one page as ever."""

    def __init__(self, titles: Titles, language: Language) -> None:
        super().__init__(titles, language)
        self._words = words(titles, language)
        self._room = make_room()

    def read_all(self, texts: Sequence[str]) -> tuple[list[PageFacts], RawLinks]:
        """What the pages with these texts say, and their links as columns."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        text = np.frombuffer(b"\n".join([b"", *encoded]), np.uint8)
        ends = np.cumsum(np.array([len(each) + 1 for each in encoded], np.int64))
        body, tape = text.copy(), make_tape(len(text), len(texts))
        if texts:
            scan_pages(text, body, ends, self._words, tape, self._room)
        given_up = np.flatnonzero(tape.said == GIVEN_UP).tolist()
        others = {number: self.read(texts[number]) for number in given_up}
        sights = self._sights(text, body, ends, tape)
        for number, reading in others.items():
            sights[number] = reading.facts()
        return sights, join_links([self._columns(text, body, ends, tape), link_columns(others.items())])

    def _sights(self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, tape: Tape) -> list[PageFacts]:
        """What pages say of themselves, and what of them is text."""
        names = tape.names[: tape.counts[NAMES]]
        written = slices(text, names[:, 1], names[:, 2]).dictionary_encode()
        wanted = self._language.disambiguation | self._language.hidden_category
        known = {
            number: name for number, each in enumerate(written.dictionary.to_pylist()) if (name := fold_name(each)) in wanted
        }
        marked: dict[int, set[str]] = {}
        if known:
            codes = written.indices.to_numpy()
            for row in np.flatnonzero(np.isin(codes, list(known))).tolist():
                marked.setdefault(int(names[row, 0]), set()).add(known[int(codes[row])])
        whole, found, none = body.tobytes(), [], set[str]()
        for number, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            if tape.said[number] == GIVEN_UP:
                found.append(PageFacts(False, False, ""))
                continue
            filled = whole[begin:end].decode("utf-8", "surrogatepass")
            switched = filled if tape.said[number] == SWITCHES else ""
            says = (
                classify_page(self._language, marked.get(number, none), switched)
                if switched or number in marked
                else (False, False)
            )
            found.append(PageFacts(*says, filled))
        return found

    def _columns(self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, tape: Tape) -> RawLinks:
        """The links of the pages that were not given up."""
        links = tape.links[: tape.counts[LINKS]]
        hidden, marks = (links[:, REGION] & _HIDDEN) != 0, links[:, MARKS]
        target = _read(text, body, hidden, links[:, TARGET], links[:, TARGET_END])
        label = _read(text, body, hidden, links[:, LABEL], np.where(links[:, LABEL] < 0, -2, links[:, LABEL_END]))
        trail = _read(text, body, hidden, links[:, LABEL_END] + 2, links[:, END])
        label, trail = self._mended(text, links, marks, label, trail)
        trail = self._asked(text, body, ends, links, hidden, trail)
        region = links[:, REGION].astype(np.int16)
        self._set_apart(body, tape, links, region, ~hidden)
        return RawLinks(links[:, PAGE].copy(), region, target, label, trail)

    def _mended(
        self, text: np.ndarray, links: np.ndarray, marks: np.ndarray, label: pa.Array, trail: pa.Array
    ) -> tuple[pa.Array, pa.Array]:
        """Labels as they were meant."""
        rows = np.flatnonzero(marks & MEND)
        if not len(rows):
            return label, trail
        begins, ends = links[rows, LABEL], links[rows, LABEL_END]
        sources = slices(text, begins, ends).to_pylist()
        given = zip(label.take(pa.array(rows)).to_pylist(), trail.take(pa.array(rows)).to_pylist(), sources, strict=True)
        made = [restore_verbatim("", _restored(written, source), after, source, 0)[1:] for written, after, source in given]
        mask = pa.array((marks & MEND) != 0)
        labels, trails = (pa.array([each[place] for each in made], pa.string()) for place in (0, 1))
        return pc.replace_with_mask(label, mask, labels), pc.replace_with_mask(trail, mask, trails)

    def _asked(
        self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, links: np.ndarray, hidden: np.ndarray, trail: pa.Array
    ) -> pa.Array:
        """Trails by the language's own rule, where more than small letters of ASCII may be meant."""
        asked = (links[:, MARKS] & ASK_TRAIL) != 0
        if not asked.any():
            return trail
        begins = links[asked, LABEL_END] + 2
        ahead = _read(text, body, hidden[asked], begins, np.minimum(begins + LONGEST_TRAIL, ends[links[asked, PAGE]]))
        found = [self._trail.match(each.decode("utf-8", "ignore")) for each in ahead.cast(pa.binary()).to_pylist()]
        return pc.replace_with_mask(trail, pa.array(asked), pa.array([each[0] if each else "" for each in found], pa.string()))

    def _set_apart(self, body: np.ndarray, tape: Tape, links: np.ndarray, region: np.ndarray, shown: np.ndarray) -> None:
        """Mark the links of hatnotes and of appendix sections."""
        notes = tape.notes[: tape.counts[NOTES]]
        lines = slices(body, notes[:, 0], notes[:, 1]).to_pylist()
        noted = np.array([*(is_hatnote(line, self._language) for line in lines), False])
        region[noted[links[:, NOTE]] & shown] |= _HATNOTE
        heads = tape.heads[: tape.counts[HEADS]]
        written = slices(body, heads[:, 1], heads[:, 2]).dictionary_encode()
        sections = self._sections(written.dictionary)
        last_links = np.searchsorted(links[:, PAGE], heads[:, 0], side="right").tolist()
        page, level, begin, until = -1, 0, 0, 0
        rows = zip(heads[:, 0].tolist(), heads[:, 3].tolist(), written.indices.to_pylist(), last_links, strict=True)
        for number, first, code, last in rows:
            if number != page:
                if level:
                    region[begin:until][shown[begin:until]] |= _APPENDIX
                page, level = number, 0
            rank, appendix = sections[code]
            if rank and (not level or rank <= level):
                if level:
                    region[begin:first][shown[begin:first]] |= _APPENDIX
                level, begin = rank if appendix else 0, first
            until = last
        if level:
            region[begin:until][shown[begin:until]] |= _APPENDIX

    def _sections(self, lines: pa.Array) -> list[tuple[int, bool]]:
        """What ``_read_section`` says of lines; most are plain words between signs of equality."""
        found = pc.extract_regex(lines, _HEADING)
        plain = pc.and_(found.is_valid(), pc.equal(pc.struct_field(found, "before"), pc.struct_field(found, "after")))
        names = pc.ascii_lower(pc.struct_field(found, "words"))
        appendix = pc.is_in(names, value_set=pa.array(sorted(self._language.appendix)))
        rank = pc.min_element_wise(pc.binary_length(pc.struct_field(found, "before")), 6)
        rows = zip(plain.to_pylist(), rank.to_pylist(), appendix.to_pylist(), lines.to_pylist(), strict=True)
        return [(level, last) if easy else self._read_section(line) for easy, level, last, line in rows]


def _read(text: np.ndarray, body: np.ndarray, hidden: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> pa.Array:
    """Pieces of what is filled, and for links that are hidden of what was there."""
    shown = slices(body, begins, ends)
    if not hidden.any():
        return shown
    return pc.replace_with_mask(shown, pa.array(hidden), slices(text, begins[hidden], ends[hidden]))


def _restored(label: str, source: str) -> str:
    """A label with what is verbatim in it as it was written."""
    if VERBATIM not in label:
        return label
    pairs = zip(label.encode(), source.encode(), strict=True)
    return bytes(written if kept == ord(VERBATIM) else kept for kept, written in pairs).decode()


def words(titles: Titles, language: Language) -> Words:
    """What the machine code has to know of a wiki."""
    trail = np.zeros(256, np.uint8)
    if language.trail.pattern == TRAIL:
        trail[ord("a") : ord("z") + 1] = 1
    else:
        trail[:] = 2
        trail[[ord(letter) for letter in ' \n\t.,;:)]}[{|<&=*-/"#!?']] = 0
    files = [name for name, number in titles.site.namespaces.items() if number == FILE]
    spelt = {name.replace(" ", mark) for name in files for mark in " _"}
    spelt |= {"".join(map(_small, name[0].upper() + name[1:])) for name in spelt}
    return Words(trail, *packed(sorted(spelt)))


def _small(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter
