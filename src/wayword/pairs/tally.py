"""Counts of the pairs of a file: scored, unknown, rejected; for notes and for the ledger."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .reader import Row
from .writer import unknown_phrases

SHOWN_PHRASES = 3
"""Unknown phrases that the final note shows."""

Column = Sequence[float | None]
"""The scores of pairs; None for a pair with a phrase that a matcher does not know."""


@dataclass(slots=True)
class Tally:
    """Counts of the rows of a file: all, those with an unknown phrase, and those without a pair."""

    rows: int = 0
    unknown: int = 0
    phrases: list[str] = field(default_factory=list)
    bad: int = 0
    first_bad: int = 0
    total: float = 0.0
    run: int | None = None
    digest: Any = field(default_factory=hashlib.sha256)

    @property
    def pairs(self) -> int:
        """The number of rows with a pair."""
        return self.rows - self.bad

    def add(self, rows: Sequence[Row], columns: Sequence[Column], unknown: set[str]) -> None:
        """Count rows, given the columns of their pairs' scores."""
        self.rows += len(rows)
        self.digest.update("".join(f"{score!r}\n" for scores in zip(*columns, strict=True) for score in scores).encode())
        self._add_scores(columns)
        for row in rows:
            if row.pair is None:
                self.bad += 1
                self.first_bad = self.first_bad or row.line
            elif phrases := unknown_phrases(row, unknown):
                self.unknown += 1
                if len(self.phrases) <= SHOWN_PHRASES:
                    self.phrases += [phrase for phrase in phrases if phrase not in self.phrases]

    def _add_scores(self, columns: Sequence[Column]) -> None:
        self.total += sum(score or 0.0 for score in columns[0])

    def to_dict(self) -> dict[str, Any]:
        """Return the result of the run for the ledger; ``scores`` is a digest of the scores in their order."""
        mean = self.total / self.pairs if self.pairs else None
        return {"pairs": self.pairs, "bad": self.bad, "unknown": self.unknown, "mean": mean, "scores": self.digest.hexdigest()}

    def notes(self, name: str) -> Iterator[str]:
        """Yield a line for a file without rows, one for the rows without a pair, and others for what is unknown."""
        if not self.rows:
            yield f"{name}: there are no pairs"
        if self.bad:
            have = f"{self.bad:,} of {self.rows:,} rows {'has' if self.bad == 1 else 'have'}"
            yield f"{name}: {have} no pair of phrases and no score, first in line {self.first_bad}"
        yield from self._unknown_notes(name)

    def _unknown_notes(self, name: str) -> Iterator[str]:
        if self.unknown:
            from ..rendering.text import clean, shorten

            shown = ", ".join(f'"{shorten(clean(phrase), 40)}"' for phrase in self.phrases[:SHOWN_PHRASES])
            more = ", ..." if len(self.phrases) > SHOWN_PHRASES else ""
            have = f"{self.unknown:,} of {self.rows:,} pairs {'has' if self.unknown == 1 else 'have'}"
            yield f"{name}: {have} an unknown phrase ({shown}{more}); 0 there means unknown, not unrelated"


class MatcherTally(Tally):
    """Counts of the rows of a file that matchers score, with the sum and the number of each one's scores."""

    __slots__ = ("known", "names", "totals")

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = tuple(names)
        self.known = [0] * len(names)
        self.totals = [0.0] * len(names)

    def _add_scores(self, columns: Sequence[Column]) -> None:
        for index, scores in enumerate(columns):
            known = [score for score in scores if score is not None]
            self.known[index] += len(known)
            self.totals[index] += sum(known)

    def to_dict(self) -> dict[str, Any]:
        """Return the result of the run for the ledger; the mean of a matcher is over the pairs that it knows."""
        unknown = {name: self.pairs - known for name, known in zip(self.names, self.known, strict=True)}
        sums = zip(self.names, self.totals, self.known, strict=True)
        means = {name: total / known if known else None for name, total, known in sums}
        return {"pairs": self.pairs, "bad": self.bad, "unknown": unknown, "mean": means, "scores": self.digest.hexdigest()}

    def _unknown_notes(self, name: str) -> Iterator[str]:
        for matcher, known in zip(self.names, self.known, strict=True):
            if known < self.pairs:
                unknown = f"{self.pairs - known:,} of {self.pairs:,} pairs"
                yield f"{name}: {matcher} does not know a phrase of {unknown}, which have no score"
