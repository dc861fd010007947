"""``wayword check``: whether anything that is stored is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..output import print_json, print_text

if TYPE_CHECKING:
    from ...graph.records import CheckedPart
    from ..settings import Settings

_ADVICE = {
    "store": "restore a copy of it, or delete it and load its bases again",
    "server": "load its bases again",
    "projection": "delete it; the next query builds it again",
    "ledger": "restore a copy of it",
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def check(ctx: click.Context, as_json: bool) -> None:
    """Check the store, its projections and the ledger of runs for damage.

    The exit code is 2 if something is damaged, else 0. A store is unverified if another program has written it: then nothing
    shows whether its rows have changed.
    """
    from ...checking import check as check_store

    settings: Settings = ctx.obj
    result = check_store(settings.store)
    if as_json:
        print_json(result.to_dict())
    else:
        print_text("\n".join(map(_line, result.parts)))
    if result.damaged:
        ctx.exit(2)


def _line(part: CheckedPart) -> str:
    from ...core.problems import describe_problem
    from ...rendering.text import clean

    line = f"{part.state:<11}{part.part:<11}{part.name}"
    if part.problems:
        advice = _ADVICE.get("server" if part.part == "store" and "://" in part.name else part.part)
        problems = " · ".join(describe_problem(code, count) for code, count in part.problems.items())
        line += f": {problems}" + (f"; {advice}" if advice else "")
    return clean(line)
