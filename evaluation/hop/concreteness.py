"""How concrete an article is: the mean of people's ratings of the words of its opening (Brysbaert et al., 2014)."""

from __future__ import annotations

import csv
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...search.traversal.title_similarity import title_words
from ..errors import RatingsInvalid
from .fuzzy_index import FuzzyIndex

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

WORD, RATING = "Word", "Conc.M"
"""The columns of the published file; in another one the first two columns are taken."""

LONGEST = 1 << 16
"""Characters of a line, at most."""


class Ratings:
    """Words and how concrete they are, 1 to 5. An unknown word counts as a known one that is written nearly so.

    >>> ratings = Ratings({"religion": 1.71, "characteristic": 2.1, "car": 4.89})
    >>> ratings.of("characteristics"), ratings.of("cart"), ratings.mean("Religion and cars: a car.")
    (2.1, None, 3.3)
    """

    def __init__(self, ratings: Mapping[str, float]) -> None:
        self._ratings = ratings
        self._near: dict[str, float | None] = {}

    def __len__(self) -> int:
        return len(self._ratings)

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> Ratings:
        """The ratings of a file: a header, then a word and its rating in each row, parted by tabs or commas."""
        ratings: dict[str, float] = {}
        try:
            with Path(file).open(encoding="utf-8-sig", newline="") as stream:
                head = stream.readline(LONGEST).rstrip("\r\n")
                mark = "\t" if "\t" in head else ","
                names = next(csv.reader([head], delimiter=mark), [])
                word, rating = (names.index(WORD), names.index(RATING)) if {WORD, RATING} <= set(names) else (0, 1)
                for number, row in enumerate(csv.reader(stream, delimiter=mark), start=2):
                    if row:
                        ratings.setdefault(*_rated(row, word, rating, file, number))
        except OSError as error:
            raise RatingsInvalid(f"{file}: cannot be read ({error.strerror or error}); name a file of ratings") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise RatingsInvalid(f"{file}: is no table of words and ratings in UTF-8 ({error})") from None
        if not ratings:
            raise RatingsInvalid(f"{file}: holds no ratings; it should have a header, then a word and a rating in each row")
        return cls(ratings)

    def of(self, word: str) -> float | None:
        """The rating of a word, None where neither it nor one that is nearly the same is known."""
        word = word.lower()
        known = self._ratings.get(word)
        if known is None and word not in self._near:
            near = self._index.nearest(word)
            self._near[word] = None if near is None else self._ratings[near]
        return self._near[word] if known is None else known

    def mean(self, text: str) -> float | None:
        """The mean rating of the words of a text, each as often as it stands there; None where none is known."""
        found = [rating for rating in map(self.of, title_words(text)) if rating is not None]
        return sum(found) / len(found) if found else None

    @cached_property
    def _index(self) -> FuzzyIndex:
        return FuzzyIndex(list(self._ratings))


def _rated(row: list[str], word: int, rating: int, file: object, number: int) -> tuple[str, float]:
    try:
        found = float(row[rating])
    except (ValueError, IndexError):
        found = float("nan")
    if not (abs(found) < float("inf")) or not row[word].strip():
        raise RatingsInvalid(f"{file}, line {number}: {','.join(row)[:80]!r} is no word with a rating")
    return row[word].strip().lower(), found
