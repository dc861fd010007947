"""The entry point of ``wayword`` and ``python -m wayword``.

All other modules are imported inside ``main``, so that Ctrl-C during imports also prints one line instead of a traceback.
"""

from __future__ import annotations

import os
import sys


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    code = 130
    try:
        from .cli.signals import Terminated, exit_on_interrupt, handle_signals

        try:
            _open_streams()
            with exit_on_interrupt():
                from .cli.main import run
            handle_signals()
            code = run(sys.argv[1:] if arguments is None else arguments)
        except Terminated as error:
            code = error.exit_code
            sys.stderr.write(f"Error: {error}\n")
    except KeyboardInterrupt:
        sys.stderr.write("Error: interrupted\n")
    sys.exit(code)


def _open_streams() -> None:
    """Prepare the standard streams, so that closed streams and characters outside their encoding cause no errors."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)  # so that no other file gets this descriptor
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - open until the end
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
