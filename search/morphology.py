"""What a phrase matches in a WordNet: its lemmas, looked up in every part of speech after reduction to base forms.

The rules are WordNet's own, as NLTK applies them. An irregular form of the exception lists gives itself and its base forms and
nothing else; any other word gives itself and the result of each suffix rule. The rules are not applied to their own results:
"possess" would become "posse". A collocation that is found neither as it stands nor so reduced is tried with each of its words
reduced ("acts of god").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from .view import Entry, Lexicon, N

PARTS_OF_SPEECH = "nvar"

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

_ENDINGS = {pos: tuple(old for old, _ in rules) for pos, rules in SUFFIXES.items()}

COMBINATIONS = 512
"""How many ways of reducing the words of a collocation are tried at most."""


def match_targets(view: Lexicon[N], words: tuple[str, ...]) -> dict[N, str]:
    """The entities that a phrase of these words means, most used senses first, each with a label that leads to it."""
    senses = [
        (place, number, node, entry.name)
        for number, (entry, pos) in enumerate(forms_of(view, words))
        for place, (node, of) in enumerate(entry.senses)
        if of == pos
    ]
    found: dict[N, str] = {}
    for _, _, node, name in sorted(senses):
        found.setdefault(node, name)
    return found


def forms_of(view: Lexicon[N], words: tuple[str, ...]) -> list[tuple[Entry[N], str]]:
    """The entries that a phrase of these words leads to, each with the part of speech in which it does."""
    found = base_forms(view, " ".join(words))
    return found or (_reduced_words(view, words) if len(words) > 1 else [])


def base_forms(view: Lexicon[N], form: str) -> list[tuple[Entry[N], str]]:
    """The entries that a form reduces to, each with the part of speech in which it does."""
    tried = {pos: [form, *_rules(form, pos)] for pos in PARTS_OF_SPEECH}
    entries = view.entries(list(dict.fromkeys(each for forms in tried.values() for each in forms)))
    irregular: dict[str, list[str]] = {}
    if form in entries:
        for base, pos in entries[form].inflections:
            irregular.setdefault(pos, []).append(base)
    if irregular:
        missing = [base for bases in irregular.values() for base in bases if base not in entries]
        entries = {**entries, **view.entries(missing)}
    meant = {name: {of for _, of in entry.senses} for name, entry in entries.items()}
    found = []
    for pos in PARTS_OF_SPEECH:
        forms = [form, *irregular[pos]] if pos in irregular else tried[pos]
        found += [(entries[each], pos) for each in dict.fromkeys(forms) if pos in meant.get(each, ())]
    return found


def _rules(form: str, pos: str) -> list[str]:
    if not form.endswith(_ENDINGS[pos]):
        return []
    return [form[: -len(old)] + new for old, new in SUFFIXES[pos] if form.endswith(old) and form != old]


def _reduced_words(view: Lexicon[N], words: Sequence[str]) -> list[tuple[Entry[N], str]]:
    choices = [list(dict.fromkeys([word, *(entry.name for entry, _ in base_forms(view, word))])) for word in words]
    if prod(map(len, choices)) > COMBINATIONS:
        return []
    entries = view.entries([" ".join(chosen) for chosen in product(*choices)])
    return [(entry, pos) for entry in entries.values() for pos in PARTS_OF_SPEECH if any(of == pos for _, of in entry.senses)]
