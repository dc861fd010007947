"""Resolve link targets, each distinct one once, and compute the visible text of links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from ..site import CATEGORY, FILE, MAIN, OTHER_WIKI
from .link_text import visible_text
from .masking import COMMENT
from .regions import Link
from .titles import MAX_LENGTH, Title, Titles, decode_title

if TYPE_CHECKING:
    import pyarrow as pa

NO_LINK, CATEGORY_LINK, FILE_LINK, OTHER_WIKI_LINK = -1_000, -1_001, -1_002, -1_003
"""Values in place of a namespace: not a link, a category of the page, a file shown on the page, and a link to another wiki
unless this one has a page of that title."""

CACHED_TARGETS = 1 << 17
MAX_CACHED_TARGET = 255
"""Number and characters of the targets in the cache."""

FREE_SCHEMES = ("http", "https", "ftp", "ftps", "irc", "ircs", "gopher", "news", "git")
"""Schemes of URLs that are links even without brackets."""

SCHEMES = (
    *FREE_SCHEMES,
    *("bitcoin", "geo", "magnet", "mailto", "mms", "nntp", "redis", "sftp", "sip", "sips", "sms", "ssh", "svn", "tel"),
    *("telnet", "urn"),
)

_SIMPLE = r"\A[A-Za-z0-9](?:[ ]?[A-Za-z0-9(),.'!-])*\z"
"""Titles in normal form except for the case of the first letter."""

_SCHEME = re.compile(rf"(?:{'|'.join(SCHEMES)})://", re.IGNORECASE)


RawLink = tuple[str, str | None, str]
"""An unresolved link with fillers: target, label (None if it has none) and trail."""


class Target(NamedTuple):
    """A resolved target, and the visible text of a link to it without a label."""

    namespace: int
    name: str
    text: str


_make_target: Callable[[tuple[int, str, str]], Target] = partial(tuple.__new__, Target)
_no_link = Target(NO_LINK, "", "")
_SPECIAL = {CATEGORY: CATEGORY_LINK, FILE: FILE_LINK}
_BLANK = COMMENT + "".join(filter(str.isspace, map(chr, range(0x3001))))
"""The characters of a label that is empty."""


class Targets(dict[str, Target]):
    """The targets of one wiki by their raw text: a dictionary that is cleared when it is full, which is the fastest cache.

    >>> from wayword.loaders.wikipedia.site import make_site
    >>> targets = Targets(Titles(make_site("enwiki")))
    >>> targets["dog_breed#Size"], targets[":Category:mammals"].name, targets["Category:mammals"].namespace == CATEGORY_LINK
    (Target(namespace=0, name='Dog breed', text='dog_breed#Size'), 'Mammals', True)
    """

    def __init__(self, titles: Titles) -> None:
        super().__init__()
        self._parse_simple, self._parse_other, self._capitals = titles.parse_simple, titles.parse_other, titles.capitals

    def __missing__(self, raw_target: str) -> Target:
        name = self._parse_simple(raw_target)
        target = self._resolve(raw_target) if name is None else _make_target((MAIN, name, raw_target))
        if len(raw_target) <= MAX_CACHED_TARGET:
            if len(self) >= CACHED_TARGETS:
                self.clear()
            self[raw_target] = target
        return target

    def _resolve(self, raw_target: str) -> Target:
        plain = plain_target(raw_target)
        title = self._parse_other(plain)
        if title is None or ("//" in plain and _SCHEME.match(plain)):
            return _no_link
        if title.namespace in _SPECIAL and not plain.startswith(":"):
            return Target(_SPECIAL[title.namespace], title.name, "")
        namespace = OTHER_WIKI_LINK if title.namespace == OTHER_WIKI else title.namespace
        return Target(namespace, title.name, default_anchor(raw_target, ""))

    def parse_simple(self, targets: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Return the names of the simple ones among many targets (see ``Titles.parse_simple``), and a mask of these."""
        import pyarrow.compute as pc

        simple = pc.and_(pc.match_substring_regex(targets, _SIMPLE), pc.less_equal(pc.binary_length(targets), MAX_LENGTH))
        if not self._capitals:
            return targets, simple
        is_lower = pc.match_substring_regex(targets, "^[a-z]")
        if self._capitals != {letter: letter.upper() for letter in ascii_lowercase}:
            return targets, pc.and_not(simple, is_lower)
        first, rest = pc.utf8_slice_codeunits(targets, 0, 1), pc.utf8_slice_codeunits(targets, 1)
        return pc.if_else(is_lower, pc.binary_join_element_wise(pc.ascii_upper(first), rest, ""), targets), simple

    def resolve(self, raw_links: Iterable[RawLink], regions: Iterable[int]) -> tuple[list[Link], list[str]]:
        """Resolve links: return the links, and the categories of the page."""
        links, categories = [], []
        for (target, label, trail), region in zip(raw_links, regions, strict=True):
            namespace, name, _ = self[target]
            if namespace == CATEGORY_LINK:
                if label is None or label.strip(COMMENT):
                    categories.append(name)
            elif namespace > NO_LINK and not is_empty_label(label):
                links.append(Link(Title(namespace, name), self.anchor((target, label, trail)), region))
        return links, categories

    def anchor(self, link: RawLink) -> str:
        """Return the visible text of a link."""
        target, label, trail = link
        if label is not None:
            return visible_text(label + trail)
        return default_anchor(target, trail) if trail else self[target].text


def plain_target(target: str) -> str:
    """Return a target without comments and leading spaces."""
    return (target.replace(COMMENT, "") if COMMENT in target else target).lstrip()


def default_anchor(target: str, trail: str) -> str:
    """Return the visible text of a link without a label.

    >>> default_anchor(":dog &amp; cat", "s")
    'dog & cats'
    """
    target = plain_target(target)
    return " ".join(((decode_title(target) or target).removeprefix(":") + trail).split())


def is_empty_label(label: str | None) -> bool:
    """Whether a label is empty or blank, so that the brackets are not a link.

    >>> is_empty_label(""), is_empty_label(" "), is_empty_label(None), is_empty_label("dog")
    (True, True, False, False)
    """
    return label is not None and not label.strip(_BLANK)


def mask_labels(labels: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return masks of the links of which the label is not empty (see ``is_empty_label``), and not empty except for blanks.

    The label of a category is its sort key, which may be blank.
    """
    import pyarrow.compute as pc

    filled, present = (
        pc.fill_null(pc.not_equal(pc.utf8_trim(labels, characters), ""), True) for characters in (_BLANK, COMMENT)
    )
    return filled, present
