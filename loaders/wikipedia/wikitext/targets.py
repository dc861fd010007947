"""Where links lead, and what readers see of them, worked out from what is written; equal ones only once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from ..site import CATEGORY, FILE, MAIN
from .link_text import visible_text
from .masking import COMMENT
from .regions import Link
from .titles import LONGEST, Title, Titles, decode_title

if TYPE_CHECKING:
    import pyarrow as pa

NOWHERE, FILED, EMBEDDED = -1_000, -1_001, -1_002
"""In the place of a namespace: what is no link, what files its page in a category instead, and what shows a file."""

CACHED = 1 << 17
LONGEST_CACHED = 255
"""Targets that are kept in mind, and characters that one may have."""

FREE_SCHEMES = ("http", "https", "ftp", "ftps", "irc", "ircs", "gopher", "news", "git")
"""Schemes of addresses that are links without brackets too."""

SCHEMES = (
    *FREE_SCHEMES,
    *("bitcoin", "geo", "magnet", "mailto", "mms", "nntp", "redis", "sftp", "sip", "sips", "sms", "ssh", "svn", "tel"),
    *("telnet", "urn"),
)

_SIMPLE = r"\A[A-Za-z0-9](?:[ ]?[A-Za-z0-9(),.'!-])*\z"
"""Titles that are as they should be but for their first letter, with single blanks."""

_SCHEME = re.compile(rf"(?:{'|'.join(SCHEMES)})://", re.IGNORECASE)


WrittenLink = tuple[str, str | None, str]
"""A link as its writer wrote it, fillers and all: target, label if there is one, and the letters glued to its end."""


class Target(NamedTuple):
    """Where a target leads, and what readers see of it where nothing else is written."""

    namespace: int
    name: str
    shown: str


_target: Callable[[tuple[int, str, str]], Target] = partial(tuple.__new__, Target)
_nowhere = Target(NOWHERE, "", "")
_PLACED = {CATEGORY: FILED, FILE: EMBEDDED}


class Targets(dict[str, Target]):
    """The targets of one wiki by what is written; a plain dictionary, emptied when it is full, is quickest.

    >>> from wayword.loaders.wikipedia.site import make_site
    >>> targets = Targets(Titles(make_site("enwiki")))
    >>> targets["dog_breed#Size"], targets[":Category:mammals"].name, targets["Category:mammals"].namespace == FILED
    (Target(namespace=0, name='Dog breed', shown='dog_breed#Size'), 'Mammals', True)
    """

    def __init__(self, titles: Titles) -> None:
        super().__init__()
        self._simple, self._other, self._capitals = titles.simple, titles.other, titles.capitals

    def __missing__(self, written: str) -> Target:
        name = self._simple(written)
        target = self._read(written) if name is None else _target((MAIN, name, written))
        if len(written) <= LONGEST_CACHED:
            if len(self) >= CACHED:
                self.clear()
            self[written] = target
        return target

    def _read(self, written: str) -> Target:
        raw = plain_target(written)
        title = self._other(raw)
        if title is None or ("//" in raw and _SCHEME.match(raw)):
            return _nowhere
        if title.namespace in _PLACED and not raw.startswith(":"):
            return Target(_PLACED[title.namespace], title.name, "")
        return Target(*title, default_anchor(written, ""))

    def simple(self, written: pa.Array) -> tuple[pa.Array, pa.Array]:
        """The names of those of many targets that are simple (see ``Titles.simple``), and which those are."""
        import pyarrow.compute as pc

        simple = pc.and_(pc.match_substring_regex(written, _SIMPLE), pc.less_equal(pc.binary_length(written), LONGEST))
        if not self._capitals:
            return written, simple
        small = pc.match_substring_regex(written, "^[a-z]")
        if self._capitals != {letter: letter.upper() for letter in ascii_lowercase}:
            return written, pc.and_not(simple, small)
        first, rest = pc.utf8_slice_codeunits(written, 0, 1), pc.utf8_slice_codeunits(written, 1)
        return pc.if_else(small, pc.binary_join_element_wise(pc.ascii_upper(first), rest, ""), written), simple

    def links(self, written: Iterable[WrittenLink], regions: Iterable[int]) -> tuple[list[Link], list[str]]:
        """The links among those written, and the categories that the page is filed in."""
        links, categories = [], []
        for (target, label, trail), region in zip(written, regions, strict=True):
            namespace, name, _ = self[target]
            if is_empty_label(label):
                continue
            if namespace == FILED:
                categories.append(name)
            elif namespace > NOWHERE:
                links.append(Link(Title(namespace, name), self.anchor((target, label, trail)), region))
        return links, categories

    def anchor(self, link: WrittenLink) -> str:
        """What readers see of a link."""
        target, label, trail = link
        if label is not None:
            return visible_text(label + trail)
        return default_anchor(target, trail) if trail else self[target].shown


def plain_target(target: str) -> str:
    """A target without what stands before it and for nothing."""
    return (target.replace(COMMENT, "") if COMMENT in target else target).lstrip()


def default_anchor(target: str, trail: str) -> str:
    """What readers see of a link without a label.

    >>> default_anchor(":dog &amp; cat", "s")
    'dog & cats'
    """
    target = plain_target(target)
    return " ".join(((decode_title(target) or target).removeprefix(":") + trail).split())


def is_empty_label(label: str | None) -> bool:
    """Whether a label has nothing to be clicked: such a link is none."""
    return label is not None and not label.strip(COMMENT)
