"""The base class of wayword's errors, and the hints that errors carry.

A message states what failed, and with which value. Advice that names an option, a command or a function is a ``Hint``, because
their names differ between Python, the command line and HTTP: each front end words hints for its own users.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

HintCode = Literal[
    "load",  # load a base of a ``kind``; with ``option`` and ``value`` load it again with that option
    "choose",  # name one of the ``choices`` as ``option``
    "set",  # name ``what`` as ``option``
    "raise",  # give ``option`` a higher value
    "lower",  # give ``option`` a lower value
    "enable",  # switch ``option`` on; ``effect`` says what it does
    "decide",  # switch ``option`` on or off
    "omit",  # leave ``option`` out
    "did_you_mean",  # ``names`` that are similar to the one that does not exist
    "unload",  # remove ``base``
    "list_bases",
    "list_matchers",
    "list_runs",  # only those of a ``kind``, if given
    "show_run",  # the details of ``run``
    "train_hashtags",
    "pass_parameter",  # give the statement's ``parameter`` a value
    "engine_words",  # see what the engine itself said
]


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice about an error: a code, and the values that its wording needs. Options have their Python names."""

    code: HintCode
    values: Mapping[str, Any]


def hint(code: HintCode, **values: Any) -> Hint:
    """Make a hint.

    >>> hint("raise", option="timeout")
    Hint(code='raise', values={'option': 'timeout'})
    """
    return Hint(code, values)


class WaywordError(Exception):
    """Base class of all errors that wayword raises deliberately.

    ``message`` states what failed, with any advice that is the same in every front end; ``hints`` are alternatives. ``str``
    words the error for Python.

    >>> str(WaywordError("the statement took longer than 2 s", hint("raise", option="timeout")))
    'the statement took longer than 2 s; raise timeout'
    """

    exit_code = 2

    def __init__(self, message: str = "", *hints: Hint) -> None:
        super().__init__(message, *hints)
        self.message, self.hints = message, hints

    def __str__(self) -> str:
        return self.to_text(word_for_python)

    def to_text(self, word: Callable[[Hint], str]) -> str:
        """Return the message and its hints; ``word`` turns each hint into text."""
        advice = ", or ".join(map(word, self.hints))
        return "; ".join(filter(None, (self.message, advice)))


def word_for_python(hint: Hint) -> str:
    """Word a hint for users of the Python API.

    >>> word_for_python(hint("choose", option="base", choices=["wordnet", "simplewiki"]))
    'choose one of wordnet, simplewiki as base='
    """
    values = hint.values
    option = values.get("option", "")
    match hint.code:
        case "load":
            load = f"wayword.load_{values['kind']}"
            return f"load it again with {load}(..., {option}={values['value']!r})" if option else f"load one with {load}()"
        case "choose":
            return f"choose one of {', '.join(values['choices'])} as {option}="
        case "set":
            return f"name {values['what']} as {option}="
        case "raise" | "lower":
            return f"{hint.code} {option}"
        case "enable":
            return f"{option}=True {values['effect']}"
        case "decide":
            return f"pass {option}=True or {option}=False"
        case "omit":
            return f"leave {option}= out"
        case "did_you_mean":
            return f"did you mean {' or '.join(values['names'])}?"
        case "unload":
            return f"remove it with wayword.unload({values['base']!r})"
        case "list_bases":
            return "info() lists the bases"
        case "list_matchers":
            return "list_matchers() lists them"
        case "list_runs":
            return "Ledger.runs() lists the runs"
        case "show_run":
            return f"see Ledger.run({values['run']})"
        case "train_hashtags":
            return "make one with wayword.hashtags.train()"
        case "pass_parameter":
            return f"pass it as an argument: cypher(..., {values['parameter']}=...)"
        case "engine_words":
            return "the cause of this error (__cause__) has the engine's own words"
