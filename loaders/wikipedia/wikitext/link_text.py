"""What a reader sees of a link's label: no tags, quote marks or templates, white space as single blanks."""

from __future__ import annotations

import re
from html import unescape

_TAG = re.compile(r"</?[a-zA-Z!][^<>]*+>")
_ADDRESS = re.compile(r"\[(?:[A-Za-z]{2,12}:)?//[^\s\[\]]*+[ \t]*+([^\[\]\n]*+)\]")
_FILLER = re.compile("[\x00-\x08]+")
_QUOTES = re.compile("''+")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z0-9]{2,31});")


def visible_text(label: str) -> str:
    """The text of a piece of wikitext in which templates and the like are filled already.

    >>> visible_text("a ''big''  <b>dog</b> &amp; cat")
    'a big dog & cat'
    """
    if "<" in label:
        label = _TAG.sub("", label)
    if "//" in label:
        label = _ADDRESS.sub(r"\1", label)
    if "''" in label:
        label = _QUOTES.sub(_apostrophes, label)
    if not label.isprintable():
        label = _FILLER.sub("", label)
    if "&" in label:
        label = _REFERENCE.sub(_character, label)
    return " ".join(label.split())


def _apostrophes(quotes: re.Match[str]) -> str:
    """What is left of a run of apostrophes: two are italics, three bold, five both."""
    many = len(quotes[0])
    return "'" * (many - 5 if many > 5 else many == 4)


def _character(reference: re.Match[str]) -> str:
    return unescape(reference[0])
