"""Results are tables for Arrow, pandas and notebooks."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from wayword.rendering.tabular import HtmlTable, PackageMissing, Rows


class Pets(HtmlTable):
    __slots__ = ("rows",)

    def __init__(self, *rows: tuple[object, ...]) -> None:
        self.rows = rows

    def _rows(self) -> Rows:
        return ("name", "n"), self.rows


def test_rows_become_columns_of_arrow_with_their_types() -> None:
    table = Pets(("dog", 1), ("cat", None)).to_arrow()
    assert table.to_pydict() == {"name": ["dog", "cat"], "n": [1, None]}
    assert str(table.schema.field("n").type) == "int64"
    assert Pets().to_arrow().num_rows == 0


def test_values_without_a_common_type_become_json() -> None:
    assert Pets(("dog", 1), ("cat", {"a": [1]}), ("x", 2**70)).to_arrow().column("n").to_pylist() == [
        "1",
        '{"a": [1]}',
        str(2**70),
    ]


def test_a_data_frame_has_the_rows_or_the_error_says_what_to_install() -> None:
    if find_spec("pandas"):
        assert Pets(("dog", 1)).to_pandas().to_dict("records") == [{"name": "dog", "n": 1}]
    else:
        with pytest.raises(PackageMissing, match="pip install pandas"):
            Pets(("dog", 1)).to_pandas()


def test_texts_are_aligned_on_the_left_in_notebooks() -> None:
    html = Pets(("<dog>", 1))._repr_html_()
    assert '<th style="text-align:left">name</th><th>n</th>' in html
    assert '<td style="text-align:left">&lt;dog&gt;</td><td>1</td>' in html
