"""The curves of figure 3 as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...rendering.tables import align_columns
from ...rendering.text import clean

if TYPE_CHECKING:
    from .experiment_result import ExperimentResult


def result_text(outcome: ExperimentResult) -> str:
    """A row for each curve; the plain hit ratio is the column k = 0."""
    ks = [point["k"] for point in outcome.curves[0].points]
    head = ["encoder", "top", *(f"k={k}" for k in ks), "left out"]
    body: list[list[Any]] = [
        [clean(each.encoder), each.recommended, *(_ratio(point) for point in each.points), each.points[0]["left_out"]]
        for each in outcome.curves
    ]
    lines = [
        f"{outcome.tweets:,} tweets with {outcome.hashtags:,} hashtags ({outcome.uses:,} uses): {outcome.training:,} to learn "
        f"from, {outcome.test:,} to test",
        "average #REval-hit-ratio of the first hashtags recommended, with k synonyms of each:",
        "",
        align_columns(head, body),
    ]
    why = outcome.curves[0].points[0].get("left_out_why") or {}
    if why:
        lines += ["", f"left out of the test: {', '.join(f'{what}: {count:,}' for what, count in why.items())}"]
    if outcome.left_out:
        told = ", ".join(f"{count:,} {what}" for what, count in outcome.left_out.items() if count)
        lines += ["", f"left out: {told}"] if told else []
    return "\n".join(lines)


def _ratio(point: dict[str, Any]) -> str:
    value = point["reval_hit_ratio"]
    return "-" if value is None else f"{value:.3f}"
