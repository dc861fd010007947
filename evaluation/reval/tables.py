"""The curves of an experiment (figure 3 of the paper) as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.left_out import describe_left_out
from ...rendering.tables import align_columns
from ...rendering.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .experiment_result import ExperimentResult


def result_text(result: ExperimentResult) -> str:
    """Return a table with a row for each curve; the column k = 0 is the hit ratio."""
    ks = [point["k"] for point in result.curves[0].points]
    header = ["encoder", "top", *(f"k={k}" for k in ks), "left out"]
    rows: list[list[Any]] = [
        [clean(each.encoder), each.recommended, *map(_format_point, each.points), each.points[0]["left_out"]]
        for each in result.curves
    ]
    lines = [
        f"{result.tweets:,} tweets with {result.hashtags:,} hashtags ({result.uses:,} uses): {result.training:,} for training, "
        f"{result.test:,} for testing",
        "average #REval-hit-ratio of the top recommended hashtags, with k synonyms of each:",
        "",
        align_columns(header, rows),
    ]
    for name, left_out in (
        ("test tweets left out", result.curves[0].points[0].get("left_out_why") or {}),
        ("left out", result.left_out),
    ):
        if text := _join_left_out(left_out):
            lines += ["", f"{name}: {text}"]
    return "\n".join(lines)


def _join_left_out(left_out: Mapping[str, int]) -> str:
    return ", ".join(describe_left_out(code, count) for code, count in left_out.items() if count)


def _format_point(point: dict[str, Any]) -> str:
    value = point["reval_hit_ratio"]
    return "-" if value is None else f"{value:.3f}"
