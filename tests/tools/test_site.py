"""Links on the documentation site, and the check of the built site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.check_site import find_problems
from tools.site_links import on_page_markdown


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a wiki](../examples/orchardwiki.xml)", "[a wiki](examples/orchardwiki.xml)"),
        ("[contributing](../CONTRIBUTING.md)", "[contributing](contributing.md)"),
        ("[house rules](../CONTRIBUTING.md#house-rules)", "[house rules](contributing.md#house-rules)"),
        ("[guide](guide.md), `../examples/tweets.txt`", "[guide](guide.md), `../examples/tweets.txt`"),
    ],
)
def test_links_out_of_docs_lead_to_copies_on_the_site(written: str, expected: str) -> None:
    assert on_page_markdown(written) == expected


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<script src="https://cdn.example/x.js"></script>', "<script> loads https://cdn.example/x.js"),
        ('<link rel="stylesheet" href="//fonts.example/css">', "<link> loads //fonts.example/css"),
        ("<blockquote><blockquote><blockquote>wayword.open()", "line 1 shows a doctest as a quotation"),
        ('<link rel="canonical" href="https://wayword.example/">', None),
        ('<a href="https://example.org">x</a><script src="assets/x.js"></script>', None),
        ("<blockquote>a</blockquote><blockquote>b</blockquote><blockquote>c</blockquote>", None),
    ],
)
def test_pages_that_load_from_elsewhere_are_found(tmp_path: Path, page: str, problem: str | None) -> None:
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    assert find_problems(tmp_path) == ([f"index.html: {problem}"] if problem else [])
