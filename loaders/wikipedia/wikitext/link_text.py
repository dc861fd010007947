"""Visible text: wikitext without tags, quote marks and fillers, with single spaces."""

from __future__ import annotations

import re
from html import unescape

_TAG = re.compile(r"</?[a-zA-Z!][^<>]*+>")
_EXTERNAL_LINK = re.compile(r"\[(?:[A-Za-z]{2,12}:)?//[^\s\[\]]*+[ \t]*+([^\[\]\n]*+)\]")
_FILLER = re.compile("[\x00-\x08]+")
_QUOTES = re.compile("''+")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z0-9]{2,31});")


def visible_text(label: str) -> str:
    """Return the visible text of masked wikitext.

    >>> visible_text("a ''big''  <b>dog</b> &amp; cat")
    'a big dog & cat'
    """
    if "<" in label:
        label = _TAG.sub("", label)
    if "//" in label:
        label = _EXTERNAL_LINK.sub(r"\1", label)
    if "''" in label:
        label = _QUOTES.sub(_apostrophes, label)
    if not label.isprintable():
        label = _FILLER.sub("", label)
    if "&" in label:
        label = _REFERENCE.sub(_character, label)
    return " ".join(label.split())


def _apostrophes(quotes: re.Match[str]) -> str:
    """Return the visible apostrophes of a run: two are italics, three bold, five both."""
    count = len(quotes[0])
    return "'" * (count - 5 if count > 5 else count == 4)


def _character(reference: re.Match[str]) -> str:
    return unescape(reference[0])
