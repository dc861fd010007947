"""Keyphrases of documents, read from JSON or from folders with a file per document.

A keyphrase has one or more forms, all normalised: a candidate is its first form, and a gold keyphrase is found by any form.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...core.messages import quote_value
from ...core.normalisation import is_encodable, normalise
from ...loaders.archives import is_archive, is_folder, open_unpacked, read_files, translate_errors
from ...search.scoring.aspects import MAX_LENGTH
from ..errors import KeyphrasesInvalid

Keyphrase = tuple[str, ...]
"""The normalised forms of a keyphrase, the main one first."""

Keyphrases = tuple[Keyphrase, ...]
"""The keyphrases of a document; no two have the same first form."""

SUFFIXES = (".key", ".tags", ".tag")

_PAGE_ID = re.compile(r"\s*\d+\s*:\s*(?=\S)")


def unite_forms(keyphrases: Iterable[Sequence[str]]) -> Keyphrases:
    """Normalise keyphrases; one whose first form occurred before is dropped.

    >>> unite_forms([["Service Quality", "quality of service"], ["service  quality"], ["QoS"]])
    (('service quality', 'quality of service'), ('qos',))
    """
    united: dict[str, Keyphrase] = {}
    for forms in keyphrases:
        normalised = tuple(dict.fromkeys(map(normalise, forms)))
        united.setdefault(normalised[0], normalised)
    return tuple(united.values())


def read_keyphrases(source: str | os.PathLike[str]) -> dict[str, Keyphrases]:
    """Read the keyphrases of documents.

    Args:
        source: A JSON file ``{ID: [[form, other form, ...], ...]}``, in which a keyphrase with one form may be a string; or a
            folder or archive of ``.key`` files, named after documents, with one keyphrase per line.

    Returns:
        The keyphrases by document, in the order of the file.

    Raises:
        KeyphrasesInvalid: The content is not of this form.
        SourceError: The source cannot be read.
    """
    path = Path(source)
    if is_folder(path) or is_archive(path):
        return _read_folder(path)
    with translate_errors(path), open_unpacked(path) as stream:
        content = stream.read()
    return dict(_parse_documents(path, content))


def read_indexers(source: str | os.PathLike[str]) -> dict[str, dict[str, Keyphrases]]:
    """Read what several people chose for the same documents, in the layout of wiki20, fao30 and citeulike180.

    Args:
        source: A folder, or an archive of one, with a subfolder per indexer of ``.key`` or ``.tags`` files, which are named
            after documents and have one keyphrase per line. If lines begin with a page id (``1164: Expert system``), it is
            dropped.

    Returns:
        Keyphrases by document and indexer, both in natural order (``team2`` before ``team10``).

    Raises:
        KeyphrasesInvalid: The content is not of this form.
        SourceError: The source cannot be read.
    """
    path = Path(source)
    found: dict[str, dict[str, Keyphrases]] = {}
    for file, keyphrases in _read_key_files(path):
        name = PurePosixPath(file)
        chosen = found.setdefault(name.stem, {})
        if name.parent.name in chosen:
            raise KeyphrasesInvalid(f"{path}: {name.parent.name} has document {name.stem} twice; remove {file}")
        chosen[name.parent.name] = keyphrases
    if len({indexer for chosen in found.values() for indexer in chosen}) < 2:
        raise KeyphrasesInvalid(f"{path} has fewer than two indexers; give a folder with a subfolder of .key files for each")
    return {
        document: dict(sorted(chosen.items(), key=natural_order))
        for document, chosen in sorted(found.items(), key=natural_order)
    }


def natural_order(item: tuple[str, Any]) -> list[Any]:
    """Return a sort key by which numbers in names are compared as numbers."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", item[0]) if part]


def _read_folder(path: Path) -> dict[str, Keyphrases]:
    found: dict[str, Keyphrases] = {}
    for file, keyphrases in _read_key_files(path):
        document = PurePosixPath(file).stem
        if document in found:
            raise KeyphrasesInvalid(f"{path} has document {document} twice, the second time in {file}; give one list for each")
        found[document] = keyphrases
    return found


def _read_key_files(path: Path) -> Iterator[tuple[str, Keyphrases]]:
    """Yield the keyphrases of each file in a folder or archive."""
    has_ids: bool | None = None  # decided by the first line
    is_empty = True
    for file, content in read_files(path, SUFFIXES):
        is_empty, phrases = False, []
        for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
            where = f"{path}/{file}:{number}"
            try:
                line = raw.decode()
            except UnicodeDecodeError as error:
                raise KeyphrasesInvalid(
                    f"{where}: {quote_value(raw)} is not UTF-8 ({error.reason}); save it as UTF-8"
                ) from None
            if not line.strip():
                continue
            page_id = _PAGE_ID.match(line)
            has_ids = page_id is not None if has_ids is None else has_ids
            if has_ids and page_id is None:
                raise KeyphrasesInvalid(f"{where}: {quote_value(line)} has no page id, but earlier lines have; add it")
            phrase = line[page_id.end() :] if has_ids and page_id else line
            phrases.append([_check_form(phrase, where)])
        yield file, unite_forms(phrases)
    if is_empty:
        raise KeyphrasesInvalid(f"{path} has no .key or .tags files; give a folder with one for each document")


def _parse_documents(path: Path, content: bytes) -> Iterator[tuple[str, Keyphrases]]:
    def check_unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise KeyphrasesInvalid(f"{path}: document {quote_value(name)} occurs twice; give one list for each")
            found[name] = value
        return found

    try:
        documents = json.loads(content.decode("utf-8-sig"), object_pairs_hook=check_unique)
    except (ValueError, RecursionError) as error:
        raise KeyphrasesInvalid(f"{path}: not JSON ({error}); write {{ID: [[form, other form, ...], ...]}}") from None
    if not isinstance(documents, dict) or not documents:
        found = "no documents" if documents == {} else f"{quote_value(documents)} instead of documents"
        raise KeyphrasesInvalid(f"{path} has {found}; write {{ID: [[form, other form, ...], ...]}}")
    for document, keyphrases in documents.items():
        where = f"{path}: document {quote_value(document)}"
        if not isinstance(keyphrases, list):
            raise KeyphrasesInvalid(
                f"{where} has {quote_value(keyphrases)} instead of a list of keyphrases; write [[form], ...]"
            )
        yield document, unite_forms([_check_forms(keyphrase, where) for keyphrase in keyphrases])


def _check_forms(value: Any, where: str) -> list[str]:
    forms = [value] if isinstance(value, str) else value
    if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
        raise KeyphrasesInvalid(
            f"{where}: {quote_value(value)} is not a keyphrase; write a list of its forms, which are strings"
        )
    return [_check_form(form, where) for form in forms]


def _check_form(form: str, where: str) -> str:
    normalised = normalise(form)
    if not normalised:
        raise KeyphrasesInvalid(f"{where}: {quote_value(form)} is an empty keyphrase; remove it")
    if len(normalised) > MAX_LENGTH or not is_encodable(form):
        fault = "is not valid text" if len(normalised) <= MAX_LENGTH else f"has more than {MAX_LENGTH} characters"
        raise KeyphrasesInvalid(f"{where}: {quote_value(form)} {fault}; correct it")
    return form
