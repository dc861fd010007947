"""What a load of a wiki may do otherwise than by default: each choice changes what is stored, and is recorded with the base."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

FIRST_LINKS = 20
"""How many body links of an article are kept, where nothing else is said."""

LONGEST_LABEL = 256
"""Characters of the longest label: no longer phrase can be asked for."""

HIDDEN_PATTERNS = (
    r"(?i)^candidates for (?:speedy )?deletion\b",
    r"(?i)^(?:all |wikipedia )?(?:articles|pages|categories|files|images|lists|templates|stubs) "
    r"(?:with|without|needing|lacking|containing|to be|using|that|requiring|incorporating|contradicting|having|for|in need)\b",
    r"(?i)^wikipedia (?:administration|articles|cleanup|maintenance|pages|templates)\b",
    r"(?i)\bstubs$",
    r"(?i)^cs1\b",
)
"""Titles of the categories by which writers mark what is to be done, on English Wikipedia and the many that copied from it."""


Parser = Literal["fast", "reference"]
"""What reads the wikitext: the scanner of this package, or ``mwparserfromhell``, which is about twenty times slower."""

PARSERS: tuple[Parser, ...] = ("fast", "reference")


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one load.

    ``first_links`` is how many body links each article keeps in reading order (None: all). ``count_all_links`` counts anchors
    in templates, tables and references as uses of a label as well. ``keep_disambiguation`` treats disambiguation pages as any
    other article, ``keep_hidden`` hidden categories as any other. A category is also hidden if one of ``hidden_patterns``
    (regular expressions as DuckDB has them, RE2's) is found in its title. ``disambiguation_templates`` mark disambiguation
    pages beside those known of the wiki's language. ``longest_label`` is in characters, and so is ``openings``: how much of an
    article's first paragraphs is kept, with the links marked in it.
    """

    first_links: int | None = FIRST_LINKS
    count_all_links: bool = False
    keep_disambiguation: bool = False
    keep_hidden: bool = False
    hidden_patterns: tuple[str, ...] = HIDDEN_PATTERNS
    disambiguation_templates: tuple[str, ...] = ()
    longest_label: int = LONGEST_LABEL
    openings: int = 0
    parser: Parser = "fast"

    def recorded(self) -> dict[str, Any]:
        """The choices that a base records, by name: how many links are kept, and what differs from the defaults.

        >>> Options(first_links=None, keep_hidden=True).recorded()
        {'first_links': None, 'keep_hidden': True}
        """
        usual = asdict(Options())
        found: dict[str, Any] = {"first_links": self.first_links}
        for name, value in asdict(self).items():
            if name != "hidden_patterns" and value != usual[name]:
                found[name] = list(value) if isinstance(value, tuple) else value
        added = [pattern for pattern in self.hidden_patterns if pattern not in HIDDEN_PATTERNS]
        if added:
            found["hidden_patterns"] = added
        if not set(HIDDEN_PATTERNS) <= set(self.hidden_patterns):
            found["usual_hidden_patterns"] = False
        return found

    def facts(self) -> dict[str, object]:
        """The choices by name, as a work folder remembers them."""
        return asdict(self)
