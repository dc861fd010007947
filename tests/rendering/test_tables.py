"""Tables fit their width: columns to spare go first, then texts are wrapped; no text is lost unless even that is too wide."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wayword.rendering.tables import align_columns
from wayword.rendering.text import cell_width, wrap

words = st.lists(st.text("abcdefgh鳥", min_size=1, max_size=9), max_size=20).map(" ".join)


@given(st.lists(st.tuples(words, words, st.integers(0, 10**6)), min_size=1, max_size=5), st.integers(60, 120))
def test_a_table_fits_its_width_and_keeps_its_words(rows: list[tuple[str, str, int]], width: int) -> None:
    shown = align_columns(("name", "meaning", "uses"), rows, width=width)
    assert all(cell_width(line) <= width for line in shown.splitlines())
    assert sorted("".join(shown.split())) == sorted(
        "".join("".join(map(str, row)) for row in [("name", "meaning", "uses"), *rows]).replace(" ", "")
    )


def test_columns_to_spare_are_left_out_in_their_order() -> None:
    header, row = ("id", "name", "meaning"), ("wordnet:1-n", "cage", "an enclosure in which birds can be kept")
    for width, shown in ((80, ["id", "name", "meaning"]), (50, ["name", "meaning"]), (40, ["meaning"])):
        assert align_columns(header, [row], width=width, spare=("id", "name")).splitlines()[0].split() == shown


@given(words, st.integers(2, 30))
def test_wrapped_lines_are_narrow_and_together_the_text(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert all(cell_width(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
