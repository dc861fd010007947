"""The command line: its options, its commands, and the one line and the exit code in which every error ends.

Commands are imported when they are called, and nothing heavy is imported here: people wait for this module every time.
"""

from __future__ import annotations

import errno
import os
import sys
from functools import partial
from importlib import import_module
from typing import TextIO

import click

from .. import __version__
from ..core.errors import WaywordError
from ..graph import MEMORY
from .hints import word_hint
from .settings import Settings
from .signals import CTRL_C, Terminated

COMMANDS = ("load", "info", "senses", "links", "score", "path", "cypher", "hop", "hashtags", "runs", "export")
"""The commands, in the order in which people need them; each is called as its module in ``commands``."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NO_MEMORY = ("failed to map segment from shared object", "Cannot allocate memory")
"""What the system says of a library for which there is no room in memory."""


class Commands(click.Group):
    """A group that knows its commands by name and imports them when they are wanted."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names, in the order in which people need them."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f".commands.{cmd_name}", __package__), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader who closes the pipe has seen enough."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            ctx.exit(0)
        except WaywordError as error:
            settings = ctx.obj or Settings()
            message = error.worded(partial(word_hint, settings=settings)) or type(error).__name__
            ctx.exit(_complain(message, error, error.exit_code, settings.verbose))
        return answer


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"wayword {__version__}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option("--store", metavar="STORE", envvar="WAYWORD_STORE", help="A path, or bolt://, neo4j://, bolt+s://, neo4j+s://.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no notes.")
@click.option(
    "--verbose", "-v", is_flag=True, help="The whole trace where something fails; examples of what a load of a wiki leaves out."
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version.")
@click.pass_context
def cli(ctx: click.Context, store: str | None, quiet: bool, verbose: bool) -> None:
    """How well one phrase stands in for another, with the path that proves it.

    \b
    wayword load wordnet             fills the graph
    wayword score enclose birdcage   asks it

    STORE is where the graph lies: by default a file in your data directory. A Neo4j server takes its credentials from
    NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.
    """
    if store == "":
        raise click.UsageError("--store is empty; give a path or an address, or leave it out for the default store.")
    if store == MEMORY:
        raise click.UsageError(f"a store in memory would end with this command; give --store a path instead of {MEMORY!r}.")
    ctx.obj = Settings(store, quiet=quiet, verbose=verbose)


def run(arguments: list[str]) -> int:
    """Run the command line; the exit code.

    0 answered, 2 the user can mend it, 1 a fault of ours, 130 Ctrl-C, 128 and its number another signal.
    """
    verbose = bool({"-v", "--verbose"} & set(arguments))
    try:
        # Without arguments click shows the help and calls it an error.
        code = cli.main(arguments or ["--help"], prog_name="wayword", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            error.show()
            return error.exit_code
        return _complain(_usage(error), error, error.exit_code, verbose=False)
    except (click.Abort, KeyboardInterrupt, Terminated) as error:
        return _interrupted(error, verbose)
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt | Terminated):  # it came in the making of a class
            return _interrupted(error.__cause__, verbose)
        if isinstance(error, OSError) and (reason := _unwritten(error)):
            return _complain(f"cannot write the answer: {reason}", error, 2, verbose)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        if isinstance(error, ImportError) and any(each in str(error) for each in NO_MEMORY):
            return _complain(f"too little memory for a library ({what}); give the process more", error, 2, verbose)
        advice = "" if verbose else "; wayword --verbose shows where"
        return _complain(f"{what} (a fault of ours{advice})", error, 1, verbose)


def _interrupted(error: BaseException, verbose: bool) -> int:
    if isinstance(error, Terminated):
        return _complain(str(error), error, error.exit_code, verbose)
    return _complain("interrupted", error, CTRL_C, verbose)


def _unwritten(error: OSError) -> str | None:
    """Why the answer cannot be written, if that is what failed: what is still buffered then fails again."""
    try:
        sys.stdout.flush()
    except OSError as again:
        silence(sys.stdout)
        return again.strerror or str(again)
    return error.strerror if error.errno in NO_ROOM and error.filename is None else None


def silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere; it would fail again when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _usage(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    advice = f" See {context.command_path} --help." if context else ""
    if isinstance(error, click.NoSuchOption) and context and context.parent:
        ours = {name for option in cli.params for name in option.opts}
        takes = any(isinstance(each, click.Argument) for each in context.command.params)
        advice = f" What begins with - and is no option goes after --.{advice}" if takes else advice
        advice = " It goes before the command." if error.option_name in ours else advice
    return error.format_message() + advice


def _complain(message: str, error: BaseException, code: int, verbose: bool) -> int:
    colour = False if os.environ.get("NO_COLOR") else None
    line = " ".join(message.split())
    try:
        if verbose:
            import traceback

            click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
        click.echo(f"{click.style('Error:', fg='red')} {_printable(line)}", err=True, color=colour)
    except OSError:  # the terminal is gone, or there is no room: the exit code still tells
        silence(sys.stderr)
    return code


def _printable(line: str) -> str:
    """The line without anything that would steer a terminal."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in line)
