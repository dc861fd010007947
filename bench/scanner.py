"""The first body links of every article by the scanner and by the reference parser, and the speed of both.

The reference parser is that of ``wayword load wikipedia --parser reference``. Links are resolved in the same way for both, so
that only what they read from the wikitext can differ. As a load reads them, many pages at a time and with links unresolved, the
scanner is measured in C and in plain Python.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wayword.loaders.wikipedia.dump.dump_file import Dump
from wayword.loaders.wikipedia.dump.extraction import BATCH_CHARACTERS
from wayword.loaders.wikipedia.languages import find_language
from wayword.loaders.wikipedia.wikitext.native_scanner import NativeScanner, make_scanner
from wayword.loaders.wikipedia.wikitext.regions import Region
from wayword.loaders.wikipedia.wikitext.scanner import Scanner
from wayword.loaders.wikipedia.wikitext.titles import Titles

from .measure import count_repeats, short, spread
from .report import goal, goals, table
from .wikis import enwik8, schools

if TYPE_CHECKING:
    import re

    from tests.oracles.wiki_base import Base
    from tests.oracles.wiki_markup import Markup
    from tests.oracles.wiki_titles import Names

    from wayword.loaders.wikipedia.wikitext.regions import Scan

    from .setting import Setting

FIRST = 20
SHARE = 0.998
"""The goal: the share of articles whose first links are the same."""

TIMES = 3
"""The goal: how many times as fast the scanner in C is as the one in plain Python."""

NATIVE, PLAIN = "C", "plain Python"

QUICK = 400_000
"""Bytes of the dump that a quick run reads."""

SHOWN = 40
METHODS = (
    OURS := "the scanner",
    THEIRS := "the reference parser (mwparserfromhell)",
    BARE := "mwparserfromhell, syntax tree only",
)
HEAD = ["wiki", "article", "link", "scanner finds", "where the parser has it", "parser finds", "where the scanner has it"]


@dataclass
class WikiComparison:
    """The result for one wiki: bytes of wikitext, seconds of each method, and the number of equal articles."""

    articles: int = 0
    size: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(METHODS, 0.0))
    batches: dict[str, list[float]] = field(default_factory=dict)
    equal: int = 0
    equal_with_parentheses: int = 0
    different: list[list[object]] = field(default_factory=list)


def measure(setting: Setting) -> str:
    """Measure the scanner."""
    dumps = {"schoolswiki": schools(setting), "enwik8": enwik8(setting)}
    found = {name: _compare_wiki(setting, name, file) for name, file in dumps.items()}
    rows_of_goals, rows, speeds, batches = [], [], [], []
    for name, each in found.items():
        for what, equal in (("", each.equal), (", including parentheses", each.equal_with_parentheses)):
            share = equal / each.articles
            measured = f"{share:.2%}: {equal:,} of {each.articles:,} articles"
            rows_of_goals.append(goal(f"equal, {name}{what}", measured, f"at least {SHARE:.1%}", share >= SHARE))
        speed = {way: each.size / 1e6 / seconds for way, seconds in each.seconds.items()}
        speeds += [[name, way, short(rate), f"{short(speed[OURS] / rate)}x"] for way, rate in speed.items()]
        rows += [[name, *row] for row in each.different]
        medians = {way: spread(seconds).median for way, seconds in each.batches.items()}
        for way, seconds in each.batches.items():
            rates = spread(each.size / 1e6 / one for one in seconds)
            batches.append([name, way, rates, f"{short(medians[PLAIN] / medians[way])}x"])
        if NATIVE in medians:
            times = medians[PLAIN] / medians[NATIVE]
            what = f"speed in {NATIVE}, {name}, relative to {PLAIN}"
            rows_of_goals.append(goal(what, f"{short(times)} times", f"at least {TIMES} times", times >= TIMES))
    listed = [
        "The articles that differ, each with its first different link and where the other method has it:",
        table(HEAD, rows[:SHOWN]),
    ]
    return "\n\n".join(
        [
            goals(*rows_of_goals),
            table(["wiki", "method", "MB of wikitext per second", "scanner is faster by"], speeds),
            table(["wiki", "scanner, many pages at a time", "MB of wikitext per second", "faster by"], batches),
            *(listed if rows else ["No article differs."]),
            f"The first {FIRST} body links, with redirects resolved, of every article that is not a disambiguation page. One "
            "process, once, with the wikitext in memory. The full parser is the reference parser of `load wikipedia --parser "
            "reference`. enwik8 ends in the middle of a page, which is left out. Many pages at a time: "
            f"{count_repeats(setting.few(5))} of both scanners in turn, median (lowest..highest).",
        ]
    )


def _compare_wiki(setting: Setting, name: str, file: Path) -> WikiComparison:
    import mwparserfromhell
    from tests.oracles.wiki_base import read_base
    from tests.oracles.wiki_markup import read_markup

    setting.note(f"{name} with mwparserfromhell")
    if setting.quick:
        file = _beginning(setting, file)
    found = WikiComparison()

    def timed(text: str, names: Names, trail: re.Pattern[str]) -> Markup:
        start = time.perf_counter()
        markup = read_markup(text, names, trail)
        found.seconds[THEIRS] += time.perf_counter() - start
        start = time.perf_counter()
        mwparserfromhell.parse(text, skip_style_tags=True)
        found.seconds[BARE] += time.perf_counter() - start
        found.size += len(text.encode())
        return markup

    base = read_base(file, reader=timed)
    setting.note(f"{name} with the scanner")
    start = time.perf_counter()
    scans = dict(_scans(file, base))
    found.seconds[OURS] = time.perf_counter() - start
    for title in sorted(base.articles):
        _compare(base, title, scans[title], found)
    setting.note(f"{name} many pages at a time")
    for _ in range(setting.few(5)):
        for way, seconds in _read_batches(file, base).items():
            found.batches.setdefault(way, []).append(seconds)
    return found


def _read_batches(file: Path, base: Base) -> dict[str, float]:
    """Return the seconds in which each scanner reads the pages that the parser has read."""
    site = Dump(file).site
    titles, language = Titles(site), find_language(site.language)
    scanners = [make_scanner(titles, language), Scanner(titles, language)]
    seconds: dict[str, float] = dict.fromkeys((NATIVE, PLAIN), 0.0)
    for batch in _batches(base):
        for scanner in scanners:
            texts = [text.decode() for text in batch]  # new ones, because a string keeps its UTF-8
            start = time.perf_counter()
            scanner.read_all(texts)
            seconds[NATIVE if isinstance(scanner, NativeScanner) else PLAIN] += time.perf_counter() - start
    return {way: total for way, total in seconds.items() if total}


def _batches(base: Base) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    for page in base.markup:
        batch.append(base.pages[page].text.encode())
        if sum(map(len, batch)) > BATCH_CHARACTERS:
            yield batch
            batch = []
    yield batch


def _scans(file: Path, base: Base) -> Iterator[tuple[str, Scan]]:
    """Yield what the scanner finds on every page that the parser has read."""
    site = Dump(file).site
    scanner = Scanner(Titles(site), find_language(site.language))
    for namespace, title in base.markup:
        scan = scanner.scan(base.pages[namespace, title].text)
        if namespace == 0:
            yield title, scan


def _compare(base: Base, title: str, scan: Scan, found: WikiComparison) -> None:
    """Add an article to the comparison."""
    links = [link for link in scan.links if link.title.namespace == 0]
    found.articles += 1
    with_parentheses = _resolve_first(
        base, title, (link.title.name for link in links if link.region in (0, int(Region.PARENTHESES)))
    )
    found.equal_with_parentheses += with_parentheses == base.body_links(title, FIRST, keep_parentheses=True)
    ours = _resolve_first(base, title, (link.title.name for link in links if link.region == 0))
    theirs = base.body_links(title, FIRST)
    if ours == theirs:
        found.equal += 1
        return
    pairs = zip(ours, theirs, strict=False)
    place = next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(ours), len(theirs)))
    scanned = {base.resolve(link.title.name): Region(link.region).name for link in reversed(links)}
    parsed = {base.resolve(link.target): link.region.name for link in reversed(base.markup[0, title].links)}
    row: list[object] = [title, place + 1]
    for side, other_side in ((ours, parsed), (theirs, scanned)):
        goes_to = side[place] if place < len(side) else None
        row += [goes_to or "none", "" if goes_to is None else _describe_region(other_side.get(goes_to, "no link"))]
    found.different.append(row)


def _describe_region(regions: str | None) -> str:
    return regions.lower().replace("|", ", ") if regions else "a link of the text"


def _resolve_first(base: Base, title: str, targets: Iterable[str]) -> list[str]:
    """Return the articles that the first links lead to."""
    ends = (base.resolve(target) for target in targets)
    return [end for end in ends if end in base.articles and end != title][:FIRST]


def _beginning(setting: Setting, file: Path) -> Path:
    beginning = setting.folder / f"beginning-{file.name}"
    with file.open("rb") as source:
        beginning.write_bytes(source.read(QUICK))
    return beginning
