"""The option that names the file of a picture, the same for every command that draws one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .output import reject_empty


def picture_option(
    *names: str, required: bool = False, graph: bool = False, plot: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the option ``--output``. A file that cannot be written is an error before any work is done.

    Args:
        names: Other names of the option.
        required: Whether the command does nothing but draw.
        graph: Whether the picture is also offered in the formats of graphs.
        plot: Whether matplotlib draws it in any format.
    """
    endings = ".svg, .png, .pdf, .dot or .graphml" if graph else ".svg, .png or .pdf"

    def check(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if reject_empty(ctx, parameter, value) is not None:
            from ..rendering.files import GRAPH_ENDINGS, PICTURE_ENDINGS, check_figure_path, check_picture_path

            if plot:
                check_figure_path(str(value))
            else:
                check_picture_path(str(value), (*PICTURE_ENDINGS, *(GRAPH_ENDINGS if graph else ())))
        return value

    return click.option(
        *(names or ("--output", "-o")),
        metavar="FILE",
        required=required,
        callback=check,
        help=f"Draw to a file ending in {endings}.",
    )
