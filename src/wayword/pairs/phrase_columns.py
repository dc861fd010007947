"""Find the header of a file of pairs and the two columns that have the phrases.

What the user does not say is decided by names of columns, by their types and by which cells are known phrases, all in a sample
of the first rows. Where that is not enough, the file is refused rather than scored wrongly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..core.atomic_files import FileError
from ..core.errors import hint
from ..core.messages import quote_value
from ..core.normalisation import normalise
from ..search.scoring.aspects import is_valid
from .options import FileOptions

PHRASE_COLUMNS = (("substitute", "substitutee"), ("word1", "word2"), ("source", "target"), ("phrase1", "phrase2"), ("a", "b"))
"""Pairs of names, in any case, by which a header or a JSON object marks the phrases."""

_NOUNS = "phrase|word|term|keyphrase|keyword|tag|hashtag|concept|entity|label|text|name|title|string|query|candidate|gold|lemma"
_ROLES = f"{_NOUNS}|substitute|substitutee|source|target|from|to|reference|hypernym|hyponym|synonym|premise|hypothesis"
_SIDES = "1|2|one|two|a|b|x|y|left|right|first|second|i|ii"
_NUMBERED = re.compile(rf"(?:({_NOUNS})[ _.-]?({_SIDES})|({_SIDES})[ _.-]?({_NOUNS}))", re.IGNORECASE)
_ROLE = re.compile(rf"(?:{_ROLES}|left|right)s?(?:[ _.-]?(?:{_NOUNS}))?", re.IGNORECASE)
_COUNTED = re.compile(r"(.+?)[ _.-]?(?:1|2|a|b)", re.IGNORECASE)

KNOWN_SHARE, KNOWN_ROWS = 0.75, 3
"""A first row of unknown phrases may be a header if at least this share of the phrases in at least so many rows is known."""


class Layout(NamedTuple):
    """The header, if there is one, and the positions of the two phrases."""

    header: list[str] | None
    positions: tuple[int, int]


UnknownPhrases = Callable[[set[str]], set[str]]
"""Returns the phrases that are unknown."""


def fold_name(name: str) -> str:
    """Return the form in which names of columns are compared."""
    return name.strip().lower()


def first_duplicate(names: Sequence[str]) -> str | None:
    """Return the first name that occurs twice, if any.

    >>> first_duplicate(["id", "word1", "id"]), first_duplicate(["word1", "word2"])
    ('id', None)
    """
    return next((name for name, count in Counter(names).items() if count > 1), None)


def phrase_names(names: Sequence[str]) -> tuple[str, str] | None:
    """Return a known pair of names that a row contains, if there is one.

    >>> phrase_names(["id", "WORD1", "WORD2"]), phrase_names(["cat", "dog"])
    (('word1', 'word2'), None)
    """
    folded = {fold_name(name) for name in names}
    return next((pair for pair in PHRASE_COLUMNS if folded.issuperset(pair)), None)


def find_layout(rows: Sequence[Sequence[str]], options: FileOptions, unknown: UnknownPhrases, where: str) -> Layout:
    """Find the header and the columns of the phrases in the first rows of a file.

    >>> rows = [["Doc", "Left phrase", "Right phrase"], ["d1", "dog", "animal"]]
    >>> find_layout(rows, FileOptions(), set, "pairs.csv").positions
    (1, 2)
    """
    if not rows:
        return Layout(None, (0, 1))
    names = list(rows[0])
    has_header = options.header
    if has_header is None:
        has_header = _detect_header(rows, options)
    columns = options.columns or (phrase_names(names) if has_header else None)
    if columns is not None:
        header = names if has_header else None
        positions = _find_column(columns[0], header, where), _find_column(columns[1], header, where)
    else:
        positions = _detect_columns(rows, has_header, unknown, where)
    if has_header is None:
        has_header = _is_header_by_phrases(rows, positions, unknown, where)
    return Layout(names if has_header else None, positions)


def _detect_header(rows: Sequence[Sequence[str]], options: FileOptions) -> bool | None:
    """Decide by names and types whether the first row is a header; None if they do not settle it."""
    first, *others = rows
    if any(not column.isdecimal() for column in options.columns or ()) or phrase_names(first) is not None:
        return True  # a column that is given by its name needs a header
    if sum(_NUMBERED.fullmatch(cell.strip()) is not None for cell in first) == 2:
        return True
    for position, cell in enumerate(first):
        below = [row[position] for row in others if position < len(row) and row[position].strip()]
        if below and all(map(_is_number, below)) and (cell.strip() or not position):  # an index has no name
            return not _is_number(cell)
    return None


def _is_header_by_phrases(
    rows: Sequence[Sequence[str]], positions: tuple[int, int], unknown: UnknownPhrases, where: str
) -> bool:
    """Decide by its phrases whether the first row is a header, which is refused if it may be one."""
    first, *others = (_phrases(row, positions) for row in rows)
    if not others or not first:
        return False
    maybe = all(_ROLE.fullmatch(cell.strip()) for cell in first) or (
        _are_counted(first) and _find_unknown({*first}, unknown) == {*first}
    )
    if not maybe and len(others) >= KNOWN_ROWS:
        below = {phrase for row in others for phrase in row}
        missing = _find_unknown({*first, *below}, unknown)
        maybe = missing.issuperset(first) and len(below - missing) >= KNOWN_SHARE * len(below)
    if maybe:
        shown = quote_value(list(rows[0]))
        raise FileError(f"{where}: it is not certain whether {shown} is a header or a pair", hint("decide", option="header"))
    return False


def _are_counted(names: Sequence[str]) -> bool:
    """Whether names differ only in a final number or letter.

    >>> _are_counted(["Wort 1", "Wort 2"]), _are_counted(["term", "word2"])
    (True, False)
    """
    matches = [_COUNTED.fullmatch(fold_name(name)) for name in names]
    return len({*map(fold_name, names)}) > 1 and len({match and match[1] for match in matches} - {None}) == 1 and all(matches)


def _detect_columns(
    rows: Sequence[Sequence[str]], has_header: bool | None, unknown: UnknownPhrases, where: str
) -> tuple[int, int]:
    """Choose the two columns of text, or of those the two with numbered names, or the two with known phrases."""
    width = len(rows[0])
    if width <= 2:
        return 0, 1
    data = rows[1:] if has_header and len(rows) > 1 else rows
    texts = [position for position in range(width) if not _is_numeric(data, position)]
    choices = [texts]
    if has_header:
        choices.append([position for position in texts if _NUMBERED.fullmatch(rows[0][position].strip())])
    choices.extend(_known_columns(data, texts, unknown) if len(texts) > 2 else [])
    for chosen in choices:
        if len(chosen) == 2:
            return chosen[0], chosen[1]
    problem = f"{quote_value(list(rows[0]))} has {width} columns, and it is not certain which two have the phrases"
    raise FileError(f"{where}: {problem}", hint("set", option="columns", what="them, by name or by number,"))


def _known_columns(rows: Sequence[Sequence[str]], positions: list[int], unknown: UnknownPhrases) -> Iterator[list[int]]:
    cells = {position: {row[position] for row in rows if position < len(row)} for position in positions}
    missing = _find_unknown(set().union(*cells.values()), unknown)
    yield [position for position in positions if 2 * len(cells[position] - missing) >= len(cells[position])]


def _find_unknown(cells: set[str], unknown: UnknownPhrases) -> set[str]:
    """Return the cells that are unknown, or no phrases at all, such as an empty remark."""
    phrases = {cell for cell in cells if is_valid(normalise(cell))}
    return (cells - phrases) | unknown(phrases)


def _phrases(row: Sequence[str], positions: tuple[int, int]) -> list[str]:
    return [row[position] for position in positions] if max(positions) < len(row) else []


def _is_numeric(rows: Sequence[Sequence[str]], position: int) -> bool:
    cells = [row[position] for row in rows if position < len(row)]
    return all(_is_number(cell) or not cell.strip() for cell in cells)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _find_column(column: str, header: list[str] | None, where: str) -> int:
    names = [fold_name(name) for name in header or ()]
    matches = names.count(fold_name(column))
    if matches == 1:
        return names.index(fold_name(column))
    if column.isdecimal() and not matches:
        return int(column) - 1
    what, problem = "two columns by number (from 1)", f"there are several columns {column!r}"
    if header is None:
        problem = f"without a header there is no column {column!r}"
    elif not matches:
        what, problem = f"two of {', '.join(map(repr, header))}", f"there is no column {column!r}"
    raise FileError(f"{where}: {problem}", hint("set", option="columns", what=what))
