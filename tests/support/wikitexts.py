"""Strategies for generated wikitext: nested pieces of lines, nested elements, and markup that is never closed.

Excluded is what mwparserfromhell and MediaWiki read differently: nested verbatim elements, four quote marks in a row, a trail
after a link that ends in a space or is inside another link, a URL or a template as a link's target.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st

Text = st.SearchStrategy[str]

WORDS = st.sampled_from(
    ["dog", "a b", "x", "is", "see", "for", ", ", ".", "1990", "é", "'", "''", "'''", "&amp;", "&#40;", "&#41;", "（", "）"]
)
TARGETS = st.sampled_from(
    ["A", "b", "C d", "C_d", "E#f", "#g", "H&amp;I", "J%20k", "User:A", ":Category:A", "de:A", "É", "x/y", "L (m)", " n"]
)
PARENTHESES = st.sampled_from(["(", ")", "(", ")", "((", "))", "() "])
PIECES = st.sampled_from(
    [
        " http://x.org/a_(b) ",
        "[http://x.org/( y] ",
        "(http://x.org/a) ",
        "[//x.org z)] ",
        "[[A|]] ",
        "[[A|<small>b</small>]]",
        "[[A|<nowiki>(</nowiki>]]",
        "<nowiki>(</nowiki>",
        "<nowiki>[[A]])</nowiki>",
        "<math>(</math>",
        "<math>[[A]]</math>",
        "<br>",
        "<ref name=x/>",
    ]
)
STRAY = st.sampled_from(
    ["{{t|", "}}", "[[", "]]", "<ref>", "</ref>", "[", "]", "<nowiki>", "{", "<b>", "|", "[[A|", "[[File:x.jpg|"]
)
"""Markup that may open without closing, or close without opening."""


def _link(parts: tuple[str, str | None, str]) -> str:
    target, label, trail = parts
    return f"[[{target}]]{trail}" if label is None else f"[[{target}|{label}]]{trail}"


LABELS = st.lists(WORDS, min_size=1, max_size=3).map(lambda words: "".join(words).rstrip(" '")).filter(bool)
LINKS = st.tuples(TARGETS, st.none() | LABELS, st.sampled_from(["", "", "s", "s x"])).map(_link)
LEAVES = st.one_of(LINKS, LINKS, WORDS, PARENTHESES, PIECES)


def _wrap(pairs: list[tuple[str, str]], text: Text) -> Text:
    return st.tuples(st.sampled_from(pairs), text).map(lambda made: made[0][0] + made[1] + made[0][1])


def _nest(inner: Text) -> Text:
    pairs = [
        ("{{t|", "}}"),
        ("{{t|x={{u}}", "}}"),
        ("<ref>", "</ref>"),
        ('<ref name="n">', "</ref>"),
        ("<!--", "-->"),
        ("<small>", "</small>"),
        ("[[File:x.jpg|thumb|", "]] "),
        ('<span class="dablink">', "</span>"),
        ("(", ")"),
        ("''", "''"),
    ]
    return _wrap(pairs, st.lists(inner, max_size=4).map("".join))


INLINE = st.recursive(LEAVES, _nest, max_leaves=6)
BEGINNINGS = st.sampled_from(["", "", "", "* ", "# ", ": ", "; ", ":''See also ", "''For the band, see ", ":", "''"])
LINES = st.one_of(
    st.tuples(BEGINNINGS, st.lists(INLINE, min_size=1, max_size=5).map(" ".join)).map("".join),
    st.sampled_from(["== See also ==", "=== x ===", "== y ==", "==External links==", "= z =", "==''Notes''==", "== [[A]] =="]),
    st.sampled_from(["", "----", "<br />", " "]),
)
VERBATIM = st.lists(LINKS | PARENTHESES, max_size=4).map(lambda parts: f"<pre>{' '.join(parts)}</pre>")
GALLERIES = st.lists(LEAVES, max_size=3).map(lambda parts: "\n".join(["<gallery>", *parts, "</gallery>"]))


def _group(inner: Text) -> Text:
    pairs = [
        ("{|\n| ", "\n|}"),
        (':{| class="x"\n|-\n| ', "\n|} z"),
        ("<table><tr><td>\n", "\n</td></tr></table>"),
        ("<div>\n", "\n</div>"),
        ('<div class="thumb x">\n', "\n</div> x"),
        ("<blockquote>\n", "\n</blockquote>"),
        ("{{t\n|", "\n}}"),
    ]
    return _wrap(pairs, st.lists(inner, min_size=1, max_size=3).map("\n".join))


BLOCKS = st.recursive(st.one_of(LINES, LINES, LINES, VERBATIM, GALLERIES), _group, max_leaves=4)


def _readable(text: str) -> bool:
    return re.search(r"''''|\]\][a-z]+\]\]|\[\[ http|\{\[\[", text) is None


WELL_FORMED = st.lists(BLOCKS, max_size=6).map("\n".join).filter(_readable)
BROKEN = st.lists(LEAVES | STRAY, max_size=12).map("".join).filter(_readable)
