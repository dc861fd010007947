"""Word the codes under which loads and experiments count what they leave out.

Loaders count what they leave out by code (``redirect_loop``), and the store and JSON contain the codes. This module describes
each code in words, in the singular and the plural. A code without an entry, such as that of a third-party loader, is shown with
spaces for underscores.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDNET: Mapping[str, tuple[str, str]] = {
    "dangling_external": (
        "extension of a missing entry, sense or synset",
        "extensions of missing entries, senses or synsets",
    ),
    "dangling_relation": (
        "relation to or from a missing synset or sense",
        "relations to or from missing synsets or senses",
    ),
    "dangling_sense": ("sense of a missing synset", "senses of missing synsets"),
    "duplicate_pointer": ("duplicate pointer", "duplicate pointers"),
    "empty_lemma": ("lemma of only punctuation and white space", "lemmas of only punctuation and white space"),
    "external_text": (
        "definition or example that an extension adds to a synset",
        "definitions or examples that extensions add to synsets",
    ),
    "form_like_lemma": (
        "form that differs from its lemma only in case",
        "forms that differ from their lemmas only in case",
    ),
    "lexicon_extension": (
        "extension of a lexicon that the file does not have",
        "extensions of lexicons that the file does not have",
    ),
    "missing_count_file": ("list of tag counts that the source lacks", "lists of tag counts that the source lacks"),
    "missing_exception_file": (
        "list of irregular forms (*.exc) that the source lacks",
        "lists of irregular forms (*.exc) that the source lacks",
    ),
    "pronunciation": ("pronunciation", "pronunciations"),
    "spelling_variant": (
        "lemma that differs from another one of its synset only in case",
        "lemmas that differ from another one of their synset only in case",
    ),
    "syntactic_behaviour": ("syntactic behaviour", "syntactic behaviours"),
    "unknown_sense_count": ("tag count of a missing sense", "tag counts of missing senses"),
    "verb_frame": ("sentence frame of a verb", "sentence frames of verbs"),
}
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
_THESAURI: Mapping[str, tuple[str, str]] = {
    "duplicate_synonym": ("duplicate synonym", "duplicate synonyms"),
    "invalid_distance": ("row with a distance outside 0 to 2", "rows with a distance outside 0 to 2"),
    "invalid_rank": ("row with a rank that is missing or below 1", "rows with a rank that is missing or below 1"),
    "long_hashtag": ("hashtag too long to store", "hashtags too long to store"),
    "synonym_of_long_hashtag": (
        "synonym from or to a hashtag too long to store",
        "synonyms from or to hashtags too long to store",
    ),
    "unnamed_row": ("row without a hashtag or a synonym", "rows without a hashtag or a synonym"),
}
_TWEETS: Mapping[str, tuple[str, str]] = {
    "duplicate_tweet": ("duplicate tweet", "duplicate tweets"),
    "file_without_tweets": ("file without tweets", "files without tweets"),
    "line_with_nul": ("line with a NUL character", "lines with NUL characters"),
    "long_entry": ("line or entry that is too long", "lines and entries that are too long"),
    "long_text": ("text too long for a tweet", "texts too long for a tweet"),
    "malformed_json": ("line or entry of malformed JSON", "lines and entries of malformed JSON"),
    "malformed_line": ("line that is not id|date|text", "lines that are not id|date|text"),
    "no_hashtag": ("tweet without a hashtag", "tweets without a hashtag"),
    "no_known_word": ("tweet without a known word", "tweets without a known word"),
    "not_english": ("tweet that is not English", "tweets that are not English"),
    "not_finite": ("tweet whose vector is not finite", "tweets whose vectors are not finite"),
    "truncated_json": ("JSON document that is cut off", "JSON documents that are cut off"),
    "windows_1252_json": (
        "part of a JSON document read as windows-1252",
        "parts of JSON documents read as windows-1252",
    ),
    "windows_1252_line": ("line read as windows-1252", "lines read as windows-1252"),
}
_TRAVERSALS: Mapping[str, tuple[str, str]] = {
    "unknown_starter": ("starter not in the wiki", "starters not in the wiki"),
    "starter_is_target": ("starter that is the target", "starters that are the target"),
    "duplicate_starter": ("duplicate starter", "duplicate starters"),
    "unrated_article": ("article without a rated word", "articles without a rated word"),
    "invalid_word_vector": ("word whose vector is not finite", "words whose vectors are not finite"),
    "undecodable_word": ("word of the vectors that is not UTF-8", "words of the vectors that are not UTF-8"),
    "invalid_link_vector": ("link whose vector is not finite", "links whose vectors are not finite"),
}
_EVALUATIONS: Mapping[str, tuple[str, str]] = {
    "no_recommendation": ("tweet without recommended hashtags", "tweets without recommended hashtags"),
    "no_gold": ("tweet without gold hashtags", "tweets without gold hashtags"),
    "no_recommendation_or_gold": (
        "tweet with neither recommended nor gold hashtags",
        "tweets with neither recommended nor gold hashtags",
    ),
    "substitute_is_target": ("substitute that is its target itself", "substitutes that are their target itself"),
    "overlong_substitute": ("substitute too long for a phrase", "substitutes too long for a phrase"),
    "document_without_gold": ("document without gold keyphrases", "documents without gold keyphrases"),
    "single_indexer": ("document with fewer than two indexers", "documents with fewer than two indexers"),
    "empty_list": ("empty list of keyphrases", "empty lists of keyphrases"),
    "unanswered": ("question without an answer", "questions without an answer"),
    "unknown_to_judge": (
        "question with words that the judge does not know",
        "questions with words that the judge does not know",
    ),
    "no_accepted_substitute": ("target without an accepted substitute", "targets without an accepted substitute"),
}

WORDS = {**_WORDNET, **_WIKIPEDIA, **_THESAURI, **_TWEETS, **_TRAVERSALS, **_EVALUATIONS}
"""The description of each code: singular, plural."""


def describe_left_out(code: str, count: int) -> str:
    """Return a count with the words of its code.

    >>> describe_left_out("unheard_of", 1200)
    '1,200 unheard of'
    """
    words = WORDS.get(code, (code.replace("_", " "),) * 2)
    return f"{count:,} {words[count != 1]}"
