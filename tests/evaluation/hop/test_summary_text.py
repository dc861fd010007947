"""The summary of an experiment as text."""

from __future__ import annotations

from typing import Any

import pytest

from wayword.evaluation.hop.results import Summary
from wayword.rendering.text import cell_width


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("base", ["w", "a wiki with a name as long as that of this one", "鳥籠の中の鳥" * 4])
def test_lines_are_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, base: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    cycle = {"articles": [f"Article number {number}" for number in range(9)], "drained": 1_234_567}
    whole = {"to_target": 1_234_567, "depth": 12, "levels": [], "cycles": 1, "drained": 1_234_567, "largest": [cycle]}
    exact: dict[str, float | None] = {"reached": 0.5, "hop_value": 123.45}
    left_out = {"starter_not_found": 1_234_567}
    fields: dict[str, Any] = {"reached": 1_111_111, "cycle": 1_234_567, "dead_end": 123_456, "limit": 12_345, "share": 0.5}
    fields |= {"hop_value": 123.45, "std": 12.34, "min": 1, "max": 100, "longest_cycle": 123_456, "left_out": left_out}
    summary = Summary("first", "Animal", base, 2_481_479, exact=exact, whole=whole, run=7, **fields)
    lines = str(summary).splitlines()
    assert max(map(cell_width, lines)) <= columns
    assert " ".join(" ".join(lines).split()).count("the longest cycle has 123,456 articles") == 1
    assert lines[-1] == "run        7"
