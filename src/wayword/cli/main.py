"""The command line: global options, commands, and errors as one line with an exit code.

Commands are imported when they run, and nothing heavy is imported here, since every call waits for this module.
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
from ..core.native_code import native_parts
from ..core.optional_packages import find_missing_package, install_command
from ..graph import MEMORY
from .groups import SuggestingGroup
from .hints import word_hint
from .settings import Settings
from .signals import CTRL_C, Terminated, find_interruption

COMMANDS = (
    "load",
    "unload",
    "info",
    "check",
    "senses",
    "links",
    "score",
    "matchers",
    "path",
    "cypher",
    "hop",
    "hashtags",
    "evaluate",
    "sheets",
    "tune",
    "runs",
    "export",
)
"""The commands in the order of first use; each is named like its module in ``commands``."""

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
OUT_OF_MEMORY = ("failed to map segment from shared object", "Cannot allocate memory")
"""Parts of the system's messages if a library does not fit into memory."""


class Commands(SuggestingGroup):
    """A group that imports its commands when they are used."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names in the order of first use."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f".commands.{cmd_name}", __package__), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a closed pipe is not an error."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            ctx.exit(0)
        except WaywordError as error:
            if find_interruption(error) is not None:
                raise
            settings = ctx.obj or Settings()
            message = error.to_text(partial(word_hint, settings=settings)) or type(error).__name__
            ctx.exit(_print_error(message, error, error.exit_code, settings.verbose))
        return answer


def _print_version(ctx: click.Context, _parameter: click.Parameter, requested: bool) -> None:
    if not requested or ctx.resilient_parsing:
        return
    click.echo(f"wayword {__version__}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--store",
    metavar="STORE",
    envvar="WAYWORD_STORE",
    help="Store: a path, or a bolt://, neo4j://, bolt+s:// or neo4j+s:// address.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print no progress and no notes.")
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Print tracebacks of errors, examples of what loading a wiki leaves out, and which parts run in C.",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version.")
@click.pass_context
def cli(ctx: click.Context, store: str | None, quiet: bool, verbose: bool) -> None:
    """Score how well one phrase stands in for another, with the path that proves it.

    \b
    wayword load wordnet             fill the graph
    wayword score enclose birdcage   query it

    Without --store, the store is the one that WAYWORD_STORE names, or else a file in your data directory. For a Neo4j server
    the credentials are read from NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.
    """
    if store == "":
        raise click.UsageError("--store is empty; give a path or an address, or leave it out for the default store.")
    if store == MEMORY:
        raise click.UsageError(f"a store in memory is lost when the command ends; give --store a path instead of {MEMORY!r}.")
    ctx.obj = Settings(store, quiet=quiet, verbose=verbose)
    if verbose:
        click.echo("Running " + ", ".join(f"the {part} in {language}" for part, language in native_parts().items()), err=True)


def run(arguments: list[str]) -> int:
    """Run the command line.

    Returns:
        The exit code: 0 success, 1 an internal error, 2 an error that the user can fix, 130 Ctrl-C, 128 + n signal n.
    """
    verbose = bool({"-v", "--verbose"} & set(arguments))
    stdout = sys.stdout
    try:
        # Without arguments click shows the help and calls it an error.
        code = cli.main(arguments or ["--help"], prog_name="wayword", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit:
        # If the pipe is closed while click prints a help text, click replaces stdout and exits with 1. Other exits pass.
        if sys.stdout is stdout:
            raise
        silence(stdout)
        return 0
    except click.ClickException as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            error.show()
            return error.exit_code
        return _print_error(_usage_message(error), error, error.exit_code, verbose=False)
    except (click.Abort, KeyboardInterrupt, Terminated) as error:
        if isinstance(error.__cause__, EOFError):  # click takes the end of any file for an interruption
            return _print_fault(error.__cause__, verbose)
        return _print_interruption(error, verbose)
    except Exception as error:
        if (interruption := find_interruption(error)) is not None:
            return _print_interruption(interruption, verbose)
        if isinstance(error, OSError) and (reason := _write_failure(error)):
            return _print_error(f"cannot write the answer: {reason}", error, 2, verbose)
        return _print_fault(error, verbose)


def _print_fault(error: Exception, verbose: bool) -> int:
    """Print an error that is not the user's, unless the user can mend the installation."""
    description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ImportError) and any(text in str(error) for text in OUT_OF_MEMORY):
        return _print_error(f"too little memory for a library ({description}); give the process more", error, 2, verbose)
    if isinstance(error, ImportError) and (package := find_missing_package(error)):
        return _print_error(f"the package {package} is not installed: {install_command(package)}", error, 2, verbose)
    advice = "" if verbose else "; wayword --verbose shows where"
    return _print_error(f"{description} (an internal error{advice})", error, 1, verbose)


def _print_interruption(error: BaseException, verbose: bool) -> int:
    if isinstance(error, Terminated):
        return _print_error(str(error), error, error.exit_code, verbose)
    return _print_error("interrupted", error, CTRL_C, verbose)


def _write_failure(error: OSError) -> str | None:
    """Return the reason if writing the answer failed: then flushing the buffer fails again."""
    try:
        sys.stdout.flush()
    except OSError as flush_error:
        silence(sys.stdout)
        return flush_error.strerror or str(flush_error)
    return error.strerror if error.errno in DISK_FULL and error.filename is None else None


def silence(stream: TextIO) -> None:
    """Discard buffered output, because writing it would fail again when Python exits."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, stream.fileno())
    os.close(devnull)


def _usage_message(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    advice = f" See {context.command_path} --help." if context else ""
    if isinstance(error, click.NoSuchOption) and context and context.parent:
        global_options = {name for option in cli.params for name in option.opts}
        has_arguments = any(isinstance(parameter, click.Argument) for parameter in context.command.params)
        advice = f" Put arguments that begin with - after --.{advice}" if has_arguments else advice
        advice = " Put it before the command." if error.option_name in global_options else advice
    message = error.format_message()
    return message + ("" if message.endswith((".", "?")) else ".") + advice


def _print_error(message: str, error: BaseException, code: int, verbose: bool) -> int:
    colour = False if os.environ.get("NO_COLOR") else None
    line = " ".join(message.split())
    try:
        if verbose:
            import traceback

            click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
        click.echo(f"{click.style('Error:', fg='red')} {_escape_controls(line)}", err=True, color=colour)
    except OSError:  # the terminal is gone or the disk is full; the exit code remains
        silence(sys.stderr)
    return code


def _escape_controls(line: str) -> str:
    """Escape control characters, which would act on a terminal."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in line)
