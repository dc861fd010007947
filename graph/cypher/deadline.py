"""The time limit of a statement, which counts from the caller's call to the answer."""

from __future__ import annotations

import time

from ...core.errors import hint
from ..errors import CypherTimeout


class Deadline:
    """A number of seconds from now, on a clock that is never set back."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def remaining(self, grace: float = 0.0) -> float:
        """Return the seconds that remain, at least 0; ``grace`` is added to the limit."""
        return max(0.0, self._end + grace - time.monotonic())

    def check(self) -> None:
        """Raise ``CypherTimeout`` if the time is over."""
        if time.monotonic() > self._end:
            raise self.error()

    def error(self, problem: str | None = None) -> CypherTimeout:
        """Return the error to raise once the time is over; ``problem`` says what took so long, by default the statement.

        >>> str(Deadline(1.5).error())
        'the statement took longer than 1.5 s (starting from a node with {id: ...} makes it faster); raise timeout'
        """
        statement = f"the statement took longer than {self.seconds:g} s (starting from a node with {{id: ...}} makes it faster)"
        return CypherTimeout(problem or statement, hint("raise", option="timeout"))
