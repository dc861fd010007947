"""The fast parser with its scanner in C (``native.c``), which reads many pages at a time."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ....core.native_code import load_native
from ..languages import fold_name
from ..site import FILE
from .headings import is_hatnote
from .masking import LINKED, LINKLESS, PARSED
from .page_state import BLOCK_TAGS, is_box
from .raw_links import RawLinks, join_links, link_columns
from .scanner import PageFacts, ScannedPage, Scanner, classify_page
from .targets import FREE_SCHEMES, NO_LINK, SCHEMES, is_empty_label

if TYPE_CHECKING:
    from ..languages import Language
    from .titles import Titles

CACHED_ANSWERS = 1 << 13
MAX_CACHED_QUESTION = 100
"""Number of the answers to each kind of question in the cache, and characters of the questions."""

_CHARACTER = r"(?:[^\\()\[\]{}|.*+?^$]|\[(?:[^\[\]\\]|\\.)+\])"
_CHARACTERS = re.compile(rf"(?:{_CHARACTER}|\(\?:{_CHARACTER}(?:\|{_CHARACTER})*\))\+", re.DOTALL)
"""A pattern that matches any number of certain characters in any order, as most link trails do."""


def make_scanner(titles: Titles, language: Language) -> Scanner:
    """Return the scanner in C, or the plain one if Python does its work (see ``load_native``)."""
    native = load_native("scanner of wikitext")
    return Scanner(titles, language) if native is None else NativeScanner(titles, language, native)


class NativeScanner(Scanner):
    """A ``Scanner`` in C. Pages that it gives up are read by the plain one."""

    def __init__(self, titles: Titles, language: Language, native: ModuleType) -> None:
        super().__init__(titles, language)
        words = collect_words(native, titles, language)
        self._native = native
        self._scan = native.Scanner(words, *trail_characters(language.trail)).scan
        self._questions: tuple[Callable[[str], int], ...] = (
            cache_answers(lambda line: self._read_section(line)[1]),
            lambda line: is_hatnote(line, language),
            cache_answers(lambda name: words.get(fold_name(name), 0)),
            self._shows_file,
            self._has_label,
            lambda text: len(match[0].encode()) if (match := language.trail.match(text)) else 0,
            cache_answers(is_box),
        )

    def read(self, text: str) -> ScannedPage:
        """Read a page without resolving its links."""
        (found,), columns = self._scan([text], self._questions)
        if found is None:
            return super().read(text)
        links = _make_links(columns)
        raw = zip(links.target.to_pylist(), links.label.to_pylist(), links.trail.to_pylist(), strict=True)
        return ScannedPage(list(raw), links.region.tolist(), *self._facts(*found))

    def read_all(self, texts: Sequence[str]) -> tuple[list[PageFacts], RawLinks]:
        """Read several pages: their facts, and all their links as columns."""
        pages, columns = self._scan(texts, self._questions)
        given_up = {
            number: super(NativeScanner, self).read(texts[number]) for number, found in enumerate(pages) if found is None
        }
        facts = [given_up[number].facts() if found is None else self._facts(*found) for number, found in enumerate(pages)]
        links = _make_links(columns)
        return facts, join_links([links, link_columns(given_up.items())]) if given_up else links

    def _facts(self, marks: int, masked: str) -> PageFacts:
        """Return the facts of a page."""
        if not marks:
            return PageFacts(False, False, masked)
        native, switches = self._native, masked if marks & self._native.MAY_HAVE_SWITCHES else ""
        disambiguation, hidden = classify_page(self._language, set(), switches)
        return PageFacts(
            disambiguation or bool(marks & native.IS_DISAMBIGUATION), hidden or bool(marks & native.IS_HIDDEN_CATEGORY), masked
        )

    def _has_label(self, link: str) -> bool:
        """Whether the label of a link is not empty and its target can be one."""
        target, _, label = link.partition("|")
        return self.targets[target].namespace != NO_LINK and not is_empty_label(label)


def cache_answers(answer: Callable[[str], int]) -> Callable[[str], int]:
    """Return the same function with a cache; long texts, of which a few would fill the memory, are not in it."""
    cached = lru_cache(CACHED_ANSWERS)(answer)
    return lambda text: (cached if len(text) <= MAX_CACHED_QUESTION else answer)(text)


def _make_links(columns: Sequence[bytes]) -> RawLinks:
    """Return links as columns over the buffers of the scanner in C."""
    page, region, has_label, *strings = columns
    validities = (None, pa.py_buffer(has_label), None)
    texts = [
        pa.StringArray.from_buffers(len(page) // 8, *map(pa.py_buffer, buffers), validity)
        for *buffers, validity in zip(strings[::2], strings[1::2], validities, strict=True)
    ]
    return RawLinks(np.frombuffer(page, np.int64), np.frombuffer(region, np.int16), *texts)


def collect_words(native: ModuleType, titles: Titles, language: Language) -> dict[str, int]:
    """Return the words that the scanner knows, with their flags."""
    words: Counter[str] = Counter()
    elements = [*LINKLESS.split("|"), *LINKED.split("|")]
    kinds: list[tuple[int, Iterable[str]]] = [
        (native.ELEMENT, elements),
        (native.LINKED, LINKED.split("|")),
        (native.PARSED, PARSED.split("|")),
        (native.FILLED_AS_BLOCK, ["pre"]),
        (native.FILLED_VERBATIM, ["nowiki"]),
        (native.BLOCK_TAG, BLOCK_TAGS),
        (native.SCHEME, SCHEMES),
        (native.FREE_SCHEME, FREE_SCHEMES),
        (native.APPENDIX_HEADING, language.appendix),
        (native.DISAMBIGUATION_TEMPLATE, language.disambiguation),
        (native.HIDDEN_TEMPLATE, language.hidden_category),
        (native.FILE_NAMESPACE, (name for name, number in titles.site.namespaces.items() if number == FILE)),
    ]
    for flag, names in kinds:
        for name in set(names):
            words[name] |= flag
    return dict(words)


@cache
def trail_characters(trail: re.Pattern[str]) -> tuple[bytes, bool]:
    r"""Return a bit for each code point that belongs to a link trail, and False; or for each that may begin one, and True.

    The second is for patterns that are more than a set of characters.

    >>> bits, needs_match = trail_characters(re.compile("[a-z]+"))
    >>> [bool(bits[ord(letter) >> 3] >> (ord(letter) & 7) & 1) for letter in "az{"], needs_match
    ([True, True, False], False)
    """
    pattern, last = trail.pattern, sys.maxunicode
    needs_match = bool(pattern) and not _CHARACTERS.fullmatch(pattern)
    if not needs_match and not trail.flags & re.IGNORECASE and "\\" not in pattern and "^" not in pattern:
        last = ord(max(pattern, default="\0"))  # all of its characters are listed, and need not be searched among all others
    characters = np.arange(last + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    belongs = np.zeros(sys.maxunicode + 1, bool)
    for match in trail.finditer(characters):
        belongs[slice(*match.span())] = True
    if needs_match:
        belongs[[ord(letter) for letter in pattern]] = True
        belongs |= "\\" in pattern
    return np.packbits(belongs, bitorder="little").tobytes(), needs_match
