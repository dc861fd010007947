"""The options of commands that score pairs by any matchers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .output import reject_empty
from .query_options import query_options

if TYPE_CHECKING:
    from ..query import Query
    from .settings import Settings


def matcher_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of matchers and of a query to a command, which receives a ``MatcherRequest`` with their values."""

    @click.option(
        "--matcher",
        "-m",
        "matchers",
        multiple=True,
        metavar="M",
        help="Matcher, as wayword matchers lists them; repeatable.  [default: wayword]",
    )
    @click.option("--corpus", metavar="FILE", callback=reject_empty, help="Phrases in which nist counts, one per line.")
    @click.option("--vectors", metavar="FILE", callback=reject_empty, help="Word vectors of the matcher vectors.")
    @click.option(
        "--encoder",
        metavar="NAME",
        callback=reject_empty,
        help="Model of the matcher encoder: a folder or a Hugging Face name.",
    )
    @query_options
    @functools.wraps(command)
    def command_with_matchers(
        settings: Settings,
        query: Query,
        /,
        matchers: tuple[str, ...],
        corpus: str | None,
        vectors: str | None,
        encoder: str | None,
        **rest: Any,
    ) -> None:
        from ..matcher_request import MatcherRequest

        command(settings, MatcherRequest(query, matchers, corpus, vectors, encoder), **rest)

    return command_with_matchers
