"""``python -m bench``: measures the parts that are asked for, prints each, and puts it into its place in the docs."""

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
    pairs,
    people,
    scanner,
    size,
    tweets,
    wikipairs,
    wikisub,
)
from .measure import Failed, machine
from .report import write
from .setting import LeftOut, Setting

DOCS = Path(__file__).parents[1] / "docs"
BENCHMARKS, PAPERS = DOCS / "benchmarks.md", DOCS / "papers.md"


@dataclass(frozen=True)
class Part:
    """Something that is measured, the heading it has, and the page that it is written to."""

    title: str
    measure: Callable[[Setting], str]
    page: Path = BENCHMARKS


PARTS = {
    "pairs": Part("Pairs of words in memory", pairs.measure),
    "live": Part("Pairs straight over a store", live.measure),
    "bulk": Part("500,000 pairs", bulk.measure),
    "cold": Part("A cold process", cold.measure),
    "load": Part("Loading WordNet", load.measure),
    "size": Part("On disk", size.measure),
    "dump": Part("From a wiki's dump to a bundle", dump.measure),
    "bundle": Part("From a bundle to the embedded store", bundle.measure),
    "growth": Part("Loading wikis of three sizes", growth.measure),
    "wikisub": Part("Pairs on a wiki of 10 million nodes", wikisub.measure),
    "wikipairs": Part("500,000 pairs on a wiki", wikipairs.measure),
    "scanner": Part("The scanner beside a full parser", scanner.measure),
    "hop": Part("HOP", hop.measure),
    "tweets": Part("Cleaning tweets", tweets.measure),
    "hashtags": Part("Vectors of tweets and hashtags", hashtags.measure),
    "hitratios": Part("#REval", hitratios.measure),
    "demo": Part("The first thing a newcomer types", demo.measure),
    "people": Part("HyperLex", people.measure, PAPERS),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks; 0 unless a part failed."""
    chosen = _options(arguments)
    data = os.environ.get("WAYWORD_TEST_DATA")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="wayword-bench-") as folder:
        os.environ.pop("WAYWORD_STORE", None)
        os.environ["WAYWORD_LEDGER"] = str(Path(folder) / "runs.sqlite")
        setting = Setting(Path(folder), Path(data).resolve() if data else None, chosen.repeats, chosen.quick, _note)
        with setting.stack:
            for name in chosen.only:
                failed += not _measured(name, setting, write_down=chosen.write)
    return 1 if failed else 0


def _measured(name: str, setting: Setting, *, write_down: bool) -> bool:
    """Measure and show one part; whether that went well."""
    part, about = PARTS[name], machine()
    try:
        text = part.measure(setting)
    except LeftOut as reason:
        _note(f"{name} is left out: {reason}")
        return True
    except Failed as error:
        _note(f"{name} failed: {error}")
        return False
    if part.page == BENCHMARKS:
        text = f"## {part.title}\n\n{text}\n\n{about}."
    print(f"{text}\n", flush=True)
    if write_down:
        write(part.page, name, text)
    return True


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure wayword beside its peers.")
    parser.add_argument("--only", type=_names, default=list(PARTS), metavar="PART,...", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repeats", type=_positive, default=5, metavar="N", help="default 5; what takes long is repeated less")
    parser.add_argument("--quick", action="store_true", help="few pairs, to see that it works; writes nothing")
    parser.add_argument("--no-write", dest="write", action="store_false", help="print only, leave the docs alone")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.write, chosen.repeats = False, 1
    return chosen


def _names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in PARTS:
            raise argparse.ArgumentTypeError(f"no part is called {name!r}: choose of {', '.join(PARTS)}")
    return names


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of repeats: give 1 or more")
    return number


def _note(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ResourceWarning)
    sys.exit(main())
