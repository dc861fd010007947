"""Which article a title means, and the links that it begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..graph.schema import entity_id
from .errors import ArticleUnknown, BaseUnknown
from .result import BodyLink, Links

if TYPE_CHECKING:
    from ..graph.store import Store


def links_of(
    store: Store, bases: Sequence[str], article: str, first: int | None = None, *, keep_parentheses: bool = False
) -> Links:
    """The body links of an article of the wiki among these bases, or of the only wiki in the store."""
    base = choose_wiki(store, bases)
    found = find_article(store, base, article)
    begin = len(entity_id(base, ""))
    kept = [link for link in store.links([found])[found] if keep_parentheses or link.rank is not None]
    links = [BodyLink(link.place if keep_parentheses else link.rank or 0, link.anchor, link.other[begin:]) for link in kept]
    return Links(found[begin:], base, tuple(links[:first]))


def choose_wiki(store: Store, bases: Sequence[str]) -> str:
    """The wiki that is meant."""
    wikis = [each.id for each in store.bases() if each.kind == "wikipedia"]
    wanted = [name for name in bases if name in wikis] if bases else wikis
    if len(wanted) == 1:
        return wanted[0]
    if not wikis:
        raise BaseUnknown(f"the store {store.address} holds no wiki; load one with: wayword load wikipedia DUMP")
    if bases and not wanted:
        raise BaseUnknown(f"the base {bases[0]!r} is no wiki of the store {store.address}; it has {', '.join(wikis)}")
    raise BaseUnknown(f"the store holds several wikis: choose one of {', '.join(wanted or wikis)} with --base")


def _can_be_written(text: str) -> bool:
    """Whether a text is one: half a character, as bytes that are no UTF-8 become on a command line, is none."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def find_article(store: Store, base: str, title: str) -> str:
    """The id of the article of this title, or of the one that a redirect of this title leads to.

    Blanks may be underscores, and the first letter need not be raised.
    """
    if not _can_be_written(title):
        raise ArticleUnknown(f"no article of {base} has the title {title!r}: it is no text in UTF-8")
    plain = " ".join(title.replace("_", " ").split())
    ids = [entity_id(base, each) for each in dict.fromkeys((title, plain, plain[:1].upper() + plain[1:])) if each]
    nodes = store.nodes(ids)
    for each in ids:
        label = nodes.get(each, {}).get("label")
        if label == "Article":
            return each
        if label == "Redirect":
            return store.expand([each], ("REDIRECTS_TO",), "out")[each][0].other
    raise ArticleUnknown(f"no article of {base} has the title {title!r}; give it as the wiki writes it, or ask: wayword senses")
