"""The option that names a ledger, for every command that reads or writes one."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from .output import print_note, reject_empty

if TYPE_CHECKING:
    from ..evaluation.runs.ledger import Ledger
    from .settings import Settings

ledger_option = click.option(
    "--ledger",
    metavar="LEDGER",
    envvar="WAYWORD_LEDGER",
    callback=reject_empty,
    help="Ledger of runs: a path or a SQLAlchemy URL; by default in your data directory.",
)


def open_ledger(settings: Settings, ledger: str | None) -> AbstractContextManager[Ledger | None]:
    """Open the ledger for work that is useful without one; only a ledger that the user named must open."""
    from ..evaluation.errors import LedgerError
    from ..evaluation.runs.ledger import Ledger

    try:
        return Ledger.open(ledger)
    except LedgerError as error:
        if ledger is not None:
            raise
        print_note(settings, f"this run is not recorded: {error}")
        return nullcontext()
