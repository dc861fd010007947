"""The time of a process that scores one pair, compared with starting Python and importing numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .measure import python, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from pathlib import Path

    from .setting import Setting

NLTK = """
import sys, nltk.data
nltk.data.path.insert(0, sys.argv[1])
from nltk.corpus import wordnet
print(max(a.path_similarity(b) or 0 for a in wordnet.synsets("enclose") for b in wordnet.synsets("birdcage")))
"""
MOST = 1.3
"""The goal: how many times longer a score takes than importing numpy."""

PASS, NUMPY = '`python -c "pass"`', '`python -c "import numpy"`'
SCORE = "`wayword score enclose birdcage`"
PEER = "the same pair with NLTK's `path_similarity`"


def measure(setting: Setting) -> str:
    """Measure start-up time."""
    times = 3 if setting.quick else 6 * setting.repeats
    commands: dict[str, list[str | Path]] = {
        PASS: python("pass"),
        NUMPY: python("import numpy"),
        SCORE: setting.wayword(setting.store, "score", "enclose", "birdcage"),
    }
    if setting.data is not None:
        commands[PEER] = python(NLTK, setting.nltk_data)
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    setting.note(f"starting processes, {times} of each")
    for number in range(-1, times):
        for name, command in commands.items():
            if name == PEER and number >= setting.repeats:
                continue
            took = run(command, watch=False).seconds
            if number >= 0:  # the first round only fills the file cache
                seconds[name].append(took)
    found = {name: spread(each) for name, each in seconds.items()}
    score, numpy = found[SCORE].median, found[NUMPY].median
    rows = [[name, each, f"{short(each.median / found[PASS].median)}x"] for name, each in found.items()]
    return "\n\n".join(
        [
            goals(
                goal(SCORE, f"{short(score)} s", "under 0.5 s", score < 0.5),
                goal(f"relative to {NUMPY}", f"{short(score / numpy)} times", f"at most {MOST} times", score <= MOST * numpy),
            ),
            table(["", "seconds", f"relative to {PASS}"], rows),
            "Each process from start to end, in turns, "
            f"{times} times each (NLTK {min(times, setting.repeats)}): median (lowest..highest). "
            "The files are in the system's cache, and the store has its projection.",
        ]
    )
