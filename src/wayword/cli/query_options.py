"""The options of commands that query the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..query import Query
from ..search.scoring.profiles import DEFAULT_PROFILE
from .output import reject_empty

if TYPE_CHECKING:
    from .settings import Settings


def query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a query to a command, which receives a ``Query`` with their values."""

    @click.option(
        "--base",
        "-b",
        multiple=True,
        metavar="BASE",
        help="Base to query; by default wordnet, or the only one. Several are searched as one; repeatable.",
    )
    @click.option("--depth-limited", is_flag=True, help="Search the first base alone, and all bases only if it finds nothing.")
    @click.option(
        "--profile",
        default=DEFAULT_PROFILE,
        show_default=True,
        metavar="PROFILE",
        callback=reject_empty,
        help="Parameters: people, entailment, thesis, tuned, or a TOML file.",
    )
    @click.option("--threshold", type=float, metavar="X", help="Smallest score of a path that is followed.")
    @click.option(
        "--derivation",
        type=click.Choice(["word", "synset"]),
        help="Whether a derivation leads to all senses of the derived word, or to one.  [default: word]",
    )
    @click.option(
        "--stop-words",
        metavar="FILE",
        callback=reject_empty,
        help="Words to drop from unknown phrases, one per line.",
    )
    @click.option(
        "--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a parameter of the profile; repeatable."
    )
    @click.pass_obj
    @functools.wraps(command)
    def command_with_query(
        settings: Settings,
        /,
        base: tuple[str, ...],
        depth_limited: bool,
        profile: str,
        threshold: float | None,
        derivation: str | None,
        stop_words: str | None,
        changes: tuple[str, ...],
        **rest: Any,
    ) -> None:
        single = {"threshold": threshold, "derivation": derivation, "stop_words": stop_words}
        options: dict[str, Any] = dict(map(_parse_change, changes))
        options |= {name: value for name, value in single.items() if value is not None}
        options |= {"base": base or None, "profile": profile, "depth_limited": depth_limited}
        command(settings, Query(settings.store, options), **rest)

    return command_with_query


_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _parse_change(text: str) -> tuple[str, float | str | bool]:
    name, sign, value = text.partition("=")
    name = name.strip().lower().replace("-", "_")
    if name == "derivation":
        return name, value.strip()
    if name == "bracketed" and value.strip().lower() in _BOOLEANS:
        return name, _BOOLEANS[value.strip().lower()]
    try:
        number = float(value)
    except ValueError:
        sign = ""
    if not sign or name in ("base", "profile", "view", "address", "progress", "stop_words"):
        raise click.UsageError(f"--set {text}: write NAME=VALUE, such as --set der=0.6 or --set bracketed=yes.")
    return name, number
