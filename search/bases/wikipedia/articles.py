"""Which article a title means, and the links that it begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.normalization import is_encodable
from ....graph.schema import entity_id
from ...errors import ArticleUnknown
from ..selection import choose_of_kind
from .results import BodyLink, Links

if TYPE_CHECKING:
    from ....graph.store import Store


def article_links(
    store: Store, bases: Sequence[str], article: str, first: int | None = None, *, keep_parentheses: bool = False
) -> Links:
    """The body links of an article of the wiki among these bases, or of the only wiki in the store."""
    base = choose_of_kind(store, "wikipedia", bases).id
    found = find_article(store, base, article)
    begin = len(entity_id(base, ""))
    kept = [link for link in store.links([found])[found] if keep_parentheses or link.rank is not None]
    links = [BodyLink(link.position if keep_parentheses else link.rank or 0, link.anchor, link.other[begin:]) for link in kept]
    return Links(found[begin:], base, tuple(links[:first]))


def find_article(store: Store, base: str, title: str) -> str:
    """The id of the article of this title, or of the one that a redirect of this title leads to.

    Blanks may be underscores, and the first letter need not be raised.
    """
    if not is_encodable(title):
        raise ArticleUnknown(f"no article of {base} has the title {title!r}: it is no text in UTF-8")
    plain = " ".join(title.replace("_", " ").split())
    ids = [entity_id(base, each) for each in dict.fromkeys((title, plain, plain[:1].upper() + plain[1:])) if each]
    nodes = store.nodes(ids)
    for each in ids:
        label = nodes.get(each, {}).get("label")
        if label == "Article":
            return each
        if label == "Redirect":
            return store.edges([each], ("REDIRECTS_TO",), "out")[each][0].other
    raise ArticleUnknown(f"no article of {base} has the title {title!r}; give it as the wiki writes it, or ask: wayword senses")
