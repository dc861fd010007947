"""Reads a dump file, plain or compressed, into pages with ``xml.etree``."""

from __future__ import annotations

import bz2
import gzip
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .wiki_titles import Names


@dataclass
class Page:
    """A page as the dump has it."""

    namespace: int
    title: str
    redirect: str | None
    text: str


def open_dump(path: Path) -> IO[bytes] | gzip.GzipFile:
    head = path.read_bytes()[:3]
    if head == b"BZh":
        return bz2.open(path)
    if head[:2] == b"\x1f\x8b":
        return gzip.open(path)
    return path.open("rb")


def read_dump(path: Path) -> tuple[Names, list[Page]]:
    """Return the names in siteinfo, and the pages in order; a truncated file gives its complete pages."""
    names = Names()
    pages: list[Page] = []
    with open_dump(path) as file:
        parser = ElementTree.iterparse(file, events=("end",))
        try:
            for _, element in parser:
                tag = element.tag.rpartition("}")[2]
                if tag == "siteinfo":
                    read_siteinfo(element, names)
                elif tag == "page":
                    page = read_page(element, names)
                    if page is not None:
                        pages.append(page)
                    element.clear()
        except (ElementTree.ParseError, EOFError):
            if not pages:
                raise
    return names, pages


def child(element: ElementTree.Element, name: str) -> ElementTree.Element | None:
    return next((each for each in element if each.tag.rpartition("}")[2] == name), None)


def child_text(element: ElementTree.Element, name: str) -> str | None:
    found = child(element, name)
    return None if found is None else found.text or ""


def read_siteinfo(element: ElementTree.Element, names: Names) -> None:
    names.site = child_text(element, "dbname") or names.site
    names.first_letter = child_text(element, "case") != "case-sensitive"
    namespaces = child(element, "namespaces")
    for namespace in namespaces if namespaces is not None else ():
        if namespace.text and namespace.get("key") != "0":
            names.add(namespace.text, int(namespace.get("key", "")))


def read_page(element: ElementTree.Element, names: Names) -> Page | None:
    revision = child(element, "revision")
    title = child_text(element, "title")
    if revision is None or not title:
        return None
    text = child_text(revision, "text")
    if text is None or child_text(revision, "model") not in (None, "wikitext"):
        return None
    namespace, name = names.parse(title)
    mark = child(element, "redirect")
    redirect = None
    written = re.match(r"\s*#\s*redirect[^\[\n]*\[\[([^\]|\n]*)", text, re.IGNORECASE)
    if mark is not None and mark.get("title"):
        redirect = mark.get("title")
    elif written is not None:
        redirect = written.group(1)
    return Page(namespace, name, redirect, text)
