"""How concrete an article is: the mean of people's ratings of the words of its opening (Brysbaert et al., 2014).

Section 5 of the paper chooses starters by this measure (figures 2 to 4).
"""

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
"""The columns of the published file; of another file the first two columns are used."""

MAX_HEADER = 1 << 16
"""Characters of the header."""


class Ratings:
    """Concreteness ratings of words, from 1 (abstract) to 5 (concrete).

    An unknown word has the rating of the most similar known one, if the similarity is at least 0.9 (section 5 of the paper).

    >>> ratings = Ratings({"religion": 1.71, "characteristic": 2.1, "car": 4.89})
    >>> ratings.rate("characteristics"), ratings.rate("cart"), ratings.mean("Religion and cars: a car.")
    (2.1, None, 3.3)
    """

    def __init__(self, ratings: Mapping[str, float]) -> None:
        self._ratings = ratings
        self._cache: dict[str, float | None] = {}

    def __len__(self) -> int:
        return len(self._ratings)

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> Ratings:
        """Read a CSV or TSV file in UTF-8: a header, then a word and its rating in each row.

        Raises:
            RatingsInvalid: The file cannot be read, or a row is not a word with a rating.
        """
        ratings: dict[str, float] = {}
        try:
            with Path(file).open(encoding="utf-8-sig", newline="") as stream:
                header = stream.readline(MAX_HEADER).rstrip("\r\n")
                delimiter = "\t" if "\t" in header else ","
                names = next(csv.reader([header], delimiter=delimiter), [])
                word, rating = (names.index(WORD), names.index(RATING)) if {WORD, RATING} <= set(names) else (0, 1)
                for number, row in enumerate(csv.reader(stream, delimiter=delimiter), start=2):
                    if row:
                        ratings.setdefault(*_parse_row(row, word, rating, file, number))
        except OSError as error:
            raise RatingsInvalid(f"{file}: cannot be read ({error.strerror or error}); name a file of ratings") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise RatingsInvalid(
                f"{file} is not a table of words and ratings in UTF-8 ({error}); name a file of ratings"
            ) from None
        if not ratings:
            raise RatingsInvalid(f"{file}: holds no ratings; expected a header, then a word and a rating in each row")
        return cls(ratings)

    def rate(self, word: str) -> float | None:
        """Return the rating of a word, or of the most similar known word; None if no known word is similar."""
        word = word.lower()
        rating = self._ratings.get(word)
        if rating is None and word not in self._cache:
            similar = self._index.nearest(word)
            self._cache[word] = None if similar is None else self._ratings[similar]
        return self._cache[word] if rating is None else rating

    def mean(self, text: str) -> float | None:
        """Return the mean rating of the words of a text, repeated ones each time; None if no word has one."""
        ratings = [rating for rating in map(self.rate, title_words(text)) if rating is not None]
        return sum(ratings) / len(ratings) if ratings else None

    @cached_property
    def _index(self) -> FuzzyIndex:
        return FuzzyIndex(list(self._ratings))


def _parse_row(row: list[str], word: int, rating: int, file: object, number: int) -> tuple[str, float]:
    try:
        value = float(row[rating])
    except (ValueError, IndexError):
        value = float("nan")
    if not (abs(value) < float("inf")) or not row[word].strip():
        raise RatingsInvalid(f"{file}, line {number}: {','.join(row)[:80]!r} is not a word with a rating")
    return row[word].strip().lower(), value
