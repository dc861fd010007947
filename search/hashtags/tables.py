"""Tables of synonyms of hashtags: text for a terminal, HTML for a notebook, CSV and LaTeX."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...rendering.latex import format_latex
from ...rendering.tables import align_columns, format_csv, format_html
from ...rendering.text import clean, line_width

if TYPE_CHECKING:
    from .results import Similar, TableFormat, ThesauriComparison

THESAURUS = ("hashtag", "synonym", "rank", "distance")
"""The columns of a thesaurus file."""


def similar_table(similar: Similar, format: TableFormat) -> str:
    """Return the synonyms of one hashtag as a table; as CSV in the format of a thesaurus file."""
    if format == "csv":
        return format_csv(THESAURUS, [(similar.hashtag, each.hashtag, each.rank, each.distance) for each in similar])
    if format == "latex":
        rows = [(each.rank, each.hashtag, each.distance) for each in similar]
        return format_latex(f"The nearest synonyms of {similar.hashtag}", ("Rank", "Hashtag", "Distance"), rows, "rlr")
    if not similar.synonyms:
        return clean(f"{similar.hashtag} has no synonyms in {similar.thesaurus}.")
    header, rows = _columns(similar)
    return align_columns(header, rows, width=line_width())


def similar_html(similar: Similar) -> str:
    """Return the synonyms of one hashtag as an HTML table."""
    return format_html(*_columns(similar))


def _columns(similar: Similar) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the header and the rows, without columns that have no values."""
    columns: dict[str, list[Any]] = {
        "rank": [each.rank for each in similar],
        "hashtag": [each.hashtag for each in similar],
        "distance": [None if each.distance is None else f"{each.distance:.4f}".rjust(8) for each in similar],
        "tweets": [each.tweets for each in similar],
    }
    known = {name: values for name, values in columns.items() if any(value is not None for value in values)}
    return tuple(known), list(zip(*known.values(), strict=True))


def comparison_table(found: ThesauriComparison, format: TableFormat) -> str:
    """Return the synonyms of several hashtags in several thesauri: one row for each rank, in LaTeX all ranks in one cell."""
    if format == "latex":
        rows = [
            (hashtag, *(None if each is None else ", ".join(synonym.hashtag for synonym in each) for each in row))
            for hashtag, row in zip(found.hashtags, found.rows, strict=True)
        ]
        width = f"p{{{0.8 / len(found.thesauri):.2f}\\linewidth}}"
        return format_latex(
            "The closest synonyms of hashtags", ("Hashtag", *found.thesauri), rows, "l" + width * len(found.thesauri)
        )
    lines = [line for hashtag, row in zip(found.hashtags, found.rows, strict=True) for line in _rank_rows(hashtag, row)]
    header = ("hashtag", "rank", *found.thesauri)
    if format == "csv":
        return format_csv(header, lines)
    shown: list[tuple[Any, ...]] = []
    for hashtag, row in zip(found.hashtags, found.rows, strict=True):
        shown += [(None,) * len(header)] if shown else []
        (_, _, *first), *further = _rank_rows(hashtag, row)
        cells = [cell or ("(unknown)" if each is None else "(none)") for cell, each in zip(first, row, strict=True)]
        shown += [(hashtag, 1, *cells), *((None, *line[1:]) for line in further)]
    return align_columns(header, shown)


def _rank_rows(hashtag: str, row: tuple[Similar | None, ...]) -> list[tuple[Any, ...]]:
    """Return the rows of a hashtag, one for each rank, at least one."""
    names = [[synonym.hashtag for synonym in each] if each is not None else [] for each in row]
    lines = list(zip_longest(*names)) or [(None,) * len(row)]
    return [(hashtag, rank, *cells) for rank, cells in enumerate(lines, start=1)]
