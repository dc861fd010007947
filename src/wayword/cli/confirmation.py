"""Ask before something is deleted."""

from __future__ import annotations

import sys

import click

yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask first.")


def confirm(question: str) -> None:
    """Ask on the terminal, and end the command unless the answer is yes.

    Raises:
        click.UsageError: There is no terminal to ask on.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("this deletes data, and there is no terminal to ask on; add --yes.")
    if not click.confirm(question, err=True):
        click.echo("nothing was deleted", err=True)
        click.get_current_context().exit(2)
