"""Tuning: evaluations of 352 pairs a second, as in section 5.3.5, where 75,000 of them took 60 hours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wayword.evaluation.agreement import read_hyperlex

from .measure import count_repeats, megabytes, run, short, spread
from .report import goal, goals, table

if TYPE_CHECKING:
    from .setting import Setting

PAIRS, FOLDS = 352, 10
STEPS, QUICK = (100, 200, 400), (2, 4, 8)
EVALUATIONS, MOST_MINUTES = 75_000, 30
"""The evaluations of the thesis: 1,500 steps, 5 passes and 10 folds; and the goal."""


def measure(setting: Setting) -> str:
    """Measure tunings of different lengths."""
    pairs = read_hyperlex(setting.file("human/hyperlex/hyperlex_training_all_random.txt"))[:PAIRS]
    judged = setting.folder / "judged.tsv"
    judged.write_text("".join(f"{pair.general}\t{pair.specific}\t{pair.score}\n" for pair in pairs), encoding="utf-8")
    rows, rates, outside = [], [], []
    for steps in QUICK if setting.quick else STEPS:
        setting.note(f"{steps} steps of annealing")
        command = setting.wayword(setting.store, "tune", "--objective", f"graded={judged}", "--profile", "thesis", "--json")
        options = ["--steps", str(steps), "--folds", str(FOLDS), "--resamples", "0"]
        ran = [run([*command, *options]) for _ in range(setting.few(3))]
        found = [json.loads(each.output) for each in ran]
        rates.append(spread(each["evaluations_per_second"] for each in found))
        outside.append(spread(each["share_outside_search"] for each in found))
        peak = max(each.peak or 0 for each in ran)
        rows.append(
            [f"{found[0]['evaluations']:,}", spread(each.seconds for each in ran), rates[-1], outside[-1], megabytes(peak)]
        )
    minutes = EVALUATIONS / rates[-1].median / 60
    return "\n\n".join(
        [
            goals(
                goal(
                    f"{EVALUATIONS:,} evaluations at the last rate",
                    f"{short(minutes)} min",
                    f"at most {MOST_MINUTES} min",
                    minutes <= MOST_MINUTES,
                )
            ),
            table(
                ["evaluations", "seconds, with start", "evaluations a second", "share outside the search", "peak memory"], rows
            ),
            f"{PAIRS} pairs of HyperLex; simulated annealing of all transition scores, {FOLDS} folds and all pairs together, "
            f"on all processors. {count_repeats(setting.few(3))}: the median (lowest..highest). Annealing begins hot, so early "
            "steps try more costly parameters.",
        ]
    )
