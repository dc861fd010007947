"""Word the hints of errors for the command line."""

from __future__ import annotations

from ..core.errors import Hint
from .settings import Settings

_SOURCES = {"wikipedia": " DUMP", "hashtags": " FILE"}
"""Arguments that ``wayword load`` needs for a kind of base; a WordNet is found without one."""


def word_hint(hint: Hint, settings: Settings) -> str:
    """Return the option or command that helps; commands name the same store.

    >>> from wayword.core.errors import hint
    >>> word_hint(hint("load", kind="wordnet"), Settings("my graph"))
    "load one with: wayword --store 'my graph' load wordnet"
    >>> word_hint(hint("set", option="first_links", what="a larger number"), Settings())
    'name a larger number with --first-links'
    """
    values = hint.values
    option = "--" + values.get("option", "").replace("_", "-")
    match hint.code:
        case "load":
            load = f"{settings.command} load {values['kind']}{_SOURCES.get(values['kind'], '')}"
            return f"load it again with: {load} {option} {values['value']}" if "option" in values else f"load one with: {load}"
        case "choose":
            return f"choose one of {', '.join(values['choices'])} with {option}"
        case "set":
            return f"name {values['what']} with {option}"
        case "raise" | "lower":
            return f"{hint.code} {option}"
        case "enable":
            return f"{option} {values['effect']}"
        case "decide":
            return f"give {option} or --no-{option[2:]}"
        case "omit":
            return f"leave {option} out"
        case "did_you_mean":
            return f"did you mean {' or '.join(values['names'])}?"
        case "unload":
            return f"remove it with: {settings.command} unload {values['base']}"
        case "list_bases":
            return f"{settings.command} info lists the bases"
        case "list_matchers":
            return "wayword matchers lists them"
        case "list_runs":
            kind = f" --kind {values['kind']}" if "kind" in values else ""
            return f"wayword runs{kind} lists the runs"
        case "show_run":
            return f"see wayword runs show {values['run']}"
        case "train_hashtags":
            return "make one with: wayword hashtags train"
        case "pass_parameter":
            return f"add -p {values['parameter']}=VALUE"
        case "engine_words":
            return "wayword --verbose shows the engine's own words"
