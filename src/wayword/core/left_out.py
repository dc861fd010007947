"""Word the codes under which loads and experiments count what they leave out.

Loaders count what they leave out by code (``redirect_loop``); the store and JSON keep the codes. This module has the words of
each code, singular and plural. A code without an entry, such as that of a third-party loader, is shown with spaces for
underscores.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDNET: Mapping[str, tuple[str, str]] = {}
_WIKIPEDIA: Mapping[str, tuple[str, str]] = {
    "malformed_page": ("page that is not well-formed XML", "pages that are not well-formed XML"),
    "repaired_page": ("page read without characters that XML forbids", "pages read without characters that XML forbids"),
    "untitled_page": ("page without a valid title", "pages without a valid title"),
    "empty_page": ("page without text", "pages without text"),
    "other_content_model": ("page that is not wikitext", "pages that are not wikitext"),
    "other_namespace": ("page of another namespace", "pages of other namespaces"),
    "page_read_by_fast_parser": (
        "page that the reference parser could not read, read by the fast parser",
        "pages that the reference parser could not read, read by the fast parser",
    ),
    "oversized_page": ("page of more than 32 MB", "pages of more than 32 MB"),
    "oversized_block": (
        "rest of a compressed block with more than 512 MB of pages",
        "rests of compressed blocks with more than 512 MB of pages",
    ),
    "truncation": ("place where the dump is cut off", "places where the dump is cut off"),
    "damaged_stream": (
        "damaged or truncated place in the compressed file",
        "damaged or truncated places in the compressed file",
    ),
    "damage_after_end": (
        "damaged or foreign place after the end of the dump",
        "damaged or foreign places after the end of the dump",
    ),
    "duplicate_title": ("page with the title of an earlier page", "pages with the title of an earlier page"),
    "redirect_loop": ("redirect that leads in a circle", "redirects that lead in a circle"),
    "redirect_to_no_article": ("redirect that leads to no article", "redirects that lead to no article"),
    "redirect_to_disambiguation": ("redirect to a disambiguation page", "redirects to disambiguation pages"),
    "redirecting_category": ("category page that redirects", "category pages that redirect"),
    "hidden_category": ("hidden category", "hidden categories"),
    "category_link_to_missing": ("category link to a category without a page", "category links to categories without a page"),
    "category_link_to_redirect": ("category link to a category that redirects", "category links to categories that redirect"),
    "category_link_to_hidden": ("category link to a hidden category", "category links to hidden categories"),
    "category_link_of_hidden": ("category link of a hidden category", "category links of hidden categories"),
    "category_link_of_disambiguation": (
        "category link of a disambiguation page",
        "category links of disambiguation pages",
    ),
    "category_link_to_self": ("category within itself", "categories within themselves"),
    "duplicate_category_link": ("repeated category link on a page", "repeated category links on a page"),
    "link_to_missing_page": ("link to a missing page", "links to missing pages"),
    "link_to_other_namespace": ("link to another namespace", "links to other namespaces"),
    "link_to_disambiguation": ("link to a disambiguation page", "links to disambiguation pages"),
    "link_without_text": ("link without text to click", "links without text to click"),
    "link_with_long_text": ("link with a text longer than a label can be", "links with texts longer than a label can be"),
    "link_outside_text": (
        "link in a template, table, reference or similar",
        "links in templates, tables, references and similar",
    ),
    "link_beyond_first": (
        "body link beyond the first ones of its article",
        "body links beyond the first ones of their articles",
    ),
    "damaged_sql_stream": (
        "damaged or truncated place in a compressed SQL dump",
        "damaged or truncated places in compressed SQL dumps",
    ),
    "unreadable_sql_row": ("unreadable row of an SQL dump", "unreadable rows of SQL dumps"),
    "untitled_sql_category_link": (
        "category link of the SQL dump whose category has no title",
        "category links of the SQL dump whose category has no title",
    ),
}
_THESAURI: Mapping[str, tuple[str, str]] = {}
_TWEETS: Mapping[str, tuple[str, str]] = {}
_TRAVERSALS: Mapping[str, tuple[str, str]] = {
    "unknown_starter": ("starter not in the wiki", "starters not in the wiki"),
    "starter_is_target": ("starter that is the target", "starters that are the target"),
    "duplicate_starter": ("duplicate starter", "duplicate starters"),
    "unrated_article": ("article without a rated word", "articles without a rated word"),
    "invalid_word_vector": ("word whose vector is not finite", "words whose vectors are not finite"),
    "invalid_link_vector": ("link whose vector is not finite", "links whose vectors are not finite"),
}
_EVALUATIONS: Mapping[str, tuple[str, str]] = {
    "no_recommendation": ("tweet without recommended hashtags", "tweets without recommended hashtags"),
    "no_gold": ("tweet without gold hashtags", "tweets without gold hashtags"),
    "no_recommendation_or_gold": (
        "tweet with neither recommended nor gold hashtags",
        "tweets with neither recommended nor gold hashtags",
    ),
}

WORDS = {**_WORDNET, **_WIKIPEDIA, **_THESAURI, **_TWEETS, **_TRAVERSALS, **_EVALUATIONS}
"""The words of each code that wayword counts: singular, plural."""


def describe_left_out(code: str, count: int) -> str:
    """Return a count with the words of its code.

    >>> describe_left_out("unheard_of", 1200)
    '1,200 unheard of'
    """
    words = WORDS.get(code, (code.replace("_", " "),) * 2)
    return f"{count:,} {words[count != 1]}"
