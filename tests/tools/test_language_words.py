"""The message files of MediaWiki are read without PHP, and the files that ship are what the tools write."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest
from tools import language_words, wiki_conventions

MESSAGES = r"""<?php
/** A language */
$fallback = 'de, en'; # the next one
$letters = 'ä' . "\u{00F6}";
$linkTrail = '/^([a-z' . $letters . ']+)(.*)$/sDu';
$namespaceNames = array(
	NS_MAIN => '',
	NS_FILE => 'Datei', // images
	NS_CATEGORY_TALK => "Kategorie_Diskussion",
	NS_PROJECT_TALK => '$1_Diskussion',
);
$namespaceAliases = [ 'Bild' => NS_FILE, ];
$namespaceGenderAliases = [ NS_USER => [ 'male' => 'Benutzer', 'female' => 'Benutzerin' ] ];
$magicWords = [
	'redirect' => [ '0', '#WEITER', "#d'accord", '#REDIRECT' ],
	'hiddencat' => [ '1', '__HIDDENCAT__' ],
];
"""


def test_a_message_file_is_read() -> None:
    assert language_words.read_language(language_words.PhpFile(MESSAGES).variables) == {
        "after": ["de", "en"],
        "names": {"Datei": 6, "Kategorie Diskussion": 15},
        "aliases": {"Bild": 6, "Benutzer": 2, "Benutzerin": 2},
        "redirect": ["#WEITER", "#d'accord"],
        "trail": "[a-zäö]+",
    }


def test_codes_lead_to_those_of_mediawiki() -> None:
    text = """const DEPRECATED_LANGUAGE_CODE_MAPPING = [\n'als' => 'gsw', // a comment\n\t];
    const NON_STANDARD_LANGUAGE_CODE_MAPPING = [\n'map-bms' => 'jv-x-bms',\n'sr-ec' => 'sr-Cyrl',\n\t];"""
    assert language_words.read_codes(text) == {"als": "gsw", "jv-x-bms": "map-bms", "sr-cyrl": "sr-ec"}


@pytest.mark.parametrize("output", [language_words.OUTPUT, wiki_conventions.OUTPUT], ids=lambda path: Path(path).stem)
def test_the_files_name_their_sources_and_their_tool(output: Path) -> None:
    data = json.loads(output.read_text(encoding="utf-8"))
    assert data["generator"] in {"tools/language_words.py", "tools/wiki_conventions.py"}
    assert "source" in data or "sources" in data
    assert len(data["languages"]) > 100


def test_the_examples_of_the_tools_are_right() -> None:
    for module in (language_words, wiki_conventions):
        assert doctest.testmod(module).failed == 0
