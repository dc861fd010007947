"""Write ``loaders/wikipedia/language_words.json`` from the message files of MediaWiki.

    python tools/language_words.py MEDIAWIKI

MEDIAWIKI is the folder of an unpacked release (from https://releases.wikimedia.org/mediawiki/, or ``usr/share/mediawiki`` of
Debian's package of that name). For each language the file has what its message file says itself; ``languages.py`` follows the
fallbacks. The codes are those of MediaWiki; ``codes`` has the others by which a language is known, as ``als`` and ``jv-x-bms``.

    after       the languages to which it falls back, nearest first
    variants    the languages into which MediaWiki converts it, whose names of namespaces are understood too
    names       the number of each namespace by its name
    aliases     the number of each namespace by its other names, in particular those for men and women
    redirect    the words that begin a redirect
    appendix    the heading of the references
    hidden, disambiguation
                the switches for hidden categories and disambiguation pages
    trail       the pattern of letters that continue a link
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

OUTPUT = Path(__file__).parent.parent / "loaders" / "wikipedia" / "language_words.json"

HEADER = {
    "source": "MediaWiki {}: languages/messages, LanguageCode.php, extension Cite; disambiguation: extension Disambiguator",
    "licence": "GPL-2.0-or-later (MediaWiki), MIT (Cite, Disambiguator)",
    "generator": "tools/language_words.py",
}

NAMESPACES = (
    *("MEDIA", "SPECIAL", "MAIN", "TALK", "USER", "USER_TALK", "PROJECT", "PROJECT_TALK", "FILE", "FILE_TALK"),
    *("MEDIAWIKI", "MEDIAWIKI_TALK", "TEMPLATE", "TEMPLATE_TALK", "HELP", "HELP_TALK", "CATEGORY", "CATEGORY_TALK"),
)
PREDEFINED = {"true": True, "false": False, "null": None} | {f"NS_{name}": number for number, name in enumerate(NAMESPACES, -2)}

HOST_CODES = {"no": "nb"}
"""MediaWiki's codes of the languages that Wikimedia's hosts name otherwise."""

CANONICAL = {"Project": 4, "Project talk": 5}
"""Names that MediaWiki's code adds to those of its message files."""

DISAMBIGUATION = {"ko": ["__동음이의__"], "mk": ["__ПОЈАСНУВАЊЕ__"], "ml": ["_വിവക്ഷിതം_"]}
"""``__DISAMBIG__`` in other languages, from ``Disambiguator.i18n.magic.php``."""

TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*|//[^\n]*|/\*.*?\*/|<\?php)
    |(?P<single>'(?:[^'\\]|\\.)*')|(?P<double>"(?:[^"\\]|\\.)*")
    |(?P<variable>\$\w+)|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>\\?[A-Za-z_][\w\\]*(?:::\w+)?)|(?P<sign>=>|.)""",
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)
CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
TRAIL = re.compile(r"/\^\((.*)\)\(\.\*\)\$/[a-zA-Z]*\Z", re.DOTALL)
CODES = re.compile(r"const (\w+)_LANGUAGE_CODE_MAPPING = \[(.*?)\n\t\];", re.DOTALL)
CITE = ("extensions/Cite/i18n", "extensions-core/Cite/i18n")
"""Where a release and Debian's package have the messages of the extension Cite."""

REFERENCES = "cite-wikieditor-help-page-references"
PROPERTIES = {r"\p{L}": r"[^\W\d_]", r"\p{Chakma}": "\U00011100-\U0001114f"}
"""Unicode properties in patterns of trails as Python writes them: the first outside of a class, the second within one."""

VARIANTS = re.compile(r"function getLanguageVariants\(\): array \{\s*return (\[.*?\]);", re.DOTALL)


class PhpFile:
    r"""The variables that a message file of MediaWiki sets: arrays and strings, no functions.

    >>> PhpFile(r"<?php $a = [ NS_FILE => 'Bild' . '\'', 'x' => [ '0', 'b' ] ]; // end").variables["a"]
    {6: "Bild'", 'x': ['0', 'b']}
    """

    def __init__(self, text: str) -> None:
        self._tokens = [match for match in TOKEN.finditer(text) if match.lastgroup != "space"]
        self._position = 0
        self.variables: dict[str, Any] = {}
        while self._position < len(self._tokens):
            if self._next().lastgroup == "variable" and self._is("="):
                variable = self._tokens[self._position - 1][0][1:]
                self._position += 1
                self.variables[variable] = self._value()

    def _next(self) -> re.Match[str]:
        self._position += 1
        return self._tokens[self._position - 1]

    def _is(self, text: str) -> bool:
        return self._position < len(self._tokens) and self._tokens[self._position][0] == text

    def _value(self) -> Any:
        value = self._simple()
        while self._is("."):
            self._position += 1
            value += self._simple()
        return value

    def _simple(self) -> Any:
        token = self._next()
        text = token[0]
        match token.lastgroup:
            case "single":
                return re.sub(r"\\(['\\])", r"\1", text[1:-1])
            case "double":
                return ESCAPE.sub(_unescape, text[1:-1])
            case "number":
                return int(text)
            case "variable":
                return self.variables[text[1:]]
            case "name" if text == "array":
                self._position += 1
                return self._array(")")
            case "name":
                return PREDEFINED.get(text, text)
        if text == "[":
            return self._array("]")
        raise ValueError(f"unexpected {text!r} at {token.start()}")

    def _array(self, end: str) -> dict[Any, Any] | list[Any]:
        items: list[Any] = []
        pairs: dict[Any, Any] = {}
        while not self._is(end):
            value = self._value()
            if self._is("=>"):
                self._position += 1
                pairs[value] = self._value()
            else:
                items.append(value)
            if self._is(","):
                self._position += 1
        self._position += 1
        return pairs or items


def _unescape(match: re.Match[str]) -> str:
    code, byte, letter = match.groups()
    if code or byte:
        return chr(int(code or byte, 16))
    return CONTROLS.get(letter, letter if letter in '"\\$' else match[0])


def read_language(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a message file says of its language.

    >>> read_language({"fallback": "de, nl", "namespaceNames": {6: "Datei", 5: "$1_Talk"}, "linkTrail": "/^([a-zä]+)(.*)$/sDu"})
    {'after': ['de', 'nl'], 'names': {'Datei': 6}, 'trail': '[a-zä]+'}
    """
    words: dict[str, Any] = {}
    if variables.get("fallback"):
        words["after"] = [code.strip() for code in variables["fallback"].split(",")]
    names = {_plain(name): number for number, name in dict(variables.get("namespaceNames") or {}).items()}
    aliases = {_plain(name): number for name, number in dict(variables.get("namespaceAliases") or {}).items()}
    for number, forms in dict(variables.get("namespaceGenderAliases") or {}).items():
        aliases |= {_plain(name): number for name in forms.values()}
    for key, numbers in (("names", names), ("aliases", aliases)):
        if kept := {name: number for name, number in numbers.items() if name and number and "$1" not in name}:
            words[key] = kept
    magic = dict(variables.get("magicWords") or {})
    for key, magic_word, universal in (("redirect", "redirect", "#REDIRECT"), ("hidden", "hiddencat", "__HIDDENCAT__")):
        if own := [word for word in magic.get(magic_word, ())[1:] if word != universal]:
            words[key] = list(dict.fromkeys(own))
    if match := TRAIL.match(variables.get("linkTrail") or ""):
        pattern = re.sub(r"\\x\{([0-9A-Fa-f]+)\}", lambda code: chr(int(code[1], 16)), match[1])
        for property_name, letters in PROPERTIES.items():
            pattern = pattern.replace(property_name, letters)
        words["trail"] = re.compile(pattern).pattern  # raises if Python does not have some construct
    return words


def _plain(name: str) -> str:
    return name.replace("_", " ")


def read_variants(text: str) -> list[str]:
    """Return the variants that the class of a converter names."""
    match = VARIANTS.search(text)
    return re.findall(r"'([\w-]+)'", match[1]) if match else []


def read_codes(text: str) -> dict[str, str]:
    """Return MediaWiki's code for each deprecated code and for each code that it writes into a dump instead of its own."""
    codes: dict[str, str] = {}
    for kind, table in CODES.findall(text):
        for code, other in re.findall(r"'([\w-]+)' => '([\w-]+)'", table):
            codes |= {code: other} if kind == "DEPRECATED" else {other.lower(): code}
    return codes


def read_references(mediawiki: Path) -> dict[str, str]:
    """Return the heading of the references in each language."""
    folder = next(path for path in map(mediawiki.joinpath, CITE) if path.is_dir())
    messages = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    return {code: words[REFERENCES] for code, words in messages.items() if REFERENCES in words and code != "qqq"}


def collect(mediawiki: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each language of a release of MediaWiki with its words."""
    converters = (mediawiki / "includes" / "language" / "converters").glob("*Converter.php")
    variants = {
        path.stem.removesuffix("Converter").lower(): read_variants(path.read_text(encoding="utf-8")) for path in converters
    }
    references = read_references(mediawiki)
    for path in sorted((mediawiki / "languages" / "messages").glob("Messages*.php")):
        code = path.stem.removeprefix("Messages").replace("_", "-").lower()
        words = read_language(PhpFile(path.read_text(encoding="utf-8")).variables)
        if code == "en":
            words["aliases"] = {**words["aliases"], **CANONICAL}
        if code in DISAMBIGUATION:
            words["disambiguation"] = DISAMBIGUATION[code]
        if others := [other for other in variants.get(code, ()) if other != code]:
            words["variants"] = others
        if code in references:
            words["appendix"] = [references.pop(code)]
        if words:
            yield code, words
    yield from ((code, {"appendix": [heading]}) for code, heading in references.items())


def main(mediawiki: Path) -> None:
    """Write the file."""
    version = re.search(r"MW_VERSION', '([^']+)'", (mediawiki / "includes" / "Defines.php").read_text(encoding="utf-8"))
    header = {**HEADER, "source": HEADER["source"].format(version[1] if version else "")}
    lines = [f"{json.dumps(key)}: {json.dumps(text)},\n" for key, text in header.items()]
    codes = HOST_CODES | read_codes((mediawiki / "includes" / "language" / "LanguageCode.php").read_text(encoding="utf-8"))
    lines.append(f'"codes": {json.dumps(codes, sort_keys=True)},\n')
    languages = sorted(collect(mediawiki))
    rows = [f"{json.dumps(code)}: {json.dumps(words, ensure_ascii=False)}" for code, words in languages]
    OUTPUT.write_text("{\n" + "".join(lines) + '"languages": {\n' + ",\n".join(rows) + "\n}\n}\n", encoding="utf-8")
    print(f"{OUTPUT}: {len(languages)} languages")  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
