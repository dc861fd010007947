"""Parse WN-LMF files safely, and read the headers of their lexicons.

The XML is parsed incrementally, and each element is dropped once it has been processed. Entities are not expanded, and DTDs,
other files and the network are not read. A document without an entry or synset in ``LARGEST_GAP`` bytes is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from lxml import etree

from ...core.languages import SEVERAL, normalise_language
from ...core.messages import quote_value
from ..archives import CHUNK_SIZE, Document
from ..errors import SourceDamaged, SourceInvalid, SourceRefused

LARGEST_GAP = 4 << 20

ENTRIES = ("LexicalEntry", "ExternalLexicalEntry")
CONTENT = (*ENTRIES, "Synset", "ExternalSynset", "SyntacticBehaviour")
LEXICONS = ("Lexicon", "LexiconExtension")


class LexiconHeader(NamedTuple):
    """What a lexicon of a file says about itself; ``language`` is normalised."""

    id: str
    version: str
    label: str
    language: str


def read_headers(document: Document) -> list[LexiconHeader]:
    """Return the headers of all lexicons in a file, without those of extensions, or raise a ``SourceError``."""
    headers, extension = [], None
    for event, element in read_elements(document, ("start", "end"), (*LEXICONS, *CONTENT)):
        if event == "start" and element.tag == "Lexicon":
            id, version, label = (element.get(name) or "" for name in ("id", "version", "label"))
            headers.append(LexiconHeader(id, version, label or id, normalise_language(element.get("language"))))
        elif event == "start" and element.tag == "LexiconExtension":
            extension = element.get("id") or ""
    if not headers and extension is not None:
        raise SourceInvalid(
            f"{document} has {quote_value(extension)}, an extension of another lexicon; give the lexicon itself"
        )
    if not headers:
        raise SourceInvalid(f"{document} has no Lexicon; give a WN-LMF file of a WordNet")
    return headers


def describe(headers: Sequence[LexiconHeader]) -> str:
    """Return the name and version of the first lexicon."""
    return f"{headers[0].label or 'lexicon'} {headers[0].version}".strip() + " (WN-LMF)"


def find_language(headers: Sequence[LexiconHeader]) -> str:
    """Return the language of the lexicons, or ``mul`` if they differ."""
    languages = {header.language for header in headers}
    return languages.pop() if len(languages) == 1 else SEVERAL


def read_elements(document: Document, events: tuple[str, ...], tags: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the elements with these tags as they start or end; each that ended is dropped before the next one is yielded."""
    parser = etree.XMLPullParser(
        events=events,
        tag=tags,
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    gap, checked = 0, False
    with document.open() as stream:
        try:
            while chunk := stream.read(CHUNK_SIZE):
                gap += len(chunk)
                parser.feed(chunk)
                _check_entities(document, parser)
                for event, element in parser.read_events():
                    if not checked:
                        _check_document(document, element)
                        checked = True
                    gap = 0
                    yield event, element
                    if event == "end":
                        _drop(element)
                if gap > LARGEST_GAP:
                    raise SourceRefused(
                        f"{document} has no entry or synset in {LARGEST_GAP >> 20} MB, so it is not a lexicon; check its origin"
                    )
            root = parser.close()
        except etree.XMLSyntaxError as error:
            _check_entities(document, parser)
            reason = " ".join(str(error.msg).split()).replace(" ,", ",")
            raise SourceDamaged(f"{document} is not well-formed XML: {reason}; get it again") from error
    if root.tag != "LexicalResource":
        _refuse_root(document, root)


def _drop(element: Any) -> None:
    """Empty an element that has ended and delete what precedes it, unless it is part of an entry that has not ended."""
    parent = element.getparent()
    if parent is not None and parent.tag not in ENTRIES:
        element.clear()
        while element.getprevious() is not None:
            del parent[0]


def _check_document(document: Document, element: Any) -> None:
    """Raise if the root element is wrong, or the document defines entities."""
    tree = element.getroottree()
    if tree.getroot().tag != "LexicalResource":
        _refuse_root(document, tree.getroot())
    dtd = tree.docinfo.internalDTD
    entity = next(dtd.iterentities(), None) if dtd is not None else None
    if entity is not None:
        raise SourceRefused(
            f"{document} defines the entity {quote_value(entity.name)}, and entities are not expanded; remove it"
        )


def _check_entities(document: Document, parser: Any) -> None:
    """Raise for an undefined entity, which the parser silently drops if the document has a DTD that might define it."""
    for entry in parser.feed_error_log:
        if entry.type_name.endswith("UNDECLARED_ENTITY"):
            raise SourceDamaged(
                f"{document}, line {entry.line}: {' '.join(entry.message.split())}; "
                "write the character itself, or &amp; for an &"
            )


def _refuse_root(document: Document, root: Any) -> NoReturn:
    raise SourceInvalid(
        f"{document} is not WN-LMF: its outermost element is {quote_value(root.tag)}; give a file with LexicalResource"
    )
