"""The options that every question takes, and the graph that they open."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..query import Query
from .output import reject_empty

if TYPE_CHECKING:
    from .settings import Settings


def query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a question; it gets a ``Query`` in their place."""

    @click.option(
        "--base",
        "-b",
        multiple=True,
        metavar="BASE",
        help="The base to ask; by default wordnet, or the only one. More than one are searched as one.",
    )
    @click.option("--depth-limited", is_flag=True, help="Ask the first base alone, and all only if it finds nothing.")
    @click.option(
        "--profile",
        default="thesis",
        metavar="PROFILE",
        callback=reject_empty,
        help="thesis, tuned, or a file.  [default: thesis]",
    )
    @click.option("--threshold", type=float, metavar="X", help="Below this score a path is not followed.")
    @click.option("--derivation", type=click.Choice(["word", "synset"]), help="How derivation is read.  [default: word]")
    @click.option(
        "--stop-words",
        metavar="FILE",
        callback=reject_empty,
        help="The words, one a line, that are dropped where the whole phrase is unknown.",
    )
    @click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change one parameter of the profile.")
    @click.pass_obj
    @functools.wraps(command)
    def asking(
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
        given = {"threshold": threshold, "derivation": derivation, "stop_words": stop_words}
        options: dict[str, Any] = dict(map(_change, changes))
        options |= {name: value for name, value in given.items() if value is not None}
        options |= {"base": base or None, "profile": profile, "depth_limited": depth_limited}
        command(settings, Query(settings.store, options), **rest)

    return asking


_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _change(text: str) -> tuple[str, float | str | bool]:
    name, sign, value = text.partition("=")
    name = name.strip().lower().replace("-", "_")
    if name == "derivation":
        return name, value.strip()
    if name == "bracketed" and value.strip().lower() in _TRUTHS:
        return name, _TRUTHS[value.strip().lower()]
    try:
        number = float(value)
    except ValueError:
        sign = ""
    if not sign or name in ("base", "profile", "view", "address", "progress", "stop_words"):
        raise click.UsageError(f"--set {text}: write a parameter's name, =, and a number, such as --set der=0.6.")
    return name, number
