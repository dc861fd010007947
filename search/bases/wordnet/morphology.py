"""Match phrases in a WordNet: lemmas are looked up in every part of speech after reduction to base forms.

The rules are WordNet's own, as NLTK applies them. An irregular form in the exception lists yields itself and its base forms and
nothing else; any other word yields itself and the result of each suffix rule. The rules are not applied to their own results:
"possess" would become "posse". A collocation that is found neither as written nor reduced as a whole is tried with each of its
words reduced ("acts of god"). The suffix rules are those of English; a lexicon of another language has only the forms that it
lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, Generic, Protocol

from ....core.languages import is_english
from ....core.normalisation import fold
from ...scoring.sense_weights import add_senses
from ..view import Entry, Lexicon, N, TargetLabel

if TYPE_CHECKING:
    from ...scoring.parameters import Parameters

PARTS_OF_SPEECH = "nvar"
"""Noun, verb, adjective and adverb, in the order of NLTK; other parts of speech come after them in alphabetical order."""

SUFFIXES: Mapping[str, Sequence[tuple[str, str]]] = {
    "n": [
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}
"""The suffix rules of each part of speech: a suffix, and what replaces it."""

_ENDINGS = {pos: tuple(old for old, _ in rules) for pos, rules in SUFFIXES.items()}

MAX_COMBINATIONS = 512
"""Collocations whose words can be reduced in more ways than this are not reduced word by word."""


def match_targets(view: Lexicon[N], words: tuple[str, ...], parameters: Parameters) -> dict[N, TargetLabel]:
    """Return the target set of a phrase, most used senses first, each entity with a label that leads to it."""
    forms = find_entries(view, words)
    senses = [
        (place, number, node)
        for number, (entry, pos) in enumerate(forms)
        for place, (node, sense_pos) in enumerate(entry.senses)
        if sense_pos == pos
    ]
    labels = [TargetLabel(entry.name) for entry, _ in forms]
    found: dict[N, TargetLabel] = {}
    for _, number, node in sorted(senses):
        found.setdefault(node, labels[number])
    if parameters.weighs_antonyms:
        opposites = view.opposites(list(found))
        found = {node: label._replace(opposites=opposites[node]) for node, label in found.items()}
    if parameters.weighs_senses:
        counted = [(node, *forms[number][0].counts_of(place)) for place, number, node in senses]
        found = add_senses(found, counted, of_wiki=False)
    return found


def find_entries(lexicon: Lexicon[N], words: tuple[str, ...]) -> list[tuple[Entry[N], str]]:
    """Return the entries that match a phrase, each with the part of speech in which it does.

    The phrase is looked up as written, and by its folded form only if that finds nothing.
    """
    text = " ".join(words)
    entries = _match_text(_WrittenLookUp(lexicon), text)
    if entries:
        return entries
    folded = fold(text)
    return _match_text(_FoldedLookUp(lexicon), folded) if folded else []


def find_base_forms(lexicon: Lexicon[N], form: str) -> list[tuple[Entry[N], str]]:
    """Return the entries that a written form reduces to, each with the part of speech in which it does."""
    return _reduce(_WrittenLookUp(lexicon), form)


class _LookUp(Protocol[N]):
    """A way to look forms up: as written, or folded. ``english`` if the suffix rules apply to the lexicon."""

    english: bool

    def key(self, text: str) -> str:
        """Return the form under which a text is looked up."""

    def entries(self, forms: Sequence[str]) -> Mapping[str, Sequence[Entry[N]]]:
        """Return the entries of each form; forms without any are left out."""


class _WrittenLookUp(Generic[N]):
    def __init__(self, lexicon: Lexicon[N]) -> None:
        self._lexicon = lexicon
        self.english = all(map(is_english, lexicon.languages))

    def key(self, text: str) -> str:
        return text

    def entries(self, forms: Sequence[str]) -> Mapping[str, Sequence[Entry[N]]]:
        return {form: (entry,) for form, entry in self._lexicon.entries(forms).items()}


class _FoldedLookUp(Generic[N]):
    def __init__(self, lexicon: Lexicon[N]) -> None:
        self._lexicon = lexicon
        self.english = all(map(is_english, lexicon.languages))

    def key(self, text: str) -> str:
        return fold(text)

    def entries(self, forms: Sequence[str]) -> Mapping[str, Sequence[Entry[N]]]:
        return self._lexicon.folded_entries(forms)


def _match_text(look_up: _LookUp[N], text: str) -> list[tuple[Entry[N], str]]:
    """Return the entries of a text as a whole; only if there are none, with its words reduced one by one."""
    words = text.split(" ")
    return _reduce(look_up, text) or (_reduce_words(look_up, words) if len(words) > 1 else [])


def _reduce(look_up: _LookUp[N], form: str) -> list[tuple[Entry[N], str]]:
    """Return the entries of a form and of its base forms, by the exceptions or else by the suffix rules."""
    by_rules = {pos: forms for pos in SUFFIXES if (forms := _apply_rules(form, pos))} if look_up.english else {}
    entries = look_up.entries(list(dict.fromkeys(chain([form], *by_rules.values()))))
    irregular: dict[str, list[str]] = {}
    for entry in entries.get(form, ()):
        for base, pos in entry.inflections:
            irregular.setdefault(pos, []).append(look_up.key(base))
    if irregular:
        missing = [base for bases in irregular.values() for base in bases if base not in entries]
        entries = {**entries, **look_up.entries(missing)}
    found = []
    for pos in _parts_of_speech(entries):
        written = dict.fromkeys([form, *irregular.get(pos, by_rules.get(pos, []))])
        found += [(entry, pos) for each in written for entry in entries.get(each, ()) if _has_pos(entry, pos)]
    return found


def _parts_of_speech(entries: Mapping[str, Sequence[Entry[N]]]) -> list[str]:
    """Return the parts of speech that these entries have."""
    parts = {pos for found in entries.values() for entry in found for _, pos in entry.senses}
    return [*filter(parts.__contains__, PARTS_OF_SPEECH), *sorted(parts.difference(PARTS_OF_SPEECH))]


def _has_pos(entry: Entry[N], pos: str) -> bool:
    return pos in [sense_pos for _, sense_pos in entry.senses]


def _apply_rules(form: str, pos: str) -> list[str]:
    """Return the result of each suffix rule that applies to a form; no rule applies to a bare suffix."""
    if not form.endswith(_ENDINGS[pos]):
        return []
    return [form[: -len(old)] + new for old, new in SUFFIXES[pos] if form.endswith(old) and form != old]


def _reduce_words(look_up: _LookUp[N], words: Sequence[str]) -> list[tuple[Entry[N], str]]:
    """Return the entries of a collocation with each word as given or reduced, in every combination."""
    choices = [list(dict.fromkeys([word, *(look_up.key(entry.name) for entry, _ in _reduce(look_up, word))])) for word in words]
    if prod(map(len, choices)) > MAX_COMBINATIONS:
        return []
    found = look_up.entries([" ".join(combination) for combination in product(*choices)])
    parts = _parts_of_speech(found)
    return [(entry, pos) for entries in found.values() for entry in entries for pos in parts if _has_pos(entry, pos)]
