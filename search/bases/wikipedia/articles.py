"""Look up an article by its title, and the links of its running text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.normalisation import is_encodable, normalise
from ....core.suggestions import suggest
from ....graph.schema import entity_id
from ...errors import ArticleUnknown
from ..selection import choose_base_of_kind
from .kind import WIKIPEDIA
from .results import BodyLink, Links

if TYPE_CHECKING:
    from ....graph.store import Store


def article_links(
    store: Store, bases: Sequence[str], article: str, first: int | None = None, *, keep_parentheses: bool = False
) -> Links:
    """Return the body links of an article.

    Args:
        store: The store.
        bases: The wiki is the one among these bases; without names the only wiki in the store.
        article: The title of the article, or of a redirect to it.
        first: The greatest number of links; by default all stored ones.
        keep_parentheses: Include links in parentheses.

    Raises:
        BaseUnknown: There is no such wiki, or more than one.
        ArticleUnknown: The wiki has no such article.
    """
    base = choose_base_of_kind(store, WIKIPEDIA, bases).id
    node = find_article(store, base, article)
    prefix = len(entity_id(base, ""))
    counted = [link for link in store.links([node])[node] if keep_parentheses or link.rank is not None]
    links = [
        BodyLink(link.position if keep_parentheses else link.rank or 0, link.anchor, link.other[prefix:]) for link in counted
    ]
    return Links(node[prefix:], base, tuple(links[:first]))


def find_article(store: Store, base: str, title: str) -> str:
    """Return the id of the article with this title, or of the one that a redirect with this title leads to.

    Spaces may be underscores, the first letter may be in lower case, and accents may be separate characters, which MediaWiki
    composes (NFC).

    Raises:
        ArticleUnknown: The wiki has no such article.
    """
    if not is_encodable(title):
        raise ArticleUnknown(f"no article of {base} has the title {title!r}: it is not valid text")
    plain = unicodedata.normalize("NFC", " ".join(title.replace("_", " ").split()))
    ids = [entity_id(base, each) for each in dict.fromkeys((title, plain, plain[:1].upper() + plain[1:])) if each]
    nodes = store.nodes(ids)
    for each in ids:
        label = nodes.get(each, {}).get("label")
        if label == "Article":
            return each
        if label == "Redirect":
            return store.edges([each], ("REDIRECTS_TO",), "out")[each][0].other
    raise ArticleUnknown(f"no article of {base} has the title {title!r}", *suggest(title, _titles_of(store, base, plain)))


def _titles_of(store: Store, base: str, phrase: str) -> list[str]:
    """Return the titles of the articles that a phrase can name, for example those of its other spellings."""
    from ...scoring.aspects import is_valid
    from ...scoring.parameters import Parameters
    from .live import LiveWiki

    name = normalise(phrase)
    found = LiveWiki(store, base).targets(tuple(name.split(" ")), Parameters()) if is_valid(name) else ()
    return [article.partition(":")[2] for article in found]
