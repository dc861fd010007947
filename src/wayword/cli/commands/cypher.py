"""``wayword cypher``: run a read-only statement and print its rows."""

from __future__ import annotations

import json
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..output import format_count, print_json, print_note, print_text, reject_nan, terminal_width

if TYPE_CHECKING:
    from ..settings import Settings


@click.command()
@click.argument("statement")
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Value of a $parameter, as JSON or plain text; repeatable.",
)
@click.option("--limit", type=click.IntRange(1), default=1000, metavar="N", show_default=True, help="Largest number of rows.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    callback=reject_nan,
    default=30.0,
    metavar="S",
    show_default=True,
    help="Largest number of seconds.",
)
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), help="Output format.  [default: table]")
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.pass_obj
def cypher(
    settings: Settings,
    statement: str,
    parameters: tuple[str, ...],
    limit: int,
    timeout: float,
    form: str | None,
    as_json: bool,
) -> None:
    """Run one read-only Cypher STATEMENT; - reads it from stdin.

    \b
    wayword cypher "MATCH (:Label {id: 'wordnet/dog'})-[s:SENSE]->(e) RETURN e.name, s.prior ORDER BY s.rank"
    wayword cypher 'MATCH (s:Synset {id: $id}) RETURN s.gloss' -p id=wordnet:02086723-n
    """
    values = _parse_parameters(parameters)
    text = _read_stdin() if statement == "-" else statement
    from ...api import open as open_graph

    with open_graph(settings.store) as graph:
        answer = graph.store.cypher(text, values, limit=limit, timeout=timeout)
    form = "json" if as_json else form or "table"
    if form == "json":
        from ...graph.cypher.values import to_json_value

        print_json({"columns": list(answer.columns), "rows": to_json_value(answer.rows), "truncated": answer.truncated})
    elif form == "csv":
        from ...answer_text import answer_csv

        print_text(answer_csv(answer), nl=False)
    else:
        from ...answer_text import answer_table

        print_text(answer_table(answer, width=terminal_width()))
        print_note(settings, format_count(len(answer.rows), "row"))
    if answer.truncated:
        print_note(settings, f"There are more than these {limit:,} rows; raise --limit to see them.")


def _read_stdin() -> str:
    """Read the statement from stdin, up to the maximum length."""
    from ...core.atomic_files import FileError
    from ...graph.cypher.guard import MAX_BYTES

    if sys.stdin is None:
        raise FileError("stdin: is closed; pipe a statement into it, or give it instead of -")
    try:
        text = sys.stdin.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise FileError(f"stdin: the statement cannot be read ({error}); write it in UTF-8") from None
    if len(text) > MAX_BYTES:
        raise FileError(f"stdin: the statement is longer than {MAX_BYTES:,} bytes; pass long values as parameters")
    return text


def _parse_parameters(texts: tuple[str, ...]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for text in texts:
        name, value = _parse_parameter(text)
        if name in values:
            raise click.UsageError(f"-p {name}=... is given twice; give each parameter one value.")
        values[name] = value
    return values


def _parse_parameter(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise click.UsageError(f"-p {text}: write NAME=VALUE, such as -p name=dog.")
    try:
        # NaN and Infinity are words, not JSON; an object with a key twice would lose a value.
        return name, json.loads(value, parse_constant=_reject_constant, object_pairs_hook=partial(_unique_keys, name))
    except ValueError:
        return name, value
    except RecursionError:
        raise click.UsageError(f"-p {name}=...: the value is nested too deeply; flatten it.") from None


def _reject_constant(word: str) -> None:
    raise ValueError(word)


def _unique_keys(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = (key for key, _ in pairs)
    twice = next((key for key, number in Counter(keys).items() if number > 1), None)
    if twice is not None:
        raise click.UsageError(f"-p {name}=...: the object has the key {twice!r} twice; remove one.")
    return dict(pairs)
