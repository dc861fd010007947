"""Header and columns of files of pairs are detected, or the file is refused; they are never taken wrongly."""

from __future__ import annotations

import pytest

from wayword.core.atomic_files import FileError
from wayword.pairs.options import FileOptions
from wayword.pairs.phrase_columns import Layout, find_layout
from wayword.search.scoring.aspects import split_words

KNOWN = {"dog", "cat", "animal", "public toilet", "room", "left", "right", "word", "term"}


def unknown(phrases: set[str]) -> set[str]:
    for phrase in phrases:
        split_words(phrase)  # which raises an error as a graph does
    return phrases - KNOWN


def layout(text: str, header: bool | None = None, columns: tuple[str, str] | None = None) -> Layout:
    rows = [line.split(",") for line in text.splitlines()]
    return find_layout(rows, FileOptions(header, columns), unknown, "pairs.csv")


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("Doc,Left phrase,Right phrase\nd1,dog,animal\n", (1, 2)),  # numbered nouns
        ("id,Word 1,Word 2,score\n1,dog,animal,0.5\n", (1, 2)),
        ("TERM_A,TERM_B,x\ndog,animal,y\n", (0, 1)),
        (",term,candidate,score\n0,dog,animal,0.5\n", (1, 2)),  # an index without a name above numbers
        ("general,special,rating\nanimal,dog,4.5\nanimal,cat,\n", (0, 1)),  # a name above numbers
        ("doc,general,special,rating\nx7,animal,dog,4.5\nx8,animal,cat,3\n", (1, 2)),  # and known phrases
        ("WORD1,note,word2\ndog,x,cat\n", (0, 2)),  # known names
    ],
)
def test_a_header_is_recognised_by_names_types_and_known_phrases(text: str, positions: tuple[int, int]) -> None:
    assert layout(text) == (text.split("\n")[0].split(","), positions)


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("dog,animal\ncat,animal\n", (0, 1)),
        ("dog,animal\n", (0, 1)),
        ("cat,cat b\ndog,animal\n", (0, 1)),
        ("frame 1,type 2\ndog,animal\n", (0, 1)),
        ("1,dog,animal\n2,cat,animal\n", (1, 2)),
        ("dog,animal,0.5\ncat,animal,0.7\n", (0, 1)),
        ("x1,dog,animal\nx2,cat,animal\nx3,cat,dog\n", (1, 2)),  # known phrases
        ("dog,animal,\ncat,animal,see p. 4\nroom,cat," + "long " * 100 + "\n", (0, 1)),  # beside cells that are no phrases
        ("dog,animal,\0\ncat,animal,x\n", (0, 1)),
        ("plugh,xyzzy\ndog,frobnicate\ncat,animal\nquux,quuz\n", (0, 1)),  # too many unknown phrases for a header
        ("dog,plugh\ncat,animal\nroom,animal\ncat,dog\n", (0, 1)),  # a known phrase in the first row
    ],
)
def test_a_first_row_of_data_is_scored(text: str, positions: tuple[int, int]) -> None:
    assert layout(text) == (None, positions)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x,y,z\n", r"line 1: .* has 3 columns, and it is not certain which two have the phrases"),
        ("dog,animal,cat\ncat,dog,room\n", r"not certain which two"),
        (
            "Vorher,Nachher\ndog,animal\ncat,animal\nroom,dog\n",
            r"not certain whether \['Vorher', 'Nachher'\] is a header or a pair",
        ),
        ("left,right\ndog,cat\n", r"is a header or a pair; pass header=True or header=False"),
        ("substitute,target\ndog,cat\n", r"is a header or a pair"),
        ("substitute,Target word\ndog,cat\n", r"is a header or a pair"),
        ("uri1,uri2\nplugh,xyzzy\n", r"is a header or a pair"),
    ],
)
def test_an_uncertain_layout_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        find_layout([line.split(",") for line in text.splitlines()], FileOptions(), unknown, "pairs.csv, line 1")


def test_options_decide_what_is_uncertain() -> None:
    names = ["left", "right"]
    assert layout("left,right\ndog,cat\n", header=True) == (names, (0, 1))
    assert layout("left,right\ndog,cat\n", header=False) == (None, (0, 1))
    assert layout("dog,animal,cat\ncat,dog,room\n", columns=("3", "1")) == (None, (2, 0))
    assert layout("Doc,Left phrase,Right phrase\nd1,dog,animal\n", columns=("2", "3")).header is not None
    assert layout("dog,x,animal\ny,z,room\n", columns=("animal", "dog")).positions == (2, 0)
