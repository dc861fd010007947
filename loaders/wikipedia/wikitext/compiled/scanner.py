"""The fast parser for many pages at a time, compiled by numba; installed with ``wayword[fast]``."""

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
    END,
    FLAGS,
    GIVEN_UP,
    HATNOTE,
    HATNOTES,
    HEADINGS,
    LABEL,
    LABEL_END,
    LINKS,
    MATCH_TRAIL,
    MAY_HAVE_SWITCHES,
    PAGE,
    REGION,
    RESTORE_LABEL,
    TARGET,
    TARGET_END,
    TEMPLATES,
    Output,
    SiteRules,
    allocate_output,
    allocate_workspace,
)
from .pages import scan_pages
from .string_slices import slice_strings
from .utf8 import pack_words

if TYPE_CHECKING:
    from ...languages import Language
    from ..titles import Titles

_APPENDIX, _HATNOTE, _HIDDEN = int(Region.APPENDIX), int(Region.HATNOTE), int(Region.HIDDEN)

_PLAIN_HEADING = r"\A(?P<before>={1,6})[ ]*(?P<words>[A-Za-z0-9]+(?: [A-Za-z0-9,.()-]+)*)[ ]*(?P<after>={1,6})[ ]*\z"
"""A heading without markup."""

MAX_TRAIL = 200
"""Bytes after a link in which its trail is searched."""


class CompiledScanner(Scanner):
    """A ``Scanner`` with a compiled ``read_all``, which leaves pages that it gives up to the plain ``read``."""

    def __init__(self, titles: Titles, language: Language) -> None:
        super().__init__(titles, language)
        self._rules = build_site_rules(titles, language)
        self._workspace = allocate_workspace()

    def read_all(self, texts: Sequence[str]) -> tuple[list[PageFacts], RawLinks]:
        """Read several pages: their facts, and all their links as columns."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        text = np.frombuffer(b"\n".join([b"", *encoded]), np.uint8)
        ends = np.cumsum(np.array([len(each) + 1 for each in encoded], np.int64))
        body, output = text.copy(), allocate_output(len(text), len(texts))
        if texts:
            scan_pages(text, body, ends, self._rules, output, self._workspace)
        given_up = np.flatnonzero(output.status == GIVEN_UP).tolist()
        scanned = {number: self.read(texts[number]) for number in given_up}
        facts = self._page_facts(text, body, ends, output)
        for number, page in scanned.items():
            facts[number] = page.facts()
        return facts, join_links([self._link_columns(text, body, ends, output), link_columns(scanned.items())])

    def _page_facts(self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, output: Output) -> list[PageFacts]:
        """Return the facts of each page; those of a page that was given up are empty."""
        templates = output.templates[: output.counts[TEMPLATES]]
        names = slice_strings(text, templates[:, 1], templates[:, 2]).dictionary_encode()
        relevant = self._language.disambiguation | self._language.hidden_category
        markers = {
            code: name for code, each in enumerate(names.dictionary.to_pylist()) if (name := fold_name(each)) in relevant
        }
        markers_of: dict[int, set[str]] = {}
        if markers:
            codes = names.indices.to_numpy()
            for row in np.flatnonzero(np.isin(codes, list(markers))).tolist():
                markers_of.setdefault(int(templates[row, 0]), set()).add(markers[int(codes[row])])
        content, facts, no_markers = body.tobytes(), [], set[str]()
        for page, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            if output.status[page] == GIVEN_UP:
                facts.append(PageFacts(False, False, ""))
                continue
            masked = content[begin:end].decode("utf-8", "surrogatepass")
            switches = masked if output.status[page] == MAY_HAVE_SWITCHES else ""
            classes = (
                classify_page(self._language, markers_of.get(page, no_markers), switches)
                if switches or page in markers_of
                else (False, False)
            )
            facts.append(PageFacts(*classes, masked))
        return facts

    def _link_columns(self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, output: Output) -> RawLinks:
        """Return the links of the pages that were not given up."""
        links = output.links[: output.counts[LINKS]]
        hidden, flags = (links[:, REGION] & _HIDDEN) != 0, links[:, FLAGS]
        target = _slice_links(text, body, hidden, links[:, TARGET], links[:, TARGET_END])
        label = _slice_links(text, body, hidden, links[:, LABEL], np.where(links[:, LABEL] < 0, -2, links[:, LABEL_END]))
        trail = _slice_links(text, body, hidden, links[:, LABEL_END] + 2, links[:, END])
        label, trail = self._restore_labels(text, links, flags, label, trail)
        trail = self._match_trails(text, body, ends, links, hidden, trail)
        region = links[:, REGION].astype(np.int16)
        self._mark_sections(body, output, links, region, ~hidden)
        return RawLinks(links[:, PAGE].copy(), region, target, label, trail)

    def _restore_labels(
        self, text: np.ndarray, links: np.ndarray, flags: np.ndarray, label: pa.Array, trail: pa.Array
    ) -> tuple[pa.Array, pa.Array]:
        """Apply ``restore_verbatim`` to the links that need it; return all labels and trails."""
        rows = np.flatnonzero(flags & RESTORE_LABEL)
        if not len(rows):
            return label, trail
        begins, ends = links[rows, LABEL], links[rows, LABEL_END]
        sources = slice_strings(text, begins, ends).to_pylist()
        masked = zip(label.take(pa.array(rows)).to_pylist(), trail.take(pa.array(rows)).to_pylist(), sources, strict=True)
        restored = [restore_verbatim("", _restore_bytes(old, source), after, source, 0)[1:] for old, after, source in masked]
        mask = pa.array((flags & RESTORE_LABEL) != 0)
        labels, trails = (pa.array([each[column] for each in restored], pa.string()) for column in (0, 1))
        return pc.replace_with_mask(label, mask, labels), pc.replace_with_mask(trail, mask, trails)

    def _match_trails(
        self, text: np.ndarray, body: np.ndarray, ends: np.ndarray, links: np.ndarray, hidden: np.ndarray, trail: pa.Array
    ) -> pa.Array:
        """Match the trails that may contain more than ASCII letters with the language's pattern; return all trails."""
        needs_match = (links[:, FLAGS] & MATCH_TRAIL) != 0
        if not needs_match.any():
            return trail
        begins = links[needs_match, LABEL_END] + 2
        limits = np.minimum(begins + MAX_TRAIL, ends[links[needs_match, PAGE]])
        following = _slice_links(text, body, hidden[needs_match], begins, limits)
        matches = [self._trail.match(each.decode("utf-8", "ignore")) for each in following.cast(pa.binary()).to_pylist()]
        trails = pa.array([match[0] if match else "" for match in matches], pa.string())
        return pc.replace_with_mask(trail, pa.array(needs_match), trails)

    def _mark_sections(
        self, body: np.ndarray, output: Output, links: np.ndarray, region: np.ndarray, visible: np.ndarray
    ) -> None:
        """Mark the links in hatnotes and in appendix sections."""
        hatnotes = output.hatnotes[: output.counts[HATNOTES]]
        lines = slice_strings(body, hatnotes[:, 0], hatnotes[:, 1]).to_pylist()
        confirmed = np.array([*(is_hatnote(line, self._language) for line in lines), False])  # the last: not in such a line
        region[confirmed[links[:, HATNOTE]] & visible] |= _HATNOTE
        headings = output.headings[: output.counts[HEADINGS]]
        texts = slice_strings(body, headings[:, 1], headings[:, 2]).dictionary_encode()
        sections = self._read_sections(texts.dictionary)
        last_links = np.searchsorted(links[:, PAGE], headings[:, 0], side="right").tolist()
        page, level, begin, until = -1, 0, 0, 0  # the open appendix: its level (0: none open), its first link
        rows = zip(headings[:, 0].tolist(), headings[:, 3].tolist(), texts.indices.to_pylist(), last_links, strict=True)
        for number, first, code, last in rows:
            if number != page:
                if level:
                    region[begin:until][visible[begin:until]] |= _APPENDIX
                page, level = number, 0
            rank, appendix = sections[code]
            if rank and (not level or rank <= level):
                if level:
                    region[begin:first][visible[begin:first]] |= _APPENDIX
                level, begin = rank if appendix else 0, first
            until = last
        if level:
            region[begin:until][visible[begin:until]] |= _APPENDIX

    def _read_sections(self, lines: pa.Array) -> list[tuple[int, bool]]:
        """Return ``_read_section`` of each line; headings without markup, which are most, are handled as columns."""
        found = pc.extract_regex(lines, _PLAIN_HEADING)
        plain = pc.and_(found.is_valid(), pc.equal(pc.struct_field(found, "before"), pc.struct_field(found, "after")))
        names = pc.ascii_lower(pc.struct_field(found, "words"))
        appendix = pc.is_in(names, value_set=pa.array(sorted(self._language.appendix)))
        rank = pc.min_element_wise(pc.binary_length(pc.struct_field(found, "before")), 6)
        rows = zip(plain.to_pylist(), rank.to_pylist(), appendix.to_pylist(), lines.to_pylist(), strict=True)
        return [(level, last) if is_plain else self._read_section(line) for is_plain, level, last, line in rows]


def _slice_links(text: np.ndarray, body: np.ndarray, hidden: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> pa.Array:
    """Return slices of the masked text, but of the source for hidden links."""
    visible = slice_strings(body, begins, ends)
    if not hidden.any():
        return visible
    return pc.replace_with_mask(visible, pa.array(hidden), slice_strings(text, begins[hidden], ends[hidden]))


def _restore_bytes(label: str, source: str) -> str:
    """Return a label with its verbatim fillers replaced byte by byte by the source."""
    if VERBATIM not in label:
        return label
    pairs = zip(label.encode(), source.encode(), strict=True)
    return bytes(original if byte == ord(VERBATIM) else byte for byte, original in pairs).decode()


def build_site_rules(titles: Titles, language: Language) -> SiteRules:
    """Return the rules of a wiki as arrays."""
    trail = np.zeros(256, np.uint8)
    if language.trail.pattern == TRAIL:
        trail[ord("a") : ord("z") + 1] = 1
    else:
        trail[:] = 2
        trail[[code for code in range(128) if not language.trail.match(chr(code))]] = 0
    files = [name for name, number in titles.site.namespaces.items() if number == FILE]
    spellings = {name.replace(" ", separator) for name in files for separator in " _"}
    spellings |= {"".join(map(_lower_ascii, name[0].upper() + name[1:])) for name in spellings}
    return SiteRules(trail, *pack_words(sorted(spellings)))


def _lower_ascii(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter
