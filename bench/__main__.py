"""``python -m bench``: measure the selected parts, print each one, and write it to its section of the docs."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import (
    bulk,
    bundle,
    cold,
    demo,
    dump,
    growth,
    hashtags,
    hitratios,
    hop,
    live,
    load,
    matchers,
    pairs,
    people,
    scanner,
    size,
    tuning,
    tweets,
    wikipairs,
    wikisub,
)
from .measure import CommandFailed, describe_machine
from .report import write_section
from .setting import NotAvailable, Setting

DOCS = Path(__file__).parents[1] / "docs"
BENCHMARKS, PAPERS = DOCS / "benchmarks.md", DOCS / "papers.md"


@dataclass(frozen=True)
class Part:
    """A benchmark, its heading, and the page that it is written to."""

    title: str
    measure: Callable[[Setting], str]
    page: Path = BENCHMARKS


PARTS = {
    "pairs": Part("Pairs of words, in memory", pairs.measure),
    "live": Part("Pairs of words, directly on a store", live.measure),
    "bulk": Part("Files of up to 500,000 pairs", bulk.measure),
    "cold": Part("Start-up time", cold.measure),
    "load": Part("Loading WordNet", load.measure),
    "size": Part("Size on disk", size.measure),
    "dump": Part("From a dump to a work folder", dump.measure),
    "bundle": Part("From a work folder to the embedded store", bundle.measure),
    "growth": Part("Loading wikis of different sizes", growth.measure),
    "wikisub": Part("Pairs on a wiki with 10 million nodes", wikisub.measure),
    "wikipairs": Part("Files of up to 500,000 pairs on a wiki", wikipairs.measure),
    "scanner": Part("The scanner and a full parser", scanner.measure),
    "hop": Part("HOP", hop.measure),
    "tweets": Part("Cleaning tweets", tweets.measure),
    "hashtags": Part("Vectors of tweets and hashtags", hashtags.measure),
    "hitratios": Part("#REval", hitratios.measure),
    "demo": Part("`make demo`", demo.measure),
    "matchers": Part("Matchers", matchers.measure),
    "tuning": Part("Tuning", tuning.measure),
    "people": Part("Agreement with people", people.measure, PAPERS),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks; return 0 unless a part failed."""
    options = _parse_options(arguments)
    data = os.environ.get("WAYWORD_TEST_DATA")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="wayword-bench-") as folder:
        os.environ.pop("WAYWORD_STORE", None)
        os.environ["WAYWORD_LEDGER"] = str(Path(folder) / "runs.sqlite")
        setting = Setting(Path(folder), Path(data).resolve() if data else None, options.repeats, options.quick, _note)
        with setting.stack:
            for name in options.only:
                failed += not _measure_part(name, setting, save=options.write)
    return 1 if failed else 0


def _measure_part(name: str, setting: Setting, *, save: bool) -> bool:
    """Measure and print one part; return False if it failed."""
    part, about = PARTS[name], describe_machine()
    try:
        text = part.measure(setting)
    except NotAvailable as reason:
        _note(f"{name} skipped: {reason}")
        return True
    except CommandFailed as error:
        _note(f"{name} failed: {error}")
        return False
    if part.page == BENCHMARKS:
        text = f"## {part.title}\n\n{text}\n\n{about}."
    print(f"{text}\n", flush=True)
    if save:
        write_section(part.page, name, text)
    return True


def _parse_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure wayword and its peers.")
    parser.add_argument("--only", type=_parse_names, default=list(PARTS), metavar="PART,...", help=", ".join(PARTS))
    parser.add_argument("--repeats", type=_parse_repeats, default=5, metavar="N", help="default 5; slow parts fewer")
    parser.add_argument("--quick", action="store_true", help="a few pairs only, to check that it works; writes nothing")
    parser.add_argument("--no-write", dest="write", action="store_false", help="print only; do not change the docs")
    options = parser.parse_args(arguments)
    if options.quick:
        options.write, options.repeats = False, 1
    return options


def _parse_names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"there is no part {name!r}; choose from {', '.join(PARTS)}")
    return names


def _parse_repeats(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} repeats are not possible; give 1 or more")
    return number


def _note(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ResourceWarning)
    sys.exit(main())
